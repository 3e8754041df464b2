/// What FFTs of fused multiply-adds are asked beside transform_checks.hpp.
#pragma once

#include <cmath>

#include "tests/algorithms/transform_checks.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

/// x + w a of fp32, and of narrower formats by MPFR.
template <class T>
T fused_by_judge(T w, T a, T x) {
  if constexpr (std::is_same_v<T, float>) {
    return std::fma(w, a, x);
  } else {
    IeeeJudge judge(T::format);
    return T(judge(Operation::fused, Rounding::rne, static_cast<double>(w), static_cast<double>(a),
                   static_cast<double>(x)));
  }
}

template <template <class> class Algorithm>
double error_over_expected(const char* mode, std::size_t n) {
  const Subject<Algorithm, float> subject{resolve(mode_named(mode), machine_named("ieee"))};
  double sum = 0;
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    const ComplexArray<double> x = in_double(subject.arithmetic.stored(normal_values(n, seed)));
    const ComplexArray<double> y = in_double(subject.transform(x, n, Direction::forward));
    const double error = truth::measure(y, truth::dft(x, n, Direction::forward), fp32).l2_rel;
    sum += error * error / 4;
  }
  return std::sqrt(sum / subject.predict(n, 1, Direction::forward).variance);
}

}  // namespace fftprec::testing
