/// Claim files and their rules: what they mean, and what is wrong with bad ones.
#include "experiments/claims/claim.hpp"

#include <gmock/gmock.h>

#include <string>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::claims {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_text;
using testing::holds;
using ::testing::StartsWith;

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

Claim parsed(const std::string& text) { return parse_claim(text, "x.toml", check_names); }

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

TEST(ClaimFile, SaysWhereAndWhatAMistakeIs) {
  struct Mistake {
    std::string old;
    std::string now;
    std::string begins;  ///< after "x.toml:"
    std::string says;
  };
  const std::vector<Mistake> mistakes = {
      // Unknown keys and names.
      {"statement =", "statment =", "3:", "did you mean 'statement'"},
      {"jitters =", "jitter =", "9:", "jitter"},
      {"absolute =", "absolut =", "17:", "absolut"},
      {"decided_by =", "decides =", "23:", "decides"},
      {"is = \"reproduced\"", "is = \"proved\"", "", "verdict 'proved'"},
      {"role = \"figure\"", "role = \"figures\"", "", "did you mean 'figure'"},
      {"on = \"published\"", "on = \"all\"", "", "seeds, published"},
      {"kind = \"near\"", "kind = \"about\"", "", "kind of gate 'about'"},
      {"pass = [\"figure\"]", "pass = [\"figures\"]", "", "check 'figures'"},
      {"[[figure]]", "[[figures]]", "", "check 'figures'"},
      {"radix2-dit", "radix3-dit", "", "radix3-dit"},
      {"err_linf_rel", "err_max_rel", "", "metric 'err_max_rel'"},
      {"\"n=16\"", "\"mode=bf17\"", "", "bf17"},
      {"title = \"errors\"", "title = \"e\"\ny = \"mode\"", "", "mode is not a column of numbers"},
      {"title = \"errors\"", "title = \"e\"\nx = \"err\"", "", "column 'err'"},
      {"title = \"errors\"", "title = \"e\"\nseries = \"mod\"", "", "did you mean 'mode'"},
      {"title = \"errors\"", "title = \"e\"\npanel = \"mod\"", "", "did you mean 'mode'"},
      {"title = \"errors\"", "title = \"e\"\nwhere = \"mod=fp32\"", "", "did you mean 'mode'"},
      // Values.
      {"\"1..5\"", "7", "8:9: seeds: expected a text that is not empty, not 7", ""},
      {"role = \"figure\"", "role = true",
       "15:8: role: expected a text that is not empty, not true", ""},
      {"jitters = 2", "jitters = -2", "9:11: jitters: expected a whole number from 0 on, not -2",
       ""},
      {"absolute = true", "absolute = 1", "17:12: absolute: expected true or false, not 1", ""},
      {"n = [16, 32]", "n = 16, seed = 7", "", "not from an axis"},
      {"1..5", "1,2,2", "", "at least 3"},
      {"1..5", "one", "8:", ""},
      {"err_linf_rel", "err_l2_rel", "", "absolute needs"},
      {"id = \"X1\"", "id = \"index\"", "1:", "'index' is the name of a page"},
      {"id = \"X1\"", "id = \"../C1\"", "1:", "'../C1' is the name of a page"},
      {"id = \"X1\"", "id = \"C 1\"", "1:", "'C 1' is the name of a page"},
      {"id = ", "id ", "1:", ""},
      // What is missing.
      {"published_seed = 42", "", "", "'published_seed' is missing"},
      {"because = \"it is not\"", "", "", "'because' is missing"},
      {"source = \"somewhere\"", "", "", "'source' is missing"}};

  for (const Mistake& mistake : mistakes)
    EXPECT_THAT(refusal(mistake.old, mistake.now),
                AllOf(StartsWith("x.toml:" + mistake.begins), holds(mistake.says)))
        << mistake.now;
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
      holds("a claim has no kept rows"));
}

// Rules: from outcomes to one verdict.

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
  for (const Claim& claim : builtin_claims(check_names))
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

/// What is said of the rules of a claim.
std::string refusal_of(const Claim& claim) {
  return error_text([&] { check_rules(claim); });
}

TEST(CheckRules, RefusesWhatIsNoVerdict) {
  struct Mistake {
    std::vector<VerdictRule> rules;
    std::string says;
  };
  for (const Mistake& mistake : std::vector<Mistake>{
           {{rule(Ruling::reproduced, {"a"}, {}), rule(Ruling::refuted, {}, {"b"})},
            "could hold at once"},
           {{rule(Ruling::refuted, {"a"}, {"a"})}, "can never hold"},
           {{rule(Ruling::explained, {}, {"a"})}, "needs a check that passes"},
           {{{Ruling::refuted, {}, {}, "a", "because"}}, "would always hold"},
           {{{Ruling::refuted, {"a"}, {}, "b", "because"}}, "cannot be decided by 'b'"}}) {
    Claim claim = with_checks();
    claim.rules = mistake.rules;
    EXPECT_THAT(refusal_of(claim), holds(mistake.says));
  }
}

TEST(CheckRules, RefusesAnOtherwiseThatFlatters) {
  Claim claim = with_checks();
  for (const Ruling ruling : {Ruling::reproduced, Ruling::explained}) {
    claim.otherwise.ruling = ruling;

    EXPECT_THAT(refusal_of(claim), holds("refuted or undecidable"));
  }
}

TEST(CheckRules, RefusesACheckOfWhichNobodyWouldHear) {
  Claim claim = with_checks();
  claim.otherwise.because = "[[a]] [[b]]";

  EXPECT_THAT(refusal_of(claim), holds("'c' is in no verdict and in no text"));
}

TEST(Filled, ReplacesEveryName) {
  const auto found = [](std::string_view name) { return "<" + std::string(name) + ">"; };

  EXPECT_EQ(filled("[[a]], {b} and [[c d]].", found), "<a>, {b} and <c d>.");
  EXPECT_EQ(filled("", found), "");
  EXPECT_THROW(filled("[[a", found), InputError);
}

}  // namespace
}  // namespace fftprec::claims
