/// Recommendations against what rows, counts and published latencies say,
/// choice by choice.
#include "experiments/devices/recommend.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <tuple>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/peer.hpp"

namespace fftprec::devices {

using ::testing::Contains;
using testing::error_text;
using testing::holds;
using ::testing::Not;
using testing::peer;

namespace {

RecommendRequest request_for(double largest, JudgedBy by = JudgedBy::both) {
  return {.where = {.n = 64, .batch = 3},
          .algorithms = {"dft-gemm", "radix2-dit", "stockham-r8", peer()},
          .modes = {"bf16", "fp32", "ozaki", "fp64", "doubleword"},
          .inputs = {"gaussian", "tone"},
          .seeds = 2,
          .budget = {.metric = &column_named("err_l2_rel"), .largest = largest},
          .by = by,
          .threads = 2};
}

}  // namespace

TEST(Recommend, TakesErrorsFromRowsAndWorkFromCounts) {
  RecommendRequest request = request_for(1e-5);
  request.all = true;
  const Recommendation result = recommend(request);
  Session session;
  // The work of a program and of host modes is not known.
  EXPECT_EQ(result.choices.size(), 3u * 4);
  EXPECT_EQ(result.not_applicable, 5u + 3u);
  for (const Choice& choice : result.choices) {
    Case where = request.where;
    where.algorithm = choice.algorithm;
    where.mode = choice.mode;
    const Row counted = evaluate(where);
    EXPECT_EQ(choice.work.total_cycles(), counted_work(session, where).total_cycles());
    EXPECT_EQ(choice.work.cycles.tensor > 0, counted.matmul_passes > 0u) << command_of(where);
    where.batch = 1;
    double measured = 0;
    double bound = 0;
    for (const char* input : {"gaussian", "tone"})
      for (const std::uint64_t seed : {1u, 2u}) {
        where.input = input;
        where.seed = seed;
        const Row row = evaluate(where);
        measured = std::max(measured, *row.err_l2_rel);
        bound = std::max(bound, *row.bound_l2_rel);
      }
    EXPECT_EQ(choice.ruled_out, RuledOut::no);
    EXPECT_EQ(choice.measured, measured) << command_of(where);
    EXPECT_EQ(choice.bound, bound) << command_of(where);
    EXPECT_EQ(choice.judged, std::max(measured, bound));
  }
}

TEST(Recommend, ChoosesTheCheapestWithinTheBudget) {
  for (const JudgedBy by : {JudgedBy::measured, JudgedBy::bound, JudgedBy::both})
    for (const double largest : {1e-1, 1e-2, 1e-5, 1e-6, 1e-12}) {
      RecommendRequest request = request_for(largest, by);
      request.all = true;
      const Recommendation result = recommend(request);
      ASSERT_TRUE(result.best.has_value()) << largest;
      const Choice& best = result.choices[*result.best];
      EXPECT_LE(best.judged, largest);
      for (const Choice& other : result.choices) {
        EXPECT_EQ(other.judged, by == JudgedBy::measured ? *other.measured : *other.bound);
        if (other.judged <= largest) {
          EXPECT_GE(other.work.total_cycles(), best.work.total_cycles());
        }
      }
    }
  // A bound is larger than an error: a budget between both tells them apart.
  EXPECT_NE(recommend(request_for(1e-2, JudgedBy::bound)).best,
            recommend(request_for(1e-2, JudgedBy::measured)).best);
}

TEST(Recommend, PutsOnTheFrontWhatNoOtherBeats) {
  RecommendRequest request = request_for(1e-5);
  request.all = true;
  const Recommendation result = recommend(request);
  for (const Choice& choice : result.choices) {
    const bool beaten =
        std::any_of(result.choices.begin(), result.choices.end(), [&](const Choice& other) {
          const auto cost = [](const Choice& each) {
            const KernelCalls& calls = each.work.calls;
            return std::tuple(each.work.total_cycles(), calls.tensor + calls.vector, each.judged);
          };
          const auto [cycles, calls, judged] = cost(choice);
          const auto [less_cycles, less_calls, less_judged] = cost(other);
          return less_cycles <= cycles && less_calls <= calls && less_judged <= judged &&
                 cost(other) != cost(choice);
        });
    EXPECT_EQ(choice.on_front, !beaten) << choice.algorithm << " " << choice.mode;
  }
  EXPECT_TRUE(std::is_sorted(result.choices.begin(), result.choices.end(),
                             [](const Choice& a, const Choice& b) {
                               return a.work.total_cycles() < b.work.total_cycles();
                             }));
}

namespace {

/// What a choice is and how it errs.
std::string text_of(const Choice& choice) {
  return fmt::format("{} {}: {} {} {}", choice.algorithm, choice.mode, choice.judged,
                     choice.measured.value(), choice.bound.value_or(-1));
}

/// Every answer of a recommendation.
std::vector<std::string> answers_of(const Recommendation& result, double largest) {
  std::vector<std::string> answers;
  const auto add = [&](const char* question, std::optional<std::size_t> place) {
    answers.push_back(question + (place ? text_of(result.choices[*place]) : "none"));
  };
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    const Choice& choice = result.choices[i];
    if (choice.on_front) add("front: ", i);
    if (!first && choice.measured && *choice.measured <= largest) first = i;
  }
  add("best: ", result.best);
  add("fastest: ", result.fastest);
  add("closest: ", result.closest);
  add("first by measured errors: ", first);
  return answers;
}

}  // namespace

