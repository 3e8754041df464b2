#include "experiments/cases/case_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "algorithms/arithmetic/shared_exponent.hpp"
#include "algorithms/theory/expectation.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/inputs/input_law.hpp"

namespace fftprec {

Prediction traced_prediction(const Case& where, const Resolved& resolved, StageTrace& trace) {
  return predict_transform(resolved.transform, predictor(where, resolved).traced(trace),
                           resolved.algorithm, where.n, where.batch);
}

void round_input(Prediction& prediction, const ResolvedArithmetic& arithmetic,
                 std::size_t operands) {
  prediction.variance += static_cast<double>(operands) * store_variance(arithmetic);
  prediction.drift += static_cast<double>(operands) * store_drift(arithmetic);
}

bool model_holds(const Case& where, const Resolved& resolved, const Prediction& prediction) {
  if (resolved.arithmetic.kept.precision == 1 || has_mean(where.input)) return false;
  const bool once = prediction.tables_met <= 1 && resolved.arithmetic.refinement_steps == 0;
  return where.tables == exact_tables || once;
}

bool has_fp32_bits(const ComplexArray<double>& x) {
  const auto fits = [](double part) {
    int exponent = 0;
    const double digits = std::ldexp(std::frexp(part, &exponent), fp32.precision);
    return digits == std::trunc(digits);
  };
  return std::ranges::all_of(x.re, fits) && std::ranges::all_of(x.im, fits);
}

Format result_format(const Setup& setup, std::size_t batch) {
  const Resolved& resolved = setup.resolved();
  if (resolved.arithmetic.refinement_steps > 0 || resolved.arithmetic.rounds_result) return fp32;
  return resolved.algorithm.is_predictable()
             ? output_format(*setup.costs(batch), resolved.arithmetic)
             : resolved.arithmetic.kept;
}

namespace {

/// What the residual of a refinement is formed by.
struct WayBack {
  ErrorBound bound;
  double variance;
  double noise_bound;  ///< Prediction::noise_bound
};

WayBack way_back(const Setup& setup, std::size_t batch) {
  const ResolvedArithmetic& arithmetic = setup.residual();
  const auto prediction = setup.residual_prediction(batch);
  const double expected = prediction->expected(true).value_or(unknown);  // its input is fp32
  if (arithmetic.storage == fp32)
    return {prediction->bound, expected * expected, prediction->noise_bound};
  Prediction stored;
  stored.round_parts(fixed_errors(arithmetic));
  return {compose(real_errors(arithmetic).store, prediction->bound),
          expected * expected + store_variance(arithmetic), stored.then(*prediction).noise_bound};
}

/// As refined_error, of what is below the normal numbers: F's own comes anew, G's comes through F,
/// and what X had is left but for what F and G do not see; fp32 rounds residual and sum.
double refined_noise(const Prediction& before, const Prediction& forward, const WayBack& back,
                     double growth) {
  const double in_fp32 = 2 * small_error(fp32, Rounding::rne);
  const double f = forward.bound.worst;
  const double left = f + (1 + f) * growth * back.bound.worst + (growth > 1 ? 1 : 0);
  return left * before.noise_bound + forward.noise_bound + in_fp32 +
         (1 + f) * std::sqrt(forward.growth) * (back.noise_bound + in_fp32);
}

/// Whether the tensor engine flushes to zero only values far below any data. An aligned sum whose
/// lowest exponent is above fp32's loses parts of ordinary values; so does an engine that flushes
/// the residual words of a format with a higher lowest exponent (fp16: 2^-14).
bool holds_ordinary_values(const ResolvedArithmetic& arithmetic) {
  const GemmScheme& scheme = arithmetic.matrices();
  const AccumulatorModel& unit = scheme.accumulate;
  const bool cuts = unit.sum == BlockSum::aligned && unit.lowest_exponent > fp32.emin;
  const bool flushes =
      unit.flush_inputs && unit.operands.emin > fp32.emin && scheme.terms.size() > 1;
  return !cuts && !flushes;
}

/// The arithmetic that stores the input: where all items share an operand, its lines are unknown.
ResolvedArithmetic with_input_lines(const Resolved& resolved, std::size_t n, std::size_t batch) {
  ResolvedArithmetic arithmetic = resolved.arithmetic;
  const std::vector<std::size_t> shape = resolved.transform.item_shape(n).input;
  if (shape.empty()) return arithmetic;
  arithmetic.kept_n = shape.back();
  arithmetic.kept_batch = batch;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) arithmetic.kept_batch *= shape[axis];
  return arithmetic;
}

/// `whole`, of `batch` transforms, with all that a case does to them.
Prediction whole_prediction(const Setup& setup, const Resolved& resolved, Prediction whole,
                            std::size_t batch, bool input_rounded) {
  if (input_rounded) {
    const std::size_t operands = resolved.transform.operands;
    const ResolvedArithmetic arithmetic = with_input_lines(resolved, setup.n(), batch);
    const ErrorBound store = real_errors(arithmetic).store;
    whole.bound = compose(repeated_error(store, operands), whole.bound);
    round_input(whole, arithmetic, operands);
    FixedErrors once = fixed_errors(resolved.arithmetic);
    if (resolved.arithmetic.kept.is_fixed())  // 1 is next to it
      once.largest = power_of_two(quantum_exponent(resolved.arithmetic.kept));
    Prediction stored{.reach = 1 + store.worst};
    stored.round_parts(once);
    stored = stored.then(whole);
    whole.noise = stored.noise;
    whole.shrinkage = stored.shrinkage;
    whole.noise_bound = stored.noise_bound;
    whole.peak = stored.peak;
    whole.peak_slip = stored.peak_slip;
  }
  if (resolved.arithmetic.refinement_steps > 0) {
    const Prediction unrefined = whole;
    const WayBack back = way_back(setup, batch);
    const double forward = unrefined.variance + unrefined.drift * unrefined.drift;
    whole.variance = forward;
    whole.drift = 0;
    for (int step = 0; step < resolved.arithmetic.refinement_steps; ++step) {
      whole.noise_bound = refined_noise(whole, unrefined, back, resolved.transform.growth);
      whole.bound =
          refined_error(whole.bound, unrefined.bound, back.bound, resolved.transform.growth);
      whole.variance = refined_variance(whole.variance, forward, back.variance);
    }
    // The way back from a one-sided spectrum drops what should be zero: it is never corrected,
    // and most of the error where the way back is accurate.
    const std::vector<std::size_t> in = resolved.transform.item_shape(setup.n()).input;
    std::size_t inputs = in.empty() ? 0 : 1;
    for (const std::size_t length : in) inputs *= length;
    if (resolved.arithmetic.accurate_residual &&
        output_size(resolved.transform, setup.n()) < inputs)
      whole.variance = unknown;
    whole.theorem = "refinement";
    const std::uint64_t transforms = transforms_of(resolved);
    whole.cost = transforms * whole.cost;
    whole.calls = {transforms * whole.calls.tensor, transforms * whole.calls.vector};
  }
  if (resolved.arithmetic.rounds_result) {
    const double u = unit_roundoff(fp32);
    whole.bound = compose(whole.bound, rounding_error(fp32, Rounding::rne));
    whole.noise_bound += 2 * small_error(fp32, Rounding::rne);
    whole.variance += value_variance(u);
  }
  return whole;
}

/// Whether the quantum of data is known, and the stages are an FFT's alone, so that their growth
/// is.
bool has_closed_form(const Resolved& resolved) {
  return !resolved.arithmetic.scale.is_block() && resolved.transform.one_fft;
}

double truth_mean_square(const Problem& problem, double scale) {
  const ComplexArray<double>& y = problem.truth.hi;
  return square(truth::l2_norm(y)) / static_cast<double>(y.size()) * square(scale);
}

/// Relative to the result, what fixed point rounds, with the mean square of the errors' means; NaN
/// without a problem, and where the growth is unknown.
void make_relative(Prediction& whole, double of_means, const Problem* problem, double scale) {
  const double mean_square = problem != nullptr && !std::isnan(whole.growth)
                                 ? truth_mean_square(*problem, scale)
                                 : unknown;
  const double worst = whole.bound.worst + whole.noise_bound / std::sqrt(mean_square);
  whole.bound = {worst, worst, unknown};  // no rounding is relative to its result
  whole.variance += (whole.noise + of_means) / mean_square;
  whole.drift += whole.shrinkage / std::sqrt(mean_square / 2);
}

/// What of the error is below the normal numbers, relative to the result: a root mean square over
/// all elements of the FFT, of which a one-sided spectrum is about half. Each of those counts twice
/// on its way to a real result. NaN where it is not known.
double small_part(const Prediction& whole, const Resolved& resolved, const Problem& problem,
                  double scale) {
  const TransformEntry& transform = resolved.transform;
  const double in = static_cast<double>(problem.input.size());
  const double out = static_cast<double>(problem.truth.hi.size());
  double elements = std::max(in, out);
  if (transform.real_input || !transform.dft) elements = std::max(elements, 2 * out);
  if (transform.real_output) elements = 2 * std::max(elements, 2 * in);
  const double norm = truth::l2_norm(problem.truth.hi) * scale;
  return norm == 0 ? 0 : whole.noise_bound * std::sqrt(elements) / norm;
}

/// Whether nearly all of input and results are rounded as normal numbers of the format are. Of
/// normal values whose root mean square is twice the smallest normal number, 38 % lie below it;
/// that they lose no fewer bits than it makes 7 % of the error of a rounding.
bool are_normal(const ResolvedArithmetic& arithmetic, const Problem& problem, double scale) {
  const Format& kept = arithmetic.kept;
  if (kept.is_fixed() || kept.tapers() || arithmetic.kept_blocks || arithmetic.scale.is_block())
    return true;
  const auto size = [](const ComplexArray<double>& x) {
    return truth::l2_norm(x) / std::sqrt(2 * static_cast<double>(x.size()));
  };
  const double least = 2 * min_normal(kept);
  return std::ldexp(size(problem.input), arithmetic.scale.input) >= least &&
         size(problem.truth.hi) * scale >= least;
}

/// The least normal number of the formats that data are kept, cut into words, or summed in.
double least_normal(const ResolvedArithmetic& arithmetic) {
  double least = min_normal(arithmetic.kept);
  if (arithmetic.is_split()) least = std::max(least, min_normal(arithmetic.split.word));
  const GemmScheme& gemm = arithmetic.gemm;
  if (gemm.engine != Engine::tensor) return least;
  least = std::max(least, min_normal(fp32));  // of PSUM, and of sums outside
  return gemm.data.kind == WordKind::values ? std::max(least, min_normal(gemm.data.format)) : least;
}

/// Parts other than zero below it.
std::size_t parts_below(const ComplexArray<double>& x, double least) {
  const auto is_below = [=](double part) { return part != 0 && std::abs(part) < least; };
  return static_cast<std::size_t>(std::ranges::count_if(x.re, is_below) +
                                  std::ranges::count_if(x.im, is_below));
}

double largest_modulus(const ComplexArray<double>& x) {
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, std::hypot(x.re[i], x.im[i]));
  return largest;
}

