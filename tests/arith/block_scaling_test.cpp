/// Block-scaled formats against their definition: scales by exponents, elements by MPFR.
#include "arith/splitting/block_scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "arith/support/error.hpp"
#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

namespace {

BlockFormat ocp(BlockFormat format) {
  format.rule = ScaleRule::ocp;
  return format;
}

std::vector<float> quantised(const BlockFormat& format, const std::vector<float>& in) {
  std::vector<float> out(in.size());
  quantise_blocks(format, in.data(), in.size(), 1, 1, in.size(), out.data(), 1, in.size());
  return out;
}

/// ScaleRule::e4m3 in plain floats: what a value is multiplied by before and after it rounds.
struct LineScale {
  float into = 1;
  float largest;  ///< of an element
  float all;      ///< of the line
  float scale = 0;

  LineScale(float line_amax, float amax, double element) : largest(static_cast<float>(element)) {
    all = line_amax;
    const float most = std::numeric_limits<float>::max();
    if (all > 0) into = std::min(448 * largest / all, most);
    const float target = amax * (into * (1 / largest));
    // e4m3fn: 4 digits from 2^-6 on, below as there.
    const float unit = std::ldexp(1.f, (target == 0 ? -6 : std::max(std::ilogb(target), -6)) - 3);
    scale = std::nearbyint(target / unit) * unit;
  }
  float before() const {
    const float most = std::numeric_limits<float>::max();
    return scale == 0 ? most : std::min(1 / (scale * (1 / into)), most);
  }
  float after() const { return scale * all * (1 / (448 * largest)); }
};

/// The values of a format that are not negative, in order: value i has the code i.
std::vector<double> values_of(const Format& format) {
  std::vector<double> values;
  const int per_binade = 1 << (format.precision - 1);
  for (int e = format.emin; e <= format.emax; ++e)
    for (int m = e == format.emin ? 0 : per_binade; m < 2 * per_binade; ++m)
      values.push_back(std::ldexp(m, e - format.precision + 1));
  while (values.back() > max_finite(format)) values.pop_back();
  return values;
}

/// The code of the value next to x / unit, the even one of two, the last beyond all. Exact: ties
/// times a unit have few digits.
std::size_t next_to(const std::vector<double>& values, double x, double unit) {
  std::size_t i = 0;
  const auto is_next = [&] {
    const double tie = (values[i] + values[i + 1]) / 2 * unit;
    return x < tie || (x == tie && i % 2 == 0);
  };
  while (i + 1 < values.size() && !is_next()) ++i;
  return i;
}

/// ScaleRule::ue4m3 by its definition: the code of a block's scale, and v as the block holds it.
struct DigitScale {
  std::vector<double> scales = values_of(fp8_e4m3fn);
  std::vector<double> elements;

