/// `fftprec claims` as a user calls it.
#include <gmock/gmock.h>

#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

Outcome claims(Words words) {
  words.insert(words.begin(), "claims");
  return run_line(words);
}

TEST(ClaimsCommand, WritesPagesAndEvidenceThatDoNotDependOnThreads) {
  const TemporaryDirectory one;
  const TemporaryDirectory two;

  EXPECT_EQ(claims({"C11", "-j", "1", "-o", one.path().string()}).code, 0);
  EXPECT_EQ(claims({"C11", "-j", "3", "-o", two.path().string()}).code, 0);

  for (const char* name : {"index.md", "C11.md", "claims.csv", "evidence.csv"}) {
    EXPECT_EQ(text_of(one / name), text_of(two / name)) << name;
    EXPECT_THAT(text_of(one / name), lacks("[[")) << name;
  }
  EXPECT_THAT(text_of(one / "C11.md"), holds("**Verdict: reproduced.**", "## Decision rule"));
  EXPECT_THAT(text_of(one / "evidence.csv"), holds("\nC11,one_level degrades,"));
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

  EXPECT_THAT(claims({"-c", (directory / "x.toml").string()}),
              exits(3).out(holds("X    unsettled", "n = 4^k")));

  text.replace(text.find("32"), 2, "64");
  write_text(directory / "x.toml", text);
  const std::string file = (directory / "x.toml").string();
  EXPECT_EQ(claims({"-c", file}).code, 0);
  EXPECT_THAT(claims({"-c", file, "-c", file}),
              exits(2).err(file + ": id 'X' is that of another claim"));
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

  EXPECT_EQ(claims({"-c", file, "-o", directory / "out"}).code, 0);

  EXPECT_THAT(text_of(directory / "out/claims.csv"),
              holds("\nX,'=cmd <script>,reproduced,it is,\"small, | <b>\",", ",\"small, | <b>\","));
  EXPECT_THAT(text_of(directory / "out/evidence.csv"), holds("\nX,\"small, | <b>\","));
  for (const char* page : {"out/X.md", "out/index.md"})
    EXPECT_THAT(text_of(directory / page), lacks("<script>", "<b>")) << page;

  replace_all("small, | <b>", "a\\nb");
  write_text(file, text);
  EXPECT_THAT(claims({"-c", file}), exits(2).err("expected one line without control characters"));
}

TEST(ClaimsCommand, RefusesUnknownClaimsSeedsAndFiles) {
  EXPECT_EQ(claims({"C99"}).code, 2);
  EXPECT_THAT(claims({"C99"}).err, holds("claim 'C99'"));
  EXPECT_EQ(claims({"C11", "--seeds", "1,2"}).code, 2);
  EXPECT_EQ(claims({"C11", "--seeds", "a..b"}).code, 2);
  EXPECT_EQ(claims({"-c", "/nowhere.toml"}).code, 2);
}

}  // namespace
}  // namespace fftprec::testing
