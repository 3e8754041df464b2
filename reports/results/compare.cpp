#include "reports/results/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "reports/results/csv.hpp"

namespace fftprec::results {

namespace {

std::vector<const Row*> sorted(std::span<const Row> rows, std::string_view which) {
  std::vector<const Row*> order;
  for (const Row& row : rows) order.push_back(&row);
  std::sort(order.begin(), order.end(),
            [](const Row* a, const Row* b) { return a->where < b->where; });
  const auto twice = std::adjacent_find(
      order.begin(), order.end(), [](const Row* a, const Row* b) { return a->where == b->where; });
  if (twice != order.end())
    throw InputError(std::string(which) + " run has two rows of " + command_of((*twice)->where));
  return order;
}

std::optional<double> ratio_of(std::optional<double> before, std::optional<double> after) {
  if (!before && !after) return 1.0;
  if (!before || !after || std::isnan(*before) || std::isnan(*after)) return std::nullopt;
  if (*before == *after) return 1.0;  // also 0 and 0, inf and inf
  return *after / *before;            // after 0: inf
}

MovedCase difference(const Row& before, const Row& after, const Column& metric) {
  MovedCase moved{before.where, {}, metric.number(before), metric.number(after), {}};
  for (const Column& column : columns())
    if (column.name != "time_ns" && differ(column, before, after)) moved.columns.push_back(&column);
  const bool both_nan =
      moved.before && moved.after && std::isnan(*moved.before) && std::isnan(*moved.after);
  moved.ratio = both_nan ? 1.0 : ratio_of(moved.before, moved.after);
  // A failed row has no number on either side to compare.
  if (moved.has("status")) moved.ratio.reset();
  return moved;
}

/// Sums up one group's ratios.
class Group {
 public:
  void add(const MovedCase* moved) {
    ++group_.cases;
    const std::optional<double> ratio = moved ? moved->ratio : 1.0;
    if (moved) {
      ++group_.moved;
      if (moved->has("output_hash")) ++group_.hashes;
      if (!ratio) ++group_.unrated;
    }
    if (!ratio) return;
    group_.worst = rated_ ? std::max(group_.worst, *ratio) : *ratio;
    group_.best = rated_ ? std::min(group_.best, *ratio) : *ratio;
    rated_ = true;
    if (!(*ratio > 0) || std::isinf(*ratio)) return;
    log_sum_ += std::log(*ratio);
    ++finite_;
  }

  MovedGroup result(const std::string& algorithm, const std::string& mode) const {
    MovedGroup group = group_;
    group.algorithm = algorithm;
    group.mode = mode;
    group.mean = finite_ == 0 ? 1 : std::exp(log_sum_ / static_cast<double>(finite_));
    return group;
  }

 private:
  MovedGroup group_;
  bool rated_ = false;
  double log_sum_ = 0;
  std::size_t finite_ = 0;
};

bool worse(const MovedCase& a, const MovedCase& b) {
  if (a.ratio.has_value() != b.ratio.has_value()) return !a.ratio;
  return a.ratio && *a.ratio > *b.ratio;
}

using Line = std::vector<std::string>;

/// Columns as wide as their widest cell; the first `names` to the left, numbers to the right, and
/// what comes after `numbers` of those to the left again.
std::string aligned(std::vector<Line> lines, std::size_t names, std::size_t numbers) {
  for (Line& line : lines)
    for (std::string& cell : line) cell = printable(cell);
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
  for (const Column& axis : axis_columns()) text += "," + csv_cell(axis.text(row));
  text += fmt::format(",{},{}\n", what, rest);
}

}  // namespace

bool MovedCase::has(std::string_view column) const {
  return std::any_of(columns.begin(), columns.end(),
                     [column](const Column* each) { return each->name == column; });
}

RunComparison compare_runs(std::span<const Row> before, std::span<const Row> after,
                           const Column& metric) {
  const std::vector<const Row*> left = sorted(before, "the first");
  const std::vector<const Row*> right = sorted(after, "the second");
  RunComparison result;
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (std::size_t i = 0, j = 0; i < left.size() || j < right.size();) {
    if (j == right.size() || (i < left.size() && left[i]->where < right[j]->where)) {
      result.only_before.push_back(left[i++]->where);
      continue;
    }
    if (i == left.size() || right[j]->where < left[i]->where) {
      result.only_after.push_back(right[j++]->where);
      continue;
    }
    MovedCase moved = difference(*left[i++], *right[j++], metric);
    ++result.cases;
    const bool differs = !moved.columns.empty();
    groups[{moved.where.algorithm, moved.where.mode}].add(differs ? &moved : nullptr);
    for (const Column* column : moved.columns) ++result.columns[std::string(column->name)];
    if (differs) result.moved.push_back(std::move(moved));
  }
  std::stable_sort(result.moved.begin(), result.moved.end(), worse);
  for (const auto& [key, group] : groups)
    result.groups.push_back(group.result(key.first, key.second));
  return result;
}

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

}  // namespace fftprec::results
