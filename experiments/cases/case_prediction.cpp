#include "experiments/cases/case_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/arithmetic/shared_exponent.hpp"
#include "algorithms/theory/error_law.hpp"
#include "algorithms/theory/refinement.hpp"
#include "algorithms/theory/roundings.hpp"
#include "algorithms/theory/storage_errors.hpp"
#include "algorithms/transforms/separable.hpp"
#include "arith/support/portable_math.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/inputs/inputs.hpp"

namespace fftprec {

ErrorModel traced_prediction(const Case& where, const Resolved& resolved, StageTrace& trace) {
  return predict_transform(resolved.transform, predictor(where, resolved).traced(trace),
                           resolved.algorithm, where.n, where.batch);
}

void round_input(ErrorModel& prediction, const ArithmeticSpec& arithmetic, std::size_t operands) {
  const auto storage = storage_theory(arithmetic);
  prediction.variance += static_cast<double>(operands) * storage->variance();
  prediction.bias += static_cast<double>(operands) * storage->bias();
}

bool model_holds(const SharedCase& where, const Resolved& resolved, const ErrorModel& prediction) {
  if (resolved.arithmetic.storage_format().precision == 1 || has_mean(where.input())) return false;
  const bool once = prediction.tables_met <= 1 && resolved.arithmetic.refinement_steps() == 0;
  return where.tables() == exact_tables || once;
}

namespace {

/// Whether no part has more than fp32's significant bits.
bool has_fp32_bits(const ComplexArray<double>& x) {
  const auto fits = [](double part) {
    int exponent = 0;
    const double digits = std::ldexp(std::frexp(part, &exponent), fp32.precision);
    return digits == std::trunc(digits);
  };
  return std::ranges::all_of(x.re, fits) && std::ranges::all_of(x.im, fits);
}

}  // namespace

std::optional<double> expected_for(const ErrorModel& prediction,
                                   const ComplexArray<double>& input) {
  const bool spares = prediction.variance_unless_fp32 != 0 && has_fp32_bits(input);
  return (spares ? prediction.given(InputKind::exact_in_fp32) : prediction).expected();
}

Format result_format(const CasePlan& plan) {
  const Resolved& resolved = plan.resolved();
  if (resolved.arithmetic.refinement_steps() > 0 || resolved.arithmetic.rounds_result())
    return fp32;
  return resolved.algorithm.is_predictable() ? output_format(*plan.costs(), resolved.arithmetic)
                                             : resolved.arithmetic.storage_format();
}

namespace {

/// The inverse with which a refinement computes its residual.
struct WayBack {
  ErrorBound bound;
  double variance;
  double absolute_bound;  ///< ErrorModel::absolute_bound
};

WayBack way_back(const CasePlan& plan) {
  const ArithmeticSpec& arithmetic = plan.residual();
  const auto prediction = plan.residual_prediction();
  const double expected = prediction->given(InputKind::exact_in_fp32).expected().value_or(unknown);
  if (arithmetic.operation_format() == fp32)
    return {prediction->bound, expected * expected, prediction->absolute_bound};
  const auto storage = storage_theory(arithmetic);
  ErrorModel stored;
  stored.round_parts(storage->absolute(many_bits));
  return {compose(storage->bound(), prediction->bound), expected * expected + storage->variance(),
          stored.compose(*prediction).absolute_bound};
}

/// As refined_error, of what is below the normal numbers: F's own comes anew, G's comes through F,
/// and what X had is left but for what F and G do not see; fp32 rounds residual and sum.
double refined_noise(const ErrorModel& before, const ErrorModel& forward, const WayBack& back,
                     double growth) {
  const double in_fp32 = 2 * small_error(fp32, Rounding::rne);
  const double f = forward.bound.worst;
  const double left = f + (1 + f) * growth * back.bound.worst + (growth > 1 ? 1 : 0);
  return left * before.absolute_bound + forward.absolute_bound + in_fp32 +
         (1 + f) * std::sqrt(forward.growth) * (back.absolute_bound + in_fp32);
}

/// Whether the tensor engine flushes to zero only values far below any data. An aligned sum whose
/// lowest exponent is above fp32's loses parts of ordinary values; so does an engine that flushes
/// the residual words of a format with a higher lowest exponent (fp16: 2^-14).
bool holds_ordinary_values(const ArithmeticSpec& arithmetic) {
  const GemmScheme& scheme = arithmetic.matrices();
  const AccumulatorModel& unit = scheme.accumulate();
  const bool cuts = unit.sum == BlockSum::aligned && unit.lowest_exponent > fp32.emin;
  const bool flushes =
      unit.flush_inputs && unit.operands.emin > fp32.emin && scheme.terms().size() > 1;
  return !cuts && !flushes;
}

/// Whether the bound of the model is finite and holds.
bool has_theorem(const ErrorModel& whole, const Resolved& resolved) {
  return std::isfinite(whole.bound.worst) &&
         (whole.cost.matmul_passes == 0 || holds_ordinary_values(resolved.arithmetic));
}

/// The arithmetic that stores the input: where all items share an operand, its lines are unknown.
ArithmeticSpec with_input_lines(const Resolved& resolved, std::size_t n, std::size_t batch) {
  const std::vector<std::size_t> shape = resolved.transform.item_shape(n).input;
  if (shape.empty()) return resolved.arithmetic;
  StoredLines lines{.batch = batch, .n = shape.back()};
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) lines.batch *= shape[axis];
  return resolved.arithmetic.on_lines(lines);
}

/// The prediction for the case, from `whole`, the prediction for its transforms.
ErrorModel whole_prediction(const CasePlan& plan, const Resolved& resolved, ErrorModel whole,
                            bool input_rounded) {
  if (input_rounded) {
    const std::size_t operands = resolved.transform.operands;
    const ArithmeticSpec arithmetic = with_input_lines(resolved, plan.n(), plan.batch());
    const ErrorBound store = storage_theory(arithmetic)->bound();
    whole.bound = compose(repeated_error(store, operands), whole.bound);
    round_input(whole, arithmetic, operands);
    AbsoluteErrors once = storage_theory(resolved.arithmetic)->absolute(many_bits);
    if (resolved.arithmetic.has_absolute_errors())  // 1 is next to it
      once.largest = power_of_two(quantum_exponent(resolved.arithmetic.storage_format()));
    ErrorModel stored{.result_range = 1 + store.worst};
    stored.round_parts(once);
    stored = stored.compose(whole);
    whole.absolute_variance = stored.absolute_variance;
    whole.absolute_bias = stored.absolute_bias;
    whole.absolute_bound = stored.absolute_bound;
    whole.peak_range = stored.peak_range;
    whole.peak_error = stored.peak_error;
  }
  if (resolved.arithmetic.refinement_steps() > 0) {
    const ErrorModel unrefined = whole;
    const WayBack back = way_back(plan);
    const double forward = unrefined.variance + unrefined.bias * unrefined.bias;
    whole.variance = forward;
    whole.bias = 0;
    for (int step = 0; step < resolved.arithmetic.refinement_steps(); ++step) {
      whole.absolute_bound = refined_noise(whole, unrefined, back, resolved.transform.growth);
      whole.bound =
          refined_error(whole.bound, unrefined.bound, back.bound, resolved.transform.growth);
      whole.variance = refined_variance(whole.variance, forward, back.variance);
    }
    // The way back from a one-sided spectrum drops what should be zero: it is never corrected,
    // and most of the error where the way back is accurate.
    const std::vector<std::size_t> in = resolved.transform.item_shape(plan.n()).input;
    const std::size_t inputs = in.empty() ? 0 : elements(in);
    if (resolved.arithmetic.accurate_residual() &&
        output_size(resolved.transform, plan.n()) < inputs)
      whole.variance = unknown;
    whole.theorem = "refinement";
    const std::uint64_t transforms = transforms_of(resolved);
    whole.cost = transforms * whole.cost;
    whole.calls = {transforms * whole.calls.tensor, transforms * whole.calls.vector};
  }
  if (resolved.arithmetic.rounds_result()) {
    const double u = unit_roundoff(fp32);
    whole.bound = compose(whole.bound, rounding_error(fp32, Rounding::rne));
    whole.absolute_bound += 2 * small_error(fp32, Rounding::rne);
    whole.variance += value_variance(u);
  }
  whole.bound = evaluated_upwards * whole.bound;
  whole.absolute_bound *= evaluated_upwards;
  return whole;
}

/// Whether the quantum of data is known, and also the growth of the stages, since all belong to one
/// FFT.
bool has_closed_form(const Resolved& resolved) {
  return !resolved.arithmetic.scale().is_block() && resolved.transform.one_fft;
}

double truth_mean_square(const Problem& problem, double scale) {
  const ComplexArray<double>& y = problem.truth.hi;
  return square(truth::l2_norm(y)) / static_cast<double>(y.size()) * square(scale);
}

/// Makes the absolute errors of fixed point relative to the result, and adds the mean square of the
/// biases. NaN without a problem, or if the growth is unknown.
void make_relative(ErrorModel& whole, double of_means, const Problem* problem, double scale) {
  const double mean_square = problem != nullptr && !std::isnan(whole.growth)
                                 ? truth_mean_square(*problem, scale)
                                 : unknown;
  const double worst = whole.bound.worst + whole.absolute_bound / std::sqrt(mean_square);
  whole.bound = {worst, worst, unknown};  // no rounding is relative to its result
  whole.variance += (whole.absolute_variance + of_means) / mean_square;
  whole.bias += whole.absolute_bias / std::sqrt(mean_square / 2);
}

/// The error from values below the normal numbers, relative to the result: a root mean square over
/// all elements of the FFT. A one-sided spectrum has about half of them, and each counts twice in a
/// real result. NaN if it is not known.
double small_part(const ErrorModel& whole, const Resolved& resolved, const Problem& problem,
                  double scale) {
  const TransformEntry& transform = resolved.transform;
  const double in = static_cast<double>(problem.input.size());
  const double out = static_cast<double>(problem.truth.hi.size());
  double elements = std::max(in, out);
  if (transform.real_input || !transform.dft) elements = std::max(elements, 2 * out);
  if (transform.real_output) elements = 2 * std::max(elements, 2 * in);
  const double norm = truth::l2_norm(problem.truth.hi) * scale;
  return norm == 0 ? 0 : whole.absolute_bound * std::sqrt(elements) / norm;
}

/// Whether nearly all of input and results round as normal numbers of the format. Of normally
/// distributed values whose root mean square is twice the smallest normal number, 38 % lie below
/// it; their larger relative rounding errors make 7 % of the error of a rounding.
bool are_normal(const ArithmeticSpec& arithmetic, const Problem& problem, double scale) {
  const Format& storage = arithmetic.storage_format();
  if (!arithmetic.has_normal_range() || arithmetic.shares_scales()) return true;
  const auto size = [](const ComplexArray<double>& x) {
    return truth::l2_norm(x) / std::sqrt(2 * static_cast<double>(x.size()));
  };
  const double least = 2 * min_normal(storage);
  return std::ldexp(size(problem.input), arithmetic.scale().input) >= least &&
         size(problem.truth.hi) * scale >= least;
}

/// The least normal number of the formats that data are storage, cut into words, or summed in.
double least_normal(const ArithmeticSpec& arithmetic) {
  double least = min_normal(arithmetic.storage_format());
  if (const SplitSpec* split = arithmetic.product().words())
    least = std::max(least, min_normal(split->word));
  const GemmScheme& gemm = arithmetic.gemm();
  if (gemm.engine() != Engine::tensor) return least;
  least = std::max(least, min_normal(fp32));  // of PSUM, and of sums outside
  return gemm.data().kind == WordKind::values ? std::max(least, min_normal(gemm.data().format))
                                              : least;
}

/// The number of parts below `least` that are not zero.
std::size_t parts_below(const ComplexArray<double>& x, double least) {
  const auto is_below = [=](double part) { return part != 0 && std::abs(part) < least; };
  return static_cast<std::size_t>(std::ranges::count_if(x.re, is_below) +
                                  std::ranges::count_if(x.im, is_below));
}

double largest_modulus(const ComplexArray<double>& x) {
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, portable::hypot(x.re[i], x.im[i]));
  return largest;
}

