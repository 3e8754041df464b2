/// Words of operands, one kind after the other, against words cut by MPFR or written down.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "algorithms/arithmetic/machine_gemm.hpp"
#include "tests/algorithms/complex_product.hpp"

namespace fftprec::testing {

namespace {

constexpr WordShape flat(std::size_t size) { return {1, size, size, 1}; }

double rounded(double x, const Format& format, Rounding rounding = Rounding::rne) {
  Judge judge(format, 64);
  return judge(Operation::identity, rounding, x);
}

/// Word `word` of element i, both parts, on every instruction set: what `expected` makes of the
/// whole value.
template <class Real, class Expected>
void expect_words(const ComplexArray<Real>& x, const OperandWords& words, Expected expected) {
  for (const Isa isa : available_isas()) {
    const ComplexArray<float> planes = cut_into_words(x, flat(x.size()), words, isa).planes;
    ASSERT_EQ(planes.size(), words.total() * x.size());
    const auto expect_part = [&](const auto& part, const auto& from) {
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t word = 0; word < words.total(); ++word)
          EXPECT_EQ(static_cast<double>(part[word * x.size() + i]),
                    expected(static_cast<double>(from[i]), word))
              << "word " << word << " of " << static_cast<double>(from[i]) << ", seed 3, "
              << name_of(isa);
    };
    expect_part(planes.re, x.re);
    expect_part(planes.im, x.im);
  }
}

/// A value written down, in the words of a cut.
std::vector<float> words_of(float value, const OperandWords& words) {
  ComplexArray<float> x(1);
  x.re[0] = value;
  const ComplexArray<float> planes = cut_into_words(x, flat(1), words, best_isa()).planes;
  return {planes.re.begin(), planes.re.end()};
}

}  // namespace

TEST(Words, WholeValuesAreRoundedOrCutOnce) {
  const auto x = scattered<float>(200, fp32, 3, 20);
  for (const Format& format : {bf16, fp16, tf32, fp8_e5m2, fp32})
    for (const Rounding rounding : {Rounding::rne, Rounding::rz})
      expect_words(x, {.format = format, .rounding = rounding},
                   [&](double value, std::size_t) { return rounded(value, format, rounding); });
  EXPECT_EQ(words_of(0x1.ffp0f, {.format = bf16}), std::vector<float>{2});
  EXPECT_EQ(words_of(0x1.ffp0f, {.format = bf16, .rounding = Rounding::rz}),
            std::vector<float>{0x1.fep0f});
}

TEST(Words, LeadingHalvesAreCutAndHoldAllThatTheyCan) {
  const auto x = scattered<float>(200, fp32, 3, 20);
  for (const Format& format : {half_fp32, tf32}) {
    const OperandWords how{.format = format, .count = 2, .rounding = Rounding::rz};
    expect_words(x, how, [&](double value, std::size_t word) {
      const double head = rounded(value, format, Rounding::rz);
      return word == 0 ? head : rounded(value - head, format, Rounding::rz);
    });
  }
  const float value = -0x1.fffffep3f;  // 24 ones
  EXPECT_EQ(words_of(value, {.format = half_fp32, .count = 2, .rounding = Rounding::rz}),
            (std::vector<float>{-0x1.ffep3f, -0x1.ffep-9f}));
  // The low half of a small value is the rest as it is, though 12 bits reach down to 2^-137 alone.
  EXPECT_EQ(words_of(0x1.fffffep-120f, {.format = half_fp32, .count = 2, .rounding = Rounding::rz}),
            (std::vector<float>{0x1.ffep-120f, 0x1.ffep-132f}));
  EXPECT_EQ(words_of(value, {.format = tf32, .count = 2, .rounding = Rounding::rz}),
            (std::vector<float>{-0x1.ffcp3f, -0x1.ffcp-8f}));  // the last two bits are lost
}

