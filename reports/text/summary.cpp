#include "reports/text/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "experiments/cases/columns.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/results/held_axes.hpp"
#include "reports/text/cells.hpp"
#include "reports/text/error_table.hpp"
#include "reports/text/scaling.hpp"

namespace fftprec::text {

namespace {

/// The values of an axis, numbers by size; a long list is cut in the middle.
std::string axis_values(std::span<const Row> rows, const std::string& axis) {
  std::set<std::pair<double, std::string>> values;
  for (const Row& row : rows) {
    const std::string text = column_named(axis).text(row);
    values.insert({parse_double(text).value_or(0), text});
  }
  constexpr std::size_t shown = 12;
  std::string list;
  std::size_t i = 0;
  for (const auto& [number, text] : values) {
    const bool cut = values.size() > shown && i >= shown / 2 && i + shown / 2 < values.size();
    if (!cut) list += (list.empty() ? "" : ", ") + markdown_cell(text);
    if (cut && i == shown / 2) list += ", ...";
    ++i;
  }
  return values.size() > shown ? fmt::format("{} ({} values)", list, values.size()) : list;
}

std::string what_was_run(std::span<const Row> rows) {
  std::string text = status_counts(rows) + ".\n\n| axis | values |\n|---|---|\n";
  for (const std::string& axis : axis_names())
    if (const std::string values = axis_values(rows, axis);
        axis == "batch" || !goes_unsaid(axis, values))
      text += fmt::format("| {} | {} |\n", axis, values);
  return text;
}

/// Median err_l2_rel, names down, n across.
std::string headline_table(std::span<const Row> rows, const NameOrders& orders) {
  const ErrorTable table = error_table(rows, orders, {.sizes = 8});
  if (table.lines.empty()) return {};
  std::string text = fmt::format("\n## Error\n\n{}.\n\n|", markdown_cell(table.caption));
  std::string rule = "|";
  for (const std::string& title : table.titles) {
    text += fmt::format(" {} |", title);
    rule += "---|";
  }
  for (const std::uint64_t n : table.sizes) {
    text += fmt::format(" n = {} |", n);
    rule += "---:|";
  }
  text += " worst err/bound | rows |\n" + rule + "---:|---:|\n";
  for (const ErrorLine& line : table.lines) {
    text += "|";
    for (const std::string& name : line.names) text += fmt::format(" {} |", markdown_cell(name));
    for (const auto& median : line.medians)
      text += median ? fmt::format(" {} |", error_text(*median)) : " |";
    text += line.worst ? fmt::format(" {:.3g} |", *line.worst) : " |";
    text += fmt::format(" {} |\n", line.rows);
  }
  if (!table.left_out.empty())
    text += fmt::format("\nNot in this table: {}.\n", markdown_cell(table.left_out));
  return text;
}

std::string worst_over_bound(std::span<const Row> rows) {
  const Row* worst = nullptr;
  double largest = -1;
  std::size_t bounded = 0;
  for (const Row& row : rows) {
    if (row.status != Status::ok || !row.err_l2_rel || !row.bound_l2_rel) continue;
    ++bounded;
    const double ratio = ratio_of(*row.err_l2_rel, *row.bound_l2_rel);
    if (ratio <= largest) continue;
    largest = ratio;
    worst = &row;
  }
  if (!worst) return "\n## Worst-case bounds\n\nNo row has a bound.\n";
  return fmt::format(
      "\n## Worst-case bounds\n\n{} rows have a bound. The largest err_l2_rel / bound_l2_rel is "
      "{:.3g} ({:.3g} / {:.3g}, {}):\n\n    {}\n",
      bounded, largest, *worst->err_l2_rel, *worst->bound_l2_rel, markdown_cell(worst->bound_name),
      reproduce_command(worst->where));
}

/// Skipped and failed rows by reason, failures first.
std::string not_measured_section(std::span<const Row> rows) {
  const std::vector<NotMeasured> groups = not_measured(rows);
  if (groups.empty()) return {};
  std::string text =
      "\n## Not measured\n\n| status | rows | reason | first case |\n|---|---:|---|---|\n";
  for (const NotMeasured& group : groups)
    text += fmt::format("| {} | {} | {} | {} |\n", name_of(group.first->status), group.count,
                        markdown_cell(group.first->message),
                        markdown_code(command_of(group.first->where)));
  return text;
}

std::string plot_links(std::span<const std::string> plots) {
  if (plots.empty()) return {};
  std::map<std::string, std::vector<std::string>> by_stem;
  std::vector<std::string> stems;
  for (const std::string& plot : plots) {
    const std::string stem = std::filesystem::path(plot).replace_extension().string();
    if (by_stem[stem].empty()) stems.push_back(stem);
    by_stem[stem].push_back(plot);
  }
  std::string text = "\n## Plots\n";
  for (const std::string& stem : stems) {
    const std::string name = std::filesystem::path(stem).filename().string();
    std::string links;
    text += "\n";
    for (const std::string& plot : by_stem[stem]) {
      const std::string ending = std::filesystem::path(plot).extension().string();
      if (ending == ".png") text += fmt::format("![{}](<{}>)\n\n", name, plot);
      links += fmt::format("{}[{}](<{}>)", links.empty() ? "" : ", ",
                           std::filesystem::path(plot).filename().string(), plot);
    }
    text += links + "\n";
  }
  return text;
}

}  // namespace

std::string markdown_summary(std::span<const Row> rows, std::string_view gates,
                             std::span<const std::string> plots, const NameOrders& orders) {
  std::string text = "# Summary of a run of fftprec\n\n" + what_was_run(rows);
  text += headline_table(rows, orders);
  text += scaling_section(rows, orders);
  text += worst_over_bound(rows);
  if (!gates.empty()) text += fmt::format("\n## Gates\n\n{}", gates);
  return text + not_measured_section(rows) + plot_links(plots);
}

void write_summary(const std::filesystem::path& directory, std::span<const Row> rows,
                   std::string_view gates, std::span<const std::filesystem::path> plots) {
  std::vector<std::string> links;
  for (const std::filesystem::path& plot : plots)
    links.push_back(plot.lexically_proximate(directory).generic_string());
  replace_file(directory / "summary.md", markdown_summary(rows, gates, links, registry_orders()));
}

}  // namespace fftprec::text
