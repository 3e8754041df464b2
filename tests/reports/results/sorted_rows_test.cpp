#include "reports/results/sorted_rows.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <thread>

#include "experiments/cases/seed_reduction.hpp"
#include "experiments/support/hash.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/run_directory.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::results {
namespace {

/// Rows of cases that differ in each axis, in an order that is neither theirs nor its reverse.
std::vector<Row> rows() {
  std::vector<Row> all;
  for (const std::uint64_t seed : {3u, 256u, 1u, 70000u})
    for (const char* mode : {"fp32", "bf16", "bf16x", "ozaki{a=1}"})
      for (const std::uint64_t n : {64u, 8u, 1024u})
        for (const char* points : {"op", "pass"})
          for (const char* input : {"gaussian", "gauss", "tone:k=1"}) {
            Row row;
            row.where = Case{.mode = mode,
                             .n = n,
                             .batch = seed % 3 + 1,
                             .input = input,
                             .seed = seed,
                             .rounding_points = points};
            row.err_l2_rel = 1.0 / static_cast<double>(all.size() + 1);
            if (all.size() % 7 == 0) row.status = Status::failed;
            if (all.size() % 3 == 0) row.truth_tier = truth::Tier::double_double;
            row.message = row.status == Status::failed ? "a, \"b\"" : "";
            all.push_back(row);
          }
  return all;
}

SortedRows sorted(const std::vector<Row>& all, std::size_t room) {
  SortedRows sorted({}, room);
  for (const Row& row : all) sorted.add(row, to_csv(row));
  return sorted;
}

TEST(SortedRows, KeysOrderAsCasesDo) {
  const std::vector<Row> all = rows();
  for (const Row& a : all)
    for (const Row& b : all)
      ASSERT_EQ(sort_key(a.where) <=> sort_key(b.where), a.where <=> b.where)
          << to_csv(a) << to_csv(b);
}

/// In memory, in parts of one row, of several rows, and with a last part in memory.
TEST(SortedRows, GiveRowsInOrderHoweverFewFitIntoMemory) {
  const std::vector<Row> all = rows();
  std::map<SharedCase, Row> expected;
  for (const Row& row : all) expected.emplace(row.where, row);
  const std::string text = csv_text(expected);
  for (const std::size_t room : {1000u, 1u, 7u, 100u}) {
    SortedRows in_order = sorted(all, room);
    std::string read = csv_header();
    in_order.each_row([&read](const Row& row) { read += to_csv(row); });
    EXPECT_EQ(read, text) << room;

    std::string written;
    const std::string hash =
        write_csv(in_order, [&written](std::string_view piece) { written += piece; });
    EXPECT_EQ(written, text) << room;
    EXPECT_EQ(hash, text_hash(text)) << room;

    auto next = expected.begin();
    in_order.each([&](const SortedRows::Entry& entry) {
      EXPECT_EQ(entry.status(), next->second.status);
      EXPECT_EQ(entry.tier(), next->second.truth_tier);
      EXPECT_EQ(to_csv(entry.row()), to_csv(next->second));
      ++next;
    });
  }
}

TEST(SortedRows, KeepTheLastOfSeveralRowsOfACase) {
  std::vector<Row> all = rows();
  const std::vector<Row> first = all;
  for (std::size_t i = 0; i < all.size(); i += 2) {
    all[i].err_linf_rel = 0.25;
    all[i].status = Status::ok;
    all[i].message = "";
  }
  std::vector<Row> both = first;
  for (std::size_t i = 0; i < all.size(); i += 2) both.push_back(all[i]);
  std::map<SharedCase, Row> expected;
  for (const Row& row : all) expected.emplace(row.where, row);
  for (const std::size_t room : {1000u, 1u, 50u}) {
    SortedRows in_order = sorted(both, room);
    std::string read = csv_header();
    in_order.each_row([&read](const Row& row) { read += to_csv(row); });
    EXPECT_EQ(read, csv_text(expected)) << room;
  }
}

const std::vector<const Column*> reduced_metrics = summarised_metrics({"err_l2_rel"});

/// Of rows() with these seeds, or with the seeds from 1 on.
std::vector<Row> reduced(const std::vector<Row>& all) {
  std::map<SharedCase, SeedReduction> cases;
  for (const Row& row : all) {
    SharedCase where = row.where;
    where.set(&Case::seed, 0);
    cases.try_emplace(where, reduced_metrics).first->second.add(row);
  }
  std::vector<Row> rows;
  for (const auto& [where, reduction] : cases) rows.push_back(reduction.row());
  return rows;
}

SortedRows sorted_reduced(const std::vector<Row>& all, std::size_t room) {
  SortedRows sorted({}, reduced_metrics, room);
  for (const Row& row : all) sorted.add(row, to_csv(row, SeedColumns::least));
  return sorted;
}

TEST(SortedRows, JoinStatisticsOverSeeds) {
  std::vector<Row> all = rows();
  for (Row& row : all) row.where.set(&Case::batch, 1);
  const std::string text = csv_text(reduced(all));
  std::mt19937 draw(1);
  for (const std::size_t room : {1000u, 1u, 7u, 50u}) {
    std::ranges::shuffle(all, draw);
    std::vector<std::vector<Row>> parts(5);
    for (const Row& row : all) parts[draw() % parts.size()].push_back(row);
    std::vector<Row> partial;
    for (const std::vector<Row>& part : parts)
      std::ranges::copy(reduced(part), std::back_inserter(partial));
    SortedRows in_order = sorted_reduced(partial, room);

    std::vector<Row> read;
    in_order.each_row([&read](const Row& row) { read.push_back(row); });
    EXPECT_EQ(csv_text(read), text) << room;
    std::string written;
    write_csv(in_order, [&written](std::string_view piece) { written += piece; });
    EXPECT_EQ(written, text) << room;
    const RowCounts counts = counts_of(in_order), expected = counts_of(parse_csv(text, "text"));
    EXPECT_EQ(counts.rows, expected.rows);
    EXPECT_EQ(counts.by_status, expected.by_status);
    EXPECT_EQ(counts.by_tier, expected.by_tier);
  }
}

/// A row over the seeds first .. last.
Row over(std::uint64_t first, std::uint64_t last, Status status = Status::ok) {
  SeedReduction reduction(reduced_metrics);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Row row{.where = Case{.seed = seed}};
    row.err_l2_rel = static_cast<double>(seed);
    row.status = status;
    reduction.add(row);
  }
  return reduction.row();
}