/// 11 bits and the other 13: nothing is lost, of small values either.
TEST(Words, HalvesMayDifferInLength) {
  const OperandWords how = words_of(fp32_passes(Fp32Matmul::split_11_13));
  expect_words(scattered<float>(200, fp32, 3, 20), how, [](double value, std::size_t word) {
    const double head = rounded(value, tf32, Rounding::rz);
    return word == 0 ? head : value - head;
  });
  EXPECT_EQ(words_of(-0x1.fffffep3f, how), (std::vector<float>{-0x1.ffcp3f, -0x1.fffp-8f}));
  EXPECT_EQ(words_of(0x1.fffffep-120f, how), (std::vector<float>{0x1.ffcp-120f, 0x1.fffp-131f}));
}

TEST(Words, EachResidualIsWhatThoseBeforeLeave) {
  const auto x = scattered<float>(200, fp32, 3, 5);
  struct Split {
    Format word;
    std::size_t count;
    int scale;
  };
  for (const Split& split :
       {Split{bf16, 2, 0}, {bf16, 3, 0}, {fp16, 2, 11}, {tf32, 2, 0}, {tf32, 3, 0}})
    for (const bool elided : {false, true}) {
      const OperandWords how{.format = split.word,
                             .count = elided ? 1 : split.count,
                             .zeros = elided ? split.count - 1 : 0,
                             .scale = split.scale};
      expect_words(x, how, [&](double value, std::size_t word) {
        double rest = value, cut = 0;
        for (std::size_t i = 0; i <= word; ++i) {
          cut = rounded(rest, split.word);
          rest = std::ldexp(rest - cut, split.scale);
        }
        return elided && word > 0 ? 0 : cut;
      });
    }
  // 1 + 2^-12 in fp16: the rest, 2^-12, times 2^11.
  EXPECT_EQ(words_of(1 + 0x1p-12f, {.format = fp16, .count = 2, .scale = 11}),
            (std::vector<float>{1, 0x1p-1f}));
}

/// Lines along k of a 3 x 2 matrix in both layouts: each has a grid of its own.
TEST(Words, SlicesOfALineShareTheGridThatItsExponentTells) {
  const std::vector<double> rows{1, 3, -0.5, 100, 0.3, -5};  // k-major: line i is rows[2 k + i]
  for (const bool k_major : {true, false}) {
    const WordShape shape = k_major ? WordShape{3, 2, 2, 1} : WordShape{3, 2, 1, 3};
    ComplexArray<double> x(6);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 2; ++i)
        x.re[k * shape.k_step + i * shape.free_step] = rows[2 * k + i];
    x.im = x.re;
    const OperandWords how{.kind = WordKind::slices, .format = bf16, .count = 4, .bits = 6};

    const CutWords words = cut_into_words(x, shape, how, best_isa());

    EXPECT_EQ(words.exponents, (std::vector<int>{0, 7}));  // 1 <= 2^0, 100 <= 2^7
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t at = k * shape.k_step + i * shape.free_step;
        double rest = rows[2 * k + i];
        for (int slice = 0; slice < 4; ++slice) {
          const int grid = words.exponents[i] - 6 - 7 * slice;
          const double steps = std::nearbyint(std::ldexp(rest, -grid));
          const std::size_t plane = 6 * static_cast<std::size_t>(slice);
          EXPECT_EQ(static_cast<double>(words.planes.re[plane + at]), steps)
              << slice << rows[2 * k + i];
          EXPECT_EQ(static_cast<double>(words.planes.im[plane + at]), steps)
              << slice << rows[2 * k + i];
          rest -= std::ldexp(steps, grid);
        }
      }
  }
}

TEST(Words, SlicesOfPairsReachTheLowWord) {
  ComplexArray<FloatPair> x(1);
  x.re[0] = FloatPair(1.0f, 0x1p-30f);
  const OperandWords how{.kind = WordKind::slices, .format = bf16, .count = 4, .bits = 8};

  const CutWords words = cut_into_words(x, flat(1), how, best_isa());

  // E = 1, grids 2^-7, 2^-16, 2^-25, 2^-34: 1 = 2^7 of the first, 2^-30 = 2^4 of the last.
  EXPECT_EQ((std::vector<float>{words.planes.re.begin(), words.planes.re.end()}),
            (std::vector<float>{128, 0, 0, 16}));
}

