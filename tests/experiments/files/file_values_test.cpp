/// Inputs from files: which values a case gets, what a name may say, what each bad file is told.
#include "experiments/files/file_values.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/inputs/inputs.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::StartsWith;

class FileInput : public ::testing::Test {
 protected:
  /// The place of a new .npy file that counts 0, 1, ... `count` - 1.
  std::string counting(const std::string& name, std::size_t count) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>(i);
    const std::string shape = "(" + std::to_string(count) + ",)";
    return with(name, npy_file(npy_header("<f8", shape), little_all(values)));
  }
  /// The place of a new file with these bytes.
  std::string with(const std::string& name, const std::string& bytes) {
    write_text(directory_ / name, bytes);
    return at(name);
  }
  std::string at(const std::string& name) const { return (directory_ / name).string(); }

 private:
  TemporaryDirectory directory_;
};

std::string check_error(const std::string& name) {
  return error_text([&] { input_named(name); });
}

TEST_F(FileInput, TakesTheFirstValuesAndOthersFromItsOffset) {
  const std::string path = counting("x.npy", 10);

  EXPECT_THAT(make_input("file:" + path, 2, 2, 1).re, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(make_input("file:" + path + "?offset=7", 3, 1, 1).re, ElementsAre(7, 8, 9));
  EXPECT_THAT(make_input("file:" + path, 5, 2, 1).im, ::testing::Each(0));
}

TEST_F(FileInput, KeepsDoublesAndImaginaryPartsAsTheyAre) {
  const std::string data = little(1.0 / 3) + little(2.0 / 3) + little(1e-300) + little(-1e300);
  const std::string path = with("x.npy", npy_file(npy_header("<c16", "(2, 1)"), data));

  const auto x = make_input("file:" + path, 1, 2, 1);

  EXPECT_THAT(x.re, ElementsAre(1.0 / 3, 1e-300));
  EXPECT_THAT(x.im, ElementsAre(2.0 / 3, -1e300));
  EXPECT_THAT(make_input("file:" + path + "?offset=1", 1, 1, 1).im, ElementsAre(-1e300));
}

TEST_F(FileInput, TakesTheChannelOfARecording) {
  std::string frames;
  for (std::uint64_t i = 0; i < 8; ++i) frames += little(i, 2);
  const std::string path = with("x.wav", wav_file({.channels = 2}, frames));

  EXPECT_THAT(make_input("file:" + path + "?channel=1&offset=1", 2, 1, 1).re,
              ElementsAre(3 * 0x1p-15, 5 * 0x1p-15));
  EXPECT_THAT(check_error("file:" + path + "?channel=2"), holds("has no channel 2"));
}

TEST_F(FileInput, AFileTooShortForACaseSkipsItAndSaysWhy) {
  const std::string name = "file:" + counting("x.npy", 10) + "?offset=3";
  EXPECT_NO_THROW(input_named(name));
  EXPECT_NO_THROW(make_input(name, 7, 1, 1));
  const std::size_t most = ~std::size_t{0};
  for (const auto& [n, batch] :
       {std::pair<std::size_t, std::size_t>{8, 1}, {2, 4}, {most, most}, {1, most}, {most, 2}}) {
    try {
      make_input(name, n, batch, 1);
      ADD_FAILURE() << "no error for " << n << " * " << batch;
    } catch (const NotApplicable& reason) {
      EXPECT_THAT(reason.what(), holds(std::to_string(n) + " * " + std::to_string(batch) +
                                       " values are needed from offset 3 on, but 7 are there"));
    }
  }
}

TEST_F(FileInput, AnOffsetAtOrBeyondTheEndIsAnError) {
  const std::string path = counting("x.npy", 10);
  EXPECT_EQ(check_error("file:" + path + "?offset=9"), "no error");
  EXPECT_EQ(check_error("file:" + path + "?offset=10"),
            path + ": offset 10 is beyond its 10 values");
}

TEST_F(FileInput, APathMayHoldAnyByteWrittenByNumber) {
  for (const char* name : {"a:b=c.npy", "a[1.npy", "a b.npy", "a&offset=3.npy", "#.npy"}) {
    const std::string path = counting(name, 4);
    EXPECT_THAT(make_input("file:" + path, 2, 1, 1).re, ElementsAre(0, 1)) << name;
  }
  counting("a,b?c%.npy", 4);
  const std::string escaped = "file:" + at("a%2Cb%3fc%25.npy");
  EXPECT_THAT(make_input(escaped + "?offset=2", 2, 1, 1).re, ElementsAre(2, 3));
}

TEST_F(FileInput, IsOneValueOfAnAxisBesideOthers) {
  counting("a,b.npy", 4);
  const std::string first = "file:" + at("a%2Cb.npy") + "?offset=1&channel=0";
  const std::string second = "file:" + counting("c=d.npy", 4);
  Axes axes;

  set_axis(axes, "input=" + first + ", " + second + ",dc",
           [](const Case& where) { input_named(where.input); });

  EXPECT_THAT(axes.values[axis_index("input")],
              ElementsAre(StartsWith(first + "&hash="), StartsWith(second + "?hash="), "dc"));
}

TEST_F(FileInput, ChangedContentIsAnotherInputAndNeverTakenForTheOld) {
  const std::string name = "file:" + counting("x.npy", 4) + "?offset=1";
  const std::string old = with_file_hash(name);
  EXPECT_EQ(with_file_hash(old), old);
  EXPECT_EQ(make_input(old, 2, 1, 1), make_input(name, 2, 1, 1));

  counting("x.npy", 5);

  EXPECT_NE(with_file_hash(name), old);
  EXPECT_THAT(check_error(old), holds("x.npy: has changed: its content has the hash "));
  EXPECT_THAT(error_text([&] { make_input(old, 2, 1, 1); }), holds("has changed"));
}

TEST_F(FileInput, TheSameContentIsTheSameInputWhereverTheTimeOfChange) {
  const std::string name = "file:" + counting("x.npy", 4);
  const std::string old = with_file_hash(name);

  std::filesystem::last_write_time(
      at("x.npy"), std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));

  EXPECT_EQ(with_file_hash(name), old);
}

