#include "reports/results/run_directory.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "arith/support/error.hpp"
#include "experiments/support/hash.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/run_reader.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/first_columns.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::results {
namespace {

using testing::error_text;
using testing::holds;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::write_text;

Row row_of(std::uint64_t n, Status status = Status::ok) {
  Row row;
  row.where.set(&Case::n, n);
  row.status = status;
  row.time_ns = n;
  row.err_l2_rel = 0.5;
  return row;
}

/// Cases of these lengths.
CaseList cases(const std::vector<std::uint64_t>& lengths) {
  Axes axes;
  for (const std::uint64_t n : lengths) axes.values[axis_index("n")].push_back(std::to_string(n));
  CaseList all;
  all.add(axes);
  return all;
}

void write_manifest(const std::filesystem::path& path, const std::string& results_hash = {}) {
  Manifest manifest;
  manifest.environment = environment();
  manifest.results_hash = results_hash;
  write_text(path, manifest_json(manifest));
}

/// A run of cases of some lengths.
struct OpenRun {
  OpenRun(const std::filesystem::path& directory, std::vector<std::uint64_t> wanted, Rerun rerun)
      : lengths(std::move(wanted)), rows(directory, list, {}, lengths.size(), rerun) {}

  /// Those lengths whose case has no finished row.
  std::vector<std::uint64_t> missing() const {
    std::vector<std::uint64_t> left;
    for (auto at = list.walk(CaseOrder::results); !at.at_end(); at.advance())
      if (!rows.finished()[at.place()]) left.push_back(at.where().n());
    return left;
  }

  void finish() {
    rows.finish([this](const std::string& hash) { write_manifest(rows.manifest_path(), hash); });
  }

  std::vector<std::uint64_t> lengths;
  CaseList list = cases(lengths);
  RunDirectory rows;
};

Row first_of(SortedRows& rows) {
  std::vector<Row> all;
  rows.each_row([&all](const Row& row) { all.push_back(row); });
  return all.at(0);
}

class RunDirectoryTest : public ::testing::Test {
 protected:
  OpenRun open(const std::vector<std::uint64_t>& wanted, Rerun rerun = Rerun::none) {
    return {directory_ / "run", wanted, rerun};
  }

  std::filesystem::path file(const std::string& name) { return directory_ / "run" / name; }

  /// Runs 1 and 2 of the cases 1, 2, 3, as an interrupted run leaves them.
  void interrupted_run() {
    OpenRun run = open({1, 2, 3});
    write_manifest(run.rows.manifest_path());
    run.rows.append(row_of(2));
    run.rows.append(row_of(1));
  }