/// Of the input as it is scaled.
double largest_modulus(const ComplexArray<double>& input, const ResolvedArithmetic& arithmetic) {
  return std::ldexp(largest_modulus(input), arithmetic.scale.input);
}

/// Whether no operation on this input can overflow, whatever the signs and places of its values.
bool cannot_overflow(const Prediction& whole, const ResolvedArithmetic& arithmetic,
                     const ComplexArray<double>& input) {
  if (!arithmetic.kept.is_fixed() || arithmetic.stores.in_passes()) return false;
  const double largest = largest_modulus(input, arithmetic);
  return whole.peak * largest + whole.peak_slip <= max_finite(arithmetic.kept);
}

/// The bound where no value on the way can leave a zone upwards, and that zone's bits: of the zone
/// with the smallest bound, as far as the input's size tells. Random errors stay so: whether a
/// value is below the zone is known before its rounding, and what it errs by is certain then.
std::optional<std::pair<ErrorBound, int>> bound_in_zone(const Setup& setup, const Case& where,
                                                        const Problem& problem,
                                                        bool input_rounded) {
  const Format kept = setup.resolved().arithmetic.kept;
  const int scaled = setup.resolved().arithmetic.scale.input;
  const double largest = largest_modulus(problem.input, setup.resolved().arithmetic);
  const double size = std::ldexp(truth::l2_norm(problem.input), scaled) /
                      std::sqrt(static_cast<double>(problem.input.size()));
  std::vector<std::pair<double, Format>> zones;
  for (int precision = kept.precision; precision >= 2; --precision)
    if (const auto zone = golden_zone(*kept.system, precision))
      zones.emplace_back(unit_roundoff(*zone) * (1 + min_normal(*zone) / size), *zone);
  std::stable_sort(zones.begin(), zones.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  double peak = 1;
  for (const auto& [guess, zone] : zones) {
    const double top = power_of_two(zone.emax + 1);
    if (!(peak * largest <= top)) continue;
    Resolved resolved = setup.resolved();
    ResolvedArithmetic& arithmetic = resolved.arithmetic;
    for (Format* format : {&arithmetic.kept, &arithmetic.storage, &arithmetic.table})
      if (*format == kept) *format = zone;
    arithmetic.least_error =
        rounding_error(zone, arithmetic.machine.casts).worst * min_normal(zone);
    const Prediction stages = predict_transform(resolved.transform, predictor(where, resolved),
                                                resolved.algorithm, where.n, where.batch);
    const Prediction whole = whole_prediction(setup, resolved, stages, where.batch, input_rounded);
    if (std::isnan(whole.growth)) return std::nullopt;
    peak = std::max(peak, whole.peak);
    if (peak * largest + whole.peak_slip > top) continue;
    const double scale = result_scale(resolved, where.n);
    const double small = whole.noise_bound / std::sqrt(truth_mean_square(problem, scale));
    const ErrorBound bound = whole.bound + ErrorBound(small);
    if (!std::isfinite(bound.worst)) return std::nullopt;
    return std::pair(bound, zone.precision);
  }
  return std::nullopt;
}

/// Ends the name of a bound that consists mostly of errors below the normal numbers.
constexpr std::string_view underflow_bound = "+underflow";

/// Adds the bound of errors below the normal numbers to the bounds of a row, unless it is NaN. It
/// counts as certain: whether a value is below the normal numbers is known before it is rounded.
void add_small_part(Row& row, double part) {
  if (std::isnan(part)) return;
  if (part > *row.bound_l2_rel) row.bound_name += underflow_bound;
  for (std::optional<double>* bound : {&row.bound_l2_rel, &row.bound_prob_l2_rel})
    if (*bound) **bound += part;
}

}  // namespace