/// On every machine, for choices that differ in kinds of stages and number systems.
TEST(Recommend, AnswersAsIfEveryChoiceWasMeasured) {
  std::array<std::ptrdiff_t, 4> counts{};
  for (const FaultyMachine& machine : faulty_machines().presets())
    for (const JudgedBy by : {JudgedBy::measured, JudgedBy::both}) {
      const double largest = by == JudgedBy::both ? 1e-2 : 1e-6;
      RecommendRequest request = request_for(largest, by);
      request.where = {.machine = machine.name, .n = 64};
      request.algorithms = {"dft-gemm", "radix2-dit", "stockham-r4", "row-column"};
      request.modes = {"bf16", "fp16",  "fp32",    "kahan", "tf32x3:6",     "doubleword",
                       "dot2", "ozaki", "posit16", "q1.15", "mxfp8_e4m3fn", "rounded_once"};
      const Recommendation some = recommend(request);
      request.all = true;
      const Recommendation all = recommend(request);
      EXPECT_EQ(answers_of(some, largest), answers_of(all, largest)) << machine.name;
      for (const Choice& choice : all.choices) EXPECT_EQ(choice.ruled_out, RuledOut::no);
      for (const Choice& choice : some.choices) {
        ++counts.at(static_cast<std::size_t>(choice.ruled_out));
        EXPECT_EQ(choice.measured.has_value(), choice.ruled_out == RuledOut::no);
      }
    }
  for (const std::ptrdiff_t count : counts) EXPECT_GT(count, 0);
  EXPECT_LT(2 * counts.front(), std::accumulate(counts.begin(), counts.end(), std::ptrdiff_t{0}));
}

TEST(Recommend, NamesTheFastestOfThoseWhoseTimeIsPublished) {
  RecommendRequest request = request_for(1e-2, JudgedBy::measured);
  request.where.batch = 1;
  const Recommendation result = recommend(request);
  ASSERT_TRUE(result.fastest.has_value());
  const Choice& fastest = result.choices[*result.fastest];
  EXPECT_EQ(fastest.algorithm + " " + fastest.mode, "dft-gemm bf16");
  EXPECT_EQ(fastest.published->us, 1179);
  for (const Choice& other : result.choices)
    if (other.published && other.judged <= 1e-2) {
      EXPECT_GE(other.published->us, fastest.published->us);
    }

  request.budget.largest = 1e-5;  // bf16 errs by more
  const Recommendation smaller = recommend(request);
  ASSERT_TRUE(smaller.fastest.has_value());
  EXPECT_EQ(smaller.choices[*smaller.fastest].mode, "fp32");
  request.hardware = "trn3";
  for (const Choice& choice : recommend(request).choices) EXPECT_FALSE(choice.published);
  EXPECT_FALSE(recommend(request).fastest);
  request.hardware = "trn1";
  request.where.batch = 3;  // published for one transform alone
  EXPECT_FALSE(recommend(request).fastest);
}

