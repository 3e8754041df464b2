#include "reports/results/quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "algorithms/arithmetic/storage.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/devices/latencies.hpp"
#include "experiments/support/statistics.hpp"

namespace fftprec {

namespace {

std::optional<double> over(const Row& row, const std::optional<double>& model) {
  if (!row.err_l2_rel || !model) return std::nullopt;
  return ratio_of(*row.err_l2_rel, *model);
}

Plotted share_of_bound() {
  return [](const Row& row) { return over(row, row.bound_l2_rel); };
}

Plotted share_of_expectation() {
  return [](const Row& row) { return over(row, row.expected_l2_rel); };
}

/// On a trn1, as `fftprec recommend` has it without --hardware.
Plotted published_latency() {
  return [](const Row& row) -> std::optional<double> {
    const auto time = devices::published_time(row.where, "trn1");
    return time ? std::optional(time->us) : std::nullopt;
  };
}

Plotted scale_of_input() {
  return [](const Row& row) -> std::optional<double> {
    return std::ldexp(1.0, scale_policy_named(row.where.scale()).input);
  };
}

/// A number that no column holds.
struct Quantity {
  std::string_view name;   ///< as --x and --y take it, and known to is_computed
  std::string_view label;  ///< on an axis, with its unit
  Plotted (*plotted)();
};

constexpr std::array<Quantity, 4> computed = {
    {{err_over_bound, "error / worst-case bound, 2-norm", share_of_bound},
     {err_over_expected, "error / expected error, 2-norm", share_of_expectation},
     {published_us, "published time on trn1, us", published_latency},
     {input_scale, "factor of the input", scale_of_input}}};

const Quantity* computed_named(std::string_view name) {
  const auto found = std::ranges::find(computed, name, &Quantity::name);
  return found == computed.end() ? nullptr : &*found;
}

}  // namespace

Plotted plotted(const std::string& name) {
  const Quantity* quantity = computed_named(name);
  return quantity != nullptr ? quantity->plotted() : column_named(name).number;
}

std::optional<double> plotted_value(const Row& row, const std::string& name) {
  return plotted(name)(row);
}

void check_plotted(const std::string& name) {
  if (name.find('.') != std::string::npos) {
    metric_named(name);
    return;
  }
  std::vector<std::string_view> known;
  for (const Column& column : columns())
    if (holds_numbers(column)) known.push_back(column.name);
  for (const Quantity& quantity : computed) known.push_back(quantity.name);
  index_named(known, "column of numbers", shown_name(name));
}

std::string quantity_label(const std::string& name) {
  if (const Quantity* quantity = computed_named(name)) return std::string(quantity->label);
  if (const std::size_t point = name.find('.'); point != std::string::npos)
    return quantity_label(name.substr(0, point)) + ", " + name.substr(point + 1);
  for (const Column& column : columns())
    if (column.name == name && !column.label.empty()) return std::string(column.label);
  return name;
}

}  // namespace fftprec
