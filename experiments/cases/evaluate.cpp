#include "experiments/cases/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "algorithms/fft/refinement.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/support/hash.hpp"

namespace fftprec {

namespace {

/// The exact error of the conversion to double.
double lost_by_double(FloatPair value) {
  const double rounded = static_cast<double>(value);
  return (static_cast<double>(value.high) - rounded) + static_cast<double>(value.low);
}
ComplexArray<double> rest_of(const ComplexArray<FloatPair>& x) {
  ComplexArray<double> result(x.size());
  std::ranges::transform(x.re, result.re.begin(), lost_by_double);
  std::ranges::transform(x.im, result.im.begin(), lost_by_double);
  return result;
}

/// A transform with its inverse, each with the arithmetic that it runs in.
template <class Real>
struct Pass {
  const MachineArithmetic<Real>& arithmetic;
  TransformOf<Real> transform;
  const MachineArithmetic<Real>& of_inverse;
  TransformOf<Real> inverse;  ///< for refinements
  std::size_t line_in;        ///< values of the last axis
  std::size_t line_out;
};

/// The input of a transform, stored. A refinement forms its residual in fp32, so that its input is
/// rounded to that.
template <class Real>
ComplexArray<Real> stored(const Pass<Real>& pass, const ComplexArray<double>& input) {
  if constexpr (std::is_same_v<Real, float>)
    if (pass.arithmetic.resolved().refinement_steps() > 0) return converted<float>(input);
  return pass.arithmetic.stored(input, pass.line_in);
}

/// The transform, with the mode's refinement.
template <class Real>
ComplexArray<Real> apply(const Pass<Real>& pass, ComplexArray<Real> x) {
  if constexpr (std::is_same_v<Real, float>) {
    const int steps = pass.arithmetic.resolved().refinement_steps();
    if (steps > 0)
      return refine(pass.arithmetic, *pass.transform, pass.of_inverse, *pass.inverse, std::move(x),
                    steps);
  }
  ComplexArray<Real> y = (*pass.transform)(pass.arithmetic, std::move(x));
  pass.arithmetic.end_stage(view_of(y, y.size() / pass.line_out, pass.line_out), end_of_transform);
  return y;
}

/// A refinement rounds the input of each of its transforms, even if the input of the case was
/// exact.
template <class Real>
bool is_rounded(const MachineArithmetic<Real>& arithmetic, const ComplexArray<double>& input,
                std::size_t line = 0) {
  if (arithmetic.resolved().refinement_steps() > 0) return true;
  const ComplexArray<Real> x = arithmetic.stored(input, line);
  const auto same = [](const auto& a, const auto& b) {
    return std::ranges::equal(a, b, {}, [](Real value) { return static_cast<double>(value); });
  };
  return !same(x.re, input.re) || !same(x.im, input.im);
}

/// A case being run: its transform, and then the way back. No array is held longer than it is
/// needed, since long transforms fill the memory.
template <class Real>
class Execution {
 public:
  Execution(const CasePlan& plan, const ExecutionOptions& how)
      : plan_(plan),
        how_(how),
        held_(plan.transforms()),
        arithmetic_(arithmetic_of(plan, how)),
        residual_(plan.arithmetic<Real>(Steps::residual, how.isa)),
        refined_(spec().refinement_steps() > 0) {
    const ItemShape shape = plan.resolved().transform.item_shape(plan.n());
    line_in_ = shape.input.empty() ? 0 : shape.input.back();
    line_out_ = shape.output.back();
    if (plan.resolved().arithmetic.scale() != ScalePolicy{})
      scale_ = result_scale(plan.resolved(), plan.n());
    arithmetic_.follow(how.trace);
  }

  Output transform(const ComplexArray<double>& input) {
    if (!scale_) return of_scaled(input);
    Output output = of_scaled(scaled_input(plan_.resolved(), input));
    scaled_values_ = output.values;
    output.values = without_scale(std::move(output.values), *scale_);
    output.rest = without_scale(std::move(output.rest), *scale_);
    return output;
  }

  /// The inverse of the values that `transform` returned; empty where there is none.
  ComplexArray<double> way_back(ComplexArray<double> values) {
    const TransformOf<Real> backward = inverse(Steps::own);
    if (!backward) return {};
    if (scale_) values = std::move(scaled_values_);
    const Pass<Real> pass{arithmetic_, backward,
                          residual_,   refined_ ? forward(Steps::residual) : nullptr,
                          line_out_,   line_in_};
    ComplexArray<Real> x = stored(pass, values);
    values = {};
    ComplexArray<double> back;
    try {
      back = converted<double>(apply(pass, std::move(x)));
    } catch (const NotApplicable&) {
      if (!plan_.resolved().algorithm.whole) throw;
      return {};  // only when asked does a program say that it has no inverse
    }
    if (!scale_) return back;
    return without_scale(std::move(back),
                         *scale_ * stage_scale(plan_.resolved(), *plan_.inverse(), plan_.n()));
  }

