/// Triple-double roots and transforms against MPFR at 320 bits.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "arith/truth/expansion_fourier.hpp"
#include "arith/truth/expansion_roots.hpp"
#include "arith/truth/fourier.hpp"
#include "arith/truth/octants.hpp"
#include "arith/truth/radius.hpp"
#include "arith/truth/triple_transform.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::ComplexPairs;
using truth::ComplexReals;
using truth::ComplexTriples;
using truth::Loops;
using truth::Real;
using truth::TripleFourier;

constexpr mpfr_prec_t judge_precision = 320;
constexpr int test_seed = 7;
constexpr double u = 0x1p-53;

ComplexTriples as_triples(const ComplexPairs& x) {
  ComplexTriples y(x.size());
  y.hi = x.hi;
  y.mid = x.lo;
  return y;
}

/// ||y - exact||_2 / (sqrt(n) ||x||_2), rounded upward.
double error_of(const ComplexTriples& y, const ComplexReals& exact, const ComplexReals& x) {
  Real error(judge_precision);
  Real difference(judge_precision);
  Real size(judge_precision);
  const auto add_square = [](Real& sum, Real& value) {
    mpfr_sqr(value, value, MPFR_RNDN);
    mpfr_add(sum, sum, value, MPFR_RNDN);
  };
  const auto add_part = [&](mpfr_srcptr value, mpfr_srcptr input, double hi, double mid,
                            double lo) {
    mpfr_sub_d(difference, value, hi, MPFR_RNDN);
    mpfr_sub_d(difference, difference, mid, MPFR_RNDN);
    mpfr_sub_d(difference, difference, lo, MPFR_RNDN);
    add_square(error, difference);
    mpfr_set(difference, input, MPFR_RNDN);
    add_square(size, difference);
  };
  for (std::size_t k = 0; k < y.size(); ++k) {
    add_part(exact.re[k], x.re[k], y.hi.re[k], y.mid.re[k], y.lo.re[k]);
    add_part(exact.im[k], x.im[k], y.hi.im[k], y.mid.im[k], y.lo.im[k]);
  }
  if (mpfr_zero_p(mpfr_srcptr(error))) return 0;
  mpfr_mul_ui(size, size, y.size(), MPFR_RNDN);
  mpfr_div(error, error, size, MPFR_RNDU);
  mpfr_sqrt(error, error, MPFR_RNDU);
  return mpfr_get_d(error, MPFR_RNDU);
}

TEST(TripleRoots, StayWithinTheirBound) {
  std::mt19937_64 generator(1);
  for (const std::uint64_t order : {1ull, 7ull, 64ull, 1000ull, 10007ull, 1ull << 20, 1ull << 26}) {
    const truth::ExpansionRoots<ComplexTriples> roots(order);
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t e = generator() % order;
      const auto value = roots(e);
      Real angle(judge_precision);
      Real cos(judge_precision);
      Real sin(judge_precision);
      mpfr_const_pi(angle, MPFR_RNDN);
      mpfr_mul_ui(angle, angle, 2 * e, MPFR_RNDN);
      mpfr_div_ui(angle, angle, order, MPFR_RNDN);
      mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
      for (const double part : {value.re.hi, value.re.mid, value.re.lo})
        mpfr_sub_d(cos, cos, part, MPFR_RNDN);
      for (const double part : {value.im.hi, value.im.mid, value.im.lo})
        mpfr_add_d(sin, sin, part, MPFR_RNDN);
      mpfr_hypot(cos, cos, sin, MPFR_RNDU);
      ASSERT_LE(mpfr_get_d(cos, MPFR_RNDU), 16 * u * u * u) << e << " of " << order;
    }
  }
}

TEST(TripleFourier, StaysWithinItsBoundAndFarBelowThatOfPairs) {
  for (const std::size_t n :
       {1u, 2u, 3u, 4u, 8u, 15u, 32u, 60u, 97u, 128u, 1000u, 1024u, 4096u, 10007u, 16384u}) {
    const TripleFourier fourier(n);
    const truth::Fourier judge(n, judge_precision);
    for (const PairInput input : all_pair_inputs) {
      if (n > 5000 && input != PairInput::full) continue;
      const ComplexPairs x = pair_input(input, n, test_seed);
      ComplexTriples y = as_triples(x);
      fourier(y, 1, {});
      const ComplexReals given = exact_line(x, {n}, judge_precision);
      ComplexReals exact = exact_line(x, {n}, judge_precision);
      judge(exact);
      const double error = error_of(y, exact, given);
      EXPECT_LE(error, fourier.radius())
          << "n = " << n << ", " << name_of(input) << ": 2^" << std::log2(error) << ", bound 2^"
          << std::log2(fourier.radius());
    }
    EXPECT_TRUE(n == 1 || fourier.radius() <= truth::PairFourier(n).radius() * 0x1p-35) << n;
  }
}

TEST(TripleFourier, RoundedToPairsErrsByLittleMoreThanTheRounding) {
  for (const std::size_t n : {2u, 64u, 100u, 997u, 4096u, 8192u}) {
    const TripleFourier fourier(n);
    const truth::Fourier judge(n, 192);
    for (const std::size_t stride : {1u, 3u}) {
      const ComplexPairs x = pair_input(PairInput::full, n * stride, test_seed);
      ComplexPairs y = x;
      transform_in_triples(fourier, y, stride, {});
      const double claimed = 2 * fourier.radius() + 1.01 * u * u;
      for (std::size_t s = 0; s < stride; ++s)
        EXPECT_LE(error_against(judge, x, y, {n, s, stride}), claimed)
            << "n = " << n << ", line " << s;
    }
  }
}

TEST(TripleFourier, InstructionSetsAndThreadsGiveTheSameBits) {
  for (const std::size_t n : {64u, 100u, 4096u, 65536u}) {
    const ComplexPairs x = pair_input(PairInput::full, n, test_seed);
    const TripleFourier fourier(n);
    ComplexPairs expected = x;
    transform_in_triples(fourier, expected, 1, {Isa::baseline, 1});
    for (const Isa isa : available_isas())
      for (const unsigned threads : {1u, 2u}) {
        ComplexPairs y = x;
        transform_in_triples(fourier, y, 1, {isa, threads});
        EXPECT_TRUE(same_bits(expected, y)) << n << ", " << name_of(isa) << ", " << threads;
      }
  }
}

}  // namespace
}  // namespace fftprec::testing