TEST(Words, BlocksAlongKShareAScaleInBothLayouts) {
  constexpr std::size_t depth = 40, lines = 3;
  for (const bool k_major : {true, false}) {
    const WordShape shape =
        k_major ? WordShape{depth, lines, lines, 1} : WordShape{depth, lines, 1, depth};
    ComplexArray<float> x = scattered<float>(depth * lines, fp32, 3);
    const OperandWords how{.kind = WordKind::blocks, .format = fp8_e4m3fn, .block = mxfp8_e4m3fn};

    const CutWords words = cut_into_words(x, shape, how, best_isa());

    for (std::size_t line = 0; line < lines; ++line)
      for (std::size_t first : {0u, 32u}) {
        float largest = 0;
        const auto at = [&](std::size_t k) { return k * shape.k_step + line * shape.free_step; };
        const std::size_t end = std::min(depth, first + 32);
        for (std::size_t k = first; k < end; ++k)
          largest = std::max(largest, std::fabs(x.re[at(k)]));
        const int scale = std::ilogb(largest) - 7;  // 448 lies in the binade of 2^8; one is spared
        for (std::size_t k = first; k < end; ++k) {
          const double scaled = std::ldexp(static_cast<double>(x.re[at(k)]), -scale);
          EXPECT_EQ(static_cast<double>(words.planes.re[at(k)]),
                    std::ldexp(rounded(scaled, fp8_e4m3fn), scale))
              << "k = " << k << ", line " << line << ", seed 3";
        }
      }
  }
}

/// 0, x0, 0, x1, ... along k.
TEST(Faults, MisreadDataAreTheirFirstHalfBetweenZeros) {
  for (const std::size_t depth : {1u, 4u, 5u})
    for (const bool k_major : {true, false}) {
      constexpr std::size_t lines = 3, words = 2;
      const WordShape shape =
          k_major ? WordShape{depth, lines, lines, 1} : WordShape{depth, lines, 1, depth};
      const ComplexArray<float> given = scattered<float>(words * depth * lines, fp32, 3);

      const ComplexArray<float> misread = misread_words(given, shape);

      ASSERT_EQ(misread.size(), given.size());
      for (std::size_t word = 0; word < words; ++word)
        for (std::size_t line = 0; line < lines; ++line) {
          const std::size_t first = word * shape.size() + line * shape.free_step;
          std::vector<float> seen, expected;
          for (std::size_t k = 0; k < depth; ++k) {
            seen.push_back(misread.im[first + k * shape.k_step]);
            if (expected.size() < depth) expected.push_back(0);
            if (expected.size() < depth) expected.push_back(given.im[first + k * shape.k_step]);
          }
          EXPECT_EQ(seen, expected) << "depth " << depth << ", word " << word;
        }
    }
}

TEST(Faults, EachSideLosesItsOwnResiduals) {
  for (const Elision elided : {Elision::none, Elision::data, Elision::table, Elision::both}) {
    const ArithmeticSpec resolved =
        resolve(mode_named("ozaki_hq"), machine_named("trn"), {.elided = elided});
    const bool data = elided == Elision::data || elided == Elision::both;
    const bool table = elided == Elision::table || elided == Elision::both;
    for (const GemmScheme& words : {resolved.matrices(), element_words(resolved)}) {
      EXPECT_EQ(words.data().count, data ? 1u : 3u);
      EXPECT_EQ(words.data().total(), 3u);
      EXPECT_EQ(words.factor().count, table ? 1u : 2u);
      EXPECT_EQ(words.factor().total(), 2u);
    }
  }
}

}  // namespace fftprec::testing
