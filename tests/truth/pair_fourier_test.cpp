/// Double-double transforms in full against MPFR's, and against judges that share nothing with this
/// project: Arb's enclosures and FFTW in quadruple precision. The bound holds for every length,
/// input, layout, instruction set and number of threads, and none of these changes a bit.
#include <acb_dft.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arith/truth/bound.hpp"
#include "arith/truth/fourier.hpp"
#include "tests/truth/pair_judge.hpp"

// fftw3.h declares the quad functions for g++ alone; clang links them as well.
extern "C" {
__extension__ typedef __float128 fftprec_quad;
struct fftwq_plan_s;
fftprec_quad (*fftwq_alloc_complex(std::size_t n))[2];
void fftwq_free(void* buffer);
fftwq_plan_s* fftwq_plan_dft_1d(int n, fftprec_quad (*in)[2], fftprec_quad (*out)[2], int sign,
                                unsigned flags);
void fftwq_execute(const fftwq_plan_s* plan);
void fftwq_destroy_plan(fftwq_plan_s* plan);
}

namespace fftprec::testing {
namespace {

using truth::ComplexPairs;
using truth::ComplexReals;
using truth::Fourier;
using truth::Loops;
using truth::PairFourier;

constexpr int fourier_seed = 5;

double log2_of(double x) { return x == 0 ? -999 : std::log2(x); }

ComplexPairs transformed(const PairFourier& fourier, const ComplexPairs& x, std::size_t stride = 1,
                         const Loops& loops = {}) {
  return fourier(x, stride, loops);
}

void expect_within_radius(double error, const PairFourier& fourier, const std::string& what) {
  EXPECT_LE(error, fourier.radius()) << "n = " << fourier.size() << " (" << fourier.name() << "), "
                                     << what << ", seed = " << fourier_seed << ": error 2^"
                                     << log2_of(error) << ", bound 2^" << log2_of(fourier.radius());
}

TEST(PairFourier, StaysWithinItsBoundAtPowersOfTwoShortSmoothAndPrimeLengths) {
  std::vector<std::size_t> lengths{60, 97, 100, 127, 255, 257, 360, 997, 1000, 1023, 2187, 4093};
  for (std::size_t n = 2; n <= 40; ++n) lengths.push_back(n);
  for (int levels = 0; levels <= 14; ++levels) lengths.push_back(std::size_t{1} << levels);
  for (const std::size_t n : lengths) {
    const PairFourier fourier(n);
    const Fourier judge(n, 192);
    for (const PairInput input : all_pair_inputs) {
      const ComplexPairs x = pair_input(input, n, fourier_seed);
      expect_within_radius(error_against(judge, x, transformed(fourier, x), {n}), fourier,
                           name_of(input));
    }
  }
}

TEST(PairFourier, LongOddLengthsStayWithinTheirBound) {
  for (const std::size_t n : {std::size_t{10007}, (std::size_t{1} << 14) - 1}) {
    const PairFourier fourier(n);
    const Fourier judge(n, 192);
    for (const PairInput input : {PairInput::full, PairInput::wide}) {
      const ComplexPairs x = pair_input(input, n, fourier_seed);
      expect_within_radius(error_against(judge, x, transformed(fourier, x), {n}), fourier,
                           name_of(input));
    }
  }
}

const Layout layouts[] = {{1, 3, 2},    {2, 1, 9},     {4, 8, 1},    {8, 3, 3},    {16, 17, 1},
                          {64, 1, 3},   {64, 1, 16},   {64, 5, 2},   {256, 9, 1},  {1024, 1, 9},
                          {1024, 2, 1}, {4096, 1, 10}, {4096, 3, 1}, {8192, 1, 2}, {8192, 2, 2},
                          {3, 1, 20},   {12, 7, 2},    {100, 3, 3},  {997, 2, 1},  {1000, 1, 3}};

std::string text(const Layout& layout) {
  return std::to_string(layout.blocks) + " blocks of stride " + std::to_string(layout.stride);
}

TEST(PairFourier, EveryLineOfEveryLayoutStaysWithinItsBound) {
  for (const Layout& layout : layouts) {
    const auto& [n, stride, blocks] = layout;
    const PairFourier fourier(n);
    const Fourier judge(n, 192);
    const ComplexPairs x = pair_input(PairInput::full, n * stride * blocks, fourier_seed);
    const ComplexPairs y = transformed(fourier, x, stride);
    for (std::size_t block = 0; block < blocks; ++block)
      for (std::size_t s = 0; s < stride; ++s) {
        if (n >= 4096 && (block + s) % 4 != 1) continue;
        const Line line{n, block * n * stride + s, stride};
        expect_within_radius(
            error_against(judge, x, y, line), fourier,
            text(layout) + ", line " + std::to_string(s) + " of block " + std::to_string(block));
      }
  }
}

TEST(PairFourier, InstructionSetsAndThreadsGiveTheSameBits) {
  std::vector<Layout> all(std::begin(layouts), std::end(layouts));
  all.push_back({std::size_t{1} << 16, 1, 1});
  all.push_back({std::size_t{1} << 13, 3, 1});
  all.push_back({10007, 1, 1});
  for (const Layout& layout : all)
    for (const PairInput input : {PairInput::full, PairInput::wide}) {
      const PairFourier fourier(layout.n);
      const ComplexPairs x =
          pair_input(input, layout.n * layout.stride * layout.blocks, fourier_seed);
      const ComplexPairs y = transformed(fourier, x, layout.stride, {Isa::baseline, 1});
      for (const Isa isa : available_isas())
        for (const unsigned threads : {1u, 2u, 3u})
          ASSERT_TRUE(same_bits(y, transformed(fourier, x, layout.stride, {isa, threads})))
              << "n = " << layout.n << ", " << text(layout) << ", " << name_of(input) << ", "
              << name_of(isa) << ", " << threads << " threads";
    }
}

/// Kept from one build for every other: compilers and options must not move a bit.
TEST(PairFourier, BitsAreThoseOfEveryBuild) {
  const std::vector<std::pair<Layout, std::uint64_t>> kept = {
      {{16, 1, 1}, 10853441638473417905u},  {{100, 1, 1}, 16563780101207792140u},
      {{1024, 1, 1}, 4902438590367020529u}, {{1024, 8, 2}, 2794493682771265030u},
      {{8192, 1, 1}, 9197849081514877899u}, {{10007, 1, 1}, 2424638971830662327u},
  };
  for (const auto& [layout, hash] : kept) {
    const ComplexPairs x =
        pair_input(PairInput::full, layout.n * layout.stride * layout.blocks, fourier_seed);
    EXPECT_EQ(bits_hash(transformed(PairFourier(layout.n), x, layout.stride)), hash)
        << "n = " << layout.n << ", " << text(layout);
  }
}

TEST(PairFourier, DataAtTheLimitsOfItsRangeStaysWithinTheBound) {
  for (const std::size_t n : {64u, 100u, 4096u})
    for (const int scale : {800, -400}) {
      const PairFourier fourier(n);
      ComplexPairs x = pair_input(PairInput::full, n, fourier_seed);
      x.set(0, {{1, 0}, {1, 0}});
      for (auto* part : {&x.hi.re, &x.lo.re, &x.hi.im, &x.lo.im})
        for (double& value : *part) value = std::ldexp(value, scale);
      const double error = error_against(Fourier(n, 192), x, transformed(fourier, x), {n});
      expect_within_radius(error, fourier, "scaled by 2^" + std::to_string(scale));
    }
}

TEST(PairFourier, ZerosStayZeros) {
  for (const std::size_t n : {64u, 100u, 8192u}) {
    const ComplexPairs y = transformed(PairFourier(n), ComplexPairs(n));
    EXPECT_EQ(norm_of(y), 0) << n;
  }
}

TEST(PairFourier, RadiusIsThatOfTheProductsOnTheWay) {
  // 6 sums, then 2 passes along columns and 2 along rows, with products between all of them
  EXPECT_EQ(PairFourier(64).radius(), truth::pair_radius(6, 3));
  EXPECT_EQ(PairFourier(std::size_t{1} << 13).radius(), truth::pair_radius(13, 6));
  EXPECT_EQ(PairFourier(100).radius(),
            truth::pair_bluestein_radius(100, 256, PairFourier(256).radius()));
  EXPECT_LT(PairFourier(std::size_t{1} << 20).radius(), 0x1p-97);
}

TEST(PairFourier, CacheGivesTheSameTransform) {
  truth::Plans plans;
  const auto first = plans.in_pairs(1000);
  EXPECT_EQ(first, plans.in_pairs(1000));
  EXPECT_EQ(first->size(), 1000u);
  const ComplexPairs x = pair_input(PairInput::full, 1000, fourier_seed);
  EXPECT_TRUE(same_bits(transformed(*first, x), transformed(PairFourier(1000), x)));
  for (std::size_t n = 1; n <= 40; ++n) EXPECT_EQ(plans.in_pairs(n)->size(), n);
  EXPECT_NE(first, plans.in_pairs(1000));
}

constexpr int judge_seed = 7;

/// Balls of Arb that free themselves.
class Balls {
 public:
  explicit Balls(std::size_t size)
      : size_(static_cast<slong>(size)), values_(_acb_vec_init(size_)) {}
  Balls(const Balls&) = delete;
  Balls& operator=(const Balls&) = delete;
  ~Balls() { _acb_vec_clear(values_, size_); }

