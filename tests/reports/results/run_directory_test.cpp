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

std::vector<SharedCase> cases(const std::vector<std::uint64_t>& lengths) {
  std::vector<SharedCase> all;
  for (const std::uint64_t n : lengths) all.push_back(row_of(n).where);
  return all;
}

void write_manifest(const std::filesystem::path& path, const std::string& results_csv = {}) {
  Manifest manifest;
  manifest.environment = environment();
  if (!results_csv.empty()) manifest.results_hash = text_hash(results_csv);
  write_text(path, manifest_json(manifest));
}

void finish(RunDirectory run) {
  run.finish([&run](const std::string& csv) { write_manifest(run.manifest_path(), csv); });
}

/// Those lengths whose case has no finished row.
std::vector<std::uint64_t> missing(const RunDirectory& run, std::vector<std::uint64_t> lengths) {
  std::erase_if(lengths, [&run](std::uint64_t n) { return run.has(row_of(n).where); });
  return lengths;
}

class RunDirectoryTest : public ::testing::Test {
 protected:
  RunDirectory open(const std::vector<std::uint64_t>& wanted, Rerun rerun = Rerun::none) {
    return {directory_ / "run", cases(wanted), rerun};
  }

  std::filesystem::path file(const std::string& name) { return directory_ / "run" / name; }

  /// Runs 1 and 2 of the cases 1, 2, 3, as an interrupted run leaves them.
  void interrupted_run() {
    RunDirectory run = open({1, 2, 3});
    write_manifest(run.manifest_path());
    run.append(row_of(2));
    run.append(row_of(1));
  }

  TemporaryDirectory directory_;
};

TEST_F(RunDirectoryTest, BeginsEmptyWithEverythingMissing) {
  const RunDirectory run = open({1, 2});

  EXPECT_EQ(missing(run, {1, 2}), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_FALSE(run.complete());
}

TEST_F(RunDirectoryTest, KeepsEachRowBeforeTheNext) {
  RunDirectory run = open({1, 2});
  run.append(row_of(2));

  const std::string journal = text_of(file("results.csv.part"));
  std::string row = to_csv(row_of(2));
  row.pop_back();
  EXPECT_THAT(journal, holds(",line_hash\n" + row + "," + text_hash(row) + "\n"));
}

TEST_F(RunDirectoryTest, GoesOnWhereAnInterruptedRunStopped) {
  interrupted_run();

  RunDirectory run = open({1, 2, 3});
  EXPECT_EQ(missing(run, {1, 2, 3}), (std::vector<std::uint64_t>{3}));
  run.append(row_of(3));
  run.finish([](const std::string&) {});

  EXPECT_EQ(text_of(file("results.csv")),
            csv_header() + to_csv(row_of(1)) + to_csv(row_of(2)) + to_csv(row_of(3)));
  EXPECT_TRUE(run.complete());
}

TEST_F(RunDirectoryTest, KeepsTheJournalUntilTheManifestIsWritten) {
  interrupted_run();
  {
    RunDirectory run = open({1, 2});
    EXPECT_THROW(run.finish([](const std::string& csv) {
      EXPECT_EQ(csv, csv_header() + to_csv(row_of(1)) + to_csv(row_of(2)));
      throw InputError("killed here");
    }),
                 InputError);
  }

  EXPECT_FALSE(open({1, 2}).complete());
  EXPECT_TRUE(missing(open({1, 2}), {1, 2}).empty());
}

TEST_F(RunDirectoryTest, IgnoresARowTornByAKillAtAnyByte) {
  interrupted_run();
  const std::string whole = text_of(file("results.csv.part"));
  const std::size_t second_row = whole.find('\n', whole.find('\n') + 1) + 1;
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    write_text(file("results.csv.part"), whole.substr(0, bytes));

    const RunDirectory run = open({1, 2, 3});

    const std::size_t expected = bytes < second_row ? 3 : 2;
    ASSERT_EQ(missing(run, {1, 2, 3}).size(), expected) << "killed after byte " << bytes;
  }
}

TEST_F(RunDirectoryTest, GoesOnWithAJournalOfBeforeTheLaterColumns) {
  interrupted_run();
  const std::string line = testing::first_cells(row_of(2));
  write_text(file("results.csv.part"),
             testing::first_names() + ",line_hash\n" + line + "," + text_hash(line) + "\n");

  open({1, 2, 3}).append(row_of(3));

  EXPECT_EQ(missing(open({1, 2, 3}), {1, 2, 3}), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(text_of(file("results.csv.part")).substr(0, csv_header().size() - 1) + "\n",
            csv_header());
}

TEST_F(RunDirectoryTest, ExtendsAFinishedRun) {
  interrupted_run();
  finish(open({1, 2}));

  EXPECT_TRUE(open({1, 2}).complete());
  EXPECT_EQ(missing(open({1, 2, 5}), {1, 2, 5}), (std::vector<std::uint64_t>{5}));
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
  EXPECT_EQ(missing(open({1, 2, 3}), {1, 2, 3}).size(), 1u) << "a refusal loses nothing";
}

TEST_F(RunDirectoryTest, RefusesRowsThatWereChangedAfterTheRun) {
  interrupted_run();
  finish(open({1, 2}));
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
  finish(open({1, 2}));
  {
    RunDirectory run = open({1, 2, 3});
    run.append(row_of(3));
    EXPECT_THROW(run.finish([&run](const std::string& csv) {
      write_manifest(run.manifest_path(), csv);
      throw InputError("killed here");
    }),
                 InputError);
  }
  EXPECT_TRUE(missing(open({1, 2, 3}), {1, 2, 3}).empty());

  finish(open({1, 2, 3}));
  EXPECT_EQ(read_run(directory_ / "run").size(), 3u);
}

TEST_F(RunDirectoryTest, RunsFailedRowsAgainWhenAsked) {
  {
    RunDirectory run = open({1, 2});
    write_manifest(run.manifest_path());
    run.append(row_of(1, Status::failed));
    run.append(row_of(2));
    run.finish([&run](const std::string& csv) { write_manifest(run.manifest_path(), csv); });
  }
  EXPECT_TRUE(missing(open({1, 2}), {1, 2}).empty());

  RunDirectory run = open({1, 2}, Rerun::failed);
  EXPECT_EQ(missing(run, {1, 2}), (std::vector<std::uint64_t>{1}));
  run.append(row_of(1));
  EXPECT_EQ(run.rows().at(0).status, Status::ok);
}

TEST_F(RunDirectoryTest, StartsAnewWhenAskedAndKeepsTheOldFile) {
  interrupted_run();
  finish(open({1, 2}));
  const std::string old = text_of(file("results.csv"));
  write_text(file("manifest.json"), "{}");

  EXPECT_EQ(missing(open({7}, Rerun::all), {7}).size(), 1u);

  EXPECT_EQ(text_of(file("results.csv.old")), old);
  EXPECT_FALSE(std::filesystem::exists(file("results.csv")));
}

}  // namespace
}  // namespace fftprec::results
