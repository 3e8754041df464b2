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
  const auto found = std::find_if(computed.begin(), computed.end(),
                                  [name](const Quantity& each) { return each.name == name; });
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
  std::vector<std::string_view> known;
  for (const Column& column : columns())
    if (holds_numbers(column)) known.push_back(column.name);
  for (const Quantity& quantity : computed) known.push_back(quantity.name);
  index_named(known, "column of numbers", name);
}

std::string quantity_label(const std::string& name) {
  if (const Quantity* quantity = computed_named(name)) return std::string(quantity->label);
  if (name == "err_l2_rel") return "relative error, 2-norm";
  if (name == "err_linf_rel") return "relative error, max-norm";
  if (name == "err_l1_rel") return "relative error, 1-norm";
  if (name == "err_linf_abs") return "largest absolute error";
  if (name == "err_mean_rel") return "mean relative error of an element";
  if (name == "err_re_max_rel") return "largest relative error of the real parts";
  if (name == "err_im_max_rel") return "largest relative error of the imaginary parts";
  if (name == "err_max_ulp") return "largest error, ulp";
  if (name == "err_rms_ulp") return "root mean square error, ulp";
  if (name == "bits_l2") return "bits correct, 2-norm";
  if (name == "snr_db") return "signal-to-noise ratio, dB";
  if (name == "snr_no_gain_db") return "signal-to-noise ratio without the gain, dB";
  if (name == "gain") return "gain";
  if (name == "time_ns") return "time, ns";
  if (name == "matmul_passes") return "tensor-engine passes";
  if (name == "mac_count") return "real multiply-adds";
  if (name == "n") return "transform length n";
  return name;
}

}  // namespace fftprec