  explicit DigitScale(const Format& element) : elements(values_of(element)) {}
  std::size_t code(double amax) const { return next_to(scales, amax, elements.back()); }
  double held(double v, double amax) const {
    const double scale = scales[code(amax)];
    const double size = scale == 0 ? 0 : elements[next_to(elements, std::fabs(v), scale)] * scale;
    return std::copysign(size, v);
  }
};

/// The definition: for each value X times the judge's element.
template <class Real>
void expect_as_defined(const BlockFormat& format, const std::vector<Real>& in, std::size_t depth,
                       std::size_t free, std::size_t k_step, std::size_t free_step,
                       std::size_t out_k_step, std::size_t out_free_step) {
  std::vector<float> out(in.size(), -7);
  quantise_blocks(format, in.data(), depth, free, k_step, free_step, out.data(), out_k_step,
                  out_free_step);

  Judge element(format.element, 400);
  const double largest = max_finite(format.element);
  const int room = format.rule == ScaleRule::ocp ? 0 : 1;
  const auto amax_of = [&](std::size_t i, std::size_t first, std::size_t end) {
    double amax = 0;
    for (std::size_t l = first; l < std::min(depth, end); ++l)
      amax = std::max(amax, std::fabs(static_cast<double>(in[l * k_step + i * free_step])));
    return amax;
  };
  for (std::size_t i = 0; i < free; ++i)
    for (std::size_t k = 0; k < depth; ++k) {
      const std::size_t first = k / format.block * format.block;
      const double amax = amax_of(i, first, first + format.block);
      if (format.rule == ScaleRule::ue4m3) {
        const auto as_float = [](double x) { return static_cast<double>(static_cast<float>(x)); };
        const DigitScale scale(format.element);
        const double largest_held = as_float(amax);
        const double v = as_float(static_cast<double>(in[k * k_step + i * free_step]));
        ASSERT_TRUE(same_value(static_cast<double>(out[k * out_k_step + i * out_free_step]),
                               scale.held(v, largest_held)))
            << show(v) << " in a block of amax " << show(amax);
        continue;
      }
      if (format.rule == ScaleRule::e4m3) {
        const LineScale scale(static_cast<float>(amax_of(i, 0, depth)), static_cast<float>(amax),
                              largest);
        const float scaled = static_cast<float>(in[k * k_step + i * free_step]) * scale.before();
        const double rounded = element(Operation::identity, Rounding::rne,
                                       std::clamp(static_cast<double>(scaled), -largest, largest));
        const float result = static_cast<float>(rounded) * scale.after();
        ASSERT_TRUE(same_value(static_cast<double>(out[k * out_k_step + i * out_free_step]),
                               static_cast<double>(result)))
            << show(amax) << ", " << k << ", " << i;
        continue;
      }
      const int exponent =
          amax == 0 ? -127 : std::clamp(std::ilogb(amax) - (format.element.emax - room), -127, 127);
      const double v = static_cast<double>(in[k * k_step + i * free_step]);
      const double scaled = std::clamp(std::ldexp(v, -exponent), -largest, largest);
      const double truth =
          std::ldexp(element(Operation::identity, Rounding::rne, scaled), exponent);
      ASSERT_TRUE(same_value(static_cast<double>(out[k * out_k_step + i * out_free_step]), truth))
          << show(v) << " in a block of amax " << show(amax) << ", " << to_string(format.element);
    }
}

/// Floats with exponents in [lowest, lowest + spread), some of them zero.
template <class Real>
std::vector<Real> random_values(std::size_t count, int lowest, int spread, std::mt19937& random) {
  std::uniform_real_distribution<double> significand(1, 2);
  std::vector<Real> values(count);
  for (Real& v : values) {
    const int exponent = lowest + static_cast<int>(random() % static_cast<unsigned>(spread));
    const double size = random() % 9 == 0 ? 0 : std::ldexp(significand(random), exponent);
    v = static_cast<Real>(random() % 2 ? size : -size);
  }
  return values;
}

}  // namespace

TEST(BlockScaling, OfHandExamples) {
  // e4m3fn, amax 1: X = 2^-7 with headroom, so 0.3 / X = 38.4 -> 40.
  EXPECT_EQ(quantised(mxfp8_e4m3fn, {1, 0.3f, -0.3f}), (std::vector<float>{1, 0.3125f, -0.3125f}));
  // e2m1, amax 1.9: X = 1/2 and 3.8 -> 4, or X = 1/4 and 7.6 -> 6, the largest.
  EXPECT_EQ(quantised(mxfp4_e2m1, {1.9f, 0.3f, 0.1f}), (std::vector<float>{2, 0.25f, 0}));
  EXPECT_EQ(quantised(ocp(mxfp4_e2m1), {1.9f, 0.3f, 0.1f}),
            (std::vector<float>{1.5f, 0.25f, 0.125f}));
  // e5m2, amax 3: X = 2^-13 or 2^-14; 3 and 2.5 are 3-bit numbers, 2.75 is a tie, to even.
  EXPECT_EQ(quantised(mxfp8_e5m2, {3, 2.5f, 2.75f}), (std::vector<float>{3, 2.5f, 3}));
  EXPECT_EQ(quantised(ocp(mxfp8_e5m2), {3, 2.5f, 2.25f}), (std::vector<float>{3, 2.5f, 2}));
}

TEST(BlockScaling, IsAsDefinedForEveryFormatAndLayout) {
  std::mt19937 random(1);
  for (const NamedBlockFormat& named : named_block_formats())
    for (const auto& [depth, free] :
         {std::pair<std::size_t, std::size_t>{32, 1}, {70, 3}, {5, 600}, {64, 2}}) {
      SCOPED_TRACE(::testing::Message() << named.name << ", " << depth << " x " << free);
      const auto floats = random_values<float>(depth * free, -12, 14, random);
      const auto doubles = random_values<double>(depth * free, -12, 14, random);
      for (const bool k_first : {false, true})
        for (const bool out_k_first : {false, true}) {
          const std::size_t k_step = k_first ? 1 : free, free_step = k_first ? depth : 1;
          const std::size_t to_k = out_k_first ? 1 : free, to_free = out_k_first ? depth : 1;
          expect_as_defined(named.format, floats, depth, free, k_step, free_step, to_k, to_free);
          expect_as_defined(named.format, doubles, depth, free, k_step, free_step, to_k, to_free);
        }
    }
}

