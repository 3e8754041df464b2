/// `fftprec claims` as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/command_line.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Outcome run(std::vector<std::string> words) {
  words.insert(words.begin(), {"claims", "--truth-cache", "none"});
  return run_line(words, commands::real_case_functions());
}

TEST(ClaimsCommand, PrintsVerdictNumberAndMargin) {
  const Outcome outcome = run({"C11", "C12"});

  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("C11  reproduced"), HasSubstr("C12  reproduced"),
                                 HasSubstr("factor 1."), HasSubstr("2 of 2 claims are settled"),
                                 Not(HasSubstr("C13"))));
}

TEST(ClaimsCommand, WritesPagesAndEvidenceThatDoNotDependOnThreads) {
  const TemporaryDirectory one;
  const TemporaryDirectory two;

  EXPECT_EQ(run({"C11", "-j", "1", "-o", one.path().string()}).code, 0);
  EXPECT_EQ(run({"C11", "-j", "3", "-o", two.path().string()}).code, 0);

  for (const char* name : {"index.md", "C11.md", "claims.csv", "evidence.csv"}) {
    EXPECT_EQ(text_of(one / name), text_of(two / name)) << name;
    EXPECT_THAT(text_of(one / name), Not(HasSubstr("[["))) << name;
  }
  EXPECT_THAT(text_of(one / "C11.md"),
              AllOf(HasSubstr("**Verdict: reproduced.**"), HasSubstr("## Decision rule")));
  EXPECT_THAT(text_of(one / "evidence.csv"), HasSubstr("\nC11,one_level degrades,"));
}

constexpr const char* one_claim = R"(id = "X"
title = "radix 4 at odd powers"
statement = "s"
source = "s"
discussion = "d"
[experiment]
published_seed = 1
seeds = "1..3"
axes = { algorithm = "stockham-r4", n = [16, 32] }
[[check]]
name = "small"
kind = "max"
source = "s"
role = "figure"
metric = "err_l2_rel"
limit = 1e-6
[[verdict]]
is = "reproduced"
pass = ["small"]
decided_by = "small"
because = "it is"
[otherwise]
is = "refuted"
because = "it is not"
[figure]
title = "t"
)";

TEST(ClaimsCommand, TakesAClaimOfOnesOwnAndSaysWhatLeavesItUnsettled) {
  const TemporaryDirectory directory;
  std::string text = one_claim;
  write_text(directory / "x.toml", text);

  const Outcome skipped = run({"-c", (directory / "x.toml").string()});

  EXPECT_EQ(skipped.code, 3);
  EXPECT_THAT(skipped.out, AllOf(HasSubstr("X    unsettled"), HasSubstr("n = 4^k")));

  text.replace(text.find("32"), 2, "64");
  write_text(directory / "x.toml", text);
  const std::string file = (directory / "x.toml").string();
  EXPECT_EQ(run({"-c", file}).code, 0);
  const Outcome twice = run({"-c", file, "-c", file});
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.err, HasSubstr(file + ": id 'X' is that of another claim"));
}

TEST(ClaimsCommand, WritesTablesThatNoNameBreaks) {
  const TemporaryDirectory directory;
  std::string text = one_claim;
  const auto replace_all = [&text](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace_all("n = [16, 32]", "n = [16, 64]");
  replace_all("\"small\"", "\"small, | <b>\"");
  replace_all("radix 4 at odd powers", "=cmd <script>");
  const std::string file = directory / "x.toml";
  write_text(file, text);

  EXPECT_EQ(run({"-c", file, "-o", directory / "out"}).code, 0);

  EXPECT_THAT(text_of(directory / "out/claims.csv"),
              AllOf(HasSubstr("\nX,'=cmd <script>,reproduced,it is,\"small, | <b>\","),
                    HasSubstr(",\"small, | <b>\",")));
  EXPECT_THAT(text_of(directory / "out/evidence.csv"), HasSubstr("\nX,\"small, | <b>\","));
  for (const char* page : {"out/X.md", "out/index.md"})
    EXPECT_THAT(text_of(directory / page), AllOf(Not(HasSubstr("<script>")), Not(HasSubstr("<b>"))))
        << page;

  replace_all("small, | <b>", "a\\nb");
  write_text(file, text);
  const Outcome refused = run({"-c", file});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("expected one line without control characters"));
}

TEST(ClaimsCommand, RefusesUnknownClaimsSeedsAndFiles) {
  EXPECT_EQ(run({"C99"}).code, 2);
  EXPECT_THAT(run({"C99"}).err, HasSubstr("claim 'C99'"));
  EXPECT_EQ(run({"C11", "--seeds", "1,2"}).code, 2);
  EXPECT_EQ(run({"C11", "--seeds", "a..b"}).code, 2);
  EXPECT_EQ(run({"-c", "/nowhere.toml"}).code, 2);
}

TEST(ListClaims, PrintsEveryStatement) {
  const Outcome outcome = run_line({"list", "claims"}, commands::real_case_functions());

  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("C1 "), HasSubstr("C13")));
}

}  // namespace
}  // namespace fftprec::testing