/// The largest modulus of the scaled input.
double largest_modulus(const ComplexArray<double>& input, const ArithmeticSpec& arithmetic) {
  return std::ldexp(largest_modulus(input), arithmetic.scale().input);
}

/// Whether no operation on this input can overflow, whatever the signs and places of its values.
bool cannot_overflow(const ErrorModel& whole, const ArithmeticSpec& arithmetic,
                     const ComplexArray<double>& input) {
  if (!arithmetic.on_integers()) return false;
  const double largest = largest_modulus(input, arithmetic);
  return whole.peak_range * largest + whole.peak_error <= max_finite(arithmetic.storage_format());
}

/// The bound if no intermediate value can exceed a zone, and the bits of this zone: of all zones,
/// the one with the smallest bound for this size of input. Random errors stay random, since it is
/// known before the rounding whether a value is below the zone; its error is then bounded with
/// certainty.
std::optional<std::pair<ErrorBound, int>> bound_in_zone(const CasePlan& plan,
                                                        const Problem& problem,
                                                        bool input_rounded) {
  const Format storage = plan.resolved().arithmetic.storage_format();
  const int scaled = plan.resolved().arithmetic.scale().input;
  const double largest = largest_modulus(problem.input, plan.resolved().arithmetic);
  const double size = std::ldexp(truth::l2_norm(problem.input), scaled) /
                      std::sqrt(static_cast<double>(problem.input.size()));
  std::vector<std::pair<double, Format>> zones;
  for (int precision = storage.precision; precision >= 2; --precision)
    if (const auto zone = golden_zone(*storage.system, precision))
      zones.emplace_back(unit_roundoff(*zone) * (1 + min_normal(*zone) / size), *zone);
  std::ranges::stable_sort(zones, {}, &std::pair<double, Format>::first);
  double peak = 1;
  for (const auto& [guess, zone] : zones) {
    const double top = power_of_two(zone.emax + 1);
    if (!(peak * largest <= top)) continue;
    Resolved resolved = plan.resolved();
    const Rounding casts = resolved.arithmetic.machine().casts;
    resolved.arithmetic =
        resolved.arithmetic.in_zone(zone, rounding_error(zone, casts).worst * min_normal(zone));
    const ErrorModel stages =
        predict_transform(resolved.transform, predictor(plan.where(), resolved), resolved.algorithm,
                          plan.n(), plan.batch());
    const ErrorModel whole = whole_prediction(plan, resolved, stages, input_rounded);
    if (std::isnan(whole.growth)) return std::nullopt;
    peak = std::max(peak, whole.peak_range);
    if (peak * largest + whole.peak_error > top) continue;
    const double scale = result_scale(resolved, plan.n());
    const double small = whole.absolute_bound / std::sqrt(truth_mean_square(problem, scale));
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

/// Ends the name of a bound that Coq has proven, number and all.
constexpr std::string_view machine_checked = "+machine-checked";

/// Whether the theorems of proofs/ are about this case, and proofs/bounds.csv has its bound but for
/// errors below the normal numbers: elementwise each operation must round once to nearest, and in
/// a matrix product as on `ieee`. In fp16 those errors are in every bound.
bool is_machine_checked(const CasePlan& plan) {
  const SharedCase& where = plan.where();
  const Machine& machine = plan.resolved().arithmetic.machine();
  const bool rounds_once = machine.vector == VectorEngine{} && machine.casts == Rounding::rne;
  const bool is_proven =
      where.algorithm() == "dft-gemm"
          ? where.machine() == "ieee"
          : rounds_once && (where.algorithm() == "radix2-dit" || where.algorithm() == "radix2-dif");
  constexpr std::array<std::string_view, 3> modes{"fp64", "fp32", "bf16"};
  constexpr std::uint64_t longest = std::uint64_t{1} << 20;
  return is_proven && where.transform() == "fft" && where.tables() == exact_tables &&
         std::ranges::count(modes, where.mode()) == 1 && std::has_single_bit(where.n()) &&
         where.n() >= 2 && where.n() <= longest &&
         std::ranges::all_of(later_axes,
                             [&](const LaterAxis& axis) { return axis.is_default(where); });
}

/// The laws of the errors of whole results that are `expected` to err by that much of their norm:
/// one law for each sequence that an item results in, since sums of more parts are larger.
std::vector<ManyErrors> laws_of(const CasePlan& plan, const Problem& problem,
                                const ErrorModel& whole, double expected) {
  const TransformEntry& transform = plan.resolved().transform;
  const std::vector<std::size_t> shape = transform.item_shape(plan.n()).output;
  const std::size_t length = shape.back();
  const std::size_t sequences = shape.size() < 2 ? 1 : shape[0];
  const auto& t = problem.truth.hi.re;
  const std::size_t items = t.size() / (sequences * length);
  const Format format = result_format(plan);
  std::vector<ManyErrors> laws;
  for (std::size_t s = 0; s < sequences; ++s) {
    double sum = 0;
    for (std::size_t item = 0; item < items; ++item)
      for (std::size_t k = 0; k < length; ++k)
        sum += square(t[(item * sequences + s) * length + k]);
    const auto count = static_cast<double>(items * length);
    // What tables take of the size of results is in proportion to them.
    const double local =
        std::min(whole.local_variance + square(whole.bias + whole.fp64_loss), square(expected));
    laws.push_back({{.rms = std::sqrt(sum / count),
                     .white = (square(expected) - local) * sum / count,
                     .local = local,
                     .rounding = std::min(local, value_variance(unit_roundoff(format))),
                     .precision = format.precision,
                     .sizes = transform.result_sizes},
                    count});
  }
  return laws;
}

/// Bounds the error of every single result. Empty without a theorem, and where a value may leave
/// the range: with R the reference and M points, no value on the way exceeds 16 M R, since spectra
/// are at most sqrt(M) times the norms, and their product is scaled by 8 at most.
///
/// A value below the least normal number e errs by up to e. An element of a spectrum depends on at
/// most 20 M roundings, so it takes 20 M e; times the other spectrum, sqrt(M) |x|_2 at most, and
/// with the same of both operands and of weights and scales up to 8, a result takes less than
/// 1000 M^(3/2) (1 + |x|_2) e, |x|_2 the norm of all operands.
std::optional<ErrorBound> bound_of_results(const CasePlan& plan, const ErrorModel& whole,
                                           const ComplexArray<double>& input) {
  const Resolved& resolved = plan.resolved();
  if (!resolved.transform.element_reference || !has_theorem(whole, resolved)) return std::nullopt;
  const double reference = resolved.transform.element_reference(input, plan.n(), plan.batch());
  const auto points = static_cast<double>(4 * plan.n());
  const double largest = 16 * points * std::max(reference, 1.0);
  const double below = 1000 * points * std::sqrt(points) * (1 + truth::l2_norm(input)) *
                       least_normal(resolved.arithmetic);
  if (!(largest <= max_finite(resolved.arithmetic.storage_format())) || !(below < 0.01))
    return std::nullopt;
  return reference * whole.bound + ErrorBound(below);
}

/// Fills the columns of single results.
void predict_results(Row& row, const CasePlan& plan, const Problem& problem,
                     const ErrorModel& whole) {
  const TransformEntry& transform = plan.resolved().transform;
  if (const auto bound = bound_of_results(plan, whole, problem.input)) {
    row.bound_linf_abs = bound->worst;
    row.bound_prob_linf_abs = bound->probable(static_cast<double>(problem.truth.hi.size()));
  }
  if (!row.expected_l2_rel || !transform.integers) return;
  const std::vector<ManyErrors> laws = laws_of(plan, problem, whole, *row.expected_l2_rel);
  row.expected_linf_abs = expected_largest(laws);
  row.failure_prob = largest_exceeds(laws, 0.5);
}

}  // namespace

std::optional<double> result_bound(const CasePlan& plan, const ComplexArray<double>& input,
                                   bool input_rounded) {
  const Resolved& resolved = plan.resolved();
  if (!resolved.transform.element_reference || !resolved.algorithm.is_predictable())
    return std::nullopt;
  const ErrorModel whole = *plan.whole_prediction(input_rounded, [&] {
    return whole_prediction(plan, resolved, *plan.prediction(), input_rounded);
  });
  const auto bound = bound_of_results(plan, whole, input);
  return bound ? std::optional(bound->worst) : std::nullopt;
}

void unmark_overflow(Row& row) {
  const bool is_finite = !row.err_l2_rel || std::isfinite(*row.err_l2_rel);
  if (!is_finite && row.bound_name.ends_with(machine_checked))
    row.bound_name.resize(row.bound_name.size() - machine_checked.size());
}

bool ends_at_largest(const Format& format, Rounding casts) {
  return format.saturates() || casts == Rounding::rz || casts == Rounding::ru ||
         casts == Rounding::rd || casts == Rounding::odd;
}

void leave_out_bound(Row& row, const CasePlan& plan, const Problem& problem,
                     const ErrorModel& prediction) {
  const ArithmeticSpec& arithmetic = plan.resolved().arithmetic;
  const Format& storage = arithmetic.storage_format();
  if (!row.bound_l2_rel || !arithmetic.has_normal_range()) return;
  if (*row.err_l2_rel <= *row.bound_l2_rel) return;
  std::string reason;
  if (std::isnan(prediction.absolute_bound)) {
    const double least = least_normal(arithmetic);
    const double scale = result_scale(plan.resolved(), plan.n());
    const bool shares = arithmetic.scale().is_block() && !arithmetic.block_format();  // an exponent
    const auto least_of = [&](const ComplexArray<double>& x, double held) {
      return shares ? 2 * least / max_finite(storage) * largest_modulus(x) : least / held;
    };
    const std::size_t small =
        parts_below(problem.input,
                    least_of(problem.input, std::ldexp(1.0, arithmetic.scale().input))) +
        parts_below(problem.truth.hi, least_of(problem.truth.hi, scale));
    if (small > 0)
      reason = fmt::format(
          "{} parts of input and result are below the normal numbers, which end at {:.4g}, and "
          "their effect on {} is not known",
          small, least, plan.where().transform());
  }
  const double largest = prediction.peak_range * largest_modulus(problem.input, arithmetic);
  if (reason.empty() && !(largest <= max_finite(storage)) &&
      ends_at_largest(storage, arithmetic.machine().casts))
    reason = fmt::format(
        "intermediate values may exceed {}, which ends at {:.4g}, and then become this number",
        to_string(storage), max_finite(storage));
  if (reason.empty()) return;
  for (std::optional<double>* cell :
       {&row.bound_l2_rel, &row.bound_prob_l2_rel, &row.expected_l2_rel, &row.expected_gain,
        &row.bound_linf_abs, &row.bound_prob_linf_abs, &row.expected_linf_abs, &row.failure_prob})
    *cell = std::nullopt;
  row.bound_name.clear();
  if (!row.message.empty()) row.message += "; ";
  row.message += "no bound: " + reason;
}

std::uint64_t transforms_of(const Resolved& resolved) {
  return 1 + 2 * static_cast<std::uint64_t>(resolved.arithmetic.refinement_steps());
}

ErrorModel predict_into(Row& row, const CasePlan& plan, const Problem* problem, bool input_rounded,
                        bool overflowed) {
  const Resolved& resolved = plan.resolved();
  ErrorModel whole = *plan.whole_prediction(input_rounded, [&] {
    return whole_prediction(plan, resolved, *plan.prediction(), input_rounded);
  });
  const auto& reference = resolved.transform.reference_norm;
  const double scale = result_scale(resolved, plan.n());
  if (resolved.arithmetic.has_absolute_errors()) {
    const Problem* known = !overflowed && has_closed_form(resolved) ? problem : nullptr;
    const double of_means = known != nullptr ? plan.fixed_means(input_rounded) : unknown;
    make_relative(whole, of_means, known, scale);
  }
  const std::optional<double> most_reference = resolved.transform.most_reference;
  const bool has_scale = problem != nullptr || !reference || most_reference;
  if (has_scale && has_theorem(whole, resolved)) {
    row.bound_l2_rel = whole.bound.worst;
    row.bound_prob_l2_rel = whole.bound.probable();
    if (reference) {
      const double norm =
          problem ? reference(problem->input, plan.n(), plan.batch()) : *most_reference;
      const double of_truth = problem ? truth::l2_norm(problem->truth.hi) : 1;
      for (std::optional<double>* bound : {&row.bound_l2_rel, &row.bound_prob_l2_rel})
        if (norm != 0 && *bound) **bound *= norm / of_truth;
    }
    row.bound_name = whole.theorem;
    const double of_normal_numbers = *row.bound_l2_rel;
    if (problem != nullptr && !resolved.arithmetic.has_absolute_errors())
      add_small_part(row, small_part(whole, resolved, *problem, scale));
    if (*row.bound_l2_rel == of_normal_numbers && is_machine_checked(plan))
      row.bound_name += machine_checked;
    if (problem != nullptr && cannot_overflow(whole, resolved.arithmetic, problem->input))
      row.bound_name += "+overflow-free";
  }
  const Format& storage = resolved.arithmetic.storage_format();
  if (storage.tapers() && !storage.system->is_listed && problem != nullptr && !overflowed &&
      plan.where().tables() == exact_tables && has_closed_form(resolved))
    if (const auto zone = bound_in_zone(plan, *problem, input_rounded)) {
      row.bound_l2_rel = zone->first.worst;
      row.bound_prob_l2_rel = zone->first.probable();
      row.bound_name = std::string(whole.theorem) + "+golden-zone:" + std::to_string(zone->second);
    }
  if (row.bound_l2_rel && !std::isfinite(*row.bound_l2_rel)) {  // of a truth that is zero
    row.bound_l2_rel = row.bound_prob_l2_rel = std::nullopt;
    row.bound_name.clear();
  }
  const bool normal = problem == nullptr || are_normal(resolved.arithmetic, *problem, scale);
  const std::optional<double> expected =
      problem == nullptr ? whole.expected() : expected_for(whole, problem->input);
  if (expected && std::isfinite(*expected) && normal && model_holds(plan.where(), resolved, whole))
    row.expected_l2_rel = expected;
  // Few digits of elements take some of the size of what is stored in blocks.
  if (row.expected_l2_rel && !resolved.arithmetic.block_format())
    row.expected_gain = 1 - whole.bias;
  if (problem != nullptr) predict_results(row, plan, *problem, whole);
  row.real_multiplications = whole.cost.real_multiplications;
  row.matmul_passes = whole.cost.matmul_passes;
  return whole;
}

}  // namespace fftprec
