/// round against MPFR: every value of the small formats, every midpoint and its neighbours, in
/// every rounding; other formats sampled binade by binade.
#include "arith/formats/round.hpp"

#include <cmath>
#include <random>
#include <set>

#include "tests/support/mpfr_judge.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {
namespace {

constexpr Rounding deterministic[] = {Rounding::rne, Rounding::rna, Rounding::rz,
                                      Rounding::ru,  Rounding::rd,  Rounding::odd};

/// Rounds in every way and compares with both judges. Stops at the first failures, which it prints.
class RoundingCheck {
 public:
  explicit RoundingCheck(const Format& format)
      : format_(format), judge_(format, 64), ieee_(format), has_ieee_(IeeeJudge::knows(format)) {}

  void operator()(double x) {
    for (const Rounding rounding : deterministic) {
      const double truth = judge_(Operation::identity, rounding, x);
      check(x, rounding, truth);
      if (has_ieee_ && IeeeJudge::knows(rounding))
        check(x, rounding, ieee_(Operation::identity, rounding, x));
    }
    ++checked_;
  }
  void both_signs(double x) {
    (*this)(x);
    (*this)(-x);
  }
  int checked() const { return checked_; }

 private:
  void check(double x, Rounding rounding, double truth) {
    if (failures_ >= 10) return;
    const double actual = round(x, format_, rounding);
    EXPECT_TRUE(same_value(actual, truth))
        << to_string(format_) << " " << name_of(rounding) << " of " << show(x);
    if (!same(actual, truth)) ++failures_;
  }

  Format format_;
  Judge judge_;
  IeeeJudge ieee_;
  bool has_ieee_;
  int checked_ = 0;
  int failures_ = 0;
};

/// The format's non-negative finite values in order, then the first value beyond the top.
std::vector<double> values_of(const Format& format) {
  std::vector<double> values = {0};
  const long first = format.subnormals ? 1 : 1L << (format.precision - 1);
  for (long m = first; m < 1L << format.precision; ++m)
    values.push_back(std::ldexp(static_cast<double>(m), format.emin - format.precision + 1));
  for (int exponent = format.emin + 1; exponent <= format.emax; ++exponent)
    for (long m = 1L << (format.precision - 1); m < 1L << format.precision; ++m)
      values.push_back(std::ldexp(static_cast<double>(m), exponent - format.precision + 1));
  values.push_back(std::ldexp(1.0, format.emax + 1));
  return values;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

class SmallFormat : public ::testing::TestWithParam<Format> {};

TEST_P(SmallFormat, EveryValueMidpointAndNeighbourRoundsAsMpfrSays) {
  const std::vector<double> values = values_of(GetParam());
  RoundingCheck check(GetParam());

  for (std::size_t i = 0; i < values.size(); ++i) {
    check.both_signs(values[i]);
    if (i + 1 == values.size()) break;
    const double midpoint = values[i] + (values[i + 1] - values[i]) / 2;
    check.both_signs(midpoint);
    check.both_signs(std::nextafter(midpoint, 0));
    check.both_signs(std::nextafter(midpoint, infinity));
    check.both_signs(std::nextafter(values[i + 1], 0));
    check.both_signs(std::nextafter(values[i], infinity));
  }

  EXPECT_GT(check.checked(), 1 << (GetParam().precision + 1));
}

std::string format_label(const ::testing::TestParamInfo<Format>& info) {
  std::string label = to_string(info.param);
  std::erase_if(label, [](char c) { return c == '(' || c == ')'; });
  for (char& c : label)
    if (c == '=' || c == ',' || c == '-') c = '_';
  return label + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Eight, SmallFormat, ::testing::Values(fp8_e4m3, fp8_e4m3fn, fp8_e5m2),
                         format_label);
INSTANTIATE_TEST_SUITE_P(Sixteen, SmallFormat, ::testing::Values(bf16, fp16), format_label);
INSTANTIATE_TEST_SUITE_P(Custom, SmallFormat,
                         ::testing::Values(Format{5, -14, 15, false, Overflow::saturate},
                                           Format{4, -6, 8, true, Overflow::saturate},
                                           Format{4, -6, 8, false, Overflow::nan},
                                           Format{8, -126, 127, false, Overflow::infinity},
                                           Format{2, -2, 2}, Format{2, 0, 0, false, Overflow::nan},
                                           Format{3, -1022, -1019},
                                           Format{6, -1022, -1017, false, Overflow::infinity},
                                           Format{4, 966, 970, true, Overflow::saturate}),
                         format_label);

class AnyFormat : public ::testing::TestWithParam<Format> {};

TEST_P(AnyFormat, SampledDoublesOfEveryBinadeRoundAsMpfrSays) {
  const Format format = GetParam();
  const int lowest = std::max(-1074, quantum_exponent(format) - 4);
  const int highest = std::min(1023, format.emax + 3);
  const int step = std::max(1, (highest - lowest) / 500);
  std::mt19937_64 random(1);
  RoundingCheck check(format);

  for (int exponent = lowest; exponent <= highest; exponent += step) {
    for (int i = 0; i < 4; ++i) {
      const double noise = std::ldexp(static_cast<double>(random() >> 11), -53);
      check.both_signs(std::ldexp(1 + noise, exponent));
      const int bits = std::min(format.precision + 2, 52);
      const double coarse = std::ldexp(std::floor(std::ldexp(1 + noise, bits)), -bits);
      check.both_signs(std::ldexp(coarse, exponent));  // often a tie or a value
      check.both_signs(std::nextafter(std::ldexp(coarse, exponent), 0));
    }
  }
  for (const double x :
       {0.0, infinity, max_finite(format), min_normal(format), min_subnormal(format),
        std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()})
    for (const double near : {std::nextafter(x, 0), x, std::nextafter(x, infinity)})
      check.both_signs(near);

  EXPECT_GT(check.checked(), 100);
}

INSTANTIATE_TEST_SUITE_P(Named, AnyFormat,
                         ::testing::Values(tf32, fp32, fp8_e4m3, fp8_e4m3fn, fp8_e5m2, bf16, fp16),
                         format_label);
INSTANTIATE_TEST_SUITE_P(Custom, AnyFormat,
                         ::testing::Values(Format{50, -1022, 1023, false, Overflow::infinity},
                                           Format{50, -1000, 1000}, Format{25, -126, 127},
                                           Format{49, -300, 300, true, Overflow::saturate},
                                           Format{11, -1022, 1023},
                                           Format{24, -126, 127, false, Overflow::infinity},
                                           Format{13, -40, 970, true, Overflow::nan},
                                           Format{3, 100, 200}, Format{17, 970, 1023}),
                         format_label);

TEST(Round, Fp64IsTheIdentity) {
  for (const Rounding rounding : deterministic)
    for (const double x : {0.1, -0.0, 5e-324, 1.7976931348623157e308, infinity, -1e-310})
      EXPECT_TRUE(same_value(round(x, fp64, rounding), x)) << name_of(rounding);
}

TEST(Round, WorksInConstantExpressions) {
  static_assert(round(1.00390625, bf16, Rounding::rne) == 1.0);
  static_assert(round(1.00390625, bf16, Rounding::rna) == 1.0078125);
  static_assert(round(1e-9, fp8_e4m3, Rounding::ru) == 0x1p-9);
  static_assert(round(465, fp8_e4m3fn, Rounding::rz) == 448);
}

TEST(Round, RefusesStochasticRoundingWithoutRandomBits) {
  EXPECT_THROW(round(1.0, bf16, Rounding::sr), InputError);
}

}  // namespace
}  // namespace fftprec::testing