TEST(BlockScaling, IsAsDefinedFromTheTopOfFloatToItsSubnormals) {
  std::mt19937 random(2);
  for (const NamedBlockFormat& named : named_block_formats())
    for (const int lowest : {-149, -140, -130, -120, -100, 100, 120}) {
      SCOPED_TRACE(::testing::Message() << named.name << ", from 2^" << lowest);
      const auto values = random_values<float>(96, lowest, 7, random);
      expect_as_defined(named.format, values, 96, 1, 1, 96, 1, 96);
      expect_as_defined(named.format, values, 48, 2, 2, 1, 2, 1);
    }
}

TEST(BlockScaling, RoundsEveryTieToTheEvenElement) {
  // All multiples of 1/16 in [-8, 8]: every tie of e2m1 elements, with X = 1 and X = 2.
  for (const BlockFormat& format : {mxfp4_e2m1, ocp(mxfp4_e2m1)}) {
    BlockFormat whole = format;
    whole.block = 257;
    std::vector<double> values(257);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = (static_cast<double>(k) - 128) / 16;
    expect_as_defined(whole, values, 257, 1, 1, 257, 1, 257);
  }
}

/// Every tie of scales, and every tie of elements beside every scale, with both neighbours.
TEST(BlockScaling, WithDigitsRoundsEveryTieOfScalesAndElementsAsDefined) {
  const DigitScale defined(fp4_e2m1);
  const auto around = [](double x) {
    const float tie = static_cast<float>(x);
    return std::vector<float>{std::nextafter(tie, 0.f), tie, std::nextafter(tie, INFINITY)};
  };
  for (std::size_t code = 0; code + 1 < defined.scales.size(); ++code) {
    const double scale = defined.scales[code + 1];
    for (const float amax : around((defined.scales[code] + scale) / 2 * 6))
      expect_as_defined(nvfp4_ue4m3, std::vector<float>{amax}, 1, 1, 1, 1, 1, 1);
    std::vector<float> block{static_cast<float>(6 * scale)};
    for (std::size_t i = 0; i + 1 < defined.elements.size(); ++i)
      for (const float v : around((defined.elements[i] + defined.elements[i + 1]) / 2 * scale)) {
        block.push_back(v);
        block.push_back(-v);
      }
    BlockFormat whole = nvfp4_ue4m3;
    whole.block = block.size();
    expect_as_defined(whole, block, block.size(), 1, 1, block.size(), 1, block.size());
  }
  EXPECT_EQ(quantised(nvfp4_ue4m3, {6.375f, 6.f}), (std::vector<float>{6, 6})) << "saturates";
  EXPECT_EQ(quantised(nvfp4_ue4m3, {3000, 1e30f}), (std::vector<float>{2688, 2688}));
  EXPECT_EQ(quantised(nvfp4_ue4m3, {0x1p-7f, 0.0004f}), (std::vector<float>{0x1p-7f, 0}));
  EXPECT_EQ(quantised(nvfp4_ue4m3, {0.005f}), (std::vector<float>{0})) << "a scale of 0";
}

TEST(BlockScaling, DoublesAreNotRoundedToFloatFirst) {
  // Just above a tie that float would see as the tie.
  const double above = 2.5 + 0x1p-40;
  std::vector<double> in = {above, 4};
  std::vector<float> out(2);
  quantise_blocks(ocp(mxfp4_e2m1), in.data(), 2, 1, 1, 2, out.data(), 1, 2);
  EXPECT_EQ(out[0], 3);
  in[0] = 2.5;
  quantise_blocks(ocp(mxfp4_e2m1), in.data(), 2, 1, 1, 2, out.data(), 1, 2);
  EXPECT_EQ(out[0], 2);
}

TEST(BlockScaling, OfZerosKeepsSigns) {
  const std::vector<float> in(32, -0.f);
  std::vector<float> out(32, 1);
  quantise_blocks(mxfp8_e4m3fn, in.data(), 32, 1, 1, 32, out.data(), 1, 32);
  for (const float v : out) EXPECT_TRUE(same_value(static_cast<double>(v), -0.0));
}

TEST(BlockScaling, OfABlockWithANanOrAnInfinityIsNanInThatBlockOnly) {
  for (const NamedBlockFormat& named : named_block_formats())
    for (const float bad : {NAN, INFINITY, -INFINITY})
      for (const bool k_first : {false, true}) {
        constexpr std::size_t free = 2;
        const bool is_line = named.format.rule == ScaleRule::e4m3;
        const std::size_t size = named.format.block, depth = 2 * size;
        const std::size_t k_step = k_first ? 1 : free, free_step = k_first ? depth : 1;
        std::vector<float> in(depth * free, 1), out(in.size());
        in[(size + 3) * k_step + free_step] = bad;
        quantise_blocks(named.format, in.data(), depth, free, k_step, free_step, out.data(), k_step,
                        free_step);
        for (std::size_t k = 0; k < depth; ++k)
          for (std::size_t i = 0; i < free; ++i)
            EXPECT_EQ(std::isnan(out[k * k_step + i * free_step]), (is_line || k >= size) && i == 1)
                << named.name;
      }
}

