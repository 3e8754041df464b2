#include "reports/commands/truth_request.hpp"

#include <gmock/gmock.h>

#include "arith/support/error.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::commands {
namespace {

using testing::error_text;
using testing::holds;

TEST(BytesAsked, AreDigitsAndASuffix) {
  EXPECT_EQ(bytes_asked("0"), 0u);
  EXPECT_EQ(bytes_asked("123"), 123u);
  EXPECT_EQ(bytes_asked("1K"), 1024u);
  EXPECT_EQ(bytes_asked("3M"), 3u << 20);
  EXPECT_EQ(bytes_asked("4G"), std::uint64_t{1} << 32);
  EXPECT_EQ(bytes_asked("8589934592G"), std::uint64_t{1} << 63);
  EXPECT_EQ(bytes_asked("9223372036854775808"), std::uint64_t{1} << 63);
}

TEST(BytesAsked, RefusesEverythingElse) {
  for (const char* text : {"", "K", "-1", "1.5G", "2T", "2GB", "2 G", "G2", "8589934593G",
                           "9223372036854775809", "99999999999999999999999"})
    EXPECT_THAT(error_text([&] { bytes_asked(text); }),
                holds("'" + std::string(text) + "' is no number of bytes"));
}

TEST(TruthBitsAsked, AreWhatAPairOfDoublesHolds) {
  EXPECT_EQ(truth_bits_asked("53"), 53);
  EXPECT_EQ(truth_bits_asked("105"), 105);
  for (const char* text : {"52", "106", "400", "", "many", "-64", "64.5"})
    EXPECT_THAT(error_text([&] { truth_bits_asked(text); }),
                holds("'" + std::string(text) + "' is not in 53..105"));
}

TEST(TruthBitsAsked, AreThoseThatEveryTruthMustHave) {
  truth::Truth truth;
  truth.bits = 64;
  EXPECT_NO_THROW(require_truth_bits(truth, {}));
  EXPECT_NO_THROW(require_truth_bits(truth, {.bits = 64}));
  EXPECT_THROW(require_truth_bits(truth, {.bits = 65}), InputError);
  EXPECT_EQ(truth_options({.bits = 65}).needed_bits, 65);
}

TEST(TierAsked, IsOneOfThree) {
  EXPECT_EQ(tier_asked("auto"), std::nullopt);
  EXPECT_EQ(tier_asked("mpfr"), truth::Tier::mpfr);
  EXPECT_EQ(tier_asked("dd"), truth::Tier::double_double);
  for (const char* text : {"quad", "td"})
    EXPECT_TRUE(error_text([text] { tier_asked(text); }).ends_with("known: auto, mpfr, dd"));
}

}  // namespace
}  // namespace fftprec::commands
