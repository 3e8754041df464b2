/// Files written whole: by several at once, on full disks, beside files of others.
#include "experiments/support/files.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <thread>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using testing::error_text;
using testing::FullDisk;
using testing::holds;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::write_text;

std::vector<std::string> names_in(const TemporaryDirectory& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path()))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(ReplaceFile, LeavesTheOldFileWholeOnAFullDisk) {
  const TemporaryDirectory directory;
  replace_file(directory / "f", "old text");
  std::string message;
  {
    const FullDisk disk(4);
    message = error_text([&] { replace_file(directory / "f", "new text"); });
  }
  EXPECT_THAT(message, holds("f: cannot be written: "));
  EXPECT_EQ(text_of(directory / "f"), "old text");
  EXPECT_THAT(names_in(directory), ElementsAre("f"));

  replace_file(directory / "f", "new text");
  EXPECT_EQ(text_of(directory / "f"), "new text");
  EXPECT_THAT(names_in(directory), ElementsAre("f"));
}

TEST(ReplaceFile, WritesDevicesInPlace) {
  replace_file("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(error_text([] { replace_file("/dev/full", "text"); }),
              holds("/dev/full: cannot be written: No space left on device"));
}

TEST(CheckWritable, TellsBeforeAnythingIsRun) {
  const TemporaryDirectory directory;

  EXPECT_EQ(error_text([&] { check_writable(directory / "f"); }), "no error");
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
  EXPECT_THAT(error_text([&] { check_writable(directory / "none/f"); }),
              holds("none/f: cannot be written: No such file or directory"));
  EXPECT_THAT(error_text([&] { check_writable(directory.path()); }), holds("Is a directory"));
}

TEST(CheckWritable, KnowsNamesThatNoFileSystemTakes) {
  const TemporaryDirectory directory;
  const std::string longest(255, 'a');
  EXPECT_EQ(error_text([&] { check_writable(directory / longest); }), "no error");
  EXPECT_THAT(error_text([&] { check_writable(directory / (longest + "a")); }),
              holds("aaa: cannot be written: File name too long"));
  replace_file(directory / longest, "text");
  EXPECT_THAT(names_in(directory), ElementsAre(longest));
}

TEST(CreateWritableFolder, NamesTheFolderThatCannotBeMade) {
  EXPECT_THAT(error_text([] { create_writable_folder("/proc/a/b"); }),
              holds("/proc/a/b: cannot be created: "));
  EXPECT_THAT(error_text([] { create_writable_folder("/proc"); }),
              holds("/proc: cannot be written: "));
}

TEST(CreateWritableFolder, TakesFoldersThatHoldFolders) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "new");

  EXPECT_EQ(error_text([&] { create_writable_folder(directory.path()); }), "no error");

  EXPECT_THAT(names_in(directory), ElementsAre("new"));
}

/// The digits of this kernel in the names of temporaries, without the dash before them.
std::string kernel_here(const TemporaryDirectory& directory) {
  const NewFile file(directory / "name");
  const std::string name = file.temporary().stem();
  return name.substr(name.rfind('-') + 1);
}

TEST(ReplaceFile, TouchesNoFileOfAnother) {
  const TemporaryDirectory directory;
  const std::string kernel = kernel_here(directory);
  write_text(directory / "y.csv.tmp", "mine");
  write_text(directory / "outside", "mine");
  for (int i = 0; i < 50; ++i)  // whatever number comes next
    std::filesystem::create_symlink(
        directory / "outside", directory / ("y.csv.fftprec-" + std::to_string(::getpid()) + "-" +
                                            std::to_string(i) + "-" + kernel + ".tmp"));

  EXPECT_EQ(error_text([&] { replace_file(directory / "y.csv", "rows"); }), "no error");

  EXPECT_EQ(text_of(directory / "y.csv"), "rows");
  EXPECT_EQ(text_of(directory / "y.csv.tmp"), "mine");
  EXPECT_EQ(text_of(directory / "outside"), "mine");
}

TEST(ReplaceFile, LetsSeveralWriteAtOnce) {
  const TemporaryDirectory directory;
  const std::string texts[] = {std::string(100'000, 'a'), std::string(100'000, 'b')};
  {
    std::vector<std::jthread> threads;
    for (const std::string& text : texts)
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) replace_file(directory / "f", text);
      });
  }
  EXPECT_TRUE(text_of(directory / "f") == texts[0] || text_of(directory / "f") == texts[1]);
  EXPECT_THAT(names_in(directory), ElementsAre("f"));
}

/// A child process that has a temporary of `path`, and is killed where the object ends.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    child_ = ::fork();
    if (child_ == 0) {
      NewFile file(path);
      file.write("half", 4);
      static_cast<void>(::write(ends[1], "x", 1));
      for (;;) ::pause();
    }
    ::close(ends[1]);
    char ready = 0;
    EXPECT_EQ(::read(ends[0], &ready, 1), 1);
    ::close(ends[0]);
  }
  ~Writer() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_;
};

TEST(ReplaceFile, RemovesWhatAKilledProcessLeftAndNothingThatIsWritten) {
  const TemporaryDirectory directory;
  const NewFile own(directory / "own");
  const Writer writer(directory / "written");
  { const Writer killed(directory / "killed"); }
  const auto begin_of = [](const std::string& name) { return name.substr(0, name.find('.')); };
  const auto beginnings = [&] {
    std::vector<std::string> all;
    for (const std::string& name : names_in(directory)) all.push_back(begin_of(name));
    return all;
  };
  ASSERT_THAT(beginnings(), ElementsAre("killed", "own", "written"));

  replace_file(directory / "page", "whole");

  EXPECT_THAT(beginnings(), ElementsAre("own", "page", "written"));
}

TEST(ReplaceFile, LeavesWhatAnotherMachineMayWriteForAnHour) {
  const TemporaryDirectory directory;
  const auto aged = [&](const std::string& name, long seconds) {
    write_text(directory / name, "half");
    timespec times[2]{};
    times[0].tv_sec = times[1].tv_sec = std::time(nullptr) - seconds;
    ::utimensat(AT_FDCWD, (directory / name).c_str(), times, 0);
  };
  const std::string elsewhere = kernel_here(directory) == "01234567" ? "76543210" : "01234567";
  const long old = abandoned_after_s + 60;
  aged("page.fftprec-77-1-" + elsewhere + ".tmp", old);
  aged("other.fftprec-77-1-" + elsewhere + ".tmp", old);
  aged("page.fftprec-77-2-.tmp", old);  // where a kernel has no digits
  aged("young.fftprec-77-2-" + elsewhere + ".tmp", abandoned_after_s - 60);
  const std::vector<std::string> of_others = {
      "page.77-1-" + elsewhere + ".tmp", "page.fftprec-77-" + elsewhere + ".tmp",
      "page.fftprec-a-1-" + elsewhere + ".tmp", "page.fftprec.tmp", "page.tmp"};
  for (const std::string& name : of_others) aged(name, old);

  replace_file(directory / "page", "whole");

  std::vector<std::string> left = of_others;
  left.insert(left.end(), {"page", "young.fftprec-77-2-" + elsewhere + ".tmp"});
  EXPECT_THAT(names_in(directory), ::testing::UnorderedElementsAreArray(left));
}

TEST(NewFile, IsGoneIfItIsNotPutInPlace) {
  const TemporaryDirectory directory;
  NewFile(directory / "f").write("text", 4);
  EXPECT_THAT(names_in(directory), ElementsAre());
}

}  // namespace
}  // namespace fftprec