TEST_F(FileInput, LosesItsHashWhereverTheHashStands) {
  const std::string hash = "hash=0123456789abcdef";
  EXPECT_EQ(without_file_hash("file:hash=a.npy"), "file:hash=a.npy");
  EXPECT_EQ(without_file_hash("file:a.npy?" + hash), "file:a.npy");
  EXPECT_EQ(without_file_hash("file:a.npy?offset=1&" + hash), "file:a.npy?offset=1");
  EXPECT_EQ(without_file_hash("file:a.npy?" + hash + "&offset=1"), "file:a.npy?offset=1");
  EXPECT_EQ(without_file_hash("gaussian"), "gaussian");
  EXPECT_EQ(with_file_hash("gaussian"), "gaussian");
}

TEST_F(FileInput, BadPlacesAreErrorsThatNameThem) {
  const std::string path = counting("x.npy", 4);
  for (const char* name : {"file", "file:", "file:?offset=1"})
    EXPECT_THAT(check_error(name), holds("expected file:PATH")) << name;
  for (const char* keys : {"?offset", "?offset=", "?offset=x", "?offset=-1", "?offset=1.5",
                           "?offset=18446744073709551616", "?channel=1x"})
    EXPECT_THAT(check_error("file:" + path + keys), holds("is no integer from 0 on")) << keys;
  for (const char* keys : {"?hash", "?hash=", "?hash=0123", "?hash=0123456789ABCDEF"})
    EXPECT_THAT(check_error("file:" + path + keys), holds("is not 16 hexadecimal digits")) << keys;
  for (const char* keys : {"?", "?ofset=1", "?offset=1&", "?offset=1,channel=0&x=1"})
    EXPECT_NE(check_error("file:" + path + keys), "no error") << keys;
  EXPECT_THAT(check_error("file:" + path + "?ofset=1"), holds("did you mean 'offset'", "channel"));
  for (const char* escape : {"%", "%4", "%zz", "%4z", "%00", "%-1", "%+1"})
    EXPECT_THAT(check_error("file:" + path + escape), holds("is written %25")) << escape;
}

TEST_F(FileInput, BadFilesAreErrorsThatSayWhatIsThere) {
  EXPECT_THAT(check_error("file:" + at("none.npy")),
              AllOf(StartsWith(at("none.npy") + ": cannot be read: "), holds("No such file")));
  expect_each(check_error,
              {{"file:" + at("."), "is a directory"},
               {"file:/dev/zero", "is no regular file"},
               {"file:" + with("empty.npy", ""), "is empty"},
               {"file:" + with("x.txt", "1.0\n2.0\n"),
                "is neither a .npy nor a WAV file; it begins with '1.0\\n2.0\\n'"},
               {"file:" + with("x.npz", "PK\3\4"), "numpy.save"},
               {"file:" + counting("x.npy", 4) + "?channel=1", "an array has no channels"},
               {"file:" + with("y.npy", npy_file(npy_header("|O", "(1,)"), "12345678")), "ragged"},
               {"file:" + with("y.wav", wav_file({}, "1234", 8)), "is cut short"}});
}

