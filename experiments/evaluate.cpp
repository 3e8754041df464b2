#include "experiments/evaluate.hpp"

#include <chrono>
#include <cmath>
#include <tuple>

#include "algorithms/refinement.hpp"
#include "algorithms/variances.hpp"
#include "arith/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/hash.hpp"
#include "experiments/inputs.hpp"
#include "experiments/lru_cache.hpp"
#include "experiments/table_error.hpp"
#include "experiments/tables.hpp"
#include "experiments/transform_entry.hpp"
#include "experiments/windows.hpp"

namespace fftprec {

namespace {

/// A case with its names looked up.
struct Resolved {
  TransformEntry transform;
  AlgorithmEntry algorithm;
  const Mode& mode;
  const Machine& machine;
  SourceTables tables;
};

Resolved resolve(const Case& where) {
  return {transform_named(where.transform),
          algorithm_named(where.algorithm),
          mode_named(where.mode),
          machine_named(where.machine),
          {table_source(where.tables), window_source(where.tables)}};
}

/// Why the case has no meaning, or an empty string.
std::string inapplicable(const Case& where, const Resolved& resolved) {
  const TransformEntry& transform = resolved.transform;
  const AlgorithmEntry& algorithm = resolved.algorithm;
  const bool is_fft = algorithm.kind == AlgorithmKind::fft;
  if (!(is_fft ? transform.takes_fft : algorithm.name == transform.kernel)) {
    std::string means = transform.takes_fft ? "an FFT" : "";
    if (!transform.kernel.empty())
      means += (means.empty() ? "algorithm " : " or algorithm ") + transform.kernel;
    return where.transform + " is carried out by " + means + ", not by " + where.algorithm;
  }
  if (resolved.mode.refinement_steps > 0 && transform.inverse.empty())
    return where.transform + " has no inverse, and mode " + where.mode + " refines by it";
  if (resolved.mode.refinement_steps > 0 && !transform.unrefined.empty())
    return transform.unrefined;
  if (std::string reason = algorithm.inapplicable(resolved.mode, where.tables); !reason.empty())
    return reason;
  return transform.unsupported(algorithm, where.n);
}

/// Stages as `transform` takes them, with all that is known of the tables.
Prediction predicted(const Case& where, const Resolved& resolved) {
  TableSource source{resolved.tables.roots,
                     table_source("exact"),
                     where.tables == "exact",
                     [tables = where.tables](const TableExtent& extent, const Format& format) {
                       return table_error_bound(tables, extent, format);
                     },
                     resolved.tables.windows,
                     window_source("exact")};
  return resolved.transform.predict(
      Predictor(resolved.mode, resolved.machine, Direction::forward, std::move(source)),
      resolved.algorithm, where.n, where.batch);
}

/// What the case costs, without a look at its tables.
Prediction costs_alone(const Case& where, const Resolved& resolved) {
  return resolved.transform.predict(
      Predictor(resolved.mode, resolved.machine, Direction::forward, {}), resolved.algorithm,
      where.n, where.batch);
}

/// Everything that a plan depends on.
using PlanKey = std::tuple<std::string, std::string, std::string, std::string, std::string,
                           std::size_t, std::size_t>;
PlanKey plan_key(const Case& where, const std::string& transform, std::size_t batch) {
  return {transform, where.algorithm, where.mode, where.machine, where.tables, where.n, batch};
}

/// The prediction of a case, kept for the next input and seed.
std::shared_ptr<const Prediction> prediction_for(const Case& where, const Resolved& resolved) {
  constexpr std::size_t capacity = 4096;
  static LruCache<PlanKey, Prediction> cache(capacity);
  return cache.get(plan_key(where, where.transform, where.batch), 1,
                   [&] { return predicted(where, resolved); });
}

/// The plan of a case for `transform`, its tables kept for the next case that needs the same.
template <class Real>
std::shared_ptr<const Transform<MachineArithmetic<Real>>> plan_for(
    const Case& where, const Resolved& resolved, const MachineArithmetic<Real>& arithmetic,
    const TransformEntry& transform) {
  constexpr std::size_t capacity_bytes = std::size_t{1} << 30;
  static LruCache<PlanKey, Transform<MachineArithmetic<Real>>> cache(capacity_bytes);
  const std::size_t words = 2;
  const std::size_t entries =
      resolved.algorithm.is_predictable() ? prediction_for(where, resolved)->table_entries : 0;
  return cache.get(plan_key(where, transform.name, 0), 2 * words * sizeof(Real) * entries, [&] {
    return transform.make<Real>()(arithmetic, resolved.algorithm, where.n, resolved.tables);
  });
}

/// The plan of the inverse, or null where there is none for that length.
template <class Real>
auto inverse_plan_for(const Case& where, const Resolved& resolved,
                      const MachineArithmetic<Real>& arithmetic)
    -> decltype(plan_for<Real>(where, resolved, arithmetic, resolved.transform)) {
  if (resolved.transform.inverse.empty()) return nullptr;
  const TransformEntry inverse = transform_named(resolved.transform.inverse);
  if (!inverse.unsupported(resolved.algorithm, where.n).empty()) return nullptr;
  return plan_for<Real>(where, resolved, arithmetic, inverse);
}

/// A result with what only its computation can tell.
struct Output {
  ComplexArray<double> values;
  ComplexArray<double> round_trip;  ///< the inverse of `values`; empty without an inverse
  bool input_rounded;
  std::uint64_t time_ns;
};

template <class Real>
ComplexArray<double> widened(const ComplexArray<Real>& x) {
  ComplexArray<double> result(x.size());
  std::copy(x.re.begin(), x.re.end(), result.re.begin());
  std::copy(x.im.begin(), x.im.end(), result.im.begin());
  return result;
}

/// x rounded to fp32: the input of a refinement, whose residual is formed in fp32.
ComplexArray<float> in_fp32(const ComplexArray<double>& x) {
  ComplexArray<float> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.re[i] = static_cast<float>(x.re[i]);
    result.im[i] = static_cast<float>(x.im[i]);
  }
  return result;
}

/// `transform` of values that are not yet in the storage format, with the mode's refinement.
template <class Real>
ComplexArray<Real> apply(const MachineArithmetic<Real>& arithmetic,
                         const Transform<MachineArithmetic<Real>>& transform,
                         const Transform<MachineArithmetic<Real>>* inverse,
                         const ComplexArray<double>& input) {
  if constexpr (std::is_same_v<Real, float>) {
    const int steps = arithmetic.mode().refinement_steps;
    if (steps > 0) return refine(arithmetic, transform, *inverse, in_fp32(input), steps);
  }
  return transform(arithmetic, arithmetic.stored(input));
}

template <class Real>
Output run(const Case& where, const Resolved& resolved, const ComplexArray<double>& input,
           Isa isa) {
  const MachineArithmetic<Real> arithmetic(resolved.mode, resolved.machine, isa);
  const auto forward = plan_for<Real>(where, resolved, arithmetic, resolved.transform);
  const auto backward = inverse_plan_for(where, resolved, arithmetic);

  const auto start = std::chrono::steady_clock::now();
  const ComplexArray<Real> y = apply(arithmetic, *forward, backward.get(), input);
  const auto time = std::chrono::steady_clock::now() - start;

  const bool refined = resolved.mode.refinement_steps > 0;
  Output output{.values = widened(y),
                .round_trip = {},
                // A refinement rounds what it hands to each transform, whatever the input was.
                .input_rounded = refined || widened(arithmetic.stored(input)) != input,
                .time_ns = static_cast<std::uint64_t>(
                    std::chrono::duration_cast<std::chrono::nanoseconds>(time).count())};
  if (backward)
    output.round_trip = widened(apply(arithmetic, *backward, forward.get(), output.values));
  return output;
}

void measure_into(Row& row, const Output& output, const Problem& problem, const Format& format) {
  const truth::Errors errors = truth::measure(output.values, problem.truth, format);
  row.err_l2_rel = errors.l2_rel;
  row.err_linf_rel = errors.linf_rel;
  row.err_l1_rel = errors.l1_rel;
  row.err_re_max_rel = errors.re_max_rel;
  row.err_im_max_rel = errors.im_max_rel;
  row.err_max_ulp = errors.max_ulp;
  row.err_rms_ulp = errors.rms_ulp;
  row.bits_l2 = errors.bits_l2;
  row.truth_bits = static_cast<std::uint64_t>(problem.truth.bits);
  row.time_ns = output.time_ns;
  row.output_hash = array_hash(output.values);
}

/// How far the inverse of the output is from the input.
double round_trip_error(const ComplexArray<double>& back, const ComplexArray<double>& input) {
  truth::Truth given;
  given.hi = input;
  given.lo = ComplexArray<double>(input.size());
  given.n = input.size();
  return truth::measure(back, given, fp64).l2_rel;
}

/// The bound of a refined transform from its own, rounding of its input included.
double refined_bound(const Case& where, const Resolved& resolved, double forward) {
  Resolved inverse = resolved;
  inverse.transform = transform_named(resolved.transform.inverse);
  Case back = where;
  back.transform = inverse.transform.name;
  const double backward =
      compose(prediction_for(back, inverse)->bound, unit_roundoff(resolved.mode.storage));
  return refined_error(forward, backward, resolved.transform.growth);
}

void predict_into(Row& row, const Resolved& resolved, const Problem& problem,
                  const Prediction& prediction, bool input_rounded) {
  Prediction whole = prediction;
  if (input_rounded) {
    const double u = unit_roundoff(resolved.mode.storage);
    const std::size_t operands = resolved.transform.operands;
    whole.bound = compose(whole.bound, repeated_error(u, operands));
    whole.variance += static_cast<double>(operands) * value_variance(u);
  }
  for (int step = 0; step < resolved.mode.refinement_steps; ++step) {
    whole.bound = refined_bound(row.where, resolved, whole.bound);
    whole.theorem = "refinement";
  }
  row.bound_l2_rel = whole.bound;
  if (const auto& reference = resolved.transform.reference_norm) {
    const double norm = reference(problem.input, row.where.n, row.where.batch);
    if (norm != 0) *row.bound_l2_rel *= norm / truth::l2_norm(problem.truth.hi);
  }
  row.bound_name = whole.theorem;
  // The model adds independent errors. Those of an inexact angle are the same in every stage and
  // in every transform of a refinement, so it holds only where data meet such a table once.
  const bool once = whole.tables_met <= 1 && resolved.mode.refinement_steps == 0;
  if (row.where.tables == "exact" || once) row.expected_l2_rel = whole.expected();
  const Cost cost =
      (1 + 2 * static_cast<std::uint64_t>(resolved.mode.refinement_steps)) * whole.cost;
  row.mac_count = cost.mac_count;
  row.matmul_passes = cost.matmul_passes;
}

Row measured(const Case& where, const Problem& problem, Isa isa) {
  const Resolved resolved = resolve(where);
  if (const std::string reason = inapplicable(where, resolved); !reason.empty())
    throw NotApplicable(reason);
  const Output output = on_host(resolved.mode) ? run<double>(where, resolved, problem.input, isa)
                                               : run<float>(where, resolved, problem.input, isa);
  Row row{.where = where};
  Format format = resolved.mode.storage;
  if (resolved.algorithm.is_predictable()) {
    const auto prediction = prediction_for(where, resolved);
    predict_into(row, resolved, problem, *prediction, output.input_rounded);
    format = output_format(*prediction, resolved.mode);
  }
  measure_into(row, output, problem, resolved.mode.refinement_steps > 0 ? fp32 : format);
  if (output.round_trip.size() > 0)
    row.err_roundtrip_l2_rel = round_trip_error(output.round_trip, problem.input);
  return row;
}

}  // namespace

Row evaluate(const Case& where, const Problem& problem, Isa isa) {
  try {
    return measured(where, problem, isa);
  } catch (const NotApplicable& reason) {
    Row row{.where = where};
    row.status = Status::skipped;
    row.message = reason.what();
    return row;
  }
}

void check_names(const Case& where) {
  resolve(where);
  check_input_name(where.input);
  require(where.n >= 1, "n = 0: a transform needs at least one element");
  require(where.batch >= 1, "batch = 0: a case needs at least one transform");
}

double estimated_cost_ns(const Case& where) {
  const Resolved resolved = resolve(where);
  if (!inapplicable(where, resolved).empty()) return 1e3;
  constexpr double ns_per_operation = 0.3;
  constexpr double ns_per_table_entry = 20;
  if (!resolved.algorithm.is_predictable()) return 10 * static_cast<double>(where.n * where.batch);
  const Prediction prediction = costs_alone(where, resolved);
  const OperationCounts operations = prediction.cost.operations;
  return ns_per_operation * static_cast<double>(operations.multiplications + operations.additions) +
         ns_per_table_entry * static_cast<double>(prediction.table_entries);
}

}  // namespace fftprec
