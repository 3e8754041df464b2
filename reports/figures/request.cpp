#include "reports/figures/request.hpp"

#include <algorithm>
#include <iterator>

#include "arith/support/error.hpp"

namespace fftprec::figures {

bool own_scale_named(std::string_view name) {
  if (name == "shared") return false;
  if (name == "panel") return true;
  throw unknown_name("scale", name, {"shared", "panel"});
}

void refuse_axes(const PlotOptions& options, bool has_axes) {
  const std::pair<const char*, bool> given[] = {{"--series", !options.series.empty()},
                                                {"--panel", !options.panel.empty()},
                                                {"--scale", options.scale != PlotOptions{}.scale},
                                                {"--x", !options.x.empty() && !has_axes},
                                                {"--y", !options.y.empty() && !has_axes}};
  for (const auto& [option, is_given] : given)
    if (is_given)
      throw InputError("--kind " + options.kind + " takes no " + option + "; -f selects rows");
}

std::string panel_of(const PlotOptions& options, const std::string& usual) {
  if (options.panel.empty()) return usual;
  return options.panel == "none" ? "" : options.panel;
}

std::vector<Row> selected_rows(std::span<const Row> rows, const Selection& where) {
  std::vector<Row> some;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(some),
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
  if (bound) line += "\nbound " + three_digits(*bound);
  if (expected) line += (bound ? ", expected " : "\nexpected ") + three_digits(*expected);
  return line;
}

}  // namespace fftprec::figures
