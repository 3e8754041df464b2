#include "reports/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "experiments/columns.hpp"
#include "experiments/decimal.hpp"
#include "reports/durable.hpp"
#include "reports/gate_judge.hpp"
#include "reports/gate_report.hpp"
#include "reports/plot_orders.hpp"
#include "reports/summary_markdown.hpp"

namespace fftprec {

namespace {

std::string counts(std::span<const Row> rows) {
  const auto count = [rows](Status status) {
    return std::count_if(rows.begin(), rows.end(),
                         [status](const Row& row) { return row.status == status; });
  };
  return fmt::format("{} rows: {} measured, {} skipped, {} failed.\n", rows.size(),
                     count(Status::ok), count(Status::skipped), count(Status::failed));
}

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
  std::string text = counts(rows) + "\n| axis | values |\n|---|---|\n";
  for (const std::string& axis : axis_names())
    text += fmt::format("| {} | {} |\n", axis, axis_values(rows, axis));
  return text;
}

/// At most `most` of the values, evenly spread, the largest always among them.
std::vector<double> thinned(const std::set<double>& values, std::size_t most) {
  const std::size_t step = (values.size() + most - 1) / most;
  std::vector<double> kept;
  std::size_t to_last = values.size();
  for (const double value : values)
    if (--to_last % step == 0) kept.push_back(value);
  return kept;
}

/// Median err_l2_rel, algorithm and mode down, n across.
std::string headline_table(std::span<const Row> rows, const NameOrders& orders) {
  const Figure figure = gather(rows, {.name = "summary", .title = "summary"}, orders);
  if (figure.panels.empty()) return {};
  std::set<double> sizes;
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series)
      for (const Point& point : series.points) sizes.insert(point.x);
  const std::vector<double> shown = thinned(sizes, 8);
  std::string text = fmt::format(
      "\n## Error\n\n{} of err_l2_rel{}; {}.\n\n", figure.pooled.empty() ? "Value" : "Median",
      figure.pooled.empty() ? "" : " over " + figure.pooled, markdown_cell(figure.held));
  text += "| algorithm | mode |";
  std::string rule = "|---|---|";
  for (const double n : shown) {
    text += fmt::format(" n = {} |", shortest(n));
    rule += "---:|";
  }
  text += "\n" + rule + "\n";
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series) {
      text += fmt::format("| {} | {} |", markdown_cell(panel.name), markdown_cell(series.name));
      for (const double n : shown) {
        const auto point = std::find_if(series.points.begin(), series.points.end(),
                                        [n](const Point& each) { return each.x == n; });
        text += point == series.points.end() ? " |"
                : point->median == 0         ? " exact |"
                                             : fmt::format(" {:.2e} |", point->median);
      }
      text += "\n";
    }
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
      bounded, largest, *worst->err_l2_rel, *worst->bound_l2_rel, worst->bound_name,
      reproduce_command(worst->where));
}

/// Skipped and failed rows by reason, failures first.
std::string not_measured(std::span<const Row> rows) {
  struct Group {
    std::size_t count = 0;
    const Row* first = nullptr;
  };
  std::map<std::pair<bool, std::string>, Group> groups;  // false sorts first: failed
  for (const Row& row : rows) {
    if (row.status == Status::ok) continue;
    Group& group = groups[{row.status != Status::failed, row.message}];
    ++group.count;
    if (!group.first) group.first = &row;
  }
  if (groups.empty()) return {};
  std::string text =
      "\n## Not measured\n\n| status | rows | reason | first case |\n|---|---:|---|---|\n";
  for (const auto& [reason, group] : groups)
    text +=
        fmt::format("| {} | {} | {} | `{}` |\n", name_of(group.first->status), group.count,
                    markdown_cell(reason.second), markdown_cell(command_of(group.first->where)));
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

std::string markdown_summary(std::span<const Row> rows, std::span<const Verdict> verdicts,
                             std::span<const std::string> plots, const NameOrders& orders) {
  std::string text = "# Summary of a run of fftprec\n\n" + what_was_run(rows);
  text += headline_table(rows, orders);
  text += worst_over_bound(rows);
  if (!verdicts.empty()) text += "\n## Gates\n\n" + markdown_report(verdicts);
  return text + not_measured(rows) + plot_links(plots);
}

void write_summary(const std::filesystem::path& directory, std::span<const Row> rows,
                   std::span<const Verdict> verdicts,
                   std::span<const std::filesystem::path> plots) {
  std::vector<std::string> links;
  for (const std::filesystem::path& plot : plots)
    links.push_back(plot.lexically_proximate(directory).generic_string());
  replace_file(directory / "summary.md",
               markdown_summary(rows, verdicts, links, registry_orders()));
}

}  // namespace fftprec
