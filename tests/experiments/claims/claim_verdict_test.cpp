/// Settling: real claims on real evidence, and on evidence that was tampered with.
#include "experiments/claims/claim_verdict.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <regex>

#include "experiments/cases/evaluate.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::claims {
namespace {

using testing::holds;
using ::testing::IsEmpty;

/// A built-in claim, on six seeds.
Claim claim(const std::string& id) {
  Claim claim = claims_with_ids(builtin_claims(check_names), {id}).at(0);
  choose_seeds(claim, {parse_seeds("1..6"), 0});
  return claim;
}

Evidence measured(const std::vector<Claim>& claims) {
  return measure_claims(Session().plan(cases_of_all(claims)), {.threads = 2});
}

/// The evidence of a claim, measured once per test program.
const Evidence& evidence(const std::string& id) {
  static std::map<std::string, Evidence> all;
  if (!all.contains(id)) all[id] = measured({claim(id)});
  return all[id];
}

const CheckResult& result_of(const ClaimVerdict& judged, const std::string& check) {
  for (std::size_t i = 0; i < judged.checks.size(); ++i)
    if (judged.claim.checks[i].gate.name == check) return judged.checks[i];
  ADD_FAILURE() << "no check " << check;
  return judged.checks.at(0);
}

/// The evidence with `change(row)` done to every row.
template <class Change>
Evidence doctored(const Evidence& evidence, Change change) {
  Evidence changed = evidence;
  for (auto& [where, row] : changed.rows) change(row);
  return changed;
}

TEST(CasesOfClaim, AreThePublishedSeedTheSeedsAndTheJitters) {
  const Claim c5 = claim("C5");

  const std::vector<Case> cases = cases_of(c5);

  EXPECT_EQ(cases.size(), cases_of(c5.experiment).size() * (1 + c5.seeds.size() + c5.jitters));
  std::size_t jittered = 0;
  for (const Case& where : cases)
    if (where.input.starts_with("jitter:k=")) {
      ++jittered;
      EXPECT_EQ(where.seed, c5.published_seed);
    }
  EXPECT_EQ(jittered, cases_of(c5.experiment).size() * c5.jitters);
}

TEST(Settle, ExplainsTheLargeDftGemmByItsAngles) {
  const ClaimVerdict judged = evaluate_claim(claim("C5"), evidence("C5"));

  EXPECT_THAT(judged.problems, IsEmpty());
  EXPECT_EQ(judged.rule.ruling, Ruling::explained);
  EXPECT_EQ(judged.seeds_alike, judged.claim.seeds.size());
  EXPECT_EQ(judged.jitters_alike, judged.claim.jitters);
}

TEST(Settle, FollowsEvidenceThatWasTamperedWith) {
  const Evidence slow_sums = doctored(evidence("C5"), [](Row& row) {
    if (row.where.tables() == "exact") *row.err_linf_rel *= 400;
    if (row.where.mode() == "fp64") *row.err_linf_rel *= 1e-3;
  });
  const Evidence no_figure = doctored(evidence("C5"), [](Row& row) { *row.err_re_max_rel *= 2; });

  EXPECT_EQ(evaluate_claim(claim("C5"), slow_sums).rule.ruling, Ruling::reproduced);
  EXPECT_EQ(evaluate_claim(claim("C5"), no_figure).rule.ruling, Ruling::refuted);
}

TEST(Settle, TakesTheFigureFromThePublishedSeedAloneAndCausesFromTheOthers) {
  const Evidence other_seeds = doctored(evidence("C5"), [](Row& row) {
    if (row.where.seed() != 42) *row.err_re_max_rel *= 100;
  });
  const Evidence published_seed = doctored(evidence("C5"), [](Row& row) {
    if (row.where.seed() == 42 && row.where.tables() == "exact") *row.err_linf_rel *= 1e4;
  });

  EXPECT_EQ(evaluate_claim(claim("C5"), other_seeds).rule.ruling, Ruling::explained);
  EXPECT_EQ(evaluate_claim(claim("C5"), published_seed).rule.ruling, Ruling::explained);
}

TEST(Settle, CountsTheSingleSeedsAndJittersThatAgree) {
  const Evidence one_seed = doctored(evidence("C5"), [](Row& row) {
    if (row.where.seed() == 3 && row.where.tables() == "exact") *row.err_linf_rel *= 1e4;
  });
  const Evidence one_jitter = doctored(evidence("C5"), [](Row& row) {
    if (row.where.input().starts_with("jitter:k=1:")) *row.err_re_max_rel *= 2;
  });

  const ClaimVerdict by_seed = evaluate_claim(claim("C5"), one_seed);
  const ClaimVerdict by_jitter = evaluate_claim(claim("C5"), one_jitter);

  EXPECT_EQ(by_seed.seeds_alike, by_seed.claim.seeds.size() - 1);
  EXPECT_EQ(result_of(by_seed, "accumulation").seeds_alike, by_seed.claim.seeds.size() - 1);
  EXPECT_EQ(by_jitter.jitters_alike, by_jitter.claim.jitters - 1);
  EXPECT_NEAR(*result_of(by_jitter, "figure").jitter, 1, 0.01);
}

TEST(Settle, MeasuresTheSpreadOverSingleSeeds) {
  const Evidence geometric = doctored(evidence("C5"), [](Row& row) {
    row.err_re_max_rel = 1e-3 * std::exp(static_cast<double>(row.where.seed()));
  });
  const ClaimVerdict judged = evaluate_claim(claim("C5"), geometric);

  // ln(value) is 1, 2, ..., 6 but for a constant: variance (6^2 + 6) / 12 = 3.5.
  EXPECT_NEAR(*result_of(judged, "figure").spread, std::sqrt(3.5), 1e-9);
}

TEST(Settle, SettlesNothingWhereARowIsMissingOrFailed) {
  Evidence missing = evidence("C5");
  missing.rows.erase(missing.rows.begin());
  const Evidence failed = doctored(evidence("C5"), [](Row& row) {
    if (row.where.seed() == 3) row.status = Status::failed;
  });

  EXPECT_TRUE(evaluate_claim(claim("C5"), evidence("C5")).is_decided());
  ASSERT_FALSE(evaluate_claim(claim("C5"), missing).is_decided());
  EXPECT_THAT(evaluate_claim(claim("C5"), missing).problems.at(0), holds("no row of -a"));
  EXPECT_FALSE(evaluate_claim(claim("C5"), failed).is_decided());
}

TEST(Settle, SettlesNothingWhereACheckComparesNothing) {
  Claim c5 = claim("C5");
  c5.checks[0].gate.where = select_rows({"n=7"});

  EXPECT_FALSE(evaluate_claim(c5, evidence("C5")).is_decided());
}

TEST(Settle, SeesASingleBitInABatchThatIsSplit) {
  const Evidence one_bit = doctored(evidence("C12"), [](Row& row) {
    if (row.where.algorithm() == "batch-split:cores=3:inner=radix2-dit" && row.where.seed() == 5)
      row.output_hash.back() = row.output_hash.back() == '0' ? '1' : '0';
  });

  EXPECT_EQ(evaluate_claim(claim("C12"), evidence("C12")).rule.ruling, Ruling::reproduced);
  EXPECT_EQ(evaluate_claim(claim("C12"), one_bit).rule.ruling, Ruling::refuted);
}

TEST(Settle, TakesAbsoluteErrorsTimesTheLargestOutput) {
  const ClaimVerdict judged = evaluate_claim(claim("C6"), evidence("C6"));
  Evidence larger = evidence("C6");
  for (auto& [key, largest] : larger.truth_max) largest *= 10;

  EXPECT_EQ(judged.rule.ruling, Ruling::explained);
  EXPECT_THAT(found_by(judged, "absolute"), holds("max|y - t| = "));
  EXPECT_EQ(evaluate_claim(claim("C6"), larger).rule.ruling, Ruling::refuted);
}

TEST(Margin, IsTheFactorToTheThresholdOnEitherSide) {
  const ClaimVerdict judged = evaluate_claim(claim("C5"), evidence("C5"));

  // 0.5 / (exact / fp32-angle): it fails by a factor of some 200.
  EXPECT_GT(result_of(judged, "accumulation").margin, 100);
  // 1 within 0.98 .. 1.02
  EXPECT_NEAR(result_of(judged, "angles").margin, 1.02, 1e-3);
  EXPECT_GT(*margin_in_spreads(result_of(judged, "angles")), 10);
}

TEST(ChecksOn, NamesTheChecksThatLookAtACase) {
  const Claim c5 = claim("C5");
  Case where{.algorithm = "dft-gemm", .tables = "fp32-angle", .n = 1024, .input = "torch_randn"};

  where.seed = 42;
  EXPECT_THAT(checks_on(c5, where), ::testing::ElementsAre("figure"));
  where.seed = 1;
  EXPECT_THAT(checks_on(c5, where), ::testing::ElementsAre("accumulation", "angles", "growth"));
  where.seed = 99;
  EXPECT_THAT(checks_on(c5, where), IsEmpty());
}

TEST(ChooseSeeds, ReplacesAndShiftsAllButThePublishedSeed) {
  Claim c5 = claim("C5");

  choose_seeds(c5, {std::vector<std::uint64_t>{5, 6, 7}, 100});

  EXPECT_THAT(c5.seeds, ::testing::ElementsAre(105, 106, 107));
  EXPECT_EQ(c5.published_seed, 42u);
}

/// What docs/claims.md says of every claim, on the claim's own seeds.
std::map<std::string, std::string> documented_verdicts() {
  std::ifstream page(FFTPREC_SOURCE_DIR "/docs/claims.md");
  const std::regex row(R"(\| \[(C\d+)\]\(#c\d+\) .*\| \*\*(\w+)\*\* \|.*)");
  std::map<std::string, std::string> verdicts;
  std::smatch cells;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, cells, row)) verdicts[cells[1]] = cells[2];
  return verdicts;
}

TEST(BuiltinClaims, HaveTheDocumentedVerdictsOnAnotherSetOfSeeds) {
  std::vector<Claim> claims = builtin_claims(check_names);
  for (Claim& each : claims) choose_seeds(each, {{}, 500});
  const Evidence found = measured(claims);

  std::map<std::string, std::string> verdicts;
  for (const Claim& each : claims) {
    const ClaimVerdict judged = evaluate_claim(each, found);
    verdicts[each.id] = judged.is_decided() ? name_of(judged.rule.ruling) : "none";
  }
  EXPECT_EQ(verdicts.size(), 33u);
  EXPECT_EQ(verdicts, documented_verdicts());
}

}  // namespace
}  // namespace fftprec::claims
