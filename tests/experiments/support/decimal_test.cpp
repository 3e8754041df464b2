#include "experiments/support/decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

#include "tests/support/hostile_locale.hpp"

namespace fftprec {
namespace {

TEST(Decimal, ReadsBackToTheSameBitsByTheCLibraryToo) {
  std::mt19937_64 generator(1);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(generator());
    if (!std::isfinite(value)) continue;
    const std::string text = shortest(value);
    SCOPED_TRACE(::testing::Message()
                 << "text = " << text << ", bits = " << std::hexfloat << value);

    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)),
              std::bit_cast<std::uint64_t>(value));
    ASSERT_TRUE(parse_double(text));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*parse_double(text)),
              std::bit_cast<std::uint64_t>(value));
  }
}

TEST(Decimal, IsNeverLongerThanTheFewestDigitsThatReadBack) {
  std::mt19937_64 generator(2);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::ldexp(static_cast<double>(generator() >> 11), -60);
    int digits = 1;
    char fewest[64];
    do std::snprintf(fewest, sizeof fewest, "%.*e", digits - 1, value);
    while (std::strtod(fewest, nullptr) != value && ++digits < 18);

    const std::string text = shortest(value);
    const std::string mantissa = text.substr(0, text.find('e'));
    int significant = 0;
    for (const char c :
         mantissa.substr(std::min(mantissa.find_first_of("123456789"), mantissa.size())))
      significant += c >= '0' && c <= '9';
    EXPECT_LE(significant, digits) << text << " against " << fewest;
  }
}

TEST(Decimal, HasWordsForWhatIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();

  EXPECT_EQ(shortest(infinity), "inf");
  EXPECT_EQ(shortest(-infinity), "-inf");
  EXPECT_EQ(shortest(nan), "nan");
  EXPECT_EQ(shortest(-nan), "nan");
  EXPECT_EQ(parse_double("inf"), infinity);
  EXPECT_EQ(parse_double("-inf"), -infinity);
  EXPECT_TRUE(std::isnan(parse_double("nan").value()));
}

TEST(Decimal, KeepsTheSignOfZeroAndTheEndsOfTheRange) {
  for (const double value : {0.0, -0.0, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(parse_double(shortest(value)).value()),
              std::bit_cast<std::uint64_t>(value));
}

TEST(Decimal, RefusesWhatIsNoNumberInFull) {
  for (const char* text : {"", " 1", "1 ", "1x", "0x10", "1e999", "INF", "infinity", "nan(1)",
                           "1,5", "+1", "--1", "e5"})
    EXPECT_FALSE(parse_double(text)) << text;
  for (const char* text : {"", "-1", "+1", "1.0", "1e3", " 1", "18446744073709551616"})
    EXPECT_FALSE(parse_unsigned(text)) << text;
  EXPECT_EQ(parse_unsigned("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
}

TEST(Decimal, ReadsCountsAsPeopleWriteThem) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [text, count] : {std::pair<const char*, std::uint64_t>{"0", 0},
                                    {"1024", 1024},
                                    {"2^10", 1024},
                                    {"10^3", 1000},
                                    {"2^63", std::uint64_t{1} << 63},
                                    {"2^0", 1},
                                    {"1k", 1024},
                                    {"4K", 4096},
                                    {"1M", 1u << 20},
                                    {"2G", std::uint64_t{1} << 31},
                                    {"1e4", 10000},
                                    {"1.5e3", 1500},
                                    {"18446744073709551615", most}})
    EXPECT_EQ(parse_count(text), count) << text;
  for (const char* text : {"",     "-1",    "1.0",  "k",     "1kk",          "1m", "1e-1", "1.5e0",
                           "1e16", "1e400", "2^64", "10^20", "2^",           "^3", "2^1k", "1^3",
                           "2^-1", "1 k",   "0x10", "inf",   "17179869184G", "1ek"})
    EXPECT_FALSE(parse_count(text)) << text;
}

TEST(Decimal, ReadsDurationsInSeconds) {
  for (const auto& [text, seconds] : {std::pair{"5", 5.0},
                                      {"0.25", 0.25},
                                      {"500ms", 0.5},
                                      {"100ms", 0.1},
                                      {"5s", 5.0},
                                      {"2m", 120.0},
                                      {"1.5h", 5400.0},
                                      {"1e3", 1000.0}})
    EXPECT_EQ(parse_seconds(text), seconds) << text;
  for (const char* text : {"", "s", "ms", "-1", "-1s", "1d", "1 s", "1h30m", "inf", "nan", "nans"})
    EXPECT_FALSE(parse_seconds(text)) << text;
}

TEST(Decimal, IsTheSameUnderAHostileLocale) {
  const testing::HostileLocale hostile;

  EXPECT_EQ(shortest(12345.5), "12345.5");
  EXPECT_EQ(parse_double("12345.5"), 12345.5);
}

TEST(ShortNumber, SaysItsLeadingDigitsAndNoMore) {
  const std::pair<double, const char*> as_read[] = {
      {1.234e-7, "1.23e-7"},     {0.0020512, "2.05e-3"}, {0.0203, "0.0203"},
      {0.009999, "0.01"},        {1e-5, "1e-5"},         {0.5, "0.5"},
      {-1.25, "-1.25"},          {23.456, "23.5"},       {999.7, "1e3"},
      {1234.5, "1.23e3"},        {2048, "2048"},         {0, "0"},
      {1e14, "100000000000000"}, {1e20, "1e20"},         {1e300, "1e300"}};
  for (const auto& [value, text] : as_read) EXPECT_EQ(short_number(value), text);
  EXPECT_EQ(short_number(0.0316, 2) + " " + short_number(420.5, 2), "0.032 4.2e2");
  EXPECT_EQ(short_number(123456.7, 6) + " " + short_number(-INFINITY), "123457 -inf");
  EXPECT_EQ(short_number(NAN), "nan");
}

TEST(ExactNumber, HasTheFormOfShortNumbersAndEveryDigit) {
  const std::pair<double, const char*> as_read[] = {
      {1e-5, "1e-5"},
      {2.5106e-8, "2.5106e-8"},
      {0.0020512, "2.0512e-3"},
      {0.0203, "0.0203"},
      {-0.49963169569068444, "-0.49963169569068444"},
      {1234.5, "1234.5"},
      {2048, "2048"},
      {3.3895313892515355e38, "3.3895313892515355e38"},
      {1e22, "1e22"},
      {0, "0"},
      {5e-324, "5e-324"},
      {INFINITY, "inf"}};
  for (const auto& [value, text] : as_read) EXPECT_EQ(exact_number(value), text);
  EXPECT_EQ(exact_number(NAN), "nan");

  std::mt19937_64 generator(3);
  for (int i = 0; i < 20000; ++i) {
    const auto value = i < 2000 ? std::ldexp(1.0, i - 1000) : std::bit_cast<double>(generator());
    if (!std::isfinite(value)) continue;
    const std::string text = exact_number(value);
    EXPECT_EQ(parse_double(text), value) << text;
    EXPECT_LE(text.size(), shortest(value).size() + 4) << text;
    EXPECT_EQ(text.find("e-0"), text.npos) << text;
    EXPECT_EQ(text.find('+'), text.npos) << text;
  }
}

}  // namespace
}  // namespace fftprec