TEST(BlockScaling, OfBlocksThatStandAnywhereIsThatOfBlocksInARow) {
  for (const NamedBlockFormat& named : named_block_formats()) {
    const std::size_t size = named.format.block, blocks = 6, rows = blocks, stride = size + 3;
    const std::size_t depth = blocks / 2 * size;  // of two lines
    std::vector<float> line(blocks * size), out(line.size()), scattered(rows * stride, 1e30f);
    for (std::size_t i = 0; i < line.size(); ++i)
      line[i] = std::ldexp(static_cast<float>(i * 37 % 101) - 50, static_cast<int>(i / size) * 3);
    std::vector<std::uint32_t> block_of(rows * size);
    const auto place = [&](std::size_t i) { return i * 7 % line.size(); };  // 7 divides no length
    for (std::size_t i = 0; i < line.size(); ++i) {
      scattered[place(i) / size * stride + place(i) % size] = line[i];
      block_of[place(i)] = static_cast<std::uint32_t>(i / size);
    }
    quantise_blocks(named.format, line.data(), depth, 2, 1, depth, out.data(), 1, depth);
    quantise_blocks(named.format, scattered.data(), rows, size, stride, block_of, blocks / 2);
    for (std::size_t i = 0; i < line.size(); ++i)
      ASSERT_EQ(scattered[place(i) / size * stride + place(i) % size], out[i]) << named.name << i;
  }
}

TEST(BlockScaling, MayBeDoneInPlace) {
  std::mt19937 random(3);
  const auto in = random_values<float>(96, -5, 6, random);
  std::vector<float> out = in;
  quantise_blocks(mxfp4_e2m1, out.data(), 48, 2, 2, 1, out.data(), 2, 1);
  std::vector<float> apart(96);
  quantise_blocks(mxfp4_e2m1, in.data(), 48, 2, 2, 1, apart.data(), 2, 1);
  EXPECT_EQ(out, apart);
}

/// Of every scale of a block beside a larger one: e4m3fn's error adds to that of the elements.
TEST(BlockError, BoundsNvfp4WhereverAScaleRounds) {
  double worst = 0;
  for (int step = 1; step <= 4000; ++step) {
    std::vector<float> in(32, 0);
    in[0] = 1;
    const float amax = static_cast<float>(step) / 4000;
    for (std::size_t k = 0; k < 16; ++k) in[16 + k] = amax * static_cast<float>(20 - k) / 20;
    const std::vector<float> out = quantised(nvfp4, in);
    for (std::size_t k = 16; k < 32; ++k) {
      const auto error = std::fabs(static_cast<double>(in[k]) - static_cast<double>(out[k]));
      EXPECT_LE(error, block_error(nvfp4) * static_cast<double>(amax) + line_error(nvfp4));
      worst = std::max(worst, error / static_cast<double>(amax));
    }
  }
  EXPECT_GE(worst, 0.93 * block_error(nvfp4));
  EXPECT_NEAR(block_error(nvfp4), 17.0 / 16 / 6, 1e-5);
  // Of finer elements what the scale is off by counts.
  const BlockFormat fine{int8_over_64, 16, ScaleRule::e4m3};
  std::vector<float> beside(32, 0);
  beside[0] = 1;
  beside[16] = 67.9f / 448;  // a scale of 64
  const float lost = (beside[16] - quantised(fine, beside)[16]) / beside[16];
  EXPECT_NEAR(lost, 3.9f / 67.9f, 1e-5f);
  EXPECT_LE(static_cast<double>(lost), block_error(fine));
  // A block far below the largest of the line is lost.
  std::vector<float> in(32, 1e-7f);
  in[0] = 1;
  EXPECT_EQ(quantised(nvfp4, in)[31], 0);
  EXPECT_LE(1e-7, line_error(nvfp4));
}

