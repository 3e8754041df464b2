/// What a run keeps, where it ends early, and what the same command does then.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <csignal>

#include "reports/results/csv.hpp"
#include "tests/reports/commands/run_words.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/read_csv.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watched.hpp"

namespace fftprec::commands {
namespace {

using namespace testing;

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(RunCommand, KeepsRowsAndManifestInADirectory) {
  const TemporaryDirectory directory;
  const std::vector<std::string> words = {"-a", "algorithm=watched", "-a", "n=8,16",
                                          "-o", directory / "a/b"};

  EXPECT_EQ(run(words).code, 0);

  EXPECT_EQ(testing::read_csv(directory / "a/b/results.csv").size(), 2u);
  EXPECT_FALSE(std::filesystem::exists(directory / "a/b/results.csv.part"));
  EXPECT_THAT(text_of(directory / "a/b/manifest.json"),
              holds("\"rows\": 2", "\"n=8,16\"", "\"ok\": 2").but_not("\"ended\": \"\""));

  const std::string manifest = text_of(directory / "a/b/manifest.json");
  const Watch watch([](std::size_t) { ADD_FAILURE() << "a finished case ran again"; });
  EXPECT_THAT(run(words), exits(0).out("2 rows: 2 ok").err("2 of 2 cases finished already"));
  EXPECT_EQ(text_of(directory / "a/b/manifest.json"), manifest);
}

TEST(RunCommand, TakesNoRowOfAFileForOneOfItsNewContent) {
  const TemporaryDirectory directory;
  const std::string file = directory / "x.npy";
  const std::vector<std::string> words = {
      "-a", "n=8", "-a", "input=file:" + file, "-o", directory / "run"};
  write_text(file, npy_file(npy_header("<f8", "(8,)"), std::string(64, '\0')));
  EXPECT_EQ(run(words).code, 0);
  EXPECT_THAT(run(words).err, holds("1 of 1 case finished already"));

  write_text(file, npy_file(npy_header("<f8", "(9,)"), std::string(72, '\0')));

  EXPECT_THAT(run(words), exits(2).err(holds("holds 1 row of a case that is not in this run",
                                             "x.npy?hash=", "choose another directory")));
}

TEST(RunCommand, EndsAtAnInterruptAndGoesOnWhenCalledAgain) {
  const TemporaryDirectory directory;
  const std::vector<std::string> words = {"-a", "algorithm=watched", "-a", "n=1..40", "-j",
                                          "2",  "--no-times",        "-o"};
  const auto into = [&](const std::string& name) {
    std::vector<std::string> all = words;
    all.push_back(directory / name);
    return all;
  };
  EXPECT_EQ(run(into("undisturbed")).code, 0);
  std::atomic<int> begun = 0;
  const Watch watch([&begun](std::size_t) {
    if (++begun == 10) std::raise(SIGINT);
  });

  EXPECT_THAT(run(into("run")),
              exits(130).err("of 40 cases finished; the same command continues from there"));
  const std::size_t kept = lines_in(text_of(directory / "run/results.csv.part")) - 1;
  EXPECT_GE(kept, 10u);
  EXPECT_LT(kept, 40u);
  EXPECT_FALSE(std::filesystem::exists(directory / "run/results.csv"));

  begun = 1000;
  EXPECT_EQ(run(into("run")).code, 0);
  EXPECT_EQ(begun, 1000 + 40 - static_cast<int>(kept));
  EXPECT_EQ(text_of(directory / "run/results.csv"), text_of(directory / "undisturbed/results.csv"));
}

TEST(RunCommand, WritesWhatItHasAtAnInterruptWithoutADirectory) {
  const Watch watch([](std::size_t) { std::raise(SIGINT); });

  const Outcome outcome =
      run({"-a", "algorithm=watched", "-a", "n=1..40", "-j", "1", "--csv", "-"});

  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(results::parse_csv(outcome.out, "stdout").size(), 1u);
  EXPECT_THAT(outcome.err, holds("1 of 40 cases finished"));
}

TEST(RunCommand, SavesRowsOnStdoutIfTheirFileCannotBeWritten) {
  const Outcome outcome = run({"-a", "n=8", "--csv", "/dev/full"});

  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(results::parse_csv(outcome.out, "stdout").size(), 1u);
  EXPECT_THAT(outcome.err, holds("/dev/full: cannot be written: No space left on device"));
}

}  // namespace
}  // namespace fftprec::commands
