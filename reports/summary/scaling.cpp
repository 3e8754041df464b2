#include "reports/summary/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/support/error.hpp"
#include "reports/summary/line_fit.hpp"

namespace fftprec {

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

/// The unit roundoff of the mode's storage; empty for a mode that this version does not know.
std::optional<double> roundoff_of(const std::string& mode) {
  try {
    return unit_roundoff(mode_named(mode).storage);
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

}  // namespace fftprec
