#include "reports/figures/plot_kind.hpp"

#include <algorithm>
#include <iterator>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::figures {

std::string file_name(std::string_view title) {
  std::string name;
  for (const char c : title) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') || lower == '-')
      name += lower;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (name.ends_with('_')) name.pop_back();
  return name.empty() ? "figure" : name;
}

void complete(FigureRequest& request, const std::string& y, const std::string& panel) {
  if (request.y.empty()) request.y = y;
  if (request.panel.empty()) request.panel = panel;
  if (request.panel == "none") request.panel.clear();
}

void complete_titles(FigureRequest& request, const std::string& name, const std::string& title) {
  if (request.name.empty()) request.name = request.title.empty() ? name : file_name(request.title);
  if (request.title.empty()) request.title = title;
}

void refuse_axes(const FigureRequest& request, bool has_axes) {
  const std::pair<const char*, bool> given[] = {{"series", !request.series.empty()},
                                                {"panel", !request.panel.empty()},
                                                {"scale", request.own_y_range},
                                                {"x", !request.x.empty() && !has_axes},
                                                {"y", !request.y.empty() && !has_axes}};
  for (const auto& [option, is_given] : given)
    if (is_given)
      throw InputError(request.place + "kind " + request.kind + " takes no " + option +
                       "; a filter selects rows");
}

std::vector<Row> selected_rows(std::span<const Row> rows, const Selection& where) {
  std::vector<Row> some;
  std::ranges::copy_if(rows, std::back_inserter(some),
                       [&where](const Row& row) { return selects(where, row); });
  return some;
}

std::string tip_line(std::initializer_list<std::pair<std::string, std::string>> axes) {
  std::string line;
  for (const auto& [axis, value] : axes)
    if (!axis.empty()) line += (line.empty() ? "" : ", ") + axis + " " + value;
  return line;
}

std::string tip_models(const std::optional<double>& bound, const std::optional<double>& expected) {
  std::string line;
  if (bound) line += "\nbound " + short_number(*bound);
  if (expected) line += (bound ? ", expected " : "\nexpected ") + short_number(*expected);
  return line;
}

}  // namespace fftprec::figures
