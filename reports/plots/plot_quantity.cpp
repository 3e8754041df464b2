#include "reports/plots/plot_quantity.hpp"

#include <algorithm>
#include <array>

#include "arith/error.hpp"
#include "experiments/rows/columns.hpp"
#include "reports/gates/gate_judge.hpp"

namespace fftprec {

namespace {

std::optional<double> over(const Row& row, const std::optional<double>& model) {
  if (!row.err_l2_rel || !model) return std::nullopt;
  return ratio_of(*row.err_l2_rel, *model);
}

constexpr std::array<Quantity, 2> computed = {
    {{err_over_bound, "error / worst-case bound, 2-norm",
      [](const Row& row) { return over(row, row.bound_l2_rel); }},
     {err_over_expected, "error / expected error, 2-norm",
      [](const Row& row) { return over(row, row.expected_l2_rel); }}}};

const Quantity* computed_named(std::string_view name) {
  const auto found = std::find_if(computed.begin(), computed.end(),
                                  [name](const Quantity& each) { return each.name == name; });
  return found == computed.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Quantity> computed_quantities() { return computed; }

Plotted plotted(const std::string& name) {
  const Quantity* quantity = computed_named(name);
  return quantity != nullptr ? quantity->of : column_named(name).number;
}

std::optional<double> plotted_value(const Row& row, const std::string& name) {
  return plotted(name)(row);
}

void check_plotted(const std::string& name) {
  std::vector<std::string> known;
  for (const Column& column : columns())
    if (holds_numbers(column)) known.emplace_back(column.name);
  for (const Quantity& quantity : computed) known.emplace_back(quantity.name);
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw unknown_name("column of numbers", name, known);
}

std::string quantity_label(const std::string& name) {
  if (const Quantity* quantity = computed_named(name)) return std::string(quantity->label);
  if (name == "err_l2_rel") return "relative error, 2-norm";
  if (name == "err_linf_rel") return "relative error, max-norm";
  if (name == "err_l1_rel") return "relative error, 1-norm";
  if (name == "err_re_max_rel") return "largest relative error of the real parts";
  if (name == "err_im_max_rel") return "largest relative error of the imaginary parts";
  if (name == "err_max_ulp") return "largest error, ulp";
  if (name == "err_rms_ulp") return "root mean square error, ulp";
  if (name == "bits_l2") return "bits correct, 2-norm";
  if (name == "time_ns") return "time, ns";
  if (name == "matmul_passes") return "tensor-engine passes";
  if (name == "mac_count") return "real multiply-adds";
  if (name == "n") return "transform length n";
  return name;
}

}  // namespace fftprec
