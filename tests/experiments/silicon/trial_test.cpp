/// Whether explain finds the variant that made up a table of errors, and says so when it cannot.
#include "experiments/silicon/trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/cases/evaluate.hpp"

namespace fftprec::silicon {
namespace {

constexpr unsigned trials = 20;
constexpr unsigned must_be_found = 18;

/// Six cases as somebody might publish them; of one the seed is not told.
Measured six_cases() {
  return parse_measured(R"(
    [defaults]
    algorithm = "dft-gemm"
    input = "torch_randn"
    metric = "err_linf_rel"
    value = "1"
    [[row]]
    seed = 1
    mode = "bf16"
    n = 64
    [[row]]
    seed = 1
    mode = "ozaki"
    n = 64
    [[row]]
    seed = 1
    mode = "ozaki_hq"
    n = 128
    [[row]]
    seed = 1
    mode = "fast"
    n = 64
    [[row]]
    seed = 1
    algorithm = "radix2-dit"
    mode = "kahan"
    n = 256
    [[row]]
    algorithm = "stockham-mixed"
    mode = "fast"
    n = 256
  )",
                        "six_cases", check_names);
}

HypothesisSet hypotheses() {
  HypothesisSet set = parse_hypotheses(builtin_hypotheses(), "hypotheses.toml", check_names);
  set.tables = {"fp32-angle", "exact"};
  set.dispatches.resize(1);
  return set;
}

constexpr ExplainOptions six_replays{.replays = {.count = 6}};

TEST(MadeUpSilicon, IsTracedToItsVariantInEighteenOfTwentyTrials) {
  const HypothesisSet set = hypotheses();
  unsigned found = 0;
  unsigned alone = 0;
  unsigned refuted = 0;
  std::string missed;
  Replayer replayer(replay_options(default_threads()));  // keeps the rows that trials share
  for (unsigned trial = 1; trial <= trials; ++trial) {
    const Variant truth = chosen_variant(set, trial);
    const Measured measured = made_up(six_cases(), truth, {.number = trial}, replayer);

    const Explanation explanation = explain(measured, set, six_replays, replayer);

    const Judged& judged = judged_as(explanation, truth);
    const auto tied = std::count_if(explanation.ranked.begin(), explanation.ranked.end(),
                                    [](const Judged& each) { return each.rank == 1; });
    if (judged.rank == 1) ++found;
    if (judged.rank == 1 && tied == 1) ++alone;
    if (judged.refuted) ++refuted;
    if (judged.rank != 1)
      missed += "trial " + std::to_string(trial) + ": " + truth.machine + ", " + truth.tables +
                " has rank " + std::to_string(judged.rank) + " behind " +
                explanation.ranked[0].variant.machine + ", " +
                explanation.ranked[0].variant.tables + "\n";
  }

  EXPECT_GE(found, must_be_found) << missed;
  // A tie of everything would find everything.
  EXPECT_GE(alone, trials / 2);
  EXPECT_LE(refuted, 2u);
  RecordProperty("found", static_cast<int>(found));
  RecordProperty("alone", static_cast<int>(alone));
}

TEST(MadeUpSilicon, IsOffInTheLastPlaceFromEveryReplay) {
  constexpr std::size_t fast = 3;
  constexpr int all_digits = 12;
  Replayer replayer(replay_options(1));
  const Variant truth{"H0", "trn", "fp32-angle", {}, 1};

  const Measured measured =
      made_up(six_cases(), truth, {.number = 1, .digits = all_digits}, replayer);

  const MeasuredRow& row = measured.rows[fast];
  const std::vector<Case> replays = replays_of(case_under(truth, row), true, {.count = 6});
  replayer.run(replays);
  for (const Case& replay : replays)
    EXPECT_NE(row.values[0].text, published_text(*replayer.row(replay).err_linf_rel, all_digits))
        << command_of(replay);
  EXPECT_NE(row.where.seed, six_cases().rows[fast].where.seed);
}

TEST(MadeUpSilicon, FitsNothingWhereItsAccumulatorIsNotAmongTheHypotheses) {
  constexpr const char* fifteen_bits = "custom(p=15,";
  HypothesisSet set = hypotheses();
  Variant truth = chosen_variant(set, 1);
  for (Hypothesis& hypothesis : set.hypotheses)
    std::erase_if(hypothesis.machines, [&](const std::string& machine) {
      return machine.find(fifteen_bits) != std::string::npos;
    });
  truth.machine = "trn{accumulate.format=custom(p=15,emin=-126,emax=127)}";
  Replayer replayer(replay_options(default_threads()));
  for (unsigned trial = 1; trial <= 3; ++trial) {
    truth.tables = trial % 2 == 1 ? "fp32-angle" : "exact";
    const Measured measured = made_up(six_cases(), truth, {.number = trial}, replayer);

    const Explanation explanation = explain(measured, set, six_replays, replayer);

    EXPECT_TRUE(explanation.none_fits())
        << "trial " << trial << ": " << explanation.ranked[0].variant.machine << " fits";
  }
}

}  // namespace
}  // namespace fftprec::silicon
