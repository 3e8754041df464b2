#include "reports/results/durable.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

#include "tests/support/error_text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::results {
namespace {

using testing::error_text;
using ::testing::HasSubstr;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::write_text;

/// While one exists, no file of this process can grow beyond `bytes`: a disk that fills up.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

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
    journal.sync();
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
              HasSubstr("j: another process is writing this run"));
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
  EXPECT_THAT(message, HasSubstr("j: cannot be written: "));
  EXPECT_EQ(text_of(directory / "j"), "12345678\n");

  journal.append("more\n");
  EXPECT_EQ(text_of(directory / "j"), "12345678\nmore\n");
}

TEST(Journal, RefusesADevice) {
  EXPECT_THAT(error_text([] { Journal("/dev/full"); }), HasSubstr("is not a regular file"));
}

TEST(Journal, NamesAPlaceThatCannotBeWritten) {
  EXPECT_THAT(error_text([] { Journal("/nonexistent/j"); }),
              HasSubstr("/nonexistent/j: cannot be written: No such file or directory"));
}

TEST(ReplaceFile, LeavesTheOldFileWholeOnAFullDisk) {
  const TemporaryDirectory directory;
  replace_file(directory / "f", "old text");
  std::string message;
  {
    const FullDisk disk(4);
    message = error_text([&] { replace_file(directory / "f", "new text"); });
  }
  EXPECT_THAT(message, HasSubstr("f: cannot be written: "));
  EXPECT_EQ(text_of(directory / "f"), "old text");
  EXPECT_FALSE(std::filesystem::exists(directory / "f.tmp"));

  replace_file(directory / "f", "new text");
  EXPECT_EQ(text_of(directory / "f"), "new text");
  EXPECT_FALSE(std::filesystem::exists(directory / "f.tmp"));
}

TEST(ReplaceFile, WritesDevicesInPlace) {
  replace_file("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(error_text([] { replace_file("/dev/full", "text"); }),
              HasSubstr("/dev/full: cannot be written: No space left on device"));
}

TEST(CheckWritable, TellsBeforeAnythingIsRun) {
  const TemporaryDirectory directory;

  EXPECT_EQ(error_text([&] { check_writable(directory / "f"); }), "no error");
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  EXPECT_THAT(error_text([&] { check_writable(directory / "none/f"); }),
              HasSubstr("none/f: cannot be written: No such file or directory"));
  EXPECT_THAT(error_text([&] { check_writable(directory.path()); }), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace fftprec::results
