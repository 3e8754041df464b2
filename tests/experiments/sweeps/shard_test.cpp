#include "experiments/sweeps/shard.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "experiments/cases/evaluate.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using testing::holds;

/// 3 modes x `lengths` x `seeds`: groups of three cases that share a truth.
std::vector<Case> grid(const std::vector<std::uint64_t>& lengths, std::uint64_t seeds) {
  std::vector<Case> cases;
  for (const char* mode : {"bf16", "fast", "ozaki"})
    for (const std::uint64_t n : lengths)
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Case where;
        where.mode = mode;
        where.n = n;
        where.seed = seed;
        cases.push_back(where);
      }
  std::sort(cases.begin(), cases.end());
  return cases;
}

double cost(const Case& where) {
  return static_cast<double>(where.n) * (where.mode == "ozaki" ? 3 : 1);
}

double cost_of(const std::vector<Case>& cases) {
  double sum = 0;
  for (const Case& where : cases) sum += cost(where);
  return sum;
}

std::vector<std::vector<Case>> shards(const std::vector<Case>& cases, std::uint64_t count) {
  std::vector<std::vector<Case>> all;
  for (std::uint64_t i = 1; i <= count; ++i)
    all.push_back(cases_of_shard(cases, {i, count}, {.of_case = cost}));
  return all;
}

TEST(Shard, ReadsAndWritesItsName) {
  EXPECT_EQ(parse_shard("2/4"), (Shard{2, 4}));
  EXPECT_EQ(text_of(Shard{2, 4}), "2/4");
  for (const char* text :
       {"", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "1/", "/4", "a/b", "1 /4", "1/100001"})
    EXPECT_THAT(error_text([&] { parse_shard(text); }), holds("is no shard; expected I/N")) << text;
}

TEST(Shard, EveryCaseIsInExactlyOne) {
  const std::vector<Case> cases = grid({8, 64, 1000, 4096}, 7);
  for (const std::uint64_t count : {1u, 2u, 3u, 4u, 7u, 84u, 200u}) {
    std::vector<Case> together;
    for (const auto& shard : shards(cases, count)) {
      EXPECT_TRUE(std::is_sorted(shard.begin(), shard.end()));
      together.insert(together.end(), shard.begin(), shard.end());
    }
    std::sort(together.begin(), together.end());
    EXPECT_EQ(together, cases) << count;
  }
}

TEST(Shard, KeepsASharedTruthTogether) {
  const std::vector<Case> cases = grid({8, 64, 1000, 4096}, 40);
  std::map<ProblemKey, std::set<std::size_t>> where_from;
  const auto all = shards(cases, 4);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Case& where : all[i]) where_from[problem_key(where)].insert(i);

  for (const auto& [key, parts] : where_from) EXPECT_EQ(parts.size(), 1u) << key.n;
}

TEST(Shard, CostsAboutTheSameAsEveryOther) {
  const std::vector<Case> cases = grid({8, 64, 1000, 4096}, 9);
  for (const std::uint64_t count : {2u, 3u, 4u, 5u}) {
    // List scheduling, costly ones first, is at most 4/3 - 1/(3m) above the best (Graham 1969).
    const double m = static_cast<double>(count);
    const double best = cost_of(cases) / m;
    for (const auto& shard : shards(cases, count))
      EXPECT_LE(cost_of(shard), best * (4.0 / 3 - 1 / (3 * m)) + 4096 * 5 / 2.0) << count;
  }
}

TEST(Shard, CutsAGroupThatCostsMoreThanAShardShould) {
  const std::vector<Case> cases = grid({4096}, 1);

  const auto all = shards(cases, 2);

  EXPECT_EQ(all[0].size(), 1u);
  EXPECT_EQ(all[0][0].mode, "ozaki");
  EXPECT_EQ(all[1].size(), 2u);
}

