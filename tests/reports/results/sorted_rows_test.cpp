#include "reports/results/sorted_rows.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "experiments/support/hash.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/run_directory.hpp"

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
