/// Claim files and what is wrong with bad ones.
#include "reports/claims/claim_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "arith/support/error.hpp"
#include "reports/commands/case_functions.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_text;
using ::testing::HasSubstr;

const std::string good = R"(id = "X1"
title = "a title"
statement = "a statement"
source = "somewhere"
discussion = "because [[figure]]"
[experiment]
published_seed = 42
seeds = "1..5"
jitters = 2
axes = { algorithm = "radix2-dit", n = [16, 32], input = "torch_randn" }
[[check]]
name = "figure"
kind = "near"
source = "as published"
role = "figure"
on = "published"
absolute = true
metric = "err_linf_rel"
figures = { "n=16" = "1e-7" }
[[verdict]]
is = "reproduced"
pass = ["figure"]
decided_by = "figure"
because = "it is there"
[otherwise]
is = "refuted"
because = "it is not"
[figure]
title = "errors"
)";

Claim parsed(const std::string& text) {
  return parse_claim(text, "x.toml", real_case_functions().check_names);
}

/// What the reader says of `good` with `old` replaced by `now`.
std::string refusal(const std::string& old, const std::string& now) {
  std::string text = good;
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  text.replace(at, old.size(), now);
  return error_text([&] { parsed(text); });
}

TEST(ClaimFile, HoldsAllThatAClaimIs) {
  const Claim claim = parsed(good);

  EXPECT_EQ(claim.id, "X1");
  EXPECT_EQ(claim.published_seed, 42u);
  EXPECT_THAT(claim.seeds, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(claim.jitters, 2u);
  ASSERT_EQ(claim.checks.size(), 1u);
  EXPECT_EQ(claim.checks[0].role, Role::figure);
  EXPECT_EQ(claim.checks[0].draws, Draws::published);
  EXPECT_TRUE(claim.checks[0].absolute);
  EXPECT_EQ(claim.checks[0].gate.figures.at(0).value.digits, 1);
  EXPECT_EQ(claim.rules.at(0).ruling, Ruling::reproduced);
  EXPECT_EQ(claim.otherwise.ruling, Ruling::refuted);
}

TEST(ClaimFile, SaysWhereAnUnknownKeyIs) {
  EXPECT_THAT(refusal("statement =", "statment ="),
              AllOf(HasSubstr("x.toml:3:"), HasSubstr("did you mean 'statement'")));
  EXPECT_THAT(refusal("jitters =", "jitter ="), AllOf(HasSubstr("x.toml:9:"), HasSubstr("jitter")));
  EXPECT_THAT(refusal("absolute =", "absolut ="),
              AllOf(HasSubstr("x.toml:17:"), HasSubstr("absolut")));
  EXPECT_THAT(refusal("decided_by =", "decides ="),
              AllOf(HasSubstr("x.toml:23:"), HasSubstr("decides")));
}

TEST(ClaimFile, RefusesNamesThatDoNotExist) {
  EXPECT_THAT(refusal("is = \"reproduced\"", "is = \"proved\""), HasSubstr("verdict 'proved'"));
  EXPECT_THAT(refusal("role = \"figure\"", "role = \"figures\""),
              HasSubstr("did you mean 'figure'"));
  EXPECT_THAT(refusal("on = \"published\"", "on = \"all\""), HasSubstr("seeds, published"));
  EXPECT_THAT(refusal("kind = \"near\"", "kind = \"about\""), HasSubstr("kind of gate 'about'"));
  EXPECT_THAT(refusal("pass = [\"figure\"]", "pass = [\"figures\"]"), HasSubstr("check 'figures'"));
  EXPECT_THAT(refusal("[[figure]]", "[[figures]]"), HasSubstr("check 'figures'"));
  EXPECT_THAT(refusal("radix2-dit", "radix3-dit"), HasSubstr("radix3-dit"));
  EXPECT_THAT(refusal("err_linf_rel", "err_max_rel"), HasSubstr("metric 'err_max_rel'"));
}

TEST(ClaimFile, SaysOnceWhereAValueOfTheWrongTypeIs) {
  EXPECT_EQ(refusal("\"1..5\"", "7"),
            "x.toml:8:9: seeds: expected a text that is not empty, not 7");
  EXPECT_EQ(refusal("role = \"figure\"", "role = true"),
            "x.toml:15:8: role: expected a text that is not empty, not true");
  EXPECT_EQ(refusal("jitters = 2", "jitters = -2"),
            "x.toml:9:11: jitters: expected a whole number from 0 on, not -2");
  EXPECT_EQ(refusal("absolute = true", "absolute = 1"),
            "x.toml:17:12: absolute: expected true or false, not 1");
}

TEST(ClaimFile, RefusesFiltersOfNamesThatDoNotExist) {
  EXPECT_THAT(refusal("\"n=16\"", "\"mode=bf17\""), HasSubstr("bf17"));
}

TEST(ClaimFile, RefusesASeedAmongTheAxes) {
  EXPECT_THAT(refusal("n = [16, 32]", "n = 16, seed = 7"), HasSubstr("not an axis"));
}

TEST(ClaimFile, RefusesTooFewSeedsForASpread) {
  EXPECT_THAT(refusal("1..5", "1,2,2"), HasSubstr("at least 3"));
  EXPECT_THAT(refusal("1..5", "one"), HasSubstr("x.toml:8:"));
}

TEST(ClaimFile, RefusesAbsoluteErrorsOfAnotherMetric) {
  EXPECT_THAT(refusal("err_linf_rel", "err_l2_rel"), HasSubstr("absolute needs"));
}

TEST(ClaimFile, RefusesChecksThatNeedKeptRows) {
  EXPECT_THAT(
      refusal("kind = \"near\"", "kind = \"hash\"\nbaseline = \"kept.csv\"") + error_text([] {
        std::string text = good;
        text.replace(text.find("kind = \"near\""), 13, "kind = \"hash\"\nbaseline = \"k\"");
        text.replace(text.find("metric = \"err_linf_rel\"\n"), 24, "");
        text.replace(text.find("figures = { \"n=16\" = \"1e-7\" }\n"), 30, "");
        parsed(text);
      }),
      HasSubstr("a claim has no kept rows"));
}

TEST(ClaimFile, RefusesWhatIsMissing) {
  EXPECT_THAT(refusal("published_seed = 42", ""), HasSubstr("'published_seed' is missing"));
  EXPECT_THAT(refusal("because = \"it is not\"", ""), HasSubstr("'because' is missing"));
  EXPECT_THAT(refusal("source = \"somewhere\"", ""), HasSubstr("'source' is missing"));
}

TEST(ClaimFile, RefusesAnIdThatNamesNoPage) {
  for (const std::string id : {"index", "../C1", "C 1"})
    EXPECT_THAT(refusal("id = \"X1\"", "id = \"" + id + "\""),
                AllOf(HasSubstr("x.toml:1:"), HasSubstr("'" + id + "' names a page")));
}

TEST(ClaimFile, RefusesBrokenToml) { EXPECT_THAT(refusal("id = ", "id "), HasSubstr("x.toml:1:")); }

TEST(BuiltinClaims, AreThirteenInOrder) {
  const auto claims = builtin_claims(real_case_functions().check_names);

  ASSERT_EQ(claims.size(), 13u);
  for (std::size_t i = 0; i < claims.size(); ++i)
    EXPECT_EQ(claims[i].id, "C" + std::to_string(i + 1));
}

TEST(BuiltinClaims, AreFoundById) {
  const auto claims = builtin_claims(real_case_functions().check_names);

  EXPECT_EQ(claims_with_ids(claims, {"C5", "C2"}).at(0).id, "C5");
  EXPECT_EQ(claims_with_ids(claims, {}).size(), 13u);
  EXPECT_THROW(claims_with_ids(claims, {"C14"}), InputError);
}

}  // namespace
}  // namespace fftprec
