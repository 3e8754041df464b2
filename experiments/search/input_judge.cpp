#include "experiments/search/input_judge.hpp"

#include <algorithm>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/parallel.hpp"
#include "arith/truth/real.hpp"
#include "experiments/cases/case_output.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/rows/columns.hpp"
#include "experiments/rows/set_errors.hpp"

namespace fftprec {

namespace {

bool is_zero(double x) { return x == 0; }

void append(ComplexArray<double>& all, const ComplexArray<double>& x) {
  all.re.insert(all.re.end(), x.re.begin(), x.re.end());
  all.im.insert(all.im.end(), x.im.begin(), x.im.end());
}

/// Random bits are counted over a whole call, so that a batch would draw other ones.
bool rounds_stochastically(const Machine& machine) {
  return machine.casts == Rounding::sr || machine.psum_rounding == Rounding::sr;
}

}  // namespace

std::vector<std::string> searched_metrics() {
  return {"err_l2_rel",     "err_linf_rel", "err_l1_rel",  "err_re_max_rel",
          "err_im_max_rel", "err_max_ulp",  "err_rms_ulp", err_over_bound};
}

InputJudge::InputJudge(const Case& where, std::string metric, unsigned threads)
    : where_(where), resolved_(resolve(where)), metric_(std::move(metric)), threads_(threads) {
  const std::vector<std::string> known = searched_metrics();
  if (std::find(known.begin(), known.end(), metric_) == known.end())
    throw unknown_name("metric to search by", metric_, known);
  require(where.n >= 1, "search: n = 0");
  require(where.batch == 1, "search: batch = " + std::to_string(where.batch) +
                                "; inputs are judged one by one, so it must be 1");
  if (const std::string reason = inapplicable(where, resolved_); !reason.empty())
    throw NotApplicable(reason);
  require(metric_ != err_over_bound || resolved_.algorithm.is_predictable(),
          "search: no bound is known of " + where.algorithm + "; search by err_l2_rel");
  const ComplexArray<double> sample = gaussian(1);
  const auto all_zero = [](const auto& x) { return std::all_of(x.begin(), x.end(), is_zero); };
  real_only_ = all_zero(sample.im);
  require(sample.size() == where.n && (real_only_ || sample.im[0] != 0),
          "search: transform " + where.transform + " takes no n free values; fft and rfft do");
  constexpr std::size_t elements = 4096;
  if (!rounds_stochastically(resolved_.arithmetic.machine))
    together_ = std::max<std::size_t>(1, elements / where.n);
}

ComplexArray<double> InputJudge::gaussian(std::uint64_t seed) const {
  return resolved_.transform.make_input("gaussian", where_.n, 1, seed);
}

bool InputJudge::is_rounded(const ComplexArray<double>& input) const {
  const Format& format = storage();
  const auto differs = [&format](double x) { return round(x, format, Rounding::rne) != x; };
  return std::any_of(input.re.begin(), input.re.end(), differs) ||
         std::any_of(input.im.begin(), input.im.end(), differs);
}

double InputJudge::score(Row row, const Problem& problem) const {
  if (metric_ != err_over_bound) return *column_named(metric_).number(row);
  const bool rounded = resolved_.arithmetic.refinement_steps > 0 || is_rounded(problem.input);
  predict_into(row, resolved_, problem, *prediction_for(where_, resolved_), rounded);
  return *row.err_l2_rel / *row.bound_l2_rel;
}

void InputJudge::judge(std::span<const ComplexArray<double>> inputs,
                       std::span<double> scores) const {
  const Isa isa = best_isa();
  ComplexArray<double> all;
  for (const ComplexArray<double>& input : inputs) append(all, input);
  const Output output = run_case(where_, resolved_, all, isa, RoundTrip::no);
  const truth::Truth truth =
      without_rest(resolved_.transform.truth(all, where_.n, inputs.size(), {}), output.rest);
  const Format format = result_format(where_, resolved_);
  const std::size_t item = truth.n;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Problem problem{.input = inputs[i], .truth = {}};
    problem.truth.hi = part_of(truth.hi, i * item, item);
    problem.truth.lo = part_of(truth.lo, i * item, item);
    problem.truth.n = item;
    problem.truth.radius_rel = truth.radius_rel;
    Row row{.where = where_};
    set_errors(row,
               truth::measure(part_of(output.values, i * item, item), problem.truth, format, isa));
    scores[i] = score(std::move(row), problem);
  }
}

std::vector<double> InputJudge::scores(std::span<const ComplexArray<double>> inputs) const {
  std::vector<double> result(inputs.size());
  const std::size_t pieces = (inputs.size() + together_ - 1) / together_;
  truth::in_parallel(
      pieces, threads_, [] { return truth::MpfrCacheScope(); },
      [&](truth::MpfrCacheScope&, std::size_t i) {
        const std::size_t first = i * together_;
        const std::size_t count = std::min(together_, inputs.size() - first);
        judge(inputs.subspan(first, count), std::span(result).subspan(first, count));
      });
  return result;
}

}  // namespace fftprec
