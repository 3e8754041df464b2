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
  list.add(axes_of({"mode=bf16,fp32", "n=8,16", "batch=1,2", "seed=2..4"}), {},
           {parse_filter("seed=3 and batch=1")});
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
  list.add(axes_of({"n=8,16"}), parse_filter("n>16"));
  EXPECT_TRUE(list.walk(CaseOrder::problems).at_end());
  EXPECT_EQ(list.places(), 2u);
}

TEST(CaseList, AsksItsFiltersForEveryValueThatTheyRead) {
  for (const std::string filter :
       {"n=8", "seed>2", "batch=2", "seed=2 and batch=1", "mode=bf16", "n=16 and seed!=3"}) {
    CaseList all, left, others;
    const Axes axes = axes_of({"mode=fp32,bf16", "n=8,16", "batch=1,2", "seed=1..4"});
    all.add(axes);
    left.add(axes, parse_filter(filter));
    others.add(axes, {}, {parse_filter(filter)});
    std::vector<Case> matching, rest;
    for (const Case& where : all.all())
      (matches(parse_filter(filter), Row{.where = where}) ? matching : rest).push_back(where);

    EXPECT_EQ(left.all(), matching) << filter;
    EXPECT_EQ(others.all(), rest) << filter;
  }
}

TEST(CaseList, HasCommonSeedsIfNoBlockOrFilterHasOthers) {
  CaseList list;
  EXPECT_TRUE(list.common_seeds().empty());
  list.add(axes_of({"n=8,16", "seed=5,3..4"}), parse_filter("n>8"));
  EXPECT_THAT(list.common_seeds(), ElementsAre(3, 4, 5));
  list.add(axes_of({"n=32", "seed=3..5"}));
  EXPECT_THAT(list.common_seeds(), ElementsAre(3, 4, 5));

  for (const std::string filter : {"seed>2", "case_id!=x0000000000000000"}) {
    CaseList filtered = list;
    filtered.add(axes_of({"seed=3..5"}), {}, {parse_filter(filter)});
    EXPECT_TRUE(filtered.common_seeds().empty()) << filter;
  }
  list.add(axes_of({"n=32", "seed=3..6"}));
  EXPECT_TRUE(list.common_seeds().empty());
}

TEST(CaseList, OfSomeSeedsHoldsItsOtherCasesAsTheyWere) {
  CaseList list;
  list.add(axes_of({"mode=fp32,bf16", "n=8,16", "seed=1..9..2"}), parse_filter("mode=fp32"));
  list.add(axes_of({"n=16,32", "seed=1..9..2"}));
  const CaseList some = list.of_seeds(1, 2);

  std::vector<Case> wanted = list.all();
  std::erase_if(wanted, [](const Case& where) { return where.seed != 3 && where.seed != 5; });
  EXPECT_EQ(some.all(), wanted);
  EXPECT_EQ(some.places(), (4u + 2u) * 2);
  std::set<std::uint64_t> places;
  for (auto at = some.walk(CaseOrder::problems); !at.at_end(); at.advance())
    places.insert(at.place());
  EXPECT_LT(*places.rbegin(), some.places());
  EXPECT_EQ(places.size(), wanted.size());
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
