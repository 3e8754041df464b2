#include "experiments/cases/estimated_costs.hpp"

#include <bit>
#include <optional>

#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/resolved_case.hpp"

namespace fftprec {

namespace {

/// Of a case that is told apart at once as one without meaning.
constexpr double ns_to_skip = 1e3;

/// Nothing where the case has no meaning.
std::optional<Prediction> meaningful_costs(const Case& where, const Resolved& resolved) {
  if (!inapplicable(where, resolved).empty()) return std::nullopt;
  try {
    return costs_alone(where, resolved);
  } catch (const NotApplicable&) {
    return std::nullopt;
  }
}

double operations_of(const Prediction& prediction) {
  const OperationCounts operations = prediction.cost.operations;
  return static_cast<double>(operations.multiplications + operations.additions);
}

}  // namespace

double estimated_cost_ns(const Case& where) {
  const Resolved resolved = resolve(where);
  constexpr double ns_per_operation = 0.3;
  const double to_measure = 3e4 + 50 * static_cast<double>(where.n * where.batch);
  if (!resolved.algorithm.is_predictable())
    return inapplicable(where, resolved).empty() ? to_measure : ns_to_skip;
  const std::optional<Prediction> prediction = meaningful_costs(where, resolved);
  return prediction ? to_measure + ns_per_operation * operations_of(*prediction) : ns_to_skip;
}

double estimated_tables_ns(const Case& where) {
  const Resolved resolved = resolve(where);
  constexpr double ns_per_entry = 20;
  if (!resolved.algorithm.is_predictable()) return 0;
  const std::optional<Prediction> prediction = meaningful_costs(where, resolved);
  const double plans = resolved.transform.inverse.empty() ? 1 : 2;
  return prediction ? plans * ns_per_entry * static_cast<double>(prediction->table_entries) : 0;
}

double estimated_truth_ns(const Case& where) {
  constexpr double ns_for_any = 5e4;
  constexpr double ns_per_operation = 1.5;
  constexpr double ns_per_operation_of_kernel = 0.04;  // sums of products, without a transform
  Case plain{.transform = where.transform, .n = where.n, .batch = where.batch};
  const TransformEntry transform = transform_named(where.transform);
  plain.algorithm = !transform.takes_fft           ? transform.kernel
                    : std::has_single_bit(where.n) ? "radix2-dit"
                                                   : "bluestein";
  const std::optional<Prediction> prediction = meaningful_costs(plain, resolve(plain));
  if (!prediction) return ns_for_any;
  return ns_for_any + operations_of(*prediction) *
                          (transform.takes_fft ? ns_per_operation : ns_per_operation_of_kernel);
}

double estimated_whole_ns(const Case& where) {
  return estimated_cost_ns(where) + estimated_tables_ns(where) + estimated_truth_ns(where);
}

}  // namespace fftprec