 private:
  using Steps = CasePlan::Steps;

  static MachineArithmetic<Real> arithmetic_of(const CasePlan& plan, const ExecutionOptions& how) {
    if (!how.refinement_steps) return plan.arithmetic<Real>(Steps::own, how.isa);
    return MachineArithmetic<Real>(
        plan.resolved().arithmetic.with_refinement_steps(*how.refinement_steps), how.isa);
  }
  const ArithmeticSpec& spec() const { return arithmetic_.resolved(); }
  TransformOf<Real> forward(Steps steps) const {
    return plan_.transform<Real>(CasePlan::Way::forward, steps, how_.isa);
  }
  TransformOf<Real> inverse(Steps steps) const {
    return plan_.transform<Real>(CasePlan::Way::inverse, steps, how_.isa);
  }

  Output of_scaled(const ComplexArray<double>& input) {
    // A refinement uses the inverse of its own mode, or that of a more accurate one.
    const Pass<Real> pass{arithmetic_, forward(Steps::own),
                          residual_,   refined_ ? inverse(Steps::residual) : nullptr,
                          line_in_,    line_out_};
    const auto start = std::chrono::steady_clock::now();
    ComplexArray<Real> y = apply(pass, stored(pass, input));
    arithmetic_.follow(nullptr);
    const auto time = std::chrono::steady_clock::now() - start;
    const std::uint64_t overflow_count = arithmetic_.overflow_count();
    if (overflow_count > 0 && spec().machine().fixed_overflow == OverflowMode::error)
      throw InputError(fmt::format("{} results overflow {}, and machine {} stops there",
                                   overflow_count, to_string(spec().storage_format()),
                                   spec().machine().name));
    Output output{.values = converted<double>(y),
                  .rest = {},
                  .round_trip = {},
                  .input_rounded = false,
                  .time_ns = static_cast<std::uint64_t>(
                      std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()),
                  .overflow_count = overflow_count};
    if (spec().rounds_result())
      output.values = converted<double>(converted<float>(output.values));
    else if constexpr (!std::is_same_v<Real, float> && !std::is_same_v<Real, double>)
      output.rest = rest_of(y);
    y = {};
    output.input_rounded = is_rounded(arithmetic_, input, line_in_);
    return output;
  }

  const CasePlan& plan_;
  ExecutionOptions how_;
  std::shared_ptr<PlanTransforms> held_;
  MachineArithmetic<Real> arithmetic_;  ///< counts random bits from the transform to the way back
  MachineArithmetic<Real> residual_;
  bool refined_;
  std::size_t line_in_ = 0;
  std::size_t line_out_ = 0;
  std::optional<double> scale_{};         ///< none: nothing is scaled
  ComplexArray<double> scaled_values_{};  ///< if there is a scale
};

/// use(execution) of the plan's type.
template <class Use>
auto with_execution(const CasePlan& plan, const ExecutionOptions& how, Use use) {
  return with_type(plan.resolved().arithmetic.type(), [&]<class Real>(Real) {
    Execution<Real> execution(plan, how);
    return use(execution);
  });
}

}  // namespace

truth::Truth without_rest(truth::Truth truth, const ComplexArray<double>& rest) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    truth.lo.re[i] -= rest.re[i];
    truth.lo.im[i] -= rest.im[i];
  }
  return truth;
}

Output run_case(const CasePlan& plan, const ComplexArray<double>& input,
                const ExecutionOptions& how) {
  return with_execution(plan, how, [&](auto& execution) {
    Output output = execution.transform(input);
    if (how.round_trip) output.round_trip = execution.way_back(output.values);
    return output;
  });
}

std::string output_hash(const Output& output) {
  if (output.rest.size() == 0) return array_hash(output.values);
  ComplexArray<double> both = output.values;
  both.re.insert(both.re.end(), output.rest.re.begin(), output.rest.re.end());
  both.im.insert(both.im.end(), output.rest.im.begin(), output.rest.im.end());
  return array_hash(both);
}

bool rounds_input(const Resolved& resolved, const ComplexArray<double>& input, Isa isa) {
  return with_type(resolved.arithmetic.type(), [&]<class Real>(Real) {
    return is_rounded(MachineArithmetic<Real>(resolved.arithmetic, isa),
                      scaled_input(resolved, input));
  });
}

