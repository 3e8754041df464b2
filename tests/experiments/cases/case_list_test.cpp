#include "experiments/cases/case_list.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "experiments/cases/filter.hpp"
#include "tests/experiments/cases/few_names.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;

Axes axes_of(const std::vector<std::string>& assignments) {
  Axes axes;
  for (const std::string& assignment : assignments)
    set_axis(axes, assignment, testing::known_names_only);
  return axes;
}

struct Walked {
  std::vector<Case> cases{};
  std::vector<std::uint64_t> places{};
};

Walked walked(const CaseList& list, CaseOrder order) {
  Walked all;
  for (auto at = list.walk(order); !at.at_end(); at.advance()) {
    all.cases.push_back(at.where());
    all.places.push_back(at.place());
  }
  return all;
}

/// Two blocks that share cases, one with a filter, with names after the seed in the order.
CaseList two_blocks() {
  CaseList list;
  list.add(axes_of({"mode=ozaki,bf16", "n=64,8", "seed=3,1,2", "rounding_points=pass,op"}));
  list.add(axes_of({"mode=bf16,fp32", "n=8,16", "batch=1,2", "seed=2..4"}),
           [](const SharedCase& where) { return where.seed() != 3 || where.batch() == 2; });
  return list;
}

TEST(CaseList, WalksInTheOrderOfResultsWithEachCaseOnce) {
  const Walked all = walked(two_blocks(), CaseOrder::results);

  EXPECT_TRUE(std::ranges::is_sorted(all.cases, std::ranges::less_equal())) << "none repeats";
  // 24 and 16, less (bf16, n = 8, batch 1, seed 2) of both.
  EXPECT_EQ(all.cases.size(), 24u + 20u - 1u);
  EXPECT_EQ(two_blocks().all(), all.cases);
}

TEST(CaseList, WalksByProblemsWithTheSameCasesAndPlaces) {
  const CaseList list = two_blocks();
  const Walked by_results = walked(list, CaseOrder::results);
  const Walked by_problems = walked(list, CaseOrder::problems);

  std::set<std::pair<Case, std::uint64_t>> sets[2];
  for (std::size_t i = 0; i < by_results.cases.size(); ++i) {
    sets[0].emplace(by_results.cases[i], by_results.places[i]);
    sets[1].emplace(by_problems.cases[i], by_problems.places[i]);
  }
  EXPECT_EQ(by_results.cases.size(), by_problems.cases.size());
  EXPECT_EQ(sets[0], sets[1]);
  const std::set<std::uint64_t> places(by_problems.places.begin(), by_problems.places.end());
  EXPECT_EQ(places.size(), by_problems.places.size()) << "a place is one case's own";
  EXPECT_LT(*places.rbegin(), list.places());
  EXPECT_TRUE(std::ranges::is_sorted(by_problems.cases, {}, [](const Case& where) {
    return std::tuple(where.transform, where.n, where.batch, where.input, where.seed);
  }));
}

TEST(CaseList, OneBlockHasItsPlacesInTheOrderOfResults) {
  CaseList list;
  list.add(axes_of({"mode=fp32,bf16", "n=8,16", "seed=1..3"}));

  EXPECT_THAT(walked(list, CaseOrder::results).places,
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(CaseList, SharesNamesAmongCasesThatDifferInBatchAndSeed) {
  CaseList list;
  list.add(axes_of({"mode=fp32,bf16", "batch=1,2", "seed=1..3"}));
  std::set<const void*> names;
  for (auto at = list.walk(CaseOrder::problems); !at.at_end(); at.advance())
    names.insert(at.where().names_key());

  EXPECT_EQ(names.size(), 2u);
}

TEST(CaseList, MayBeEmpty) {
  CaseList list;
  EXPECT_TRUE(list.walk(CaseOrder::results).at_end());
  list.add(axes_of({"n=8,16"}), [](const SharedCase&) { return false; });
  EXPECT_TRUE(list.walk(CaseOrder::problems).at_end());
  EXPECT_EQ(list.places(), 2u);
}

TEST(CaseList, RefusesMorePlacesThanItCanCountInAllBlocks) {
  const Axes half = axes_of({"seed=1..32768", "n=1..16384"});
  CaseList list;
  list.add(half);
  list.add(half);
  EXPECT_EQ(list.places(), most_places);
  EXPECT_THAT(testing::error_text([&] { list.add({}); }),
              testing::holds("more than 1073741824 cases; split them into several runs"));
}

}  // namespace
}  // namespace fftprec
