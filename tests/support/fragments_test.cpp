/// The matchers that tests of texts and commands are made of: what fails them, and what they say.
#include "tests/support/fragments.hpp"

#include <gmock/gmock.h>

#include "tests/support/command_line.hpp"

namespace fftprec::testing {
namespace {

template <class Matcher, class Value>
std::string complaint(const Matcher& matcher, const Value& value) {
  ::testing::StringMatchResultListener listener;
  return ::testing::ExplainMatchResult(matcher, value, &listener) ? "none" : listener.str();
}

TEST(Fragments, NameWhatIsMissingAndWhatMustNotBeThere) {
  const std::string text = "one two";
  EXPECT_EQ(complaint(holds("one", "two"), text), "none");
  EXPECT_EQ(complaint(holds("one", "three", "four"), text),
            "without \"three\"; without \"four\"; ");
  EXPECT_EQ(complaint(holds("one").but_not("two"), text), "with \"two\"; ");
  EXPECT_EQ(complaint(lacks("three"), text), "none");
  EXPECT_EQ(complaint(nothing, text), "not empty");
  EXPECT_EQ(complaint(nothing, std::string()), "none");
}

TEST(Exits, SeesTheCodeAndBothOutputs) {
  const Outcome outcome{2, "rows", "no such file"};
  EXPECT_EQ(complaint(exits(2).out("rows").err("no such"), outcome), "none");
  EXPECT_EQ(complaint(exits(0), outcome), "exits with 2; ");
  EXPECT_EQ(complaint(exits(2).out("table"), outcome), "without \"table\"; ");
  EXPECT_EQ(complaint(exits(2).err(holds("no").but_not("file")), outcome), "with \"file\"; ");
  EXPECT_EQ(complaint(exits(2).err(nothing), outcome), "not empty");
}

}  // namespace
}  // namespace fftprec::testing
