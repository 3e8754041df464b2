#include "reports/text/error_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "experiments/cases/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/results/fixed_axes.hpp"

namespace fftprec::text {

namespace {

/// What may name a line: the length has columns, and of several inputs one is shown.
const std::vector<std::string>& line_axes() {
  static const std::vector<std::string> axes = naming_axes({"n", "input", "seed"});
  return axes;
}

using Key = std::vector<std::string>;
using Rows = std::vector<const Row*>;

std::map<Key, Rows> by_line(const Rows& rows) {
  std::vector<const Column*> axes;
  for (const std::string& axis : line_axes()) axes.push_back(&column_named(axis));
  std::map<Key, Rows> lines;
  Rows* line = nullptr;
  for (const Row* row : rows) {
    // Neighbours mostly differ in their seeds alone.
    const bool is_of_line = line != nullptr && row->where.shares_names(line->back()->where) &&
                            row->where.batch() == line->back()->where.batch();
    if (!is_of_line) {
      Key key;
      for (const Column* axis : axes) key.push_back(axis->text(*row));
      line = &lines[std::move(key)];
    }
    line->push_back(row);
  }
  return lines;
}

std::set<std::string> common_inputs(const std::map<Key, Rows>& lines, const Rows& rows) {
  std::set<std::string> common = names_of(rows, "input");
  for (const auto& [key, members] : lines) {
    const std::set<std::string> names = names_of(members, "input");
    std::erase_if(common, [&names](const std::string& name) { return !names.contains(name); });
  }
  return common;
}

/// Keeps of every axis beside algorithm and mode the default value, or the first that there is, and
/// tells which others there were.
std::string fix_axes(Rows& rows, const NameOrders& orders) {
  std::string left_out;
  for (std::size_t i = always_named; i < line_axes().size(); ++i) {
    const std::string& axis = line_axes()[i];
    std::vector<std::string> names = ordered_names(rows, axis, orders);
    const auto usual = std::ranges::find(names, axis_text(Row{}, axis));
    const auto held = usual == names.end() ? names.begin() : usual;
    std::erase_if(rows, [&](const Row* row) { return axis_text(*row, axis) != *held; });
    names.erase(held);
    if (!names.empty())
      left_out +=
          fmt::format("{}{} {}", left_out.empty() ? "" : "; ", axis, fmt::join(names, ", "));
  }
  return left_out;
}

std::string caption_of(const Rows& rows, const std::string& input) {
  std::string held;
  for (std::size_t i = always_named; i < line_axes().size(); ++i) {
    const std::string& axis = line_axes()[i];
    const std::set<std::string> names = names_of(rows, axis);
    if (names.size() > 1 || is_default(axis, *names.begin())) continue;
    held += fmt::format(", {} {}", axis, *names.begin());
  }
  held += ", input " + input;
  std::set<std::uint64_t> seeds;
  for (const Row* row : rows)
    if (row->where.input() == input) seeds.insert(row->where.seed());
  if (std::ranges::any_of(rows, [](const Row* row) { return row->over_seeds != nullptr; }))
    return "err_l2_rel of the worst seed; " + held.substr(2);
  return (seeds.size() > 1 ? fmt::format("Median err_l2_rel over {} seeds", seeds.size())
                           : std::string("err_l2_rel")) +
         "; " + held.substr(2);
}

/// The sizes of the rows. If there are more than `most`: evenly spread ones among the sizes that
/// have at least half as many rows as any, always with the largest.
std::vector<std::uint64_t> shown_sizes(const Rows& rows, std::size_t most) {
  std::map<std::uint64_t, std::size_t> counts;
  for (const Row* row : rows) ++counts[row->where.n()];
  std::size_t common = 0;
  for (const auto& [size, count] : counts) common = std::max(common, count);
  if (counts.size() > most)
    std::erase_if(counts, [common](const auto& entry) { return 2 * entry.second < common; });
  const std::size_t step = (counts.size() + most - 1) / most;
  std::vector<std::uint64_t> kept;
  std::size_t to_last = counts.size();
  for (const auto& [size, count] : counts)
    if (--to_last % step == 0) kept.push_back(size);
  return kept;
}

/// "n 8, 32, 128", of many lengths the first and how many; empty if all are shown.
std::string sizes_left_out(const Rows& rows, const std::vector<std::uint64_t>& shown) {
  std::set<std::uint64_t> rest;
  for (const Row* row : rows) rest.insert(row->where.n());
  for (const std::uint64_t size : shown) rest.erase(size);
  constexpr std::size_t most = 8;
  if (rest.size() <= most)
    return rest.empty() ? std::string() : fmt::format("n {}", fmt::join(rest, ", "));
  return fmt::format("{} lengths from n {} on", rest.size(), *rest.begin());
}

ErrorLine line_of(const Rows& rows, const std::vector<std::uint64_t>& sizes,
                  const std::string& input) {
  ErrorLine line;
  line.rows = rows.size();
  line.medians.resize(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::vector<double> errors;
    for (const Row* row : rows)
      if (row->where.n() == sizes[i] && row->where.input() == input)
        errors.push_back(*row->err_l2_rel);
    if (!errors.empty()) line.medians[i] = median(std::move(errors));
  }
  for (const Row* row : rows) {
    if (!row->bound_l2_rel) continue;
    line.worst = std::max(line.worst.value_or(0), ratio_of(*row->err_l2_rel, *row->bound_l2_rel));
  }
  return line;
}

}  // namespace

ErrorTable error_table(std::span<const Row> rows, const NameOrders& orders,
                       const ErrorTableLimits& limits) {
  ErrorTable table;
  Rows shown;
  for (const Row& row : rows)
    if (row.status == Status::ok && row.err_l2_rel) shown.push_back(&row);
  if (shown.empty()) return table;
  std::map<Key, Rows> lines = by_line(shown);
  if (lines.size() > limits.lines || common_inputs(lines, shown).empty()) {
    table.left_out = fix_axes(shown, orders);
    lines = by_line(shown);
  }
  const std::string input = fixed_value(shown, "input", common_inputs(lines, shown));

  table.sizes = shown_sizes(shown, limits.sizes);
  if (const std::string sizes = sizes_left_out(shown, table.sizes); !sizes.empty())
    table.left_out += (table.left_out.empty() ? "" : "; ") + sizes;
  std::set<std::string> others = names_of(shown, "input");
  others.erase(input);
  if (!others.empty())
    table.left_out +=
        fmt::format("{}input {}", table.left_out.empty() ? "" : "; ", fmt::join(others, ", "));
  table.caption = caption_of(shown, input);
  const std::vector<std::string>& axes = line_axes();
  std::vector<std::map<std::string, std::size_t>> ranks(axes.size());
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (const std::string& name : ordered_names(shown, axes[i], orders))
      ranks[i].emplace(name, ranks[i].size());
    if (i < always_named || ranks[i].size() > 1) named.push_back(i);
  }
  for (const std::size_t i : named) table.titles.emplace_back(axes[i]);
  std::vector<const std::pair<const Key, Rows>*> order;
  for (const auto& line : lines) order.push_back(&line);
  std::ranges::stable_sort(order, [&ranks](const auto* a, const auto* b) {
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (a->first[i] != b->first[i]) return ranks[i][a->first[i]] < ranks[i][b->first[i]];
    return false;
  });
  std::size_t empty = 0;  // lines of other lengths alone
  for (const auto* entry : order) {
    ErrorLine line = line_of(entry->second, table.sizes, input);
    if (std::ranges::none_of(line.medians, [](const auto& median) { return median.has_value(); })) {
      ++empty;
      continue;
    }
    table.lines.push_back(std::move(line));
    for (const std::size_t i : named) table.lines.back().names.push_back(entry->first[i]);
  }
  if (empty > 0)
    table.left_out += (table.left_out.empty() ? "" : "; ") + counted(empty, "line") +
                      " without an error at these lengths";
  return table;
}

