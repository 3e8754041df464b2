#include "reports/results/compare_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

namespace {

using Line = std::vector<std::string>;

/// Columns as wide as their widest cell; the first `names` to the left, numbers to the right, and
/// what comes after `numbers` of those to the left again.
std::string aligned(const std::vector<Line>& lines, std::size_t names, std::size_t numbers) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Line& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const Line& line : lines) {
    std::string row = " ";
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool right = i >= names && i < names + numbers;
      row += right ? fmt::format(" {:>{}} ", line[i], widths[i])
                   : fmt::format(" {:<{}} ", line[i], widths[i]);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string value_text(std::optional<double> value) {
  return value ? fmt::format("{:.4g}", *value) : "-";
}

std::string ratio_text(std::optional<double> ratio) {
  return ratio ? fmt::format("{:.6g}", *ratio) : "-";
}

/// The columns that differ, the metric itself left out; all of them if `skip` is null.
std::string columns_text(const MovedCase& moved, const Column* skip) {
  std::string text;
  for (const Column* column : moved.columns)
    if (column != skip) text += (text.empty() ? "" : " ") + std::string(column->name);
  return text;
}

std::string more(std::size_t count, std::size_t limit) {
  return count > limit ? fmt::format("  and {} more\n", count - limit) : "";
}

std::string case_list(std::string_view title, const std::vector<Case>& cases, std::size_t limit) {
  if (cases.empty()) return {};
  std::string text = fmt::format("\n{}:\n", title);
  for (std::size_t i = 0; i < std::min(cases.size(), limit); ++i)
    text += "  " + command_of(cases[i]) + "\n";
  return text + more(cases.size(), limit);
}

std::string group_table(const RunComparison& comparison, const Column& metric) {
  std::vector<Line> lines = {
      {"algorithm", "mode", "cases", "moved", "hashes", "worst", "mean", "best", "no ratio"}};
  for (const MovedGroup& group : comparison.groups)
    if (group.moved > 0)
      lines.push_back({group.algorithm, group.mode, std::to_string(group.cases),
                       std::to_string(group.moved), std::to_string(group.hashes),
                       ratio_text(group.worst), ratio_text(group.mean), ratio_text(group.best),
                       std::to_string(group.unrated)});
  return fmt::format("\n{} after / before, by algorithm and mode (mean: geometric):\n",
                     metric.name) +
         aligned(lines, 2, 7);
}

std::string case_table(const RunComparison& comparison, const Column& metric, std::size_t limit) {
  std::vector<Line> lines = {{"before", "after", "ratio", "also moved", "case"}};
  for (std::size_t i = 0; i < std::min(comparison.moved.size(), limit); ++i) {
    const MovedCase& moved = comparison.moved[i];
    lines.push_back({value_text(moved.before), value_text(moved.after), ratio_text(moved.ratio),
                     columns_text(moved, &metric), command_of(moved.where)});
  }
  return fmt::format("\n{}, worst first:\n", metric.name) + aligned(lines, 0, 3) +
         more(comparison.moved.size(), limit);
}

void add_csv_line(std::string& text, const Case& where, std::string_view what,
                  const std::string& rest) {
  Row row;
  row.where = where;
  text += case_id(where);
  for (const Column& axis : axis_columns()) {
    const std::string cell = axis.text(row);
    text += cell.find_first_of(",\"") == std::string::npos ? "," + cell : ",\"" + cell + "\"";
  }
  text += fmt::format(",{},{}\n", what, rest);
}

}  // namespace

std::string comparison_text(const RunComparison& comparison, const Column& metric,
                            std::size_t limit) {
  std::string text = fmt::format("{} cases in both runs: {} moved; {} missing, {} new\n",
                                 comparison.cases, comparison.moved.size(),
                                 comparison.only_before.size(), comparison.only_after.size());
  if (!comparison.moved.empty()) {
    text += "rows that differ in";
    for (const Column& column : columns())
      if (const auto found = comparison.columns.find(std::string(column.name));
          found != comparison.columns.end())
        text += fmt::format(" {}: {}", found->first, found->second);
    text += "\n" + group_table(comparison, metric) + case_table(comparison, metric, limit);
  }
  return text + case_list("missing, in the first run only", comparison.only_before, limit) +
         case_list("new, in the second run only", comparison.only_after, limit);
}

std::string comparison_csv(const RunComparison& comparison, const Column& metric) {
  std::string text = "case_id";
  for (const Column& axis : axis_columns()) text += "," + std::string(axis.name);
  text += ",what,metric,before,after,ratio,columns\n";
  const auto number = [](std::optional<double> value) { return value ? shortest(*value) : ""; };
  for (const MovedCase& moved : comparison.moved)
    add_csv_line(
        text, moved.where, "moved",
        fmt::format("{},{},{},{},{}", metric.name, number(moved.before), number(moved.after),
                    number(moved.ratio), columns_text(moved, nullptr)));
  for (const Case& where : comparison.only_before) add_csv_line(text, where, "missing", ",,,,");
  for (const Case& where : comparison.only_after) add_csv_line(text, where, "new", ",,,,");
  return text;
}

}  // namespace fftprec
