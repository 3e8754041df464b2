/// Verdicts on the published tables of trn1, and on made-up predictions.
#include "experiments/hypotheses/explain.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "experiments/cases/evaluate.hpp"

namespace fftprec::hypotheses {
namespace {

constexpr ExplainOptions six_replays{.replays = {.count = 6}};

HypothesisSet with_one_table() {
  HypothesisSet set = parse_hypotheses(builtin_hypotheses(), "hypotheses.toml", check_names);
  set.tables = {"fp32-angle"};
  set.dispatches.resize(1);
  return set;
}

/// Ids of what no row refutes.
std::vector<std::string> fitting(const Explanation& explanation) {
  std::vector<std::string> ids;
  for (const JudgedVariant& judged : variants_not_refuted(explanation))
    ids.push_back(judged.variant.id);
  return ids;
}

const JudgedVariant& of_machine(const Explanation& explanation, const std::string& machine) {
  for (const JudgedVariant& judged : explanation.ranked)
    if (judged.variant.machine == machine) return judged;
  throw std::invalid_argument("not ranked: " + machine);
}

class ExplainTrn1 : public ::testing::Test {
 protected:
  Replayer replayer{{.threads = 2, .extent = RowExtent::result}};
  Measured measured = load_measured("trn1", check_names);
  Explanation explanation = explain(measured, with_one_table(), six_replays, replayer);
};

TEST_F(ExplainTrn1, LeavesRoundedTermsAndAMisreadOperand) {
  EXPECT_THAT(fitting(explanation), ::testing::ElementsAre("H7", "H7", "H8"));
  for (const JudgedVariant& judged : variants_not_refuted(explanation)) {
    EXPECT_EQ(judged.rank, 1u);
    EXPECT_TRUE(judged.tied);
  }
  EXPECT_FALSE(explanation.none_fits());
  EXPECT_EQ(explanation.digits, 6);
}

TEST_F(ExplainTrn1, RanksByLikelihoodAndTiesWithinAFactorOfThree) {
  ExplainOptions lenient = six_replays;
  lenient.further_spread = 0.05;

  const Explanation spread = explain(measured, with_one_table(), lenient, replayer);

  const std::vector<JudgedVariant> fit = variants_not_refuted(spread);
  ASSERT_GT(fit.size(), 5u);
  EXPECT_LT(fit.front().rank, fit.back().rank);
  for (const JudgedVariant& a : fit)
    for (const JudgedVariant& b : fit) {
      if (a.rank == b.rank) {
        EXPECT_LT(std::abs(a.log_likelihood - b.log_likelihood), std::log(tie_factor));
      }
      if (a.rank < b.rank) {
        EXPECT_GT(a.log_likelihood, b.log_likelihood);
      }
    }
  EXPECT_EQ(fit.front().variant.id, "H6");
}

TEST_F(ExplainTrn1, RefutesTheDocumentedArithmeticAndThePublishedClaimByRow) {
  const auto refuting = [&](const std::string& machine) {
    std::vector<bool> rows;
    for (const RowVerdict& row : of_machine(explanation, machine).rows) rows.push_back(row.refutes);
    return rows;
  };

  EXPECT_THAT(refuting("trn"), ::testing::ElementsAre(false, true, true));
  EXPECT_THAT(refuting("trn-claim"), ::testing::ElementsAre(true, true, true));
  EXPECT_THAT(refuting("trn-elided"), ::testing::ElementsAre(false, true, true));
  EXPECT_THAT(refuting("trn{psum=bf16}"), ::testing::ElementsAre(true, false, false));
}

TEST_F(ExplainTrn1, CountsWhatPredictsTheSameOnce) {
  const JudgedVariant& documented = of_machine(explanation, "trn");
  const bool flushed = std::any_of(documented.alike.begin(), documented.alike.end(),
                                   [](const Variant& each) { return each.id == "H4"; });

  EXPECT_TRUE(flushed) << "nothing here is subnormal";
  EXPECT_LT(explanation.ranked.size(), explanation.tried);
  double total = 0;
  for (const JudgedVariant& judged : explanation.ranked) total += judged.posterior;
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_GT(explanation.expected_chance_fits, 0.001);
  EXPECT_LT(explanation.expected_chance_fits, 1);
}

TEST_F(ExplainTrn1, IsToldApartByOzakiAtTwiceTheLength) {
  const Design design = design_experiments(variants_not_refuted(explanation), measured, {},
                                           {.replays = {.count = 3}}, replayer);

  ASSERT_EQ(design.groups.size(), 2u);
  EXPECT_NEAR(design.open_bits, 1, 1e-9);
  EXPECT_NEAR(design.experiments.front().bits, 1, 0.01);
  EXPECT_THAT(design.experiments.front().row.where.mode, ::testing::StartsWith("ozaki"));
  EXPECT_EQ(design.longer.size(), 6u) << "three modes at 128 and 256";
  for (const Experiment& experiment : design.longer)
    if (experiment.row.where.mode == "bf16") {
      EXPECT_NEAR(experiment.bits, 0, 1e-6);
    }
}

TEST_F(ExplainTrn1, DoesNotDependOnTheNumberOfThreads) {
  Replayer alone({.threads = 1, .extent = RowExtent::result});
  const Explanation again = explain(measured, with_one_table(), six_replays, alone);

  ASSERT_EQ(again.ranked.size(), explanation.ranked.size());
  for (std::size_t i = 0; i < again.ranked.size(); ++i) {
    EXPECT_EQ(again.ranked[i].variant.machine, explanation.ranked[i].variant.machine);
    EXPECT_EQ(again.ranked[i].log_likelihood, explanation.ranked[i].log_likelihood);
  }
}

TEST(ExplainButterflies, FindsTheTablesAndTheDispatchThatMakeTheGain) {
  Replayer replayer({.threads = 2, .extent = RowExtent::result});
  HypothesisSet set = parse_hypotheses(builtin_hypotheses(), "hypotheses.toml", check_names);
  std::erase_if(set.hypotheses, [](const Hypothesis& each) { return each.id != "H0"; });
  const Measured measured = load_measured("trn1_butterflies", check_names);

  const Explanation strict = explain(measured, set, six_replays, replayer);
  ExplainOptions lenient = six_replays;
  lenient.further_spread = 0.1;
  const Explanation spread = explain(measured, set, lenient, replayer);

  for (const Explanation* explanation : {&strict, &spread}) {
    EXPECT_FALSE(explanation->none_fits());
    EXPECT_EQ(explanation->ranked[0].variant.tables, "fp32-angle");
    EXPECT_EQ(explanation->ranked[0].variant.dispatch.name, "stockham for fp32");
  }
  EXPECT_EQ(variants_not_refuted(strict).size(), 1u);
  for (const JudgedVariant& judged : strict.ranked) {
    const bool other_order = judged.variant.tables.starts_with("fp32-angle:order=") &&
                             judged.variant.dispatch.name == "stockham for fp32";
    EXPECT_TRUE(judged.refuted || !other_order) << judged.variant.tables;
  }
}

/// Predictions of two rows each, and a measurement.
TEST(Explain, TakesTheBetterOfAlternativesAndTheMeanOfTheirProbabilities) {
  Replayer replayer({.threads = 1, .extent = RowExtent::result});
  const std::string head = R"(
[[row]]
algorithm = "dft-gemm"
mode = "bf16"
n = 64
input = "torch_randn"
seed = 42
metric = "err_linf_rel"
)";
  const auto log_likelihood = [&](const std::string& values) {
    const Measured measured = parse_measured(head + values, "m.toml", check_names);
    HypothesisSet set = with_one_table();
    set.hypotheses.resize(1);
    return explain(measured, set, six_replays, replayer).ranked[0].log_likelihood;
  };