bool ends_at_largest(const Format& format, Rounding casts) {
  return format.saturates() || casts == Rounding::rz || casts == Rounding::ru ||
         casts == Rounding::rd || casts == Rounding::odd;
}

void leave_out_bound(Row& row, const Setup& setup, const Problem& problem,
                     const Prediction& prediction) {
  const ResolvedArithmetic& arithmetic = setup.resolved().arithmetic;
  const Format& kept = arithmetic.kept;
  if (!row.bound_l2_rel || kept.is_fixed() || kept.tapers()) return;
  if (*row.err_l2_rel <= *row.bound_l2_rel) return;
  std::string reason;
  if (std::isnan(prediction.noise_bound)) {
    const double least = least_normal(arithmetic);
    const double scale = result_scale(setup.resolved(), setup.n());
    const bool shares = arithmetic.scale.is_block() && !arithmetic.kept_blocks;  // an exponent
    const auto least_of = [&](const ComplexArray<double>& x, double held) {
      return shares ? 2 * least / max_finite(kept) * largest_modulus(x) : least / held;
    };
    const std::size_t small =
        parts_below(problem.input,
                    least_of(problem.input, std::ldexp(1.0, arithmetic.scale.input))) +
        parts_below(problem.truth.hi, least_of(problem.truth.hi, scale));
    if (small > 0)
      reason = fmt::format(
          "{} parts of input and result are below the normal numbers, which end at {:.4g}, and "
          "what "
          "that does to {} is not known",
          small, least, row.where.transform);
  }
  const double largest = prediction.peak * largest_modulus(problem.input, arithmetic);
  if (reason.empty() && !(largest <= max_finite(kept)) &&
      ends_at_largest(kept, arithmetic.machine.casts))
    reason = fmt::format(
        "values on the way may be beyond {}, which ends at {:.4g}: such a one becomes that number",
        to_string(kept), max_finite(kept));
  if (reason.empty()) return;
  row.bound_l2_rel = row.bound_prob_l2_rel = row.expected_l2_rel = row.expected_gain = std::nullopt;
  row.bound_name.clear();
  if (!row.message.empty()) row.message += "; ";
  row.message += "no bound: " + reason;
}

