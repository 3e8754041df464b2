#include "reports/plots/plot_defaults.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "experiments/rows/columns.hpp"

namespace fftprec {

namespace {

/// Values of `axis` by (algorithm, mode), over the rows that were measured.
using Values = std::map<std::string, std::map<std::string, std::set<std::string>>>;

Values values_of(std::span<const Row> rows, const std::string& axis) {
  const Column& column = column_named(axis);
  Values values;
  for (const Row& row : rows)
    if (row.status == Status::ok)
      values[row.where.algorithm][row.where.mode].insert(column.text(row));
  return values;
}

/// Whether there are several modes and several lengths.
bool is_a_map(std::span<const Row> rows) {
  std::set<std::string> modes;
  std::set<std::uint64_t> lengths;
  for (const Row& row : rows) {
    if (row.status != Status::ok || !row.bits_l2) continue;
    modes.insert(row.where.mode);
    lengths.insert(row.where.n);
  }
  return modes.size() > 1 && lengths.size() > 1;
}

/// Lower-case letters, digits and - of `title`; everything else becomes one _.
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

}  // namespace

std::vector<FigureRequest> default_figures(std::span<const Row> rows) {
  std::vector<FigureRequest> requests = {
      {.name = "error_vs_n", .title = "Error against transform length, by mode"},
      {.name = "error_over_bound",
       .title = "Error as a share of its worst-case bound, by mode",
       .y = err_over_bound},
      {.name = "error_over_bound_histogram",
       .title = "How the error spreads below its worst-case bound",
       .y = err_over_bound,
       .kind = PlotKind::histogram},
      {.x = "", .kind = PlotKind::cost}};
  if (is_a_map(rows))
    requests.push_back({.name = "bits_by_mode",
                        .title = "Bits correct, by mode and transform length",
                        .y = "bits_l2",
                        .kind = PlotKind::heatmap});
  struct Compared {
    const char* axis;
    const char* title;
  };
  constexpr Compared comparisons[] = {{"machine", "Machines compared: "},
                                      {"tables", "Table sources compared: "},
                                      {"input", "Inputs compared: "}};
  for (const auto& [axis, title] : comparisons)
    for (const auto& [algorithm, modes] : values_of(rows, axis)) {
      std::string compared;
      for (const auto& [mode, values] : modes)
        if (values.size() > 1) compared += (compared.empty() ? "" : ",") + mode;
      if (compared.empty()) continue;
      requests.push_back({.name = file_name(std::string(axis) + "_" + algorithm),
                          .title = title + algorithm,
                          .series = axis,
                          .panel = "mode",
                          .where = select_rows({"algorithm=" + algorithm, "mode=" + compared}),
                          .own_y_range = true});
    }
  return requests;
}

FigureRequest figure_of(const PlotSpec& spec) {
  const std::string title = !spec.title.empty()        ? spec.title
                            : spec.kind == "histogram" ? std::string("Error over bound")
                            : spec.kind == "cost"
                                ? spec.y + " against " + spec.x
                                : spec.y + " against " + spec.x + ", by " + spec.series;
  FigureRequest request{.name = file_name(title),
                        .title = title,
                        .y = spec.y,
                        .x = spec.x,
                        .series = spec.series,
                        .kind = plot_kind_named(spec.kind)};
  if (request.series == request.panel) request.panel = "mode";
  request.own_y_range = request.kind == PlotKind::heatmap;
  if (!spec.filter.empty()) request.where = select_rows({spec.filter});
  return request;
}

}  // namespace fftprec
