#include "experiments/cases/evaluate.hpp"

#include <algorithm>
#include <bit>

#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/cases/case_output.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/rows/set_errors.hpp"
#include "experiments/support/hash.hpp"

namespace fftprec {

namespace {

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
  if (resolved.algorithm.is_predictable())
    predict_into(row, resolved, problem, *prediction_for(where, resolved), output.input_rounded);
  measure_into(row, output, problem, result_format(where, resolved), isa);
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

}  // namespace fftprec