namespace {

/// Parts of the input as it is scaled that are below the format's normal numbers, and no multiples
/// of its smallest.
std::uint64_t parts_underflowing(const ComplexArray<double>& input, int scale,
                                 const Format& format) {
  const auto underflows = [&](double part) {
    const double size = std::abs(std::ldexp(part, scale));
    const double steps = size / min_subnormal(format);
    return size < min_normal(format) && steps != std::trunc(steps);
  };
  return static_cast<std::uint64_t>(std::ranges::count_if(input.re, underflows) +
                                    std::ranges::count_if(input.im, underflows));
}

/// Counts results times `scale` that left the range of the format. Data with a shared exponent do
/// not end at the largest value of the format.
void count_out_of_range(Row& row, const ComplexArray<double>& y, const truth::Truth& truth,
                        const Format& format, Rounding casts, double scale, bool shares_exponent) {
  const double least = format.tapers() || shares_exponent ? 0 : min_normal(format) / scale;
  const double largest = max_finite(format) / scale;
  const double beyond = std::ldexp(1.0, format.emax + 1) / scale;
  const bool cuts = !shares_exponent && ends_at_largest(format, casts);
  std::uint64_t overflows = 0;
  std::uint64_t underflows = 0;
  const auto count = [&](const auto& parts, const auto& exact, const auto& rest) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool is_cut = cuts && std::abs(parts[i]) == largest && std::abs(exact[i]) >= beyond;
      overflows += !std::isfinite(parts[i]) || is_cut;
      const bool is_small = parts[i] == 0 || std::abs(exact[i]) < least;
      underflows += is_small && exact[i] != 0 && (parts[i] != exact[i] || rest[i] != 0);
    }
  };
  count(y.re, truth.hi.re, truth.lo.re);
  count(y.im, truth.hi.im, truth.lo.im);
  row.overflows = overflows;
  row.underflows = underflows;
  if (overflows == 0) return;
  double peak = 0;
  for (const auto* parts : {&truth.hi.re, &truth.hi.im})
    for (const double part : *parts) peak = std::max(peak, std::abs(part));
  row.message = fmt::format(
      "{} of {} parts overflow {}, which ends at {:.4g}{}; the largest exact part is {:.4g}{}: "
      "scale=input:2^K with K < 0 makes room",
      overflows, 2 * y.size(), to_string(format), max_finite(format),
      scale == 1 ? "" : fmt::format(" ({:.4g} of the result)", largest), peak,
      peak > largest ? "" : ", so what led to it was larger");
}

/// As above, for fixed point, where every operation counts.
void count_out_of_range(Row& row, std::uint64_t overflow_count, const Format& format) {
  row.overflows = overflow_count;
  if (overflow_count == 0) return;
  row.message = fmt::format(
      "{} results of operations overflow {}, which ends at {:.4g}: scale=stage:1/2 or input:2^K "
      "with K < 0 makes room",
      overflow_count, to_string(format), max_finite(format));
}

void measure_into(Row& row, const Output& output, const Problem& problem, const CasePlan& plan,
                  Isa isa) {
  const Format format = result_format(plan);
  const Resolved& resolved = plan.resolved();
  const auto compare = [&](const truth::Truth& truth) {
    set_errors(row, truth::measure(output.values, truth, format, isa));
    if (resolved.transform.integers) set_wrong_coefficients(row, output.values, truth);
  };
  output.rest.size() == 0 ? compare(problem.truth)
                          : compare(without_rest(problem.truth, output.rest));
  const ArithmeticSpec& arithmetic = resolved.arithmetic;
  if (arithmetic.counts_overflows()) {
    count_out_of_range(row, output.overflow_count, arithmetic.storage_format());
  } else {
    const bool shares = arithmetic.scale().is_block();
    count_out_of_range(row, output.values, problem.truth, format, arithmetic.machine().casts,
                       result_scale(resolved, plan.n()), shares);
    if (arithmetic.has_normal_range() && !arithmetic.shares_scales())
      *row.underflows +=
          parts_underflowing(problem.input, arithmetic.scale().input, arithmetic.storage_format());
  }
  set_truth(row, problem.truth);
  row.time_ns = output.time_ns;
  row.output_hash = output_hash(output);
}