TEST(CountedWork, TakesARefinementsTransformsOneByOne) {
  Session session;
  const auto calls = [&session](const char* mode) {
    return counted_work(session, {.algorithm = "dft-gemm", .mode = mode, .n = 64}).calls;
  };
  EXPECT_EQ(calls("bf16"), (KernelCalls{1, 0}));
  EXPECT_EQ(calls("bf16_refined"), (KernelCalls{3, 0}));
  EXPECT_EQ(calls("refined_fp32:2"), (KernelCalls{5, 0}));
  const Case plain{.algorithm = "dft-gemm", .mode = "bf16", .n = 64};
  const Case refined{.algorithm = "dft-gemm", .mode = "bf16_refined", .n = 64};
  EXPECT_EQ(counted_work(session, refined).cycles.tensor,
            3 * counted_work(session, plain).cycles.tensor);
}

TEST(CountedWork, IsNotKnownOfWhatTheDeviceDoesNotCompute) {
  const Case unknown[] = {{.mode = "fp64"},
                          {.algorithm = "dft-gemm", .mode = "ozaki2:14"},
                          {.algorithm = peer()},
                          {.algorithm = "stockham-r4", .n = 8}};
  Session session;
  for (const Case& where : unknown)
    EXPECT_THROW(counted_work(session, where), NotApplicable) << command_of(where);
}

TEST(Recommend, SaysWhatComesClosestWhereNothingIsWithinTheBudget) {
  const Recommendation result = recommend(request_for(1e-30));
  EXPECT_FALSE(result.best.has_value());
  for (const Choice& choice : result.choices)
    EXPECT_GE(choice.judged, result.choices[result.closest].judged);
}

TEST(Recommend, LeavesOutWhatTakesTooLongToEmulate) {
  RecommendRequest request = request_for(1e-5);
  request.where.n = 4096;
  request.algorithms = {"dft-gemm", "stockham-r8"};
  request.modes = {"fp32"};
  request.most_seconds = 0.1;
  const Recommendation result = recommend(request);
  ASSERT_EQ(result.choices.size(), 1u);
  EXPECT_EQ(result.choices[0].algorithm, "stockham-r8");
  EXPECT_EQ(result.too_slow, 1u);
  request.algorithms = {"dft-gemm"};
  EXPECT_THAT(error_text([&] { recommend(request); }), holds("takes longer than 0.1 s"));
}

TEST(Recommend, RefusesWhatItCannotJudge) {
  RecommendRequest other_metric = request_for(1e-5);
  other_metric.budget.metric = &column_named("err_linf_rel");
  EXPECT_THAT(error_text([&] { recommend(other_metric); }), holds("--by measured"));
  other_metric.by = JudgedBy::measured;
  const Recommendation by_linf = recommend(other_metric);
  ASSERT_TRUE(by_linf.best.has_value());
  EXPECT_FALSE(by_linf.choices.front().bound.has_value());
  EXPECT_GT(by_linf.choices.front().measured, 0);

  RecommendRequest odd = request_for(1e-5);
  odd.where.n = 15;
  odd.algorithms = {"radix2-dit", "stockham-r8"};
  EXPECT_THROW(recommend(odd), NotApplicable);
  RecommendRequest unknown = request_for(1e-5);
  unknown.modes = {"bf61"};
  EXPECT_THAT(error_text([&] { recommend(unknown); }), holds("bf16"));
}

TEST(Recommend, ReadsBudgets) {
  const MeasuredLimit budget = error_budget_from("err_linf_rel=2.5e-3");
  EXPECT_EQ(budget.metric->name, "err_linf_rel");
  EXPECT_EQ(budget.largest, 2.5e-3);
  for (const char* bad : {"err_l2_rel", "err_l2_rel=", "err_l2_rel=0", "err_l2_rel=-1",
                          "err_l2_rel=nan", "n=3", "time_ns=5", "err_l2=1e-3"})
    EXPECT_NE(error_text([&] { error_budget_from(bad); }), "no error") << bad;
}

TEST(Recommend, KnowsWhatCanBeCounted) {
  EXPECT_THAT(counted_modes(), Contains("bf16"));
  EXPECT_THAT(counted_modes(), Not(Contains("fp64")));
  EXPECT_THAT(counted_modes(), Not(Contains("ozaki2:14")));
  EXPECT_THAT(counted_algorithms(), Contains("radix2-dit"));
  EXPECT_THAT(counted_algorithms(), Not(Contains("batch-split")));
}

}  // namespace fftprec::devices