  TemporaryDirectory directory_;
};

TEST_F(RunDirectoryTest, BeginsEmptyWithEverythingMissing) {
  const OpenRun run = open({1, 2});

  EXPECT_EQ(run.missing(), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_FALSE(run.rows.complete());
}

TEST_F(RunDirectoryTest, KeepsEachRowBeforeTheNext) {
  OpenRun run = open({1, 2});
  run.rows.append(row_of(2));

  const std::string journal = text_of(file("results.csv.part"));
  std::string row = to_csv(row_of(2));
  row.pop_back();
  EXPECT_THAT(journal, holds(",line_hash\n" + row + "," + text_hash(row) + "\n"));
}

TEST_F(RunDirectoryTest, GoesOnWhereAnInterruptedRunStopped) {
  interrupted_run();

  OpenRun run = open({1, 2, 3});
  EXPECT_EQ(run.missing(), (std::vector<std::uint64_t>{3}));
  run.rows.append(row_of(3));
  run.rows.finish([](const std::string&) {});

  EXPECT_EQ(text_of(file("results.csv")),
            csv_header() + to_csv(row_of(1)) + to_csv(row_of(2)) + to_csv(row_of(3)));
  EXPECT_TRUE(run.rows.complete());
}

TEST_F(RunDirectoryTest, KeepsTheJournalUntilTheManifestIsWritten) {
  interrupted_run();
  {
    OpenRun run = open({1, 2});
    EXPECT_THROW(run.rows.finish([](const std::string& hash) {
      EXPECT_EQ(hash, text_hash(csv_header() + to_csv(row_of(1)) + to_csv(row_of(2))));
      throw InputError("killed here");
    }),
                 InputError);
  }

  EXPECT_FALSE(open({1, 2}).rows.complete());
  EXPECT_TRUE(open({1, 2}).missing().empty());
}

TEST_F(RunDirectoryTest, IgnoresARowTornByAKillAtAnyByte) {
  interrupted_run();
  const std::string whole = text_of(file("results.csv.part"));
  const std::size_t second_row = whole.find('\n', whole.find('\n') + 1) + 1;
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    write_text(file("results.csv.part"), whole.substr(0, bytes));

    const OpenRun run = open({1, 2, 3});

    const std::size_t expected = bytes < second_row ? 3 : 2;
    ASSERT_EQ(run.missing().size(), expected) << "killed after byte " << bytes;
  }
}

TEST_F(RunDirectoryTest, GoesOnWithAJournalOfBeforeTheLaterColumns) {
  interrupted_run();
  const std::string line = testing::first_cells(row_of(2));
  write_text(file("results.csv.part"),
             testing::first_names() + ",line_hash\n" + line + "," + text_hash(line) + "\n");

  open({1, 2, 3}).rows.append(row_of(3));

  EXPECT_EQ(open({1, 2, 3}).missing(), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(text_of(file("results.csv.part")).substr(0, csv_header().size() - 1) + "\n",
            csv_header());
}

TEST_F(RunDirectoryTest, ExtendsAFinishedRun) {
  interrupted_run();
  open({1, 2}).finish();

  EXPECT_TRUE(open({1, 2}).rows.complete());
  EXPECT_EQ(open({1, 2, 5}).missing(), (std::vector<std::uint64_t>{5}));
}

TEST_F(RunDirectoryTest, RefusesRowsOfOtherCases) {
  interrupted_run();

  EXPECT_THAT(error_text([&] {
                open({1, 3});
              }),
              holds("run: holds 1 row of a case that is not in this run: -a transform="));
}

TEST_F(RunDirectoryTest, RefusesRowsOfAnotherVersion) {
  interrupted_run();
  Manifest manifest;
  manifest.environment = environment();
  manifest.environment.numerics_version = 99;
  write_text(file("manifest.json"), manifest_json(manifest));

  EXPECT_THAT(
      error_text([&] {
        open({1, 2, 3});
      }),
      holds("manifest.json: the rows there were made by version", "(numerics 99", "--rerun all"));
}

TEST_F(RunDirectoryTest, RefusesRowsWithoutAManifest) {
  interrupted_run();
  std::filesystem::remove(file("manifest.json"));

  EXPECT_THAT(error_text([&] { open({1, 2, 3}); }), holds("manifest.json is missing"));
  write_manifest(file("manifest.json"));
  EXPECT_EQ(open({1, 2, 3}).missing().size(), 1u) << "a refusal loses nothing";
}

TEST_F(RunDirectoryTest, RefusesRowsThatWereChangedAfterTheRun) {
  interrupted_run();
  open({1, 2}).finish();
  const std::string good = text_of(file("results.csv"));
  write_text(file("results.csv"), std::string(good).replace(good.find("0.5"), 3, "0.4"));

  for (const std::filesystem::path& place : {directory_ / "run", file("results.csv")})
    EXPECT_THAT(error_text([&] { read_run(place); }),
                holds("results.csv: is not the file that manifest.json beside it describes"));
  EXPECT_THAT(error_text([&] { open({1, 2}); }), holds("results.csv: is not the file that"));
  EXPECT_THAT(error_text([&] { open({1, 2, 3}); }), holds("results.csv: is not the file that"));

  std::filesystem::rename(file("results.csv"), directory_ / "rows.csv");
  EXPECT_EQ(read_run(directory_ / "rows.csv").size(), 2u) << "nothing describes it";
}

TEST_F(RunDirectoryTest, RefusesALineOfTheJournalThatWasChanged) {
  interrupted_run();
  const std::string good = text_of(file("results.csv.part"));
  const std::size_t first_row = good.find('\n') + 1;
  for (std::size_t byte = first_row; byte < good.find('\n', first_row); byte += 7) {
    std::string flipped = good;
    flipped[byte] = static_cast<char>(flipped[byte] ^ 1);
    write_text(file("results.csv.part"), flipped);
    EXPECT_THAT(error_text([&] {
                  open({1, 2, 3});
                }),
                holds("results.csv.part:2: was changed after it was written"))
        << byte;
  }
}

TEST_F(RunDirectoryTest, GoesOnFromAKillBetweenManifestAndResults) {
  interrupted_run();
  open({1, 2}).finish();
  {
    OpenRun run = open({1, 2, 3});
    run.rows.append(row_of(3));
    EXPECT_THROW(run.rows.finish([&run](const std::string& hash) {
      write_manifest(run.rows.manifest_path(), hash);
      throw InputError("killed here");
    }),
                 InputError);
  }
  EXPECT_TRUE(open({1, 2, 3}).missing().empty());

  open({1, 2, 3}).finish();
  EXPECT_EQ(read_run(directory_ / "run").size(), 3u);
}

TEST_F(RunDirectoryTest, RunsFailedRowsAgainWhenAsked) {
  {
    OpenRun run = open({1, 2});
    write_manifest(run.rows.manifest_path());
    run.rows.append(row_of(1, Status::failed));
    run.rows.append(row_of(2));
    run.finish();
  }
  EXPECT_TRUE(open({1, 2}).missing().empty());

  OpenRun run = open({1, 2}, Rerun::failed);
  EXPECT_EQ(run.missing(), (std::vector<std::uint64_t>{1}));
  run.rows.append(row_of(1));
  EXPECT_EQ(first_of(run.rows.rows()).status, Status::ok);
}

TEST_F(RunDirectoryTest, StartsAnewWhenAskedAndKeepsTheOldFile) {
  interrupted_run();
  open({1, 2}).finish();
  const std::string old = text_of(file("results.csv"));
  write_text(file("manifest.json"), "{}");

  EXPECT_EQ(open({7}, Rerun::all).missing().size(), 1u);

  EXPECT_EQ(text_of(file("results.csv.old")), old);
  EXPECT_FALSE(std::filesystem::exists(file("results.csv")));
}

}  // namespace
}  // namespace fftprec::results
