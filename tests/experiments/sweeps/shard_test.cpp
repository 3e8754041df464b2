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
  for (const char* mode : {"bf16", "fp32", "ozaki"})
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

/// The plans of the grid, in the order of its cases.
std::vector<CasePlan> plans(const std::vector<std::uint64_t>& lengths, std::uint64_t seeds) {
  return Session().plan(grid(lengths, seeds));
}

std::vector<Case> cases_in(const std::vector<CasePlan>& shard) {
  std::vector<Case> cases;
  for (const CasePlan& plan : shard) cases.push_back(plan.where());
  return cases;
}

std::vector<std::vector<CasePlan>> shards(const std::vector<CasePlan>& all, std::uint64_t count) {
  std::vector<std::vector<CasePlan>> parts;
  for (std::uint64_t i = 1; i <= count; ++i) parts.push_back(plans_of_shard(all, {i, count}));
  return parts;
}

TEST(Shard, ReadsAndWritesItsName) {
  EXPECT_EQ(parse_shard("2/4"), (Shard{2, 4}));
  EXPECT_EQ(text_of(Shard{2, 4}), "2/4");
  for (const char* text :
       {"", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "1/", "/4", "a/b", "1 /4", "1/100001"})
    EXPECT_THAT(error_text([&] { parse_shard(text); }), holds("is no shard; expected I/N")) << text;
}

TEST(Shard, EveryCaseIsInExactlyOne) {
  const auto all = plans({8, 64, 1024, 4096}, 7);
  for (const std::uint64_t count : {1u, 2u, 3u, 4u, 7u, 84u, 200u}) {
    std::vector<Case> together;
    for (const auto& shard : shards(all, count)) {
      const std::vector<Case> cases = cases_in(shard);
      EXPECT_TRUE(std::is_sorted(cases.begin(), cases.end()));
      together.insert(together.end(), cases.begin(), cases.end());
    }
    std::sort(together.begin(), together.end());
    EXPECT_EQ(together, cases_in(all)) << count;
  }
}

TEST(Shard, KeepsASharedTruthTogether) {
  std::map<ProblemView, std::set<std::size_t>> where_from;
  const auto all = shards(plans({8, 64, 1024, 4096}, 40), 4);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const CasePlan& plan : all[i]) where_from[problem_view(plan)].insert(i);

  for (const auto& [problem, parts] : where_from) EXPECT_EQ(parts.size(), 1u);
}

TEST(Shard, CostsAboutTheSameAsEveryOther) {
  const auto all = plans({8, 64, 1024, 4096}, 40);
  for (const std::uint64_t count : {2u, 3u, 4u, 5u}) {
    double largest = 0, sum = 0;
    for (const auto& shard : shards(all, count)) {
      largest = std::max(largest, total_cost(shard));
      sum += total_cost(shard);
    }
    EXPECT_LE(largest, 1.05 * sum / static_cast<double>(count)) << count;
  }
}

TEST(Shard, CutsAGroupThatCostsMoreThanAShardShould) {
  const auto all = shards(plans({1 << 20}, 1), 2);

  EXPECT_EQ(all[0].size() + all[1].size(), 3u);
  EXPECT_EQ(std::min(all[0].size(), all[1].size()), 1u);
}

TEST(Shard, OfBuiltInSweepsCostAboutTheSameWithAllTheyShare) {
  Session session;
  // Together they cost more than one process: what a cut has parted is made in every part. Of
  // smoke, which takes less than a second, most is shared.
  for (const auto& [name, together] :
       {std::pair{"smoke", 1.2}, {"paper", 1.1}, {"full", 1.1}, {"scaling", 1.1}}) {
    const std::vector<CasePlan> all =
        session.plan(cases_of(parse_sweep(builtin_sweep(name).toml, name, check_names)));
    double largest = 0, sum = 0;
    for (std::uint64_t i = 1; i <= 4; ++i) {
      const double own = total_cost(plans_of_shard(all, {i, 4}));
      largest = std::max(largest, own);
      sum += own;
    }
    EXPECT_LE(largest, 1.05 * sum / 4) << name;
    EXPECT_LE(sum, together * total_cost(all)) << name;
  }
}