TEST_F(FileInput, APipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_THAT(check_error("file:" + at("pipe")), holds("is no regular file"));
  EXPECT_THAT(error_text([&] { read_samples(at("pipe")); }), holds("is no regular file"));
}

TEST_F(FileInput, AFileLargerThanIsReadIsRefusedUnread) {
  const std::string path = with("huge.npy", "\x93NUMPY");
  std::filesystem::resize_file(path, (std::uintmax_t{1} << 31) + 1);  // a hole, not written
  EXPECT_THAT(check_error("file:" + path), holds("has 2147483649 bytes; at most 2147483648"));
}

TEST_F(FileInput, AFileThatChangesIsReadAnew) {
  const std::string path = counting("x.npy", 4);
  const Input input = input_named("file:" + path, file_memory());
  EXPECT_THAT(input(4, 1, 1).re, ElementsAre(0, 1, 2, 3));

  with("x.npy", npy_file(npy_header("<f8", "(1,)"), little(7.0)));

  EXPECT_THAT(input(1, 1, 1).re, ElementsAre(7));
}

TEST_F(FileInput, IsReadOnceUntilItsTimeOfChangeDiffersByANanosecond) {
  const std::string path = counting("x.npy", 1);
  timespec times[2] = {{1'000'000, 5}, {1'000'000, 5}};
  const auto set_times = [&] { ::utimensat(AT_FDCWD, path.c_str(), times, 0); };
  set_times();
  const auto memory = file_memory();
  EXPECT_THAT(input_named("file:" + path, memory)(1, 1, 1).re, ElementsAre(0));

  // Of the same size, in the same place.
  std::ofstream(path, std::ios::binary) << npy_file(npy_header("<f8", "(1,)"), little(7.0));
  set_times();
  EXPECT_THAT(input_named("file:" + path, memory)(1, 1, 1).re, ElementsAre(0));
  EXPECT_THAT(make_input("file:" + path, 1, 1, 1).re, ElementsAre(7)) << "without a memory";
  times[1].tv_nsec = 6;
  set_times();

  EXPECT_THAT(input_named("file:" + path, memory)(1, 1, 1).re, ElementsAre(7));
}

TEST_F(FileInput, IsTheSameForThreadsThatAskAtOnce) {
  const Input input = input_named("file:" + counting("x.npy", 1000));
  std::vector<ComplexArray<double>> results(4);
  {
    std::vector<std::jthread> threads;
    for (auto& result : results) threads.emplace_back([&] { result = input(1000, 1, 1); });
  }
  for (const auto& result : results) {
    ASSERT_EQ(result.size(), 1000u);
    EXPECT_EQ(result.re[999], 999);
    EXPECT_EQ(result, results[0]);
  }
}

TEST(Recording, IsASecondAndAHalfOfSpeechWithAPause) {
  const Samples recording = read_samples(FFTPREC_SOURCE_DIR "/examples/data/recording.wav");
  const auto loudest = [&recording](double from_s, double to_s) {
    double largest = 0;
    const auto end = static_cast<std::size_t>(to_s * 16000);
    for (auto at = static_cast<std::size_t>(from_s * 16000); at < end; ++at)
      largest = std::max(largest, std::abs(recording.values.re[at]));
    return largest;
  };

  EXPECT_THAT(recording.shape, ElementsAre(24000));
  EXPECT_GT(loudest(0.0, 0.68), 0.1);
  EXPECT_EQ(loudest(0.70, 0.82), 0);
  EXPECT_GT(loudest(0.83, 1.45), 0.1);
}

TEST_F(FileInput, HasANameForEveryPath) {
  for (const char* name : {"a.npy", "a,b.npy", "a?offset=1.npy", "100%25.npy", "it's {x}.npy"}) {
    const std::string input = file_input_name(counting(name, 2));
    ASSERT_TRUE(input.starts_with("file:"));
    EXPECT_EQ(input.find(','), std::string::npos);
    EXPECT_THAT(file_input(input.substr(5), 2, 1).re, ElementsAre(0, 1)) << input;
  }
}

}  // namespace
}  // namespace fftprec::testing
