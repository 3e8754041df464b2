#include "reports/text/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/support/error.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/results/held_axes.hpp"
#include "reports/text/cells.hpp"

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
  return fit_line(log_n, logarithms).slope;
}

/// The unit roundoff of the mode's storage; empty for fixed point, which has none, and for a mode
/// that this version does not know.
std::optional<double> roundoff_of(const std::string& mode) {
  try {
    const Format storage = storage_format(mode_named(mode));
    if (storage.is_fixed()) return std::nullopt;
    return unit_roundoff(storage);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<double> growth_of(const std::vector<double>& log_n, const std::vector<double>& values,
                                std::optional<double> roundoff) {
  if (values.empty() || !roundoff) return std::nullopt;
  std::vector<double> squares;
  for (const double value : values) squares.push_back(value / *roundoff * (value / *roundoff));
  return fit_line(log_n, squares).slope;
}

Scaling scaling_of(const std::map<std::uint64_t, Rows>& by_length) {
  const std::vector<double> errors = values_of(by_length, &Row::err_l2_rel);
  const std::vector<double> expected = values_of(by_length, &Row::expected_l2_rel);
  std::vector<double> log_n;
  for (const auto& [n, rows] : by_length) log_n.push_back(std::log2(static_cast<double>(n)));
  const Case& where = by_length.begin()->second.front()->where;
  const std::optional<double> roundoff = roundoff_of(where.mode);
  Scaling scaling{.where = where,
                  .lengths = by_length.size(),
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
    groups[group][row.where.n].push_back(&row);
  }
  std::vector<Scaling> all;
  for (auto& [group, by_length] : groups) {
    std::erase_if(by_length, [](const auto& length) {
      return !geometric_mean(length.second, &Row::err_l2_rel);
    });
    if (by_length.size() >= least_lengths) all.push_back(scaling_of(by_length));
  }
  return all;
}

namespace {

/// What may name a line. The first two always do, the others where they differ.
constexpr std::array<const char*, 9> scaling_axes = {
    "algorithm", "mode", "transform", "machine", "tables", "batch", "input", "store", "scale"};
constexpr std::size_t axes_always_named = 2;

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

/// As many as there were before less those that are shown, with the values that these have.
std::string hold_axes(std::vector<Scaling>& scalings, const NameOrders& orders) {
  const std::size_t before = scalings.size();
  std::string held;
  for (std::size_t i = axes_always_named; i < scaling_axes.size(); ++i) {
    const std::string axis = scaling_axes[i];
    const std::vector<std::string> names = names_of(scalings, axis, orders);
    const auto usual = std::find(names.begin(), names.end(), axis_text(Row{}, axis));
    const std::string value = usual == names.end() ? names.front() : *usual;
    std::erase_if(scalings,
                  [&](const Scaling& scaling) { return name_of(scaling, axis) != value; });
    if (axis == "batch" || !goes_unsaid(axis, value))
      held += fmt::format("{}{} {}", held.empty() ? "" : ", ", axis, value);
  }
  return fmt::format("\nShown: {}. Left out: {} others.\n", markdown_cell(held),
                     before - scalings.size());
}

std::string cell(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) + " |" : " |";
}

std::string line_of(const Scaling& scaling, const std::vector<std::string>& axes) {
  std::string text = "|";
  for (const std::string& axis : axes)
    text += fmt::format(" {} |", markdown_cell(name_of(scaling, axis)));
  text += fmt::format(" {}..{} | {} | {:.3f} |", scaling.first_n, scaling.last_n, scaling.lengths,
                      scaling.exponent);
  text += cell(scaling.expected_exponent, " {:.3f}");
  text += cell(scaling.bound_exponent, " {:.3f}");
  text += cell(scaling.growth, " {:.3g}");
  text += cell(scaling.expected_growth, " {:.3g}");
  text += cell(scaling.first_ratio, " {:.2f}");
  return text + cell(scaling.last_ratio, " {:.2f}") + "\n";
}

}  // namespace

std::string scaling_section(std::span<const Row> rows, const NameOrders& orders, std::size_t most) {
  std::vector<Scaling> shown = scalings(rows);
  if (shown.empty()) return {};
  const std::string left_out = shown.size() > most ? hold_axes(shown, orders) : std::string();

  std::vector<std::string> axes;
  std::map<std::string, std::vector<std::string>> names;
  for (const char* axis : scaling_axes) {
    names[axis] = names_of(shown, axis, orders);
    if (axes.size() < axes_always_named || names[axis].size() > 1) axes.emplace_back(axis);
  }
  const auto rank = [&names](const Scaling& scaling, const std::string& axis) {
    const std::vector<std::string>& order = names[axis];
    return std::find(order.begin(), order.end(), name_of(scaling, axis)) - order.begin();
  };
  std::stable_sort(shown.begin(), shown.end(), [&](const Scaling& a, const Scaling& b) {
    for (const std::string& axis : axes)
      if (rank(a, axis) != rank(b, axis)) return rank(a, axis) < rank(b, axis);
    return false;
  });

  std::string text = fmt::format("\n## Scaling\n\n{}\n\n|", explanation);
  std::string rule = "|";
  for (const std::string& axis : axes) {
    text += fmt::format(" {} |", axis);
    rule += "---|";
  }
  text +=
      " n | lengths | s of err | of expected | of bound | err^2/u^2 per doubling | expected | "
      "err/expected first | last |\n" +
      rule + "---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const Scaling& scaling : shown) text += line_of(scaling, axes);
  return text + left_out;
}

}  // namespace fftprec::text
