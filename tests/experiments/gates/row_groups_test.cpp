/// Groups of rows against groups by the text of their axes.
#include "experiments/gates/row_groups.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "experiments/cases/filter.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::gates {
namespace {

/// The values of a group, by part.
using Pools = std::vector<std::vector<double>>;

struct Group {
  SharedCase first;
  std::size_t size;
  Pools pools;

  friend bool operator==(const Group&, const Group&) = default;
};

std::vector<Group> by_cursor(const std::vector<Row>& rows, const std::vector<std::string>& left_out,
                             const std::vector<std::string>& pooled) {
  RowGroups<double> collected(left_out, pooled);
  for (const Row& row : rows) collected.add(row.where, *row.err_l2_rel);
  std::vector<Group> groups;
  for (auto group = collected.groups(); !group.at_end(); group.advance()) {
    Group& found = groups.emplace_back(Group{group.first(), group.size(), {}});
    for (const auto& pool : group.parts()) found.pools.push_back(pool.values);
    EXPECT_EQ(group.has_several_parts(), found.pools.size() > 1);
    std::vector<double> all;
    for (const auto& pool : found.pools) all.insert(all.end(), pool.begin(), pool.end());
    EXPECT_EQ(group.values(), all);
  }
  std::ranges::sort(groups, {}, &Group::first);
  return groups;
}

/// Rows must be sorted, so that parts come in the order of their first rows.
std::vector<Group> by_text(const std::vector<Row>& rows, const std::vector<std::string>& left_out,
                           const std::vector<std::string>& pooled) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> group_of;
  std::map<std::string, std::size_t> pool_of;
  for (const Row& row : rows) {
    const auto [group, is_new] = group_of.try_emplace(group_key(row, left_out), groups.size());
    if (is_new) groups.push_back({row.where, 0, {}});
    Group& found = groups[group->second];
    const auto [pool, is_first] = pool_of.try_emplace(group_key(row, pooled), found.pools.size());
    if (is_first) found.pools.emplace_back();
    found.pools[pool->second].push_back(*row.err_l2_rel);
    ++found.size;
  }
  std::ranges::sort(groups, {}, &Group::first);
  return groups;
}

/// Sorted rows of two modes, several n and inputs, and seeds with gaps.
std::vector<Row> some_rows() {
  std::mt19937 draw(1);
  std::vector<Row> rows;
  for (const char* mode : {"bf16", "fp32"})
    for (const std::uint64_t n : {8u, 64u, 128u})
      for (const char* input : {"gaussian", "uniform"})
        for (std::uint64_t seed = 1; seed <= 12; ++seed)
          if (draw() % 3 != 0)
            rows.push_back(made_up({.mode = mode,
                                    .n = n,
                                    .input = input,
                                    .seed = seed,
                                    .error = static_cast<double>(rows.size())}));
  std::ranges::sort(rows, {}, &Row::where);
  return rows;
}

TEST(RowGroups, AreThoseOfEqualAxesBesideTheOnesLeftOut) {
  using Names = std::vector<std::string>;
  struct Try {
    Names left_out;
    Names pooled;
  };
  for (const Try& each : {Try{{}, {}},
                          {{"mode"}, {}},
                          {{"mode", "seed"}, {"seed"}},
                          {{"mode", "seed"}, {}},
                          {{"n", "seed"}, {"seed"}},
                          {{"n"}, {}},
                          {{"input", "n"}, {"input"}},
                          {{"mode", "n", "input", "seed"}, {"input", "seed"}}}) {
    EXPECT_EQ(by_cursor(some_rows(), each.left_out, each.pooled),
              by_text(some_rows(), each.left_out, each.pooled))
        << ::testing::PrintToString(each.left_out) << ::testing::PrintToString(each.pooled);
  }
}

TEST(RowGroups, DoNotDependOnTheOrderOfRows) {
  std::vector<Row> rows = some_rows();
  const std::vector<Group> sorted = by_cursor(rows, {"mode"}, {});
  std::ranges::shuffle(rows, std::mt19937(2));

  EXPECT_EQ(by_cursor(rows, {"mode"}, {}), sorted);
}

TEST(RowGroups, OfNoRowsAreNone) {
  const RowGroups<double> none({"mode"}, {});

  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(none.groups().at_end());
}

}  // namespace
}  // namespace fftprec::gates