TEST(SortedRows, TakeEachSeedOfStatisticsOnce) {
  struct Added {
    std::vector<Row> rows;
    std::string seeds;
  };
  const std::vector<Added> all = {
      {{over(1, 3), over(7, 9), over(4, 6)}, "1..9"},
      {{over(1, 9), over(4, 6), over(10, 10)}, "1..10"},  // results.csv, then its journal
      {{over(1, 9, Status::failed), over(4, 5), over(1, 2)}, "1..2,4..5"},  // failed rows again
      {{over(1, 3), over(4, 9, Status::failed), over(2, 3), over(5, 6)}, "2..3,5..6"},
      {{over(1, 3), over(4, 4, Status::failed)}, "1..4"}};
  for (const Added& added : all)
    for (const std::size_t room : {1u, 2u, 100u}) {
      SortedRows in_order = sorted_reduced(added.rows, room);
      std::vector<Row> read;
      in_order.each_row([&read](const Row& row) { read.push_back(row); });
      ASSERT_EQ(read.size(), 1u);
      EXPECT_EQ(read[0].over_seeds->seeds.to_text(), added.seeds) << room;
    }
  SortedRows overlapping = sorted_reduced({over(1, 5), over(4, 6)}, 1);
  EXPECT_THAT(testing::error_text([&] { overlapping.each([](const auto&) {}); }),
              testing::holds("count a case twice: ", "seed=4"));
}

TEST(SortedRows, TakeFurtherRowsAfterAVisit) {
  const std::vector<Row> all = rows();
  SortedRows in_order({}, 10);
  std::size_t visited = 0;
  for (const Row& row : all) {
    in_order.add(row, to_csv(row));
    visited = 0;
    in_order.each([&visited](const SortedRows::Entry&) { ++visited; });
  }
  EXPECT_EQ(visited, all.size());
}

TEST(SortedRows, TakeRowsOfSeveralThreads) {
  const std::vector<Row> all = rows();
  std::map<SharedCase, Row> expected;
  for (const Row& row : all) expected.emplace(row.where, row);
  SortedRows in_order({}, 5);
  {
    std::vector<std::jthread> threads;
    for (std::size_t first = 0; first < 4; ++first)
      threads.emplace_back([&, first] {
        for (std::size_t i = first; i < all.size(); i += 4) in_order.add(with_lines({all[i]}));
      });
  }
  std::string read = csv_header();
  in_order.each_row([&read](const Row& row) { read += to_csv(row); });
  EXPECT_EQ(read, csv_text(expected));
}

TEST(SortedRows, SayWhereTheyCannotBeWritten) {
  SortedRows nowhere("/nowhere", 2);
  const Row row = rows().front();
  nowhere.add(row, to_csv(row));
  EXPECT_THROW(nowhere.add(row, to_csv(row)), InputError);
  std::size_t visited = 0;
  nowhere.each([&visited](const SortedRows::Entry&) { ++visited; });
  EXPECT_EQ(visited, 1u) << "the rows are kept";
}

}  // namespace
}  // namespace fftprec::results
