#include "reports/results/run_directory.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "reports/results/csv.hpp"
#include "reports/results/manifest.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::results {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::write_text;

Row row_of(std::uint64_t n, Status status = Status::ok) {
  Row row;
  row.where.n = n;
  row.status = status;
  row.time_ns = n;
  return row;
}

std::vector<Case> cases(const std::vector<std::uint64_t>& lengths) {
  std::vector<Case> all;
  for (const std::uint64_t n : lengths) all.push_back(row_of(n).where);
  return all;
}

void write_manifest(const std::filesystem::path& path) {
  Manifest manifest;
  manifest.environment = environment();
  write_text(path, manifest_json(manifest));
}

std::vector<std::uint64_t> lengths(const std::vector<Case>& all) {
  std::vector<std::uint64_t> result;
  for (const Case& where : all) result.push_back(where.n);
  return result;
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

  EXPECT_EQ(lengths(run.missing()), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_FALSE(run.complete());
}

TEST_F(RunDirectoryTest, KeepsEachRowBeforeTheNext) {
  RunDirectory run = open({1, 2});
  run.append(row_of(2));

  EXPECT_EQ(text_of(file("results.csv.part")), csv_header() + to_csv(row_of(2)));
}

TEST_F(RunDirectoryTest, GoesOnWhereAnInterruptedRunStopped) {
  interrupted_run();

  RunDirectory run = open({1, 2, 3});
  EXPECT_EQ(lengths(run.missing()), (std::vector<std::uint64_t>{3}));
  run.append(row_of(3));
  run.finish();

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
  EXPECT_TRUE(open({1, 2}).missing().empty());
}

TEST_F(RunDirectoryTest, IgnoresARowTornByAKillAtAnyByte) {
  interrupted_run();
  const std::string whole = text_of(file("results.csv.part"));
  const std::size_t second_row = csv_header().size() + to_csv(row_of(2)).size();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    write_text(file("results.csv.part"), whole.substr(0, bytes));

    const RunDirectory run = open({1, 2, 3});

    const std::size_t expected = bytes < second_row ? 3 : 2;
    ASSERT_EQ(run.missing().size(), expected) << "killed after byte " << bytes;
  }
}

TEST_F(RunDirectoryTest, ExtendsAFinishedRun) {
  interrupted_run();
  open({1, 2}).finish();

  EXPECT_TRUE(open({1, 2}).complete());
  EXPECT_EQ(lengths(open({1, 2, 5}).missing()), (std::vector<std::uint64_t>{5}));
}

TEST_F(RunDirectoryTest, RefusesRowsOfOtherCases) {
  interrupted_run();

  EXPECT_THAT(error_text([&] {
                open({1, 3});
              }),
              HasSubstr("run: holds 1 row of a case that is not in this run; choose another"));
}

TEST_F(RunDirectoryTest, RefusesRowsOfAnotherVersion) {
  interrupted_run();
  std::string manifest = text_of(file("manifest.json"));
  const std::string key = "\"numerics_version\": ";
  manifest.insert(manifest.find(key) + key.size(), "9");
  write_text(file("manifest.json"), manifest);

  EXPECT_THAT(error_text([&] {
                open({1, 2, 3});
              }),
              ::testing::AllOf(HasSubstr("manifest.json: the rows there were made by version"),
                               HasSubstr("(numerics 9"), HasSubstr("--rerun all")));
}

TEST_F(RunDirectoryTest, RefusesRowsOfUnknownVersion) {
  interrupted_run();
  write_text(file("manifest.json"), "{}");
  EXPECT_THAT(error_text([&] { open({1, 2, 3}); }), HasSubstr("manifest.json: is no manifest"));

  std::filesystem::remove(file("manifest.json"));
  EXPECT_THAT(error_text([&] { open({1, 2, 3}); }), HasSubstr("manifest.json is missing"));
  EXPECT_EQ(read_csv(file("results.csv.part")).size(), 2u) << "a refusal loses nothing";
}

TEST_F(RunDirectoryTest, RefusesADamagedFile) {
  interrupted_run();
  open({1, 2}).finish();
  write_text(file("results.csv"), text_of(file("results.csv")) + "1,2");

  EXPECT_THAT(error_text([&] { open({1, 2}); }), HasSubstr("results.csv:4: "));
}

TEST_F(RunDirectoryTest, RunsFailedRowsAgainWhenAsked) {
  {
    RunDirectory run = open({1, 2});
    write_manifest(run.manifest_path());
    run.append(row_of(1, Status::failed));
    run.append(row_of(2));
    run.finish();
  }
  EXPECT_TRUE(open({1, 2}).missing().empty());

  RunDirectory run = open({1, 2}, Rerun::failed);
  EXPECT_EQ(lengths(run.missing()), (std::vector<std::uint64_t>{1}));
  run.append(row_of(1));
  EXPECT_EQ(run.rows().at(0).status, Status::ok);
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

TEST_F(RunDirectoryTest, NamesADirectoryThatCannotBeMade) {
  write_text(directory_ / "file", "");

  EXPECT_THAT(error_text([&] { RunDirectory(directory_ / "file", cases({1}), Rerun::none); }),
              HasSubstr("file"));
  EXPECT_THAT(error_text([&] { RunDirectory("/proc/none", cases({1}), Rerun::none); }),
              HasSubstr("/proc/none: cannot be created: "));
}

}  // namespace
}  // namespace fftprec::results