TEST(Shard, SpreadsCasesWithoutCost) {
  const std::vector<Case> cases = grid({8}, 10);

  for (std::uint64_t i = 1; i <= 10; ++i)
    EXPECT_EQ(cases_of_shard(cases, {i, 10}, {.of_case = [](const Case&) { return 0.0; }}).size(),
              3u);
}

TEST(Shard, PaysForATruthInEveryPart) {
  const std::vector<Case> cases = grid({8, 64, 1000, 4096}, 5);
  // Truths that cost as much as all their cases, and of one length a thousand times that.
  const RunCosts costs{.of_case = cost, .of_truth = [](const Case& where) {
                         return static_cast<double>(where.n) * (where.n == 64 ? 5000 : 5);
                       }};
  for (const std::uint64_t count : {2u, 3u}) {
    double largest = 0, sum = 0;
    std::size_t truths = 0;
    for (std::uint64_t i = 1; i <= count; ++i) {
      const auto shard = cases_of_shard(cases, {i, count}, costs);
      const double own = total_cost(shard, costs);
      largest = std::max(largest, own);
      sum += own;
      std::set<ProblemKey> keys;
      for (const Case& where : shard) keys.insert(problem_key(where));
      truths += keys.size();
    }
    EXPECT_LE(largest, 1.1 * sum / static_cast<double>(count)) << count;
    EXPECT_EQ(truths, 20u) << "a truth is made twice where no group had to be cut";
  }
}

TEST(Shard, KeepsSharedTablesTogetherWhereTheyCostMoreThanTruths) {
  const std::vector<Case> cases = grid({8, 64, 1000, 4096}, 40);
  const RunCosts costs{cost, [](const Case&) { return 1.0; }, [](const Case&) { return 20.0; }};
  std::map<PlanKey, std::set<std::uint64_t>> where_from;
  double largest = 0, sum = 0;
  for (std::uint64_t i = 1; i <= 4; ++i) {
    const auto shard = cases_of_shard(cases, {i, 4}, costs);
    for (const Case& where : shard) where_from[tables_key(where)].insert(i);
    largest = std::max(largest, total_cost(shard, costs));
    sum += total_cost(shard, costs);
  }
  // What costs more than a quarter of a shard is cut: all of length 4096, and ozaki at 1000.
  for (const auto& [key, parts] : where_from) {
    const std::size_t n = std::get<std::tuple_size_v<PlanKey> - 2>(key);
    EXPECT_EQ(parts.size() > 1, n == 4096 || (n == 1000 && std::get<2>(key) == "ozaki"))
        << std::get<2>(key) << n;
  }
  EXPECT_LE(largest, 1.1 * sum / 4);
}

TEST(Shard, OfBuiltInSweepsCostAboutTheSameWithAllTheyShare) {
  const RunCosts costs = estimated_costs();
  // Together they cost more than one process: what a cut has parted is made in every part. Of
  // smoke, which takes less than a second, most is shared.
  for (const auto& [name, together] :
       {std::pair{"smoke", 1.2}, {"paper", 1.1}, {"full", 1.1}, {"scaling", 1.1}}) {
    const auto cases = cases_of(parse_sweep(builtin_sweep(name).toml, name, check_names));
    double largest = 0, sum = 0;
    for (std::uint64_t i = 1; i <= 4; ++i) {
      const double own = total_cost(cases_of_shard(cases, {i, 4}, costs), costs);
      largest = std::max(largest, own);
      sum += own;
    }
    EXPECT_LE(largest, 1.05 * sum / 4) << name;
    EXPECT_LE(sum, together * total_cost(cases, costs)) << name;
  }
}

TEST(Shard, DoesNotDependOnTheOrderOfCalls) {
  const std::vector<Case> cases = grid({8, 64, 1000}, 5);
  const auto forth = shards(cases, 3);

  for (std::uint64_t i = 3; i >= 1; --i)
    EXPECT_EQ(cases_of_shard(cases, {i, 3}, {.of_case = cost}), forth[i - 1]);
}

}  // namespace
}  // namespace fftprec
