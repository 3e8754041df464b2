/// dft against FFTW in double and long double: another library, another algorithm, fewer bits.
#include <fftw3.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "arith/truth/transforms.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

/// FFTW's error is about u sqrt(log n); ten times that, and no less for tiny n, is no accident.
template <class Number>
double fftw_tolerance(std::size_t n) {
  const auto u = static_cast<double>(std::numeric_limits<Number>::epsilon()) / 2;
  return 10 * u * std::sqrt(std::log2(static_cast<double>(n)) + 1);
}

void transform(std::vector<std::complex<double>>& x, int sign) {
  auto* data = reinterpret_cast<fftw_complex*>(x.data());
  fftw_plan plan = fftw_plan_dft_1d(static_cast<int>(x.size()), data, data, sign, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

void transform(std::vector<std::complex<long double>>& x, int sign) {
  auto* data = reinterpret_cast<fftwl_complex*>(x.data());
  fftwl_plan plan = fftwl_plan_dft_1d(static_cast<int>(x.size()), data, data, sign, FFTW_ESTIMATE);
  fftwl_execute(plan);
  fftwl_destroy_plan(plan);
}

template <class Number>
class DftAgainstFftw : public ::testing::Test {};
using Numbers = ::testing::Types<double, long double>;
TYPED_TEST_SUITE(DftAgainstFftw, Numbers, );

TYPED_TEST(DftAgainstFftw, AgreesToItsPrecision) {
  using Complex = std::complex<TypeParam>;
  for (const std::size_t n : {1u, 2u, 12u, 64u, 101u, 1000u, 4096u, 5000u})
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const bool inverse = direction == Direction::inverse;
      const auto x = stress_input(Stress::gaussian, n, n);
      std::vector<Complex> z(n);
      for (std::size_t j = 0; j < n; ++j)
        z[j] = Complex(static_cast<TypeParam>(x.re[j]), static_cast<TypeParam>(x.im[j]));
      transform(z, inverse ? FFTW_BACKWARD : FFTW_FORWARD);

      const truth::Truth truth = truth::dft(x, n, direction);

      TypeParam errors = 0;
      TypeParam norm = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const Complex exact =
            Complex(static_cast<TypeParam>(truth.hi.re[k]),
                    static_cast<TypeParam>(truth.hi.im[k])) +
            Complex(static_cast<TypeParam>(truth.lo.re[k]), static_cast<TypeParam>(truth.lo.im[k]));
        const Complex found = inverse ? z[k] / static_cast<TypeParam>(n) : z[k];
        errors += std::norm(found - exact);
        norm += std::norm(exact);
      }
      EXPECT_LE(static_cast<double>(std::sqrt(errors / norm)), fftw_tolerance<TypeParam>(n))
          << "n = " << n << (inverse ? " inverse" : " forward") << ", seed = " << n;
    }
}

}  // namespace
}  // namespace fftprec::testing