Table lines_of(const ErrorTable& table, bool rows) {
  Table all{{table.titles}, table.titles.size()};
  for (const std::uint64_t n : table.sizes) all.lines[0].push_back(fmt::format("n = {}", n));
  all.lines[0].emplace_back("worst err/bound");
  for (const ErrorLine& line : table.lines) {
    TextCells& cells = all.lines.emplace_back(line.names);
    for (const auto& median : line.medians) cells.push_back(median ? error_text(*median) : "");
    cells.push_back(line.worst ? short_number(*line.worst) : "");
    if (rows) cells.push_back(std::to_string(line.rows));
  }
  if (rows) all.lines[0].emplace_back("rows");
  return all;
}

std::string latex_table(std::span<const Row> rows, const NameOrders& orders, std::size_t sizes) {
  const ErrorTable table = error_table(rows, orders, {.sizes = sizes});
  if (table.lines.empty()) return "% no row was measured\n";
  std::string text = "% needs \\usepackage{booktabs,graphicx}; made by fftprec report\n";
  text += "\\begin{table}\n  \\centering\n  \\caption{" + latex_text(table.caption) + ".";
  if (!table.left_out.empty()) text += " Not shown: " + latex_text(table.left_out) + ".";
  text +=
      " Last column: largest error over its bound.}\n  \\footnotesize\n  "
      "\\setlength{\\tabcolsep}{3.5pt}\n  \\setbox0=\\hbox{%\n";
  return text + latex_tabular(lines_of(table, false)) +
         "}%\n  \\ifdim\\wd0>\\linewidth \\resizebox{\\linewidth}{!}{\\box0}\\else\\box0\\fi\n"
         "\\end{table}\n";
}

std::string status_counts(const results::RowCounts& counts) {
  return fmt::format("{}: {} ok, {} skipped, {} failed", counted(counts.rows, "row"),
                     counts.of(Status::ok), counts.of(Status::skipped), counts.of(Status::failed));
}

std::string status_counts(std::span<const Row> rows) {
  return status_counts(results::counts_of(rows));
}

std::vector<NotMeasured> not_measured(std::span<const Row> rows) {
  std::map<std::pair<bool, std::string>, NotMeasured> groups;  // false sorts first: failed
  for (const Row& row : rows)
    if (row.status != Status::ok)
      ++groups.try_emplace({row.status != Status::failed, row.message}, NotMeasured{&row, 0})
            .first->second.count;
  std::vector<NotMeasured> result;
  for (const auto& [reason, group] : groups) result.push_back(group);
  return result;
}

}  // namespace fftprec::text
