#include "experiments/testing/matchers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/attribution/worst_output.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/testing/measure_result.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

namespace {

/// An evaluated requirement.
struct Verdict {
  const Column* metric;
  double value;
  double limit;
  std::string source;  ///< "limit", or which bound

  bool holds() const { return value <= limit; }
};

std::string text_of(const Verdict& verdict) {
  const double ratio = verdict.value / verdict.limit;
  const std::string relation =
      std::isfinite(ratio) ? fmt::format(" is {} times", short_number(ratio)) : ",";
  return fmt::format("{} = {}{} the {} {}", verdict.metric->name, exact_number(verdict.value),
                     relation, verdict.source, exact_number(verdict.limit));
}

/// The explanation of a failed test.
std::string explained(const std::vector<Verdict>& verdicts, const Row& row,
                      const ForeignProblem& asked, const Signal& output, const Format& format) {
  std::string text = fmt::format("for {} of n = {}, batch {}:", asked.where.transform,
                                 asked.where.n, asked.where.batch);
  const Verdict* decisive = &verdicts.front();
  for (const Verdict& verdict : verdicts) {
    text += "\n  " + text_of(verdict);
    if (decisive->holds() && !verdict.holds()) decisive = &verdict;
  }
  const attribution::WorstElement worst =
      attribution::worst_element(output.values(), asked.problem.truth, *decisive->metric, format);
  text += "\n  worst is " + text_of(worst);
  text +=
      fmt::format("\n  bits_l2 = {}, err_linf_rel = {}, err_max_ulp = {} of {}",
                  exact_number(row.bits_l2.value_or(0)), exact_number(row.err_linf_rel.value_or(0)),
                  exact_number(row.err_max_ulp.value_or(0)), to_string(format));
  for (const std::string& more :
       {non_finite(asked, output.values()), suspicion(asked, output.values(), format)})
    if (!more.empty()) text += "\n  " + more;
  return text + fmt::format("\n  truth certified to {} bits ({})", row.truth_bits.value_or(0),
                            name_of(asked.problem.truth.tier));
}

/// "algorithm=radix2-dit, mode=fp32, machine=ieee": as given, or as the row has them.
std::string text_of_axes(const std::string& given, const Row& row) {
  return given.empty() ? fmt::format("algorithm={}, mode={}, machine={}", row.where.algorithm(),
                                     row.where.mode(), row.where.machine())
                       : given;
}

/// err_l2_rel against the row's bound, or against `factor` times its expected error.
Verdict verdict_of(const Row& row, const std::optional<double>& factor, const std::string& axes) {
  const TheoryVerdict verdict = factor ? theory_verdicts(row, *factor)[0] : theory_verdicts(row)[1];
  require(verdict.theory.has_value(), "[", axes, "] has no ",
          factor ? "expected error for this input" : "bound for this input");
  return {&column_named("err_l2_rel"), verdict.error, verdict.limit(),
          factor ? fmt::format("limit of {} times the error that is expected of [{}],",
                               short_number(*factor), axes)
                 : fmt::format("bound {} of [{}],", row.bound_name, axes)};
}

void require_finite(const Signal& input) {
  const ComplexArray<double>& x = input.values();
  for (std::size_t i = 0; i < x.size(); ++i)
    require(std::isfinite(x.re[i]) && std::isfinite(x.im[i]),
            fmt::format("the input of a transform matcher: value {} is not finite", i));
}

}  // namespace

IsTransformOf::IsTransformOf(std::string transform, Signal input)
    : transform_(std::move(transform)), input_(std::make_shared<const Signal>(std::move(input))) {
  transform_named(transform_);
  require(input_->size() > 0, "the input of a transform matcher holds no values");
  require_finite(*input_);
}

IsTransformOf IsTransformOf::of_length(std::uint64_t n) const {
  require(n >= 1, "of_length(0): a transform needs at least one element");
  IsTransformOf more = *this;
  more.n_ = n;
  return more;
}

IsTransformOf IsTransformOf::in_format(const Format& format) const {
  IsTransformOf more = *this;
  more.format_ = format;
  return more;
}

IsTransformOf IsTransformOf::within(std::string_view metric, double largest) const {
  IsTransformOf more = *this;
  more.limits_.push_back(measured_limit(metric, largest));
  return more;
}

IsTransformOf IsTransformOf::within_bound_of(const std::string& axes) const {
  claimed_case(axes);
  return within_theory({axes});
}

IsTransformOf IsTransformOf::within_expected(double factor, const std::string& axes) const {
  check_factor(factor);
  if (!axes.empty()) claimed_case(axes);
  return within_theory({axes, factor});
}

IsTransformOf IsTransformOf::within_theory(TheoryLimit limit) const {
  IsTransformOf more = *this;
  more.theory_limits_.push_back(std::move(limit));
  return more;
}

std::string IsTransformOf::described() const {
  std::string text = fmt::format("the {} of {} given values", transform_, input_->size());
  std::string_view link = " with ";
  for (const MeasuredLimit& limit : limits_) {
    text += fmt::format("{}{} <= {}", link, limit.metric->name, exact_number(limit.largest));
    link = " and ";
  }
  for (const TheoryLimit& limit : theory_limits_) {
    text += fmt::format(
        "{}err_l2_rel <= {} of [{}]", link,
        limit.factor ? short_number(*limit.factor) + " times the expected error" : "the bound",
        limit.axes.empty() ? "the usual case" : limit.axes);
    link = " and ";
  }
  return text;
}

void IsTransformOf::DescribeTo(std::ostream* out) const { *out << "is " << described(); }

void IsTransformOf::DescribeNegationTo(std::ostream* out) const {
  *out << "is not " << described();
}

bool IsTransformOf::judge(const Signal& output, std::ostream* explanation) const {
  require(!limits_.empty() || !theory_limits_.empty(),
          "a transform matcher without a limit; add .within(METRIC, LIMIT), "
          ".within_expected(FACTOR) or "
          ".within_bound_of(...)");
  const ForeignProblem asked =
      foreign_problem(transform_, n_, Samples{input_->values(), {input_->size()}});
  const std::size_t wanted = asked.problem.truth.hi.size();
  if (output.size() != wanted) {
    if (explanation)
      *explanation << fmt::format("which holds {} values, where {} of n = {}, batch {}, gives {}",
                                  output.size(), transform_, asked.where.n, asked.where.batch,
                                  wanted);
    return false;
  }
  const Format& format = format_ ? *format_ : output.format();
  const Row row = measure_result(asked, output.values(), format);

  std::vector<Verdict> verdicts;
  for (const MeasuredLimit& limit : limits_)
    verdicts.push_back({limit.metric, measured_value(row, *limit.metric), limit.largest, "limit"});
  for (const TheoryLimit& limit : theory_limits_) {
    Row predicted = row;
    predict_result(predicted, asked,
                   limit.axes.empty() ? usual_case(asked, format) : claimed_case(limit.axes));
    verdicts.push_back(verdict_of(predicted, limit.factor, text_of_axes(limit.axes, predicted)));
  }
  if (explanation) *explanation << explained(verdicts, row, asked, output, format);
  return std::ranges::all_of(verdicts, &Verdict::holds);
}

}  // namespace fftprec
