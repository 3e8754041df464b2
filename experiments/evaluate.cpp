#include "experiments/evaluate.hpp"

#include <algorithm>

#include "arith/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/case_output.hpp"
#include "experiments/case_prediction.hpp"
#include "experiments/hash.hpp"
#include "experiments/inputs.hpp"
#include "experiments/measure_result.hpp"

namespace fftprec {

namespace {

/// The truth of what `values` should be where `rest` is added to them later.
truth::Truth without_rest(truth::Truth truth, const ComplexArray<double>& rest) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    truth.lo.re[i] -= rest.re[i];
    truth.lo.im[i] -= rest.im[i];
  }
  return truth;
}

ComplexArray<double> joined(const ComplexArray<double>& a, const ComplexArray<double>& b) {
  ComplexArray<double> both(a.size() + b.size());
  std::copy(b.re.begin(), b.re.end(), std::copy(a.re.begin(), a.re.end(), both.re.begin()));
  std::copy(b.im.begin(), b.im.end(), std::copy(a.im.begin(), a.im.end(), both.im.begin()));
  return both;
}

void measure_into(Row& row, const Output& output, const Problem& problem, const Format& format,
                  Isa isa) {
  const bool whole = output.rest.size() == 0;
  const truth::Errors errors =
      whole ? truth::measure(output.values, problem.truth, format, isa)
            : truth::measure(output.values, without_rest(problem.truth, output.rest), format, isa);
  set_errors(row, errors);
  row.truth_bits = static_cast<std::uint64_t>(problem.truth.bits);
  row.truth_tier = problem.truth.tier;
  row.time_ns = output.time_ns;
  row.output_hash = array_hash(whole ? output.values : joined(output.values, output.rest));
}

/// How far the inverse of the output is from the input.
double round_trip_error(const ComplexArray<double>& back, const ComplexArray<double>& input,
                        Isa isa) {
  truth::Truth given;
  given.hi = input;
  given.lo = ComplexArray<double>(input.size());
  given.n = input.size();
  return truth::measure(back, given, fp64, isa).l2_rel;
}

Row measured(const Case& where, const Problem& problem, Isa isa) {
  const Resolved resolved = resolve(where);
  if (const std::string reason = inapplicable(where, resolved); !reason.empty())
    throw NotApplicable(reason);
  const Output output = run_case(where, resolved, problem.input, isa);
  Row row{.where = where};
  Format format = resolved.mode.storage;
  if (resolved.algorithm.is_predictable()) {
    const auto prediction = prediction_for(where, resolved);
    predict_into(row, resolved, problem, *prediction, output.input_rounded);
    format = output_format(*prediction, resolved.mode);
  }
  const bool leaves_fp32 = resolved.mode.refinement_steps > 0 || resolved.mode.rounds_result;
  measure_into(row, output, problem, leaves_fp32 ? fp32 : format, isa);
  if (output.round_trip.size() > 0)
    row.err_roundtrip_l2_rel = round_trip_error(output.round_trip, problem.input, isa);
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
  Prediction prediction;
  try {
    prediction = costs_alone(where, resolved);
  } catch (const NotApplicable&) {
    return 1e3;
  }
  const OperationCounts operations = prediction.cost.operations;
  return ns_per_operation * static_cast<double>(operations.multiplications + operations.additions) +
         ns_per_table_entry * static_cast<double>(prediction.table_entries);
}

}  // namespace fftprec
