#include "reports/text/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/files/format_file.hpp"
#include "experiments/files/words.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/results/fixed_axes.hpp"
#include "reports/text/error_table.hpp"
#include "reports/text/table.hpp"

namespace fftprec::text {

namespace {

using Rows = std::vector<const Row*>;
using Quantity = std::optional<double> Row::*;

/// Empty unless every row has a value that is finite and above 0.
std::optional<double> geometric_mean(const Rows& rows, Quantity quantity) {
  double sum = 0;
  for (const Row* row : rows) {
    const std::optional<double>& value = row->*quantity;
    if (!value || !std::isfinite(*value) || *value <= 0) return std::nullopt;
    sum += std::log2(*value);
  }
  return std::exp2(sum / static_cast<double>(rows.size()));
}

/// The values of a quantity at all lengths; empty if one is missing.
std::vector<double> values_of(const std::map<std::uint64_t, Rows>& by_length, Quantity quantity) {
  std::vector<double> values;
  for (const auto& [n, rows] : by_length) {
    const auto value = geometric_mean(rows, quantity);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

std::optional<double> exponent_of(const std::vector<double>& log_n,
                                  const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log2(value));
  return fitted_slope(log_n, logarithms);
}

/// The unit roundoff of the mode's storage; empty for fixed point, which has none, and for a mode
/// that this version does not know.
std::optional<double> roundoff_of(const std::string& mode) {
  try {
    const Mode of = mode_named(mode, read_list);
    if (of.as<FixedScheme>()) return std::nullopt;
    return unit_roundoff(storage_format(of));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<double> growth_of(const std::vector<double>& log_n, const std::vector<double>& values,
                                std::optional<double> roundoff) {
  if (values.empty() || !roundoff) return std::nullopt;
  std::vector<double> squares;
  for (const double value : values) squares.push_back(value / *roundoff * (value / *roundoff));
  return fitted_slope(log_n, squares);
}

Scaling scaling_of(const std::map<std::uint64_t, Rows>& by_length, std::size_t not_finite) {
  const std::vector<double> errors = values_of(by_length, &Row::err_l2_rel);
  const std::vector<double> expected = values_of(by_length, &Row::expected_l2_rel);
  std::vector<double> log_n;
  for (const auto& [n, rows] : by_length) log_n.push_back(std::log2(static_cast<double>(n)));
  const Case& where = by_length.begin()->second.front()->where;
  const std::optional<double> roundoff = roundoff_of(where.mode);
  Scaling scaling{.where = where,
                  .lengths = by_length.size(),
                  .not_finite = not_finite,
                  .first_n = by_length.begin()->first,
                  .last_n = by_length.rbegin()->first,
                  .exponent = *exponent_of(log_n, errors),
                  .expected_exponent = exponent_of(log_n, expected),
                  .bound_exponent = exponent_of(log_n, values_of(by_length, &Row::bound_l2_rel)),
                  .growth = growth_of(log_n, errors, roundoff),
                  .expected_growth = growth_of(log_n, expected, roundoff),
                  .first_ratio = {},
                  .last_ratio = {}};
  if (expected.empty()) return scaling;
  scaling.first_ratio = errors.front() / expected.front();
  scaling.last_ratio = errors.back() / expected.back();
  return scaling;
}

}  // namespace

std::vector<Scaling> scalings(std::span<const Row> rows) {
  std::map<Case, std::map<std::uint64_t, Rows>> groups;
  for (const Row& row : rows) {
    if (row.status != Status::ok) continue;
    Case group = row.where;
    group.n = 0;
    group.seed = 0;
    groups[group][row.where.n()].push_back(&row);
  }
  std::vector<Scaling> all;
  const auto is_not_finite = [](const Row* row) {
    return row->err_l2_rel && !std::isfinite(*row->err_l2_rel);
  };
  for (auto& [group, by_length] : groups) {
    const auto not_finite = std::ranges::count_if(by_length, [&](const auto& length) {
      return std::ranges::any_of(length.second, is_not_finite);
    });
    std::erase_if(by_length, [](const auto& length) {
      return !geometric_mean(length.second, &Row::err_l2_rel);
    });
    if (by_length.size() >= least_lengths)
      all.push_back(scaling_of(by_length, static_cast<std::size_t>(not_finite)));
  }
  return all;
}

namespace {

/// What may name a line: seeds are averaged over, lengths fitted.
const std::vector<std::string>& scaling_axes() {
  static const std::vector<std::string> axes = naming_axes({"n", "seed"});
  return axes;
}

constexpr const char* explanation =
    "err_l2_rel ~ n^s, fitted by least squares over the lengths, a geometric mean over the seeds "
    "at "
    "each; beside it the s of expected_l2_rel and of bound_l2_rel. An error of u sqrt(c0 + c log2 "
    "n) "
    "has an s near 0 that falls with n, so c, the growth of err^2/u^2 per doubling of n, is given "
    "too, u being the unit roundoff of the mode's storage; and err / expected at the first and the "
    "last length.";

/// The axis of a scaling as text.
std::string name_of(const Scaling& scaling, const std::string& axis) {
  return axis_text(Row{.where = scaling.where}, axis);
}

std::vector<std::string> names_of(const std::vector<Scaling>& scalings, const std::string& axis,
                                  const NameOrders& orders) {
  std::vector<Row> rows;
  for (const Scaling& scaling : scalings) rows.push_back(Row{.where = scaling.where});
  std::vector<const Row*> pointers;
  for (const Row& row : rows) pointers.push_back(&row);
  return ordered_names(pointers, axis, orders);
}

/// Keeps the scalings at the default (else the first) value of every axis except algorithm and
/// mode. Returns a text with these values and the number of omitted scalings.
std::string fix_axes(std::vector<Scaling>& scalings, const NameOrders& orders) {
  const std::size_t before = scalings.size();
  std::string held;
  for (std::size_t i = always_named; i < scaling_axes().size(); ++i) {
    const std::string& axis = scaling_axes()[i];
    const std::vector<std::string> names = names_of(scalings, axis, orders);
    const auto usual = std::ranges::find(names, axis_text(Row{}, axis));
    const std::string value = usual == names.end() ? names.front() : *usual;
    std::erase_if(scalings,
                  [&](const Scaling& scaling) { return name_of(scaling, axis) != value; });
    if (!column_named(axis).later || !is_default(axis, value))
      held += fmt::format("{}{} {}", held.empty() ? "" : ", ", axis, value);
  }
  return fmt::format("\nShown: {}. Left out: {}.\n", markdown_cell(held),
                     counted(before - scalings.size(), "other"));
}

TextCells cells_of(const Scaling& scaling, const std::vector<std::string>& axes) {
  TextCells cells;
  for (const std::string& axis : axes) cells.push_back(name_of(scaling, axis));
  cells.insert(
      cells.end(),
      {fmt::format("{}..{}", scaling.first_n, scaling.last_n),
       std::to_string(scaling.lengths) +
           (scaling.not_finite == 0 ? "" : fmt::format(", {} not finite", scaling.not_finite))});
  for (const std::optional<double>& value :
       {std::optional(scaling.exponent), scaling.expected_exponent, scaling.bound_exponent})
    cells.push_back(value ? fmt::format("{:.3f}", *value) : "");
  for (const std::optional<double>& value :
       {scaling.growth, scaling.expected_growth, scaling.first_ratio, scaling.last_ratio})
    cells.push_back(value ? short_number(*value) : "");
  return cells;
}

}  // namespace

std::string scaling_section(std::span<const Row> rows, const NameOrders& orders, std::size_t most) {
  std::vector<Scaling> shown = scalings(rows);
  if (shown.empty()) return {};
  const std::string left_out = shown.size() > most ? fix_axes(shown, orders) : std::string();

  std::vector<std::string> axes;
  std::map<std::string, std::vector<std::string>> names;
  for (const std::string& axis : scaling_axes()) {
    names[axis] = names_of(shown, axis, orders);
    if (axes.size() < always_named || names[axis].size() > 1) axes.push_back(axis);
  }
  const auto rank = [&names](const Scaling& scaling, const std::string& axis) {
    const std::vector<std::string>& order = names[axis];
    return std::ranges::find(order, name_of(scaling, axis)) - order.begin();
  };
  std::ranges::stable_sort(shown, [&](const Scaling& a, const Scaling& b) {
    for (const std::string& axis : axes)
      if (rank(a, axis) != rank(b, axis)) return rank(a, axis) < rank(b, axis);
    return false;
  });

  Table table{{axes}, axes.size()};
  table.lines[0].insert(table.lines[0].end(),
                        {"n", "lengths", "s of err", "of expected", "of bound",
                         "err^2/u^2 per doubling", "expected", "err/expected first", "last"});
  for (const Scaling& scaling : shown) table.lines.push_back(cells_of(scaling, axes));
  return fmt::format("\n## Scaling\n\n{}\n\n", explanation) + markdown_table(table) + left_out;
}

namespace {

/// The values of an axis, numbers by size; a long list is cut in the middle.
std::string axis_values(std::span<const Row> rows, const std::string& axis) {
  std::set<std::pair<double, std::string>> values;
  for (const Row& row : rows) {
    const bool reduced = axis == "seed" && row.over_seeds;
    const std::string text = column_named(reduced ? "seeds" : axis).text(row);
    values.insert({parse_double(text).value_or(0), text});
  }
  constexpr std::size_t shown = 12;
  std::string list;
  std::size_t i = 0;
  for (const auto& [number, text] : values) {
    const bool cut = values.size() > shown && i >= shown / 2 && i + shown / 2 < values.size();
    if (!cut) list += (list.empty() ? "" : ", ") + text;
    if (cut && i == shown / 2) list += ", ...";
    ++i;
  }
  return values.size() > shown ? fmt::format("{} ({} values)", list, values.size()) : list;
}

std::string what_was_run(std::span<const Row> rows) {
  Table table{{{"axis", "values"}}, 2};
  for (const std::string& axis : axis_names())
    if (std::string values = axis_values(rows, axis);
        !column_named(axis).later || !is_default(axis, values))
      table.lines.push_back({axis, std::move(values)});
  return status_counts(rows) + ".\n\n" + markdown_table(table);
}

/// Median err_l2_rel, names down, n across.
std::string headline_table(std::span<const Row> rows, const NameOrders& orders) {
  const ErrorTable table = error_table(rows, orders, {.sizes = 8});
  if (table.lines.empty()) return {};
  std::string text = fmt::format("\n## Error\n\n{}.\n\n", markdown_cell(table.caption)) +
                     markdown_table(lines_of(table));
  if (!table.left_out.empty())
    text += fmt::format("\nNot in this table: {}.\n", markdown_cell(table.left_out));
  return text;
}

/// Of fixed-point rows that differ only in their seed: mean, deviation and least of snr_db.
std::string spread_over_seeds(std::span<const Row> rows, const NameOrders& orders) {
  std::map<Case, Rows> groups;
  std::map<std::string, bool> is_fixed;
  for (const Row& row : rows) {
    if (row.status != Status::ok || !row.snr_db || !std::isfinite(*row.snr_db)) continue;
    const auto [mode, is_new] = is_fixed.try_emplace(row.where.mode());
    if (is_new) mode->second = word_format_of(mode->first).has_value();
    if (row.over_seeds || !mode->second) continue;
    Case group = row.where;
    group.seed = 0;
    groups[group].push_back(&row);
  }
  std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
  if (groups.empty()) return {};
  std::vector<const Row*> firsts;
  for (const auto& [group, members] : groups) firsts.push_back(members.front());
  std::vector<std::string> axes;
  for (const std::string& axis : naming_axes({"seed"}))
    if (axes.size() < always_named || ordered_names(firsts, axis, orders).size() > 1)
      axes.push_back(axis);
  Table table{{axes}, axes.size()};
  table.lines[0].insert(table.lines[0].end(),
                        {"seeds", "mean snr_db", "deviation", "least", "its seed"});
  for (const auto& [group, members] : groups) {
    double sum = 0;
    for (const Row* row : members) sum += *row->snr_db;
    const double mean = sum / static_cast<double>(members.size());
    double squares = 0;
    for (const Row* row : members) squares += (*row->snr_db - mean) * (*row->snr_db - mean);
    const Row& least =
        **std::ranges::min_element(members, {}, [](const Row* row) { return *row->snr_db; });
    TextCells cells;
    for (const std::string& axis : axes) cells.push_back(axis_text(*members.front(), axis));
    cells.insert(
        cells.end(),
        {std::to_string(members.size()), fmt::format("{:.2f}", mean),
         fmt::format("{:.2f}", std::sqrt(squares / static_cast<double>(members.size() - 1))),
         fmt::format("{:.2f}", *least.snr_db), std::to_string(least.where.seed())});
    table.lines.push_back(std::move(cells));
  }
  return "\n## SNR over seeds\n\nFixed point, in dB.\n\n" + markdown_table(table);
}

std::string worst_over_bound(std::span<const Row> rows, const std::vector<std::string>& made_by) {
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
      "\n## Worst-case bounds\n\n{} {} a bound. The largest err_l2_rel / bound_l2_rel is "
      "{} ({} / {}, {}):\n\n    {}\n",
      counted(bounded, "row"), bounded == 1 ? "has" : "have", short_number(largest),
      short_number(*worst->err_l2_rel), short_number(*worst->bound_l2_rel),
      markdown_cell(worst->bound_name), reproduce_command(worst->where, made_by));
}

/// Skipped and failed rows by reason, failures first.
std::string not_measured_section(std::span<const Row> rows) {
  const std::vector<NotMeasured> groups = not_measured(rows);
  if (groups.empty()) return {};
  Table table{{{"status", "rows", "reason", "first case"}}, 1, 1, 3};
  for (const NotMeasured& group : groups)
    table.lines.push_back({std::string(name_of(group.first->status)), std::to_string(group.count),
                           group.first->message, markdown_code(command_of(group.first->where))});
  return "\n## Not measured\n\n" + markdown_table(table);
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
                             std::span<const std::string> plots, const NameOrders& orders,
                             const std::vector<std::string>& made_by) {
  std::string text = "# Summary of a run of fftprec\n\n" + what_was_run(rows);
  text += headline_table(rows, orders);
  text += spread_over_seeds(rows, orders);
  text += scaling_section(rows, orders);
  text += worst_over_bound(rows, made_by);
  if (!gates.empty()) text += fmt::format("\n## Gates\n\n{}", gates);
  return text + not_measured_section(rows) + plot_links(plots);
}

void write_summary(const std::filesystem::path& directory, std::span<const Row> rows,
                   std::string_view gates, std::span<const std::filesystem::path> plots,
                   const std::vector<std::string>& made_by) {
  std::vector<std::string> links;
  for (const std::filesystem::path& plot : plots)
    links.push_back(plot.lexically_proximate(directory).generic_string());
  replace_file(directory / "summary.md",
               markdown_summary(rows, gates, links, registry_orders(), made_by));
}

}  // namespace fftprec::text
