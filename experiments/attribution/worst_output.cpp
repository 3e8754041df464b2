#include "experiments/attribution/worst_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::attribution {

namespace {

/// The element that decides a maximum over elements, found by halving, at the cost of two
/// measurements of the whole.
std::size_t deciding_element(const ComplexArray<double>& y, const truth::Truth& truth,
                             const Column& metric, const Format& format) {
  const auto measured = [&](std::size_t first, std::size_t count) {
    truth::Truth part;
    part.hi = part_of(truth.hi, first, count);
    part.lo = part_of(truth.lo, first, count);
    part.n = count;
    Row row;
    set_errors(row, truth::measure(part_of(y, first, count), part, format));
    return metric.number(row).value_or(0);
  };
  std::size_t first = 0;
  for (std::size_t count = y.size(); count > 1;) {
    const std::size_t half = count / 2;
    const bool is_left = measured(first, half) >= measured(first + half, count - half);
    if (!is_left) first += half;
    count = is_left ? half : count - half;
  }
  return first;
}

std::size_t largest_difference(const ComplexArray<double>& y, const truth::Truth& truth) {
  const ComplexArray<double> errors = differences(y, truth);
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (const double size = std::hypot(errors.re[i], errors.im[i]); size > largest) {
      largest = size;
      worst = i;
    }
  return worst;
}

std::size_t worst_index(const ComplexArray<double>& y, const truth::Truth& truth,
                        const Column& metric, const Format& format) {
  for (std::size_t i = 0; i < y.size(); ++i)
    if (!std::isfinite(y.re[i]) || !std::isfinite(y.im[i])) return i;
  const bool counts_ulps = metric.name == "err_max_ulp" || metric.name == "err_rms_ulp";
  if (counts_ulps) return deciding_element(y, truth, column_named("err_max_ulp"), format);
  if (metric.name == "err_re_max_rel" || metric.name == "err_im_max_rel")
    return deciding_element(y, truth, metric, format);
  return largest_difference(y, truth);
}

std::string text_of(std::complex<double> value) {
  return fmt::format("({}, {})", exact_number(value.real()), exact_number(value.imag()));
}

}  // namespace

ComplexArray<double> differences(const ComplexArray<double>& y, const truth::Truth& truth) {
  ComplexArray<double> errors(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    errors.re[i] = (y.re[i] - truth.hi.re[i]) - truth.lo.re[i];
    errors.im[i] = (y.im[i] - truth.hi.im[i]) - truth.lo.im[i];
  }
  return errors;
}

std::string text_of(const WorstElement& worst) {
  return fmt::format("output {} of item {}: {}, where {} is true", worst.index, worst.item,
                     text_of(worst.computed), text_of(worst.exact));
}

WorstElement worst_element(const ComplexArray<double>& y, const truth::Truth& truth,
                           const Column& metric, const Format& format) {
  const std::size_t at = worst_index(y, truth, metric, format);
  return {at / truth.n, at % truth.n, {y.re[at], y.im[at]}, {truth.hi.re[at], truth.hi.im[at]}};
}

namespace {

WorstOutput described(const ComplexArray<double>& y, const truth::Truth& truth,
                      const Format& format, double largest, const WorstElement& worst) {
  const std::size_t i = worst.item * truth.n + worst.index;
  truth::Truth alone;
  alone.hi = part_of(truth.hi, i, 1);
  alone.lo = part_of(truth.lo, i, 1);
  alone.n = 1;
  const ComplexArray<double> output = part_of(y, i, 1), error = differences(output, alone);
  const truth::Errors errors = truth::measure(output, alone, format);
  const double size = std::hypot(error.re[0], error.im[0]);
  return {worst,
          {error.re[0], error.im[0]},
          size == 0 ? 0 : size / largest,
          std::max(errors.re_max_rel, errors.im_max_rel),
          errors.max_ulp};
}

}  // namespace

WorstOutputs worst_outputs(const Output& output, const truth::Truth& truth, const Format& format) {
  const truth::Truth exact = without_rest(truth, output.rest);
  double largest = 0;
  for (std::size_t i = 0; i < exact.hi.size(); ++i)
    largest = std::max(largest, std::hypot(exact.hi.re[i], exact.hi.im[i]));
  const auto worst_by = [&](const char* metric) {
    return described(output.values, exact, format, largest,
                     worst_element(output.values, exact, column_named(metric), format));
  };
  const WorstOutput re = worst_by("err_re_max_rel");
  const WorstOutput im = worst_by("err_im_max_rel");
  return {worst_by("err_linf_rel"), im.part_rel > re.part_rel ? im : re};
}

}  // namespace fftprec::attribution