  EXPECT_NEAR(log_likelihood("value = \"1.5e-3\"\n"), 0, 1e-6);
  EXPECT_NEAR(log_likelihood("value = \"1.7e-3\"\nalternatives = [\"1.5e-3\"]\n"), std::log(0.5),
              1e-6);
  EXPECT_LT(log_likelihood("value = \"1.7e-3\"\n"), -20);
}

/// Half a digit either way, and the 99 % of a prediction that is as sharp as bf16's.
TEST(Explain, CountsWhatWouldFitByChance) {
  Measured measured = load_measured("trn2", check_names);
  measured.rows.resize(1);
  JudgedVariant sharp;
  sharp.rows.push_back({.ran = {}, .predicted = {std::log(1.5e-3), 1e-4, 15}});
  JudgedVariant wide = sharp;
  wide.rows[0].predicted.spread = 0.3;
  constexpr double level = 0.01;
  // P(|x| < w) of a normal x with standard deviation ln 2, for w = ln(1.55/1.5) and about it.
  const double expected = std::erf(std::log(1.55 / 1.45) / 2 / std::log(2.0) / std::sqrt(2.0));

  EXPECT_NEAR(expected_chance_fits({sharp}, measured, level), expected, 0.001);
  EXPECT_NEAR(expected_chance_fits({sharp, sharp}, measured, level), 2 * expected, 0.002);
  EXPECT_GT(expected_chance_fits({wide}, measured, level), 10 * expected);
}

/// Products rounded to bf16 give 0.99989, exact ones 1.00001: two digits would not tell them apart.
TEST(Explain, TellsMachinesApartByTheFiveDigitsOfAGain) {
  Replayer replayer({.threads = 2, .extent = RowExtent::result});
  const Measured measured = parse_measured(
      "[[row]]\nalgorithm = \"dft-gemm\"\nmode = \"bf16\"\nn = 256\ninput = \"torch_randn\"\n"
      "seed = 42\ntables = \"exact\"\nmetric = \"gain\"\nvalue = \"0.99989\"\n",
      "m.toml", check_names);
  HypothesisSet set = with_one_table();
  set.hypotheses = {{"H0", "exact products", {"trn"}}, {"H1", "rounded products", {"trn-claim"}}};

  const Explanation explanation = explain(measured, set, six_replays, replayer);
  const Design design = design_experiments(explanation.ranked, measured, {}, {}, replayer);

  EXPECT_THAT(fitting(explanation), ::testing::ElementsAre("H1"));
  EXPECT_NEAR(predicted_error(explanation.ranked[0].rows[0].predicted), 0.99989, 5e-6);
  EXPECT_NEAR(explanation.expected_chance_fits, 0.05,
              0.04);  // an interval of 1e-5, predictions 1e-4 from 1
  EXPECT_EQ(design.groups.size(), 2u);
}

TEST(Explain, GoesTheWayBackWhereARowIsMeasuredByIt) {
  const auto measured_by = [](const std::string& metric) {
    return parse_measured(
        "[[row]]\nalgorithm = \"dft-gemm\"\nmode = \"bf16\"\nn = 64\ninput = \"torch_randn\"\n"
        "seed = 42\nvalue = \"1.5e-3\"\nmetric = \"" +
            metric + "\"\n",
        "m.toml", check_names);
  };
  const auto replay_of = [](const Measured& measured) {
    Replayer replayer({.threads = 1, .extent = extent_for(measured.rows)});
    replayer.run(std::span(&measured.rows[0].where, 1));
    return replayer.row(measured.rows[0].where);
  };

  const Row there = replay_of(measured_by("err_l2_rel"));
  const Row and_back = replay_of(measured_by("err_roundtrip_l2_rel"));

  EXPECT_FALSE(there.err_roundtrip_l2_rel);
  EXPECT_FALSE(there.expected_l2_rel);
  EXPECT_GT(and_back.err_roundtrip_l2_rel, there.err_l2_rel);
  EXPECT_EQ(and_back.err_l2_rel, there.err_l2_rel);
}

TEST(Explain, TakesAnUnknownSeedForASpreadOverSeeds) {
  Replayer replayer({.threads = 2, .extent = RowExtent::result});
  const auto spread_of = [&](const std::string& seed) {
    const Measured measured = parse_measured(
        "[[row]]\nalgorithm = \"dft-gemm\"\nmode = \"bf16\"\nn = 64\ninput = \"torch_randn\"\n"
        "metric = \"err_linf_rel\"\nvalue = \"1.5e-3\"\n" +
            seed,
        "m.toml", check_names);
    HypothesisSet set = with_one_table();
    set.hypotheses.resize(1);
    return explain(measured, set, six_replays, replayer).ranked[0].rows[0].predicted.spread;
  };

  EXPECT_LT(spread_of("seed = 42\n"), 0.001);
  EXPECT_GT(spread_of(""), 0.05);
}

}  // namespace
}  // namespace fftprec::hypotheses
