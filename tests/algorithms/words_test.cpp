/// Words of operands, one kind after the other, against words cut by MPFR or written down.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
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

/// Each word is what those before leave, rounded or cut, times 2^scale; the last of the halves of
/// fp32 may hold all that is left.
TEST(Words, AreWhatTheWordsBeforeLeave) {
  const OperandWords of_11_13 = words_of(fp32_passes(Fp32Matmul::split_11_13));
  std::vector<OperandWords> all{of_11_13};
  for (const Rounding rounding : {Rounding::rne, Rounding::rz})
    for (const Format& format : {bf16, fp16, tf32, fp8_e5m2, fp32})
      all.push_back({.format = format, .rounding = rounding});
  for (const Format& format : {half_fp32, tf32})
    all.push_back({.format = format, .count = 2, .rounding = Rounding::rz});
  for (const auto& [format, count, scale] :
       {std::tuple{bf16, 2u, 0}, {bf16, 3u, 0}, {fp16, 2u, 11}, {tf32, 2u, 0}, {tf32, 3u, 0}})
    for (const bool elided : {false, true})
      all.push_back({.format = format,
                     .count = elided ? 1 : count,
                     .zeros = elided ? count - 1 : 0,
                     .scale = scale});
  for (const OperandWords& how : all) {
    const bool ends_with_rest = how.leading > 0;
    expect_words(scattered<float>(200, fp32, 3, how.total() > 1 ? 5 : 20), how,
                 [&](double value, std::size_t word) {
                   double rest = value, cut = 0;
                   for (std::size_t i = 0; i <= word; ++i) {
                     const Format format = ends_with_rest && i == 0 ? tf32 : how.format;
                     cut = ends_with_rest && i == 1 ? rest : rounded(rest, format, how.rounding);
                     rest = std::ldexp(rest - cut, how.scale);
                   }
                   return word < how.count ? cut : 0;
                 });
  }
}

TEST(Words, AreThoseWrittenDown) {
  using Values = std::vector<float>;
  constexpr auto rz = Rounding::rz;
  const OperandWords halves{.format = half_fp32, .count = 2, .rounding = rz},
      of_11_13 = words_of(fp32_passes(Fp32Matmul::split_11_13));
  const float ones = -0x1.fffffep3f;  // 24 of them
  EXPECT_EQ(words_of(0x1.ffp0f, {.format = bf16}), Values{2});
  EXPECT_EQ(words_of(0x1.ffp0f, {.format = bf16, .rounding = rz}), Values{0x1.fep0f});
  EXPECT_EQ(words_of(ones, halves), (Values{-0x1.ffep3f, -0x1.ffep-9f}));
  // The low half of a small value is the rest as it is, though 12 bits reach down to 2^-137 alone.
  EXPECT_EQ(words_of(0x1.fffffep-120f, halves), (Values{0x1.ffep-120f, 0x1.ffep-132f}));
  EXPECT_EQ(words_of(ones, {.format = tf32, .count = 2, .rounding = rz}),
            (Values{-0x1.ffcp3f, -0x1.ffcp-8f}));  // the last two bits are lost
  // 11 bits and the other 13: nothing is lost, of small values either.
  EXPECT_EQ(words_of(ones, of_11_13), (Values{-0x1.ffcp3f, -0x1.fffp-8f}));
  EXPECT_EQ(words_of(0x1.fffffep-120f, of_11_13), (Values{0x1.ffcp-120f, 0x1.fffp-131f}));
  // 1 + 2^-12 in fp16: the rest, 2^-12, times 2^11.
  EXPECT_EQ(words_of(1 + 0x1p-12f, {.format = fp16, .count = 2, .scale = 11}),
            (Values{1, 0x1p-1f}));
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

}  // namespace fftprec::testing
