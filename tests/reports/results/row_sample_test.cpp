#include "reports/results/row_sample.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "experiments/cases/columns.hpp"
#include "experiments/support/statistics.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/many_rows.hpp"

namespace fftprec::results {
namespace {

using testing::holds;

/// Rows of one case for each of `groups` lengths and `seeds` seeds.
std::vector<Row> rows_of(std::uint64_t groups, std::uint64_t seeds) {
  std::vector<Row> rows;
  for (std::uint64_t n = 1; n <= groups; ++n)
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      Row row;
      row.where = Case{.n = n, .seed = seed};
      row.err_l2_rel = static_cast<double>(n) + testing::uniform_of(n * 1000003 + seed);
      row.bound_l2_rel = 2000 * testing::uniform_of(n + 77 * seed);
      rows.push_back(row);
    }
  return rows;
}

std::vector<Row> sampled(const std::vector<Row>& rows, std::size_t most, std::string& note) {
  RowSample sample(most);
  for (const Row& row : rows) sample.add(row);
  note = sample.note();
  return sample.take();
}

std::vector<double> errors(const std::vector<Row>& rows, std::uint64_t n) {
  std::vector<double> values;
  for (const Row& row : rows)
    if (row.where.n() == n) values.push_back(*row.err_l2_rel);
  std::ranges::sort(values);
  return values;
}

TEST(RowSample, OfASmallRunIsTheRun) {
  const std::vector<Row> rows = testing::many_rows(500);
  std::string note;
  const std::vector<Row> kept = sampled(rows, 500, note);

  ASSERT_EQ(kept.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Column& column : columns()) EXPECT_EQ(column.text(kept[i]), column.text(rows[i]));
  EXPECT_EQ(note, "");
}

TEST(RowSample, KeepsEndsMediansAndQuantilesOfEveryCase) {
  const std::vector<Row> rows = rows_of(8, 5001);
  std::string note;
  const std::vector<Row> kept = sampled(rows, 4000, note);

  EXPECT_LE(kept.size(), 4001u);
  EXPECT_GE(kept.size(), 1000u);
  EXPECT_THAT(note, holds("40008 rows (40008 ok, 0 skipped, 0 failed)",
                          "of the rows that differ in seed alone at most "));
  EXPECT_TRUE(std::ranges::is_sorted(kept, {}, &Row::where));
  for (std::uint64_t n = 1; n <= 8; ++n) {
    const std::vector<double> all = errors(rows, n);
    const std::vector<double> some = errors(kept, n);
    EXPECT_EQ(some.front(), all.front()) << n;
    EXPECT_EQ(some.back(), all.back()) << n;
    for (const double share : {0.1, 0.5, 0.9}) {
      const auto at = [share](const std::vector<double>& values) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
      };
      EXPECT_NEAR(at(some), at(all), 0.02) << n << " " << share;
    }
  }
}

TEST(RowSample, KeepsTheRowNearestToItsBound) {
  const std::vector<Row> rows = rows_of(8, 1000);
  const auto ratio = [](const Row& row) { return ratio_of(*row.err_l2_rel, *row.bound_l2_rel); };
  const Row& worst = *std::ranges::max_element(rows, {}, ratio);
  std::string note;
  const std::vector<Row> kept = sampled(rows, 100, note);

  EXPECT_EQ(std::ranges::count(kept, worst.where, &Row::where), 1);
}

TEST(RowSample, TakesMoreTogetherWhereSeedsAloneAreTooFew) {
  std::string note;
  const std::vector<Row> kept = sampled(rows_of(5000, 2), 1000, note);

  EXPECT_LE(kept.size(), 1001u);
  EXPECT_GE(kept.size(), 250u);
  EXPECT_THAT(note, holds("of the rows that differ in n and seed alone"));
}

TEST(RowSample, CountsRowsThatWereNotMeasured) {
  std::vector<Row> rows = rows_of(2, 1000);
  for (std::size_t i = 0; i < rows.size(); i += 2)
    rows[i] = Row{.where = rows[i].where, .status = Status::failed, .message = "no"};
  std::string note;
  const std::vector<Row> kept = sampled(rows, 200, note);

  EXPECT_THAT(note, holds("(1000 ok, 0 skipped, 1000 failed)"));
  EXPECT_GE(std::ranges::count(kept, Status::failed, &Row::status), 6);
  EXPECT_GE(std::ranges::count(kept, Status::ok, &Row::status), 6);
}

}  // namespace
}  // namespace fftprec::results
