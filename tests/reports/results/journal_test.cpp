#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "arith/support/error.hpp"
#include "reports/results/run_directory.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::results {
namespace {

using testing::error_text;
using testing::FullDisk;
using testing::holds;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::write_text;

TEST(Journal, AppendsLinesAndFindsThemAgain) {
  const TemporaryDirectory directory;
  {
    Journal journal(directory / "j");
    EXPECT_TRUE(journal.empty());
    journal.append("one\n");
    EXPECT_EQ(text_of(directory / "j"), "one\n") << "a line is in the file before the next begins";
  }
  {
    Journal journal(directory / "j");
    EXPECT_FALSE(journal.empty());
    journal.append("two\n");
  }
  EXPECT_EQ(text_of(directory / "j"), "one\ntwo\n");
}

TEST(Journal, DropsATornLastLine) {
  const TemporaryDirectory directory;
  write_text(directory / "j", "one\ntwo\nthr");
  Journal(directory / "j").append("three\n");
  EXPECT_EQ(text_of(directory / "j"), "one\ntwo\nthree\n");

  write_text(directory / "k", "no end");
  EXPECT_TRUE(Journal(directory / "k").empty());
}

TEST(Journal, LeavesNoEmptyFileBehind) {
  const TemporaryDirectory directory;
  {
    Journal journal(directory / "j");
    journal.append("one\n");
    journal.clear();
  }
  EXPECT_FALSE(std::filesystem::exists(directory / "j"));
}

TEST(Journal, BelongsToOneProcessAtATime) {
  const TemporaryDirectory directory;
  const Journal first(directory / "j");

  EXPECT_THAT(error_text([&] { Journal second(directory / "j"); }),
              holds("j: another process is writing this run"));
}

TEST(Journal, KeepsWholeLinesOnAFullDisk) {
  const TemporaryDirectory directory;
  Journal journal(directory / "j");
  journal.append("12345678\n");
  std::string message;
  {
    const FullDisk disk(13);
    message = error_text([&] { journal.append("12345678\n"); });
  }
  EXPECT_THAT(message, holds("j: cannot be written: "));
  EXPECT_EQ(text_of(directory / "j"), "12345678\n");

  journal.append("more\n");
  EXPECT_EQ(text_of(directory / "j"), "12345678\nmore\n");
}

TEST(Journal, KeepsThoseOfSeveralLinesThatFit) {
  const TemporaryDirectory directory;
  Journal journal(directory / "j");
  {
    const FullDisk disk(13);
    EXPECT_THROW(journal.append("1\n23\n456\n7890\n12345\n"), InputError);
  }
  EXPECT_EQ(text_of(directory / "j"), "1\n23\n456\n");
}

TEST(Journal, RefusesADevice) {
  EXPECT_THAT(error_text([] { Journal("/dev/full"); }), holds("is not a regular file"));
}

TEST(Journal, FollowsNoLink) {
  const TemporaryDirectory directory;
  write_text(directory / "outside", "mine");
  std::filesystem::create_symlink(directory / "outside", directory / "j");

  EXPECT_THAT(error_text([&] { Journal journal(directory / "j"); }),
              holds("j: is a symbolic link"));
  EXPECT_EQ(text_of(directory / "outside"), "mine");
}

TEST(Journal, IsNeverAFileThatAnotherIsRemoving) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory / "j";
  std::atomic<int> lost = 0;
  const auto write_often = [&] {
    for (int i = 0; i < 3000; ++i) try {
        Journal journal(path);  // removed at the end, since it is empty then
        journal.append("row\n");
        if (text_of(path) != "row\n") ++lost;
        journal.clear();
      } catch (const InputError&) {  // the other one has it
      }
  };
  {
    const std::jthread other(write_often);
    write_often();
  }
  EXPECT_EQ(lost, 0) << "rows went into a file without a name";
}

}  // namespace
}  // namespace fftprec::results
