/// Formats and roundings by name, and the constants of a format.
#include "arith/formats/format.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {
namespace {

TEST(Format, KnowsItsConstants) {
  static_assert(max_finite(fp8_e4m3) == 240);
  static_assert(max_finite(fp8_e4m3fn) == 448);
  static_assert(max_finite(fp8_e5m2) == 57344);
  static_assert(max_finite(fp8_e4m3fnuz) == 240);
  static_assert(max_finite(fp8_e5m2fnuz) == 57344);
  static_assert(max_finite(fp16) == 65504);
  static_assert(max_finite(bf16) == 0x1.fep127);
  static_assert(max_finite(fp32) == 0x1.fffffep127);
  static_assert(max_finite(fp64) == 0x1.fffffffffffffp1023);
  static_assert(min_normal(fp16) == 0x1p-14 && min_subnormal(fp16) == 0x1p-24);
  static_assert(min_subnormal(bf16) == 0x1p-133 && min_subnormal(fp64) == 0x1p-1074);
  static_assert(min_subnormal(Format{5, -14, 15, false}) == 0x1p-14);
  static_assert(unit_roundoff(bf16) == 0x1p-8 && unit_roundoff(fp64) == 0x1p-53);
}

TEST(Format, NamesRoundTrip) {
  for (const NamedFormat& named : named_formats()) {
    EXPECT_EQ(format_named(named.name), named.format);
    EXPECT_EQ(to_string(named.format), named.name);
    EXPECT_FALSE(named.summary.empty());
    EXPECT_NO_THROW(validate(named.format));
  }
}

TEST(Format, TakesOtherSpellingsInAnyCase) {
  for (const auto& [text, format] : {std::pair{"float16", fp16},
                                     {"Half", fp16},
                                     {"BFLOAT16", bf16},
                                     {"float32", fp32},
                                     {"single", fp32},
                                     {"FP32", fp32},
                                     {"Float64", fp64},
                                     {"double", fp64},
                                     {"TF32", tf32}})
    EXPECT_EQ(format_named(text), format) << text;
  EXPECT_EQ(format_spelling("fast"), "fast");
  EXPECT_THROW(format_named("float128"), InputError);
}

TEST(Format, CustomTextRoundTripsInItsCanonicalForm) {
  const Format format{5, -14, 15, false, Overflow::saturate};
  const std::string text = "custom(p=5,emin=-14,emax=15,subnormals=false,overflow=saturate)";
  EXPECT_EQ(to_string(format), text);
  EXPECT_EQ(format_named(text), format);
  EXPECT_EQ(format_named("custom( emax = 15, p=5 ,emin=-14, overflow=nan )"),
            (Format{5, -14, 15, true, Overflow::nan}));
  EXPECT_EQ(to_string(Format{9, -3, 3}),
            "custom(p=9,emin=-3,emax=3,subnormals=true,overflow=infinity)");
}

TEST(Format, ACustomFormatThatHasANameIsPrintedByIt) {
  EXPECT_EQ(to_string(format_named("custom(p=8,emin=-126,emax=127)")), "bf16");
}

TEST(Format, FixedPointOfOtherToolsHasOneName) {
  for (const char* text : {"Q1.15", "s1.15", "S1.15", "q15", "Q15", "int16", "INT16", "sfix16_En15",
                           "Fix_16_15", "fixdt(1,16,15)", "fixdt(1, 16, 15)", "q1.15"})
    EXPECT_EQ(to_string(format_named(text)), "q1.15") << text;
  for (const char* text : {"U1.15", "ufix16_En15", "UFix_16_15", "fixdt(0,16,15)", "u1.15"})
    EXPECT_EQ(to_string(format_named(text)), "u1.15") << text;
  EXPECT_EQ(to_string(format_named("uint8")), "u0.8");
  EXPECT_EQ(to_string(format_named("Q2.14:WRAP")), "q2.14:wrap");
  EXPECT_EQ(format_spelling("SFIX18_EN17"), "q1.17");
  for (const char* text : {"q", "q1.", "int", "sfix16", "fix_16", "fixdt(1,16,15", "q1.15x"})
    EXPECT_EQ(format_spelling(text), text);
}

TEST(Format, BadTextIsAnErrorThatSaysWhatIsWrong) {
  const auto parse = [](const std::string& text) {
    return error_text([text] { format_named(text); });
  };
  expect_each(parse,
              {{"bf17", "did you mean 'bf16'"},
               {"int64", "format 'int64', which is q1.63: fixed point has 2 to 50 bits"},
               {"sfix16_en17", "which is q-1.17: fixed point has 2 to 50 bits"},
               {"q0.8", "format 'q0.8': fixed point has 2 to 50 bits, and q one of the sign"},
               {"Posit16", "did you mean 'posit16'?"},
               {"float", "did you mean 'fp32'?"},
               {"bf17", "; all: fftprec list formats"},
               {"custom(p=5,emin=-14)", "'emax' is missing"},
               {"custom(p=5,emin=-14,emax=15", "parenthesis"},
               {"custom(p=5,p=6,emin=-14,emax=15)", "'p' is given twice"},
               {"custom(p=five,emin=-14,emax=15)", "'five' is not an integer"},
               {"custom(p=5,emin=-14,emax=15,subnormals=1)", "neither true"},
               {"custom(p=5,emin=-14,emax=15,overflow=wrap)", "saturate"},
               {"custom(p=5,emin=-14,emax=15,bits=3)", "unknown format field"},
               {"custom(p=5,emin)", "not key=value"},
               {"custom()", "not key=value"}});
}

TEST(Format, UnusableParametersAreRefused) {
  const auto check = [](Format format) { return error_text([&] { validate(format); }); };
  EXPECT_THAT(check({1, -14, 15}), holds("precision is not in 2..50"));
  EXPECT_THAT(check({51, -14, 15}), holds("precision is not in 2..50"));
  EXPECT_THAT(check({5, 16, 15}), holds("emin <= emax"));
  EXPECT_THAT(check({5, -1023, 15}), holds("-1022 <= emin"));
  EXPECT_THAT(check({5, -14, 1024}), holds("emax <= 1023"));
  EXPECT_THAT(check({50, 971, 1000}), holds("970"));
  EXPECT_EQ(check({50, -1022, 1023}), "no error");
}

TEST(FormatCodes, OfNarrowFormatsAreTheirValuesInOrder) {
  for (const Format& format : {bf16, fp16, fp8_e4m3, fp8_e4m3fn, fp8_e5m2}) {
    const std::uint64_t sign = std::uint64_t{1} << (width_of(format) - 1);
    double before = -1;
    for (std::uint64_t code = 0; code < sign; ++code) {
      const double x = value_of_code(code, format);
      if (std::isnan(x)) {
        EXPECT_TRUE(std::isnan(value_of_code(code | sign, format)));
        continue;
      }
      EXPECT_GT(x, before);
      EXPECT_EQ(round(x, format, Rounding::rne), x);
      EXPECT_EQ(value_of_code(code | sign, format), -x);
      EXPECT_EQ(code_of_value(x, format), code);
      EXPECT_EQ(code_of_value(-x, format), code | sign);
      before = x;
    }
    EXPECT_TRUE(std::isnan(value_of_code(code_of_value(std::nan(""), format), format)));
  }
}

TEST(FormatCodes, AreThoseOfTheirStandards) {
  EXPECT_EQ(width_of(bf16), 16);
  EXPECT_EQ(width_of(fp8_e5m2), 8);
  EXPECT_EQ(code_of_value(1, bf16), 0x3f80u);
  EXPECT_EQ(code_of_value(-65504, fp16), 0xfbffu);
  EXPECT_EQ(code_of_value(HUGE_VAL, fp16), 0x7c00u);
  EXPECT_EQ(code_of_value(448, fp8_e4m3fn), 0x7eu);  // OCP 8-bit floating point, 2023
  EXPECT_EQ(code_of_value(std::nan(""), fp8_e4m3fn), 0x7fu);
  EXPECT_EQ(code_of_value(57344, fp8_e5m2), 0x7bu);
  EXPECT_EQ(code_of_value(HUGE_VAL, fp8_e5m2), 0x7cu);
  EXPECT_EQ(code_of_value(240, fp8_e4m3), 0x77u);
  std::uint64_t bits = 1;
  for (int i = 0; i < 2000; ++i) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    const double wide = std::bit_cast<double>(bits);
    const auto narrow = static_cast<std::uint32_t>(bits >> 32);
    const auto single = std::bit_cast<float>(narrow);
    if (!std::isnan(wide)) {
      EXPECT_EQ(code_of_value(wide, fp64), bits);
    }
    if (!std::isnan(single)) {
      EXPECT_EQ(value_of_code(narrow, fp32), static_cast<double>(single));
    }
    if (!std::isnan(single)) {
      EXPECT_EQ(code_of_value(static_cast<double>(single), fp32), narrow);
    }
  }
  for (const double x : {0x1p-1074, 0x1p-1022, -0.0, 0x1.fffffffffffffp1023})
    EXPECT_EQ(value_of_code(std::bit_cast<std::uint64_t>(x), fp64), x);
}

TEST(Rounding, NamesRoundTrip) {
  for (const NamedRounding& named : named_roundings()) {
    EXPECT_EQ(&rounding_entry(named.name), &named);
    EXPECT_EQ(rounding_named(named.name), named.rounding);
    if (!named.standard.empty()) {
      EXPECT_EQ(&rounding_entry(named.standard), &named);
    }
    if (named.variant == Stochastic::a) {
      EXPECT_EQ(name_of(named.rounding), named.name);
    }
  }
  EXPECT_EQ(rounding_entry("StochasticC").name, "sr:c");
  EXPECT_EQ(rounding_named("ToOdd"), Rounding::odd);
  EXPECT_THROW(rounding_named(""), InputError);
  EXPECT_THAT(error_text([] { rounding_named("rnd"); }), holds("known: rne, rna, rz"));
}

}  // namespace
}  // namespace fftprec::testing