/// Why the results of a case are those of another mode, or an empty string: the mode changes
/// operations that the transform does not have.
std::string unused_mode(const CasePlan& plan) {
  const Mode& mode = plan.resolved().mode;
  const ArithmeticSpec& arithmetic = plan.resolved().arithmetic;
  const bool in_passes = arithmetic.stores().in_passes();
  const auto* plain = mode.as<PlainScheme>();
  const auto* vector = mode.as<VectorScheme>();
  const bool in_quire = plain && plain->quire;
  const bool in_blocks = mode.as<BlockScheme>() && !in_passes;
  const bool in_words = mode.as<SlicedScheme>() || mode.as<ResidueScheme>();
  const bool compensates = vector && (vector->product == ProductScheme::kahan_sum ||
                                      vector->product == ProductScheme::neumaier);
  if (!in_quire && !in_blocks && !in_words && !compensates) return {};
  if (in_quire && in_passes)
    return fmt::format(
        "with rounding_points={} products are summed in {}, and mode {} uses no quire",
        plan.where().rounding_points(), to_string(arithmetic.operation_format()), mode.name);
  if (const auto costs = plan.costs();
      compensates ? costs->sums_products : costs->multiplies_matrices)
    return {};
  const std::string other = arithmetic.storage_format() == fp32_pair
                                ? "doubleword"
                                : to_string(arithmetic.storage_format());
  return fmt::format(
      "{} by {} of {} points {}, and mode {} changes only {}: its results are those of mode {}{}",
      plan.where().transform(), plan.where().algorithm(), plan.n(),
      compensates ? "adds one product at a time" : "has no matrix products", mode.name,
      compensates ? "sums of several" : "those", other,
      in_blocks ? "; rounding_points=stage, pass:K or ends store data in blocks" : "");
}

/// The distance between the inverse of the output and the input: the l2_rel of truth::measure, by
/// two norms and in place, unless the input is of a size at which they may leave the range.
double round_trip_error(ComplexArray<double> back, const ComplexArray<double>& input, Isa isa) {
  const double size = truth::l2_norm(input, isa);
  if (!(size >= 0x1p-300 && size <= 0x1p300)) {
    truth::Truth given;
    given.hi = input;
    given.lo = ComplexArray<double>(input.size());
    given.n = input.size();
    return truth::measure(back, given, fp64, isa).l2_rel;
  }
  std::ranges::transform(back.re, input.re, back.re.begin(), std::minus<>());
  std::ranges::transform(back.im, input.im, back.im.begin(), std::minus<>());
  const double error = truth::l2_norm(back, isa);
  return std::isnan(error) ? std::numeric_limits<double>::quiet_NaN() : error / size;
}

Row measured(const CasePlan& plan, const Problem& problem, Isa isa, RowExtent extent) {
  if (!plan.inapplicable().empty())
    throw NotApplicable(plan.inapplicable());  // rows of a run need no alternatives
  const bool whole = extent == RowExtent::whole;
  const bool is_predictable = plan.resolved().algorithm.is_predictable();
  if (is_predictable)  // may refuse the case
    whole ? plan.prediction() : plan.costs();
  Row row{.where = plan.where()};
  with_execution(plan, {.isa = isa}, [&](auto& execution) {
    Output output = execution.transform(problem.input);
    ErrorModel prediction;
    if (whole && is_predictable)
      prediction =
          predict_into(row, plan, &problem, output.input_rounded, output.overflow_count > 0);
    measure_into(row, output, problem, plan, isa);
    leave_out_bound(row, plan, problem, prediction);
    unmark_overflow(row);
    if (std::string unused = is_predictable ? unused_mode(plan) : ""; !unused.empty())
      row.message += (row.message.empty() ? "" : "; ") + unused;
    if (!whole) return;
    ComplexArray<double> back = execution.way_back(std::move(output.values));
    if (back.size() > 0)
      row.err_roundtrip_l2_rel = round_trip_error(std::move(back), problem.input, isa);
  });
  return row;
}

}  // namespace

Row evaluate(const CasePlan& plan, const Problem& problem, Isa isa, RowExtent extent) {
  try {
    return measured(plan, problem, isa, extent);
  } catch (const NotApplicable& reason) {
    Row row{.where = plan.where()};
    row.status = Status::skipped;
    row.message = reason.what();
    return row;
  }
}

Row evaluate(const Case& where, const Problem& problem, Isa isa) {
  return evaluate(Session().plan(where), problem, isa);
}

Row evaluate(const Case& where) {
  const CasePlan plan = Session().plan(where);
  return evaluate(plan, make_problem(plan));
}

void check_names(const Case& where) { Session().check_names(where); }

std::string unknown_in(Case where) {
  if (where.input.starts_with(file_kind)) where.input = Case{}.input;
  if (where.tables.starts_with(file_kind)) where.tables = Case{}.tables;
  try {
    check_names(where);
    return {};
  } catch (const InputError& reason) {
    return reason.what();
  }
}

}  // namespace fftprec