std::uint64_t transforms_of(const Resolved& resolved) {
  return 1 + 2 * static_cast<std::uint64_t>(resolved.arithmetic.refinement_steps);
}

Prediction predict_into(Row& row, const Setup& setup, const Problem* problem, bool input_rounded,
                        bool overflowed) {
  const Resolved& resolved = setup.resolved();
  Prediction whole = whole_prediction(setup, resolved, *setup.prediction(row.where.batch),
                                      row.where.batch, input_rounded);
  const auto& reference = resolved.transform.reference_norm;
  const double scale = result_scale(resolved, setup.n());
  if (resolved.arithmetic.kept.is_fixed()) {
    const Problem* known = !overflowed && has_closed_form(resolved) ? problem : nullptr;
    const double of_means = known != nullptr ? setup.fixed_means(input_rounded) : unknown;
    make_relative(whole, of_means, known, scale);
  }
  const std::optional<double> most_reference = resolved.transform.most_reference;
  const bool has_scale =
      (problem != nullptr || !reference || most_reference) && std::isfinite(whole.bound.worst);
  if (has_scale && (whole.cost.matmul_passes == 0 || holds_ordinary_values(resolved.arithmetic))) {
    row.bound_l2_rel = whole.bound.worst;
    row.bound_prob_l2_rel = whole.bound.probable();
    if (reference) {
      const double norm =
          problem ? reference(problem->input, row.where.n, row.where.batch) : *most_reference;
      const double of_truth = problem ? truth::l2_norm(problem->truth.hi) : 1;
      for (std::optional<double>* bound : {&row.bound_l2_rel, &row.bound_prob_l2_rel})
        if (norm != 0 && *bound) **bound *= norm / of_truth;
    }
    row.bound_name = whole.theorem;
    if (problem != nullptr && !resolved.arithmetic.kept.is_fixed())
      add_small_part(row, small_part(whole, resolved, *problem, scale));
    if (problem != nullptr && cannot_overflow(whole, resolved.arithmetic, problem->input))
      row.bound_name += "+overflow-free";
  }
  const Format& kept = resolved.arithmetic.kept;
  if (kept.tapers() && !kept.system->is_listed && problem != nullptr && !overflowed &&
      row.where.tables == exact_tables && has_closed_form(resolved))
    if (const auto zone = bound_in_zone(setup, row.where, *problem, input_rounded)) {
      row.bound_l2_rel = zone->first.worst;
      row.bound_prob_l2_rel = zone->first.probable();
      row.bound_name = std::string(whole.theorem) + "+golden-zone:" + std::to_string(zone->second);
    }
  if (row.bound_l2_rel && !std::isfinite(*row.bound_l2_rel)) {  // of a truth that is zero
    row.bound_l2_rel = row.bound_prob_l2_rel = std::nullopt;
    row.bound_name.clear();
  }
  const bool normal = problem == nullptr || are_normal(resolved.arithmetic, *problem, scale);
  const bool of_fp32 = problem != nullptr && has_fp32_bits(problem->input);
  const std::optional<double> expected = whole.expected(of_fp32);
  if (expected && std::isfinite(*expected) && normal && model_holds(row.where, resolved, whole))
    row.expected_l2_rel = expected;
  // Few digits of elements take some of the size of what is stored in blocks.
  if (row.expected_l2_rel && !resolved.arithmetic.kept_blocks) row.expected_gain = 1 - whole.drift;
  row.mac_count = whole.cost.mac_count;
  row.matmul_passes = whole.cost.matmul_passes;
  return whole;
}

