/// Double-double transforms in full against MPFR's: the bound holds for every length, input,
/// layout, instruction set and number of threads, and none of these changes a bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arith/truth/bound.hpp"
#include "arith/truth/fourier.hpp"
#include "tests/truth/pair_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::ComplexPairs;
using truth::Fourier;
using truth::Loops;
using truth::PairFourier;

constexpr int test_seed = 5;

double log2_of(double x) { return x == 0 ? -999 : std::log2(x); }

ComplexPairs transformed(const PairFourier& fourier, ComplexPairs x, std::size_t stride = 1,
                         const Loops& loops = {}) {
  fourier(x, stride, loops);
  return x;
}

void expect_within_radius(double error, const PairFourier& fourier, const std::string& what) {
  EXPECT_LE(error, fourier.radius()) << "n = " << fourier.size() << " (" << fourier.name() << "), "
                                     << what << ", seed = " << test_seed << ": error 2^"
                                     << log2_of(error) << ", bound 2^" << log2_of(fourier.radius());
}

/// Transforms each input of length n and returns the largest error.
double largest_error(std::size_t n, mpfr_prec_t precision) {
  const PairFourier fourier(n);
  const Fourier judge(n, precision);
  double largest = 0;
  for (const PairInput input : all_pair_inputs) {
    const ComplexPairs x = pair_input(input, n, test_seed);
    const double error = error_against(judge, x, transformed(fourier, x), {n});
    expect_within_radius(error, fourier, name_of(input));
    largest = std::max(largest, error);
  }
  return largest;
}

void record(std::size_t n, double error) {
  ::testing::Test::RecordProperty("log2_error_" + std::to_string(n),
                                  std::to_string(log2_of(error)));
  ::testing::Test::RecordProperty("log2_bound_" + std::to_string(n),
                                  std::to_string(log2_of(PairFourier(n).radius())));
}

TEST(PairFourier, PowersOfTwoStayWithinTheirBound) {
  for (int levels = 0; levels <= 14; ++levels) {
    const std::size_t n = std::size_t{1} << levels;
    record(n, largest_error(n, 192));
  }
}

TEST(PairFourier, ShortLengthsStayWithinTheirBound) {
  for (std::size_t n = 2; n <= 40; ++n) record(n, largest_error(n, 192));
}

TEST(PairFourier, SmoothAndPrimeLengthsStayWithinTheirBound) {
  for (const std::size_t n :
       {60u, 97u, 100u, 127u, 255u, 257u, 360u, 997u, 1000u, 1023u, 2187u, 4093u})
    record(n, largest_error(n, 192));
}

TEST(PairFourier, LongOddLengthsStayWithinTheirBound) {
  for (const std::size_t n : {std::size_t{10007}, (std::size_t{1} << 14) - 1}) {
    const PairFourier fourier(n);
    const Fourier judge(n, 192);
    for (const PairInput input : {PairInput::full, PairInput::wide}) {
      const ComplexPairs x = pair_input(input, n, test_seed);
      const double error = error_against(judge, x, transformed(fourier, x), {n});
      expect_within_radius(error, fourier, name_of(input));
      record(n, error);
    }
  }
}

TEST(PairFourier, MorePrecisionFindsTheSameErrors) {
  for (const std::size_t n : {12u, 64u, 1000u, 2048u}) {
    const double error = largest_error(n, 192);
    EXPECT_NEAR(largest_error(n, 256) / error, 1, 1e-3) << n;
  }
  record(std::size_t{1} << 14, largest_error(std::size_t{1} << 14, 256));
}

TEST(PairFourier, ErrorsOfRandomInputsAreFarBelowTheBound) {
  for (const std::size_t n : {1024u, 1000u, 16384u}) {
    const PairFourier fourier(n);
    const ComplexPairs x = pair_input(PairInput::random, n, test_seed);
    const double error = error_against(Fourier(n, 192), x, transformed(fourier, x), {n});
    EXPECT_LE(50 * error, fourier.radius()) << n << ": 2^" << log2_of(error);
  }
}

struct Layout {
  std::size_t n;
  std::size_t stride;
  std::size_t blocks;
};

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
    const ComplexPairs x = pair_input(PairInput::full, n * stride * blocks, test_seed);
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

TEST(PairFourier, LinesDoNotDisturbEachOther) {
  for (const Layout& layout : layouts) {
    const auto& [n, stride, blocks] = layout;
    const std::size_t lines = stride * blocks;
    ComplexPairs x(n * lines);
    const ComplexPairs one = pair_input(PairInput::random, n, test_seed);
    const std::size_t line = lines / 2;
    const std::size_t first = line / stride * n * stride + line % stride;
    for (std::size_t j = 0; j < n; ++j) x.set(first + j * stride, one.at(j));
    const ComplexPairs y = transformed(PairFourier(n), x, stride);
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (i >= first && (i - first) % stride == 0 && (i - first) / stride < n) continue;
      const truth::ComplexDoubleDouble outside = y.at(i);
      ASSERT_EQ(std::fabs(outside.re.hi) + std::fabs(outside.im.hi), 0)
          << text(layout) << ", n = " << n << ", element " << i;
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
      const ComplexPairs x = pair_input(input, layout.n * layout.stride * layout.blocks, test_seed);
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
        pair_input(PairInput::full, layout.n * layout.stride * layout.blocks, test_seed);
    EXPECT_EQ(bits_hash(transformed(PairFourier(layout.n), x, layout.stride)), hash)
        << "n = " << layout.n << ", " << text(layout);
  }
}

TEST(PairFourier, DataAtTheLimitsOfItsRangeStaysWithinTheBound) {
  for (const std::size_t n : {64u, 100u, 4096u})
    for (const int scale : {800, -400}) {
      const PairFourier fourier(n);
      ComplexPairs x = pair_input(PairInput::full, n, test_seed);
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
  const ComplexPairs x = pair_input(PairInput::full, 1000, test_seed);
  EXPECT_TRUE(same_bits(transformed(*first, x), transformed(PairFourier(1000), x)));
  for (std::size_t n = 1; n <= 40; ++n) EXPECT_EQ(plans.in_pairs(n)->size(), n);
  EXPECT_NE(first, plans.in_pairs(1000));
}

}  // namespace
}  // namespace fftprec::testing
