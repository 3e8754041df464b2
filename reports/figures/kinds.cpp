#include "reports/figures/kinds.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/support/names.hpp"
#include "reports/figures/cost.hpp"
#include "reports/figures/curves.hpp"
#include "reports/figures/heatmap.hpp"
#include "reports/figures/histogram.hpp"
#include "reports/figures/spectrum.hpp"
#include "reports/figures/tail.hpp"

namespace fftprec::figures {

namespace {

const std::vector<PlotKind>& kinds() {
  static const std::vector<PlotKind> all = {lines_kind(),     heat_map_kind(), cost_kind(),
                                            histogram_kind(), spectrum_kind(), tail_kind()};
  return all;
}

constexpr std::size_t most_name_letters = 100;  ///< file systems take 255 with number and ending

/// Values of `axis` by (algorithm, mode), over the rows that were measured.
using Values = std::map<std::string, std::map<std::string, std::set<std::string>>>;

Values values_of(std::span<const Row> rows, const std::string& axis) {
  const Column& column = column_named(axis);
  Values values;
  for (const Row& row : rows)
    if (row.status == Status::ok)
      values[row.where.algorithm()][row.where.mode()].insert(column.text(row));
  return values;
}

/// Whether there are several modes and several lengths.
bool is_a_map(std::span<const Row> rows) {
  std::set<std::string> modes;
  std::set<std::uint64_t> lengths;
  for (const Row& row : rows) {
    if (row.status != Status::ok || !row.bits_l2) continue;
    modes.insert(row.where.mode());
    lengths.insert(row.where.n());
  }
  return modes.size() > 1 && lengths.size() > 1;
}

}  // namespace

const PlotKind& plot_kind_named(std::string_view name, const std::string& place) {
  for (const PlotKind& kind : kinds())
    if (kind.name == name) return kind;
  throw InputError(place + unknown_name("plot kind", name, plot_kind_names()).what());
}

std::vector<std::string> plot_kind_names() { return names_by(kinds(), &PlotKind::name); }

FigureRequest completed(const FigureRequest& request) {
  return plot_kind_named(request.kind, request.place).completed(request);
}

std::vector<Figure> draw_all(std::span<const Row> rows, std::span<const FigureRequest> requests,
                             const NameOrders& orders) {
  std::vector<Figure> figures;
  for (const FigureRequest& request : requests)
    for (Figure& figure : plot_kind_named(request.kind).draw(rows, request, orders))
      figures.push_back(std::move(figure));
  std::set<std::string> taken;
  for (Figure& figure : figures) {
    const std::string name = figure.name.substr(0, most_name_letters);
    figure.name = name;
    for (std::size_t i = 2; !taken.insert(figure.name).second; ++i)
      figure.name = name + "_" + std::to_string(i);
  }
  return figures;
}

std::vector<FigureRequest> default_figures(std::span<const Row> rows) {
  std::vector<FigureRequest> requests = {
      {.name = "error_vs_n", .title = "Error against transform length, by mode"},
      {.name = "error_over_bound",
       .title = "Error as a share of its worst-case bound, by mode",
       .y = err_over_bound},
      {.name = "error_over_bound_histogram",
       .title = "How the error spreads below its worst-case bound",
       .kind = "histogram"},
      {.kind = "cost"}};
  if (std::ranges::any_of(rows, [](const Row& row) { return row.over_seeds != nullptr; }))
    requests.push_back({.kind = "tail"});
  if (is_a_map(rows))
    requests.push_back({.name = "bits_by_mode",
                        .title = "Bits correct, by mode and transform length",
                        .y = "bits_l2",
                        .series = "mode",
                        .kind = "heatmap"});
  struct Compared {
    const char* axis;
    const char* title;
  };
  constexpr Compared comparisons[] = {{"machine", "Machines compared: "},
                                      {"tables", "Table sources compared: "},
                                      {"rounding_points", "Rounding points compared: "},
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

}  // namespace fftprec::figures
