/// Up to where products of slices are exact: the checking mode passes at the limit, and names the
/// place beyond it.
#include <gmock/gmock.h>

#include <string>

#include "tests/algorithms/complex_product.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {

namespace {

ComplexArray<double> all(std::size_t size, double re, double im) {
  ComplexArray<double> x(size);
  std::fill(x.re.begin(), x.re.end(), re);
  std::fill(x.im.begin(), x.im.end(), im);
  return x;
}

/// Both forms of the product.
void multiply(const std::string& mode, const Machine& machine, const ComplexArray<double>& x,
              const ComplexArray<double>& w, ProductShape shape) {
  const MachineArithmetic<double> arithmetic(resolve(mode_named(mode), machine));
  product_by(arithmetic, x, w, shape, false);
  product_by(arithmetic, x, w, shape, true);
}

/// Odd multiples of 2^-8 between 1/2 and 1: slice 0 of 8 bits holds each of them.
ComplexArray<double> odd_positive(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  ComplexArray<double> x(size);
  for (double& value : x.re) value = static_cast<double>(129 + 2 * (random() % 63)) * 0x1p-8;
  return x;
}

}  // namespace

TEST(SliceLimits, EveryPsumIsExactWithBitsChosenForTheDepth) {
  constexpr double below_one = 1 - 0x1p-20;  // slice 0 is 2^bits, the most that there is
  for (const std::size_t depth : {64u, 128u, 256u, 1024u})
    for (const char* mode : {"slices:3x3:check", "slices:3x3:tiles:check", "slices:2x2:fp16:check"})
      for (const char* machine : {"trn", "trn-rz", "nv-ampere"}) {
        const ProductShape shape{1, depth, 2};
        const auto random_x = scattered<double>(shape.b * depth, fp64, 3);
        const auto random_w = scattered<double>(depth * shape.n, fp64, 4);
        const auto run = [&](const ComplexArray<double>& x, const ComplexArray<double>& w) {
          EXPECT_EQ(error_text([&] { multiply(mode, machine_named(machine), x, w, shape); }),
                    "no error")
              << mode << " on " << machine << ", K = " << depth;
        };
        run(random_x, random_w);
        for (const double im : {below_one, -below_one, 1.0})
          run(all(random_x.size(), below_one, im), all(random_w.size(), below_one, below_one));
      }
}

TEST(SliceLimits, DeeperProductsTakeNarrowerSlicesUnlessTilesLeave) {
  const Machine trn = machine_named("trn");
  const auto expect = [&](const char* mode, std::size_t depth, int factor, int data,
                          std::size_t chained) {
    const SliceBits bits = slice_bits(resolve(mode_named(mode), trn), depth);
    EXPECT_EQ(bits.factor, factor) << mode << ", " << depth;
    EXPECT_EQ(bits.data, data) << mode << ", " << depth;
    EXPECT_EQ(bits.chained, chained) << mode << ", " << depth;
    EXPECT_TRUE(bits.exact) << mode << ", " << depth;
    // chained K 2^(bits) <= 2^24, and one bit more would not fit, or not into the word.
    const std::size_t length = std::string(mode).find("tiles") == std::string::npos
                                   ? depth
                                   : std::min<std::size_t>(depth, 128);
    EXPECT_LE(chained * length << (factor + data), std::size_t{1} << 24);
  };
  expect("slices:3x3", 64, 8, 8, 2);
  expect("slices:3x3", 128, 8, 8, 2);
  expect("slices:3x3", 256, 8, 8, 1);
  expect("slices:3x3", 512, 8, 7, 1);
  expect("slices:3x3", 1024, 7, 7, 1);
  expect("slices:3x3", 4096, 6, 6, 1);
  expect("slices:3x3:tiles", 4096, 8, 8, 2);
  expect("slices:3x3:fp16", 64, 9, 9, 1);
  expect("slices:3x3:fp16", 4, 11, 11, 1);
  EXPECT_THROW(slice_bits(resolve(mode_named("slices:3x3"), trn), std::size_t{1} << 23),
               NotApplicable);
  EXPECT_NO_THROW(slice_bits(resolve(mode_named("slices:3x3:tiles"), trn), std::size_t{1} << 23));
}

TEST(SliceLimits, BeyondThePsumTheCheckNamesThePlace) {
  const ProductShape shape{1, 1024, 1};
  const auto x = odd_positive(shape.k, 3), w = odd_positive(shape.k, 4);
  std::int64_t exact = 0;
  for (std::size_t k = 0; k < shape.k; ++k)
    exact +=
        static_cast<std::int64_t>(x.re[k] * 0x1p8) * static_cast<std::int64_t>(w.re[k] * 0x1p8);
  ASSERT_GT(exact, std::int64_t{1} << 24) << "the sum fits, seeds 3 and 4";
  for (const char* machine : {"trn", "trn-rz", "nv-ampere"}) {
    const auto run = [&](const char* mode) {
      return error_text([&] { multiply(mode, machine_named(machine), x, w, shape); });
    };
    EXPECT_THAT(run("slices:2x2:8:check"),
                holds("slices:2x2:8:check", machine, "PSUM re(0, 0) of slices 0 and 0 holds",
                      "exact is " + std::to_string(exact)));
    EXPECT_EQ(run("slices:2x2:8"), "no error");
    EXPECT_EQ(run("slices:2x2:8:tiles:check"), "no error");
    EXPECT_EQ(run("slices:2x2:check"), "no error");

    // What the check speaks of is a wrong result: the exact one fits a double.
    const MachineArithmetic<double> arithmetic(
        resolve(mode_named("slices:2x2:8"), machine_named(machine)));
    const auto wrong = product_by(arithmetic, x, w, shape, false);
    EXPECT_NE(wrong.re[0], static_cast<double>(exact) * 0x1p-16) << machine;
  }
}

TEST(SliceLimits, TheImaginaryPartIsCheckedAsWell) {
  const ProductShape shape{1, 1024, 1};
  auto x = odd_positive(shape.k, 3), w = odd_positive(shape.k, 4);
  std::swap(w.re, w.im);
  EXPECT_THAT(
      error_text([&] { multiply("slices:2x2:8:check", machine_named("trn"), x, w, shape); }),
      holds("PSUM im(0, 0) of slices 0 and 0 holds"));
}

TEST(SliceLimits, AccumulatorsTooNarrowForSlicesFailTheCheck) {
  const ProductShape shape{2, 64, 3};
  const auto x = odd_positive(shape.b * shape.k, 3), w = odd_positive(shape.k * shape.n, 4);
  for (const char* machine :
       {"trn3-bf16psum", "trn-claim", "trn{eviction=bf16}", "trn{accumulate.format=bf16}"}) {
    EXPECT_THAT(
        error_text([&] { multiply("slices:3x3:check", machine_named(machine), x, w, shape); }),
        holds("PSUM re(0, 0) of slices", "exact is"))
        << machine;
    EXPECT_FALSE(
        slice_bits(resolve(mode_named("slices:3x3"), machine_named(machine)), shape.k).exact)
        << machine;
  }
}

}  // namespace fftprec::testing
