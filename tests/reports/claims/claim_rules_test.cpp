/// From outcomes to one verdict.
#include "reports/claims/claim_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arith/support/error.hpp"
#include "reports/claims/claim_file.hpp"
#include "reports/commands/case_functions.hpp"
#include "tests/support/error_text.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using ::testing::HasSubstr;

/// A claim with the checks a, b and c and no rules.
Claim with_checks() {
  Claim claim;
  for (const char* name : {"a", "b", "c"}) {
    claim.checks.emplace_back();
    claim.checks.back().gate.name = name;
  }
  claim.otherwise = {Ruling::refuted, {}, {}, "", "[[a]] [[b]] [[c]]"};
  return claim;
}

VerdictRule rule(Ruling ruling, const std::vector<std::string>& pass,
                 const std::vector<std::string>& fail) {
  return {ruling, pass, fail, pass.empty() ? fail.at(0) : pass[0], "because"};
}

/// Every way for the checks of a claim to come out.
std::vector<Outcomes> all_outcomes(const Claim& claim) {
  std::vector<Outcomes> all;
  for (std::size_t bits = 0; bits < std::size_t{1} << claim.checks.size(); ++bits) {
    Outcomes outcomes;
    for (std::size_t i = 0; i < claim.checks.size(); ++i)
      outcomes[claim.checks[i].gate.name] = (bits >> i & 1) != 0;
    all.push_back(outcomes);
  }
  return all;
}

TEST(Rules, GiveTheVerdictOfTheRuleThatHolds) {
  Claim claim = with_checks();
  claim.rules = {rule(Ruling::reproduced, {"a", "b"}, {}), rule(Ruling::explained, {"a"}, {"b"})};

  EXPECT_EQ(rule_for(claim, {{"a", true}, {"b", true}, {"c", false}}).ruling, Ruling::reproduced);
  EXPECT_EQ(rule_for(claim, {{"a", true}, {"b", false}, {"c", true}}).ruling, Ruling::explained);
  EXPECT_EQ(rule_for(claim, {{"a", false}, {"b", true}, {"c", true}}).ruling, Ruling::refuted);
}

TEST(Rules, OfEveryBuiltInClaimGiveEveryCombinationOneVerdict) {
  for (const Claim& claim : builtin_claims(real_case_functions().check_names))
    for (const Outcomes& outcomes : all_outcomes(claim)) {
      int holding = 0;
      for (const VerdictRule& each : claim.rules) holding += holds(each, outcomes) ? 1 : 0;

      ASSERT_LE(holding, 1) << claim.id;
      const Ruling ruling = rule_for(claim, outcomes).ruling;
      if (holding == 0) {
        ASSERT_TRUE(ruling == Ruling::refuted || ruling == Ruling::undecidable) << claim.id;
      }
    }
}

TEST(Rules, OfEveryBuiltInClaimDoNotFlatterWhereNothingPasses) {
  for (const Claim& claim : builtin_claims(real_case_functions().check_names)) {
    const Ruling ruling = rule_for(claim, all_outcomes(claim).front()).ruling;

    EXPECT_TRUE(ruling == Ruling::refuted || ruling == Ruling::undecidable) << claim.id;
  }
}

/// The text of the InputError that the rules of the claim give.
std::string refusal(const Claim& claim) {
  return error_text([&] { check_rules(claim); });
}

TEST(CheckRules, TakesDisjointRules) {
  Claim claim = with_checks();
  claim.rules = {rule(Ruling::reproduced, {"a", "b"}, {}), rule(Ruling::refuted, {"a"}, {"b"})};

  EXPECT_NO_THROW(check_rules(claim));
}

TEST(CheckRules, RefusesRulesThatCouldHoldAtOnce) {
  Claim claim = with_checks();
  claim.rules = {rule(Ruling::reproduced, {"a"}, {}), rule(Ruling::refuted, {}, {"b"})};

  EXPECT_THAT(refusal(claim), HasSubstr("could hold at once"));
}

TEST(CheckRules, RefusesAnUnknownCheckAndSuggestsTheNearest) {
  Claim claim = with_checks();
  claim.checks[0].gate.name = "figure";
  claim.otherwise.because = "";
  claim.rules = {rule(Ruling::reproduced, {"figur"}, {})};

  EXPECT_THAT(refusal(claim), HasSubstr("did you mean 'figure'"));
}

TEST(CheckRules, RefusesACheckThatMustPassAndFail) {
  Claim claim = with_checks();
  claim.rules = {rule(Ruling::refuted, {"a"}, {"a"})};

  EXPECT_THAT(refusal(claim), HasSubstr("can never hold"));
}

TEST(CheckRules, RefusesAnOtherwiseThatFlatters) {
  Claim claim = with_checks();
  for (const Ruling ruling : {Ruling::reproduced, Ruling::explained}) {
    claim.otherwise.ruling = ruling;

    EXPECT_THAT(refusal(claim), HasSubstr("refuted or undecidable"));
  }
}

TEST(CheckRules, RefusesPraiseForWhatFails) {
  Claim claim = with_checks();
  claim.rules = {rule(Ruling::explained, {}, {"a"})};

  EXPECT_THAT(refusal(claim), HasSubstr("needs a check that passes"));
}

TEST(CheckRules, RefusesARuleWithoutChecks) {
  Claim claim = with_checks();
  claim.rules = {{Ruling::refuted, {}, {}, "a", "because"}};

  EXPECT_THAT(refusal(claim), HasSubstr("would always hold"));
}

TEST(CheckRules, RefusesADecidingCheckThatTheRuleDoesNotName) {
  Claim claim = with_checks();
  claim.rules = {{Ruling::refuted, {"a"}, {}, "b", "because"}};

  EXPECT_THAT(refusal(claim), HasSubstr("cannot be decided by 'b'"));
}

TEST(CheckRules, RefusesACheckOfWhichNobodyWouldHear) {
  Claim claim = with_checks();
  claim.otherwise.because = "[[a]] [[b]]";

  EXPECT_THAT(refusal(claim), HasSubstr("'c' is in no verdict and in no text"));
}

TEST(Filled, ReplacesEveryName) {
  const auto found = [](std::string_view name) { return "<" + std::string(name) + ">"; };

  EXPECT_EQ(filled("[[a]], {b} and [[c d]].", found), "<a>, {b} and <c d>.");
  EXPECT_EQ(filled("", found), "");
  EXPECT_THROW(filled("[[a", found), InputError);
}

}  // namespace
}  // namespace fftprec