namespace {

/// Of a case that is told apart at once as one without meaning.
constexpr double ns_to_skip = 1e3;

/// Nothing where the case has no meaning.
std::optional<Prediction> meaningful_costs(const Case& where, const Resolved& resolved) {
  if (!inapplicable(where, resolved).empty()) return std::nullopt;
  try {
    return costs_alone(resolved, where.n, where.batch);
  } catch (const NotApplicable&) {
    return std::nullopt;
  }
}

double operations_of(const Prediction& prediction) {
  const OperationCounts operations = prediction.cost.operations;
  return static_cast<double>(operations.multiplications + operations.additions);
}

}  // namespace

EmulationCost emulation_cost(Session& session, const Case& where) {
  constexpr double ns_per_operation = 0.3;
  constexpr double ns_per_entry = 20;
  constexpr double bytes_per_element = 64;  // complex doubles: input, result, truth in two words
  constexpr double bytes_per_entry = 8;
  const Resolved resolved = session.resolve(where);
  const double elements = static_cast<double>(where.n) * static_cast<double>(where.batch);
  const EmulationCost without_plan{3e4 + 50 * elements, 0, bytes_per_element * elements};
  const EmulationCost skipped{ns_to_skip, 0, without_plan.least_bytes};
  if (!resolved.algorithm.is_predictable())
    return inapplicable(where, resolved).empty() ? without_plan : skipped;
  const std::optional<Prediction> prediction = meaningful_costs(where, resolved);
  if (!prediction) return skipped;
  const double plans = resolved.transform.inverse.empty() ? 1 : 2;
  const double entries = static_cast<double>(prediction->table_entries);
  return {without_plan.run_ns + ns_per_operation * operations_of(*prediction),
          plans * ns_per_entry * entries, without_plan.least_bytes + bytes_per_entry * entries};
}

double estimated_truth_ns(Session& session, const Case& where) {
  constexpr double ns_for_any = 5e4;
  constexpr double ns_per_operation = 1.5;
  constexpr double ns_per_operation_of_kernel = 0.04;  // sums of products, without a transform
  Case plain{.transform = where.transform, .n = where.n, .batch = where.batch};
  const auto transform = session.transform(where.transform);
  plain.algorithm = !transform->takes_fft          ? transform->kernel
                    : std::has_single_bit(where.n) ? "radix2-dit"
                                                   : "bluestein";
  const std::optional<Prediction> prediction = meaningful_costs(plain, session.resolve(plain));
  if (!prediction) return ns_for_any;
  return ns_for_any + operations_of(*prediction) *
                          (transform->takes_fft ? ns_per_operation : ns_per_operation_of_kernel);
}

double estimated_whole_ns(Session& session, const Case& where) {
  const EmulationCost cost = emulation_cost(session, where);
  return cost.run_ns + cost.tables_ns + estimated_truth_ns(session, where);
}

}  // namespace fftprec