  acb_ptr operator[](std::size_t j) { return values_ + j; }
  acb_ptr data() { return values_; }
  slong size() const { return size_; }

 private:
  slong size_;
  acb_ptr values_;
};

constexpr slong arb_precision = judge_precision + 60;

void set_exactly(arb_t ball, mpfr_srcptr value) { arf_set_mpfr(arb_midref(ball), value); }

/// Arb 2.23 leaks memory where acb_dft meets a prime above 100.
bool has_large_prime(std::size_t n) {
  for (std::size_t p = 2; p <= 100; ++p)
    while (n % p == 0) n /= p;
  return n > 1;
}

/// Midpoints, and in `width` the 2-norm of all radii.
ComplexReals by_arb(const ComplexReals& x, double& width) {
  Balls in(x.size());
  Balls out(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    set_exactly(acb_realref(in[j]), x.re[j]);
    set_exactly(acb_imagref(in[j]), x.im[j]);
  }
  if (has_large_prime(x.size()))
    acb_dft_naive(out.data(), in.data(), in.size(), arb_precision);
  else
    acb_dft(out.data(), in.data(), in.size(), arb_precision);
  ComplexReals y(x.size(), judge_precision);
  double squares = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    arf_get_mpfr(y.re[k], arb_midref(acb_realref(out[k])), MPFR_RNDN);
    arf_get_mpfr(y.im[k], arb_midref(acb_imagref(out[k])), MPFR_RNDN);
    for (arb_srcptr part : {acb_realref(out[k]), acb_imagref(out[k])})
      squares += std::pow(mag_get_d(arb_radref(part)), 2);
  }
  width = std::sqrt(squares);
  return y;
}

TEST(PairFourierAgainstArb, StaysWithinItsBoundOfTheEnclosures) {
  for (const std::size_t n :
       {2u, 3u, 8u, 12u, 31u, 64u, 97u, 100u, 360u, 512u, 1000u, 1021u, 1024u, 2039u, 2187u, 4096u})
    for (const PairInput input : {PairInput::full, PairInput::tone, PairInput::integers}) {
      const PairFourier fourier(n);
      const ComplexPairs x = pair_input(input, n, judge_seed);
      const ComplexReals in = exact_line(x, {n}, judge_precision);
      double width = 0;
      const ComplexReals exact = by_arb(in, width);

      const double error = relative_error(transformed(fourier, x), {n}, exact, in);

      const double norm = std::sqrt(static_cast<double>(n)) * norm_of(x);
      ASSERT_LE(width, 0x1p-120 * norm) << n << ": the enclosures are too wide";
      EXPECT_LE(error + width / norm, fourier.radius())
          << "n = " << n << ", " << name_of(input) << ", seed = " << judge_seed << ": 2^"
          << std::log2(error) << ", bound 2^" << std::log2(fourier.radius());
    }
}

/// x transformed by FFTW in quadruple precision, each part as two doubles: their sum keeps 106 of
/// its 113 bits.
ComplexPairs by_fftw(const ComplexPairs& x) {
  using Buffer = fftprec_quad[2];
  const std::size_t n = x.size();
  const std::unique_ptr<Buffer, void (*)(void*)> data(fftwq_alloc_complex(n), fftwq_free);
  Buffer* z = data.get();
  constexpr unsigned estimate = 1u << 6;  // FFTW_ESTIMATE
  constexpr int forward = -1;
  fftwq_plan_s* plan = fftwq_plan_dft_1d(static_cast<int>(n), z, z, forward, estimate);
  for (std::size_t j = 0; j < n; ++j) {
    z[j][0] = static_cast<fftprec_quad>(x.hi.re[j]) + static_cast<fftprec_quad>(x.lo.re[j]);
    z[j][1] = static_cast<fftprec_quad>(x.hi.im[j]) + static_cast<fftprec_quad>(x.lo.im[j]);
  }
  fftwq_execute(plan);
  fftwq_destroy_plan(plan);
  ComplexPairs y(n);
  const auto split = [](fftprec_quad value) {
    const auto hi = static_cast<double>(value);
    return truth::DoubleDouble{hi, static_cast<double>(value - static_cast<fftprec_quad>(hi))};
  };
  for (std::size_t k = 0; k < n; ++k) y.set(k, {split(z[k][0]), split(z[k][1])});
  return y;
}

/// Both err by about their unit roundoff times the root of log n; a hundred times ours is no
/// accident of roundings.
double agreement(std::size_t n) {
  const double levels = std::log2(static_cast<double>(n)) + 1;
  const double bluestein = std::has_single_bit(n) ? 1 : 4;
  return bluestein * 0x1p-106 * std::sqrt(levels);
}

void expect_agreement(std::size_t n, PairInput input) {
  const ComplexPairs x = pair_input(input, n, judge_seed);
  const ComplexReals in = exact_line(x, {n}, judge_precision);
  const ComplexReals fftw = exact_line(by_fftw(x), {n}, judge_precision);

  const double difference = relative_error(transformed(PairFourier(n), x), {n}, fftw, in);

  EXPECT_LE(difference, agreement(n))
      << "n = " << n << ", " << name_of(input) << ", seed = " << judge_seed << ": 2^"
      << std::log2(difference);
}

TEST(PairFourierAgainstFftw, AgreesToQuadruplePrecision) {
  for (const std::size_t n : {2u, 3u, 8u, 31u, 64u, 100u, 997u, 1000u, 1024u, 4093u, 4096u, 6561u,
                              8191u, 10007u, 16381u, 16383u, 16384u})
    for (const PairInput input : {PairInput::random, PairInput::integers, PairInput::constant})
      expect_agreement(n, input);
}

TEST(PairFourierAgainstFftw, LongTransformsAgreeToQuadruplePrecision) {
  for (const std::size_t n : {std::size_t{1} << 20, std::size_t{1000003}})
    expect_agreement(n, PairInput::random);
}

}  // namespace
}  // namespace fftprec::testing
