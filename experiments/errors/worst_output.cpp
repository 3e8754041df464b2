#include "experiments/errors/worst_output.hpp"

#include <algorithm>
#include <cmath>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/errors/worst_element.hpp"

namespace fftprec {

namespace {

WorstOutput described(const ComplexArray<double>& y, const truth::Truth& truth,
                      const Format& format, double largest, const WorstElement& worst) {
  const std::size_t i = worst.item * truth.n + worst.index;
  const double error_re = (y.re[i] - truth.hi.re[i]) - truth.lo.re[i];
  const double error_im = (y.im[i] - truth.hi.im[i]) - truth.lo.im[i];
  const double error = std::hypot(error_re, error_im);
  truth::Truth alone;
  alone.hi = part_of(truth.hi, i, 1);
  alone.lo = part_of(truth.lo, i, 1);
  alone.n = 1;
  const truth::Errors errors = truth::measure(part_of(y, i, 1), alone, format);
  return {.item = worst.item,
          .index = worst.index,
          .re = y.re[i],
          .im = y.im[i],
          .true_re = truth.hi.re[i],
          .true_im = truth.hi.im[i],
          .error_re = error_re,
          .error_im = error_im,
          .rel_to_largest = error == 0 ? 0 : error / largest,
          .part_rel = std::max(errors.re_max_rel, errors.im_max_rel),
          .ulp = errors.max_ulp};
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

}  // namespace fftprec