TEST(BlockError, BoundsEveryValueAndIsNearlyReached) {
  std::mt19937 random(4);
  for (const NamedBlockFormat& named : named_block_formats()) {
    if (named.format.rule == ScaleRule::e4m3) continue;
    const double u = unit_roundoff(named.format.element);
    double worst = 0;
    for (int run = 0; run < 2000; ++run) {
      auto in = random_values<float>(32, -2, 3, random);
      // The worst of each kind: a tie just above a power of two, and just below the next.
      if (run == 0) in.assign(1, static_cast<float>(1 + u));
      if (run == 1) in.assign(1, 2 - 0x1p-20f);
      if (run == 2) in = {std::nextafter(6.375f, 7.f), 5.625f};  // of a scale of 9/8 next to 17/16
      const auto out = quantised(named.format, in);
      double amax = 0;
      for (const float v : in) amax = std::max(amax, std::fabs(static_cast<double>(v)));
      for (std::size_t k = 0; k < in.size(); ++k)
        worst = std::max(
            worst, std::fabs(static_cast<double>(in[k]) - static_cast<double>(out[k])) / amax);
    }
    const double bound = block_error(named.format);
    EXPECT_LE(worst, bound) << named.name;
    EXPECT_GE(worst, bound / (1 + u) * (1 - 0x1p-16)) << named.name;
  }
  EXPECT_EQ(block_error(mxfp8_e4m3fn), 1.0 / 16);
  EXPECT_EQ(block_error(ocp(mxfp8_e4m3fn)), 1.0 / 8) << "448 where 512 is near";
  EXPECT_EQ(block_error(ocp(mxfp4_e2m1)), 1.0 / 4);
  EXPECT_DOUBLE_EQ(block_error(nvfp4_ue4m3), 3.0 / 17);
  // Of finer elements what saturates counts: 1/17 beside the first tie of a scale.
  const BlockFormat fine{int8_over_64, 16, ScaleRule::ue4m3};
  const float largest = static_cast<float>(max_finite(int8_over_64)) * 17 / 16;
  EXPECT_FLOAT_EQ((largest - quantised(fine, {largest})[0]) / largest, 1.f / 17);
  EXPECT_EQ(block_error(fine), 1.0 / 17);
}

TEST(BlockFormats, AreFoundByName) {
  EXPECT_EQ(block_format_named("mxfp8_e5m2"), mxfp8_e5m2);
  EXPECT_EQ(block_format_named("mxfp4_e2m1:ocp"), ocp(mxfp4_e2m1));
  EXPECT_THROW(block_format_named("mxfp6"), InputError);
  EXPECT_EQ(block_format_named("nvfp4"), nvfp4);
  EXPECT_EQ(block_format_named("block(element=e2m1,size=16,scale=ue4m3)"), nvfp4_ue4m3);
  const BlockFormat vector = block_format_named("block(element=int:24, size=line)");
  EXPECT_EQ(vector.element, (Format{23, 0, 0, true, Overflow::saturate}));
  EXPECT_EQ(vector.block, BlockFormat::whole_line);
  EXPECT_EQ(block_format_named("block(size=3,along=batch,scale=e4m3,element=e5m2)"),
            (BlockFormat{fp8_e5m2, 3, ScaleRule::e4m3, BlockAxis::batch}));
  for (const NamedBlockFormat& named : named_block_formats())
    EXPECT_EQ(to_string(named.format), named.name);
  EXPECT_EQ(max_finite(fp4_e2m1), 6);
  EXPECT_EQ(min_subnormal(fp4_e2m1), 0.5);
}

TEST(BlockFormats, WhoseValuesAreNoFloatsAreRefused) {
  EXPECT_NO_THROW(validate(mxfp8_e5m2));
  EXPECT_THROW(validate(BlockFormat{fp8_e5m2, 0}), InputError) << "no values in a block";
  EXPECT_THROW(validate(BlockFormat{fp16}), InputError) << "subnormals of 2^-24";
  EXPECT_THROW(validate(BlockFormat{Format{24, 1, 1}}), InputError) << "too precise";
  EXPECT_THROW(validate(BlockFormat{Format{23, -1, 0}}), InputError) << "too fine";
  EXPECT_NO_THROW(validate(BlockFormat{Format{23, 0, 0}})) << "int:24";
  EXPECT_NO_THROW(validate(BlockFormat{Format{1, 0, 0}})) << "int:2";
  EXPECT_THROW(validate(BlockFormat{fp8_e5m2, (1u << 20) + 1}), InputError) << "too many values";
  EXPECT_NO_THROW(validate(BlockFormat{Format{3, 2, 2}})) << "one binade";
  EXPECT_THROW(validate(BlockFormat{Format{3, -2, 31}}), InputError) << "range too wide";
  const float one = 1;
  float out;
  EXPECT_THROW(quantise_blocks(BlockFormat{fp16}, &one, 1, 1, 1, 1, &out, 1, 1), InputError);
}

}  // namespace fftprec::testing