/// More cases than a batch: many problems of little cost, and one that costs as much as a shard.
CaseList long_list() {
  const auto values = [](std::uint64_t count) {
    std::vector<std::string> numbers;
    for (std::uint64_t i = 1; i <= count; ++i) numbers.push_back(std::to_string(i));
    return numbers;
  };
  Axes many, few;
  many.values[axis_index("mode")] = {"bf16", "fp32", "ozaki"};
  many.values[axis_index("n")] = {"8", "64"};
  many.values[axis_index("seed")] = values(6000);
  few.values[axis_index("mode")] = {"bf16", "fp32", "ozaki", "kahan", "fp64"};
  few.values[axis_index("algorithm")] = {"radix2-dit", "radix2-dif", "stockham-r2", "recursive"};
  few.values[axis_index("n")] = {"262144"};
  CaseList list;
  list.add(many);
  list.add(few);
  return list;
}

TEST(ShardOfALongList, EveryCaseIsInExactlyOneAndAllCostAboutTheSame) {
  const CaseList list = long_list();
  Session session;
  const double whole = PlanStream(list, {}, session).workload().cost_ns;
  for (const std::uint64_t count : {2u, 5u}) {
    std::vector<int> times(list.places());
    double largest = 0, sum = 0;
    for (std::uint64_t i = 1; i <= count; ++i) {
      const CaseSet own = cases_of_shard(list, {i, count}, session).wanted;
      for (std::size_t place = 0; place < own.size(); ++place) times[place] += own[place];
      const double cost = PlanStream(list, own, session).workload().cost_ns;
      largest = std::max(largest, cost);
      sum += cost;
    }
    for (auto at = list.walk(CaseOrder::results); !at.at_end(); at.advance())
      ASSERT_EQ(times[at.place()], 1) << command_of(at.where());
    EXPECT_LE(largest, 1.05 * sum / static_cast<double>(count)) << count;
    EXPECT_LE(sum, 1.2 * whole) << count;
  }
}

TEST(ShardOfALongList, OfAShortListIsThatOfItsPlans) {
  CaseList list;
  Axes axes;
  axes.values[axis_index("mode")] = {"bf16", "fp32"};
  axes.values[axis_index("n")] = {"8", "64", "1024"};
  list.add(axes);
  Session session;
  std::vector<Case> own;
  const CaseSet wanted = cases_of_shard(list, {2, 2}, session).wanted;
  for (auto at = list.walk(CaseOrder::results); !at.at_end(); at.advance())
    if (wanted[at.place()]) own.push_back(at.where());

  EXPECT_EQ(own, cases_in(plans_of_shard(session.plan(list.all()), {2, 2})));
}

/// Cases of very different cost, each with the same 6000 seeds.
CaseList many_seeds() {
  Sweep sweep = parse_sweep(R"(
name = "seeds"
[axes]
mode = ["bf16", "fp32", "ozaki"]
seed = { range = [1, 6000] }
[[sweep]]
n = [8, 64]
[[sweep]]
n = [64, 4096]
algorithm = "dft-gemm"
[[exclude]]
where = "mode=ozaki and n=8"
)",
                            "seeds", check_names);
  return case_list(sweep);
}

TEST(ShardOfALongList, IsARangeOfSeedsIfEveryCaseHasTheSame) {
  const CaseList list = many_seeds();
  Session session;
  for (const std::uint64_t count : {2u, 7u, 93u}) {
    std::vector<Case> together;
    double largest = 0, sum = 0;
    for (std::uint64_t i = 1; i <= count; ++i) {
      const CasesOfShard own = cases_of_shard(list, {i, count}, session);
      EXPECT_TRUE(own.wanted.empty());
      EXPECT_EQ(own.cases.places() % own.cases.common_seeds().size(), 0u);
      const std::vector<Case> cases = own.cases.all();
      together.insert(together.end(), cases.begin(), cases.end());
      const double cost = PlanStream(own.cases, {}, session).workload().cost_ns;
      largest = std::max(largest, cost);
      sum += cost;
    }
    std::ranges::sort(together);
    EXPECT_EQ(together, list.all()) << count;
    EXPECT_LE(largest, 1.05 * sum / static_cast<double>(count)) << count;
  }
}

TEST(ShardOfALongList, IsNoRangeOfTooFewSeeds) {
  const CaseList list = many_seeds();
  Session session;
  const CasesOfShard own = cases_of_shard(list, {94, 94}, session);

  EXPECT_EQ(own.wanted.size(), list.places());
}

}  // namespace
}  // namespace fftprec
