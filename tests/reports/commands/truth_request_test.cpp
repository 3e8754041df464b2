#include "reports/commands/truth_request.hpp"

#include <gmock/gmock.h>

#include "arith/support/error.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::commands {
namespace {

using testing::error_text;
using testing::holds;

TEST(TruthBitsAsked, AreWhatAPairOfDoublesHolds) {
  EXPECT_EQ(truth_bits_asked("53"), 53);
  EXPECT_EQ(truth_bits_asked("105"), 105);
  for (const char* text : {"52", "106", "400", "", "many", "-64", "64.5"})
    EXPECT_THAT(error_text([&] { truth_bits_asked(text); }),
                holds("'" + std::string(text) + "' is not in 53..105"));
}

TEST(TruthBitsAsked, AreThoseThatEveryTruthMustHave) {
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
