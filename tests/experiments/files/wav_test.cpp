/// The WAV reader: every sample format to the bit, and what a damaged recording is told.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "experiments/files/sample_files.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_files.hpp"

namespace fftprec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

std::string error_of_wav(const std::string& bytes, std::size_t channel = 0) {
  return error_text([&] { parse_wav(bytes, "x.wav", channel); });
}

TEST(Wav, ReadsEverySampleFormatToTheBit) {
  const auto read = [](const WavFormat& format, const std::string& data) {
    return parse_wav(wav_file(format, data), "x.wav", 0).values.re;
  };
  const std::string pcm_8{'\x00', '\x80', '\xff'};
  const std::string pcm_16 = little(0x8000, 2) + little(0x7fff, 2) + little(0xffff, 2);
  const std::string pcm_24 = little(0x800000, 3) + little(0x7fffff, 3) + little(0xffffff, 3);
  const std::string pcm_32 = little(0x80000000, 4) + little(0x7fffffff, 4) + little(0xffffffff, 4);

  EXPECT_THAT(read({.bits = 8}, pcm_8), ElementsAre(-1, 0, 127.0 / 128));
  EXPECT_THAT(read({.bits = 16}, pcm_16), ElementsAre(-1, 0x7fff * 0x1p-15, -0x1p-15));
  EXPECT_THAT(read({.bits = 24}, pcm_24), ElementsAre(-1, 0x7fffff * 0x1p-23, -0x1p-23));
  EXPECT_THAT(read({.bits = 32}, pcm_32), ElementsAre(-1, 0x7fffffff * 0x1p-31, -0x1p-31));
  EXPECT_THAT(read({.tag = 3, .bits = 32}, little(1.0F / 3) + little(-70.0F)),
              ElementsAre(1.0F / 3, -70));
  EXPECT_THAT(read({.tag = 3, .bits = 64}, little(1.0 / 3) + little(5e-324)),
              ElementsAre(1.0 / 3, 5e-324));
}

TEST(Wav, GivesTheChannelAskedForAndItsLength) {
  const std::string frames = little(1, 2) + little(2, 2) + little(3, 2) + little(4, 2);
  const std::string file = wav_file({.channels = 2}, frames);

  const Samples left = parse_wav(file, "x.wav", 0);
  const Samples right = parse_wav(file, "x.wav", 1);

  EXPECT_THAT(left.values.re, ElementsAre(1 * 0x1p-15, 3 * 0x1p-15));
  EXPECT_THAT(right.values.re, ElementsAre(2 * 0x1p-15, 4 * 0x1p-15));
  EXPECT_THAT(right.values.im, ElementsAre(0, 0));
  EXPECT_THAT(right.shape, ElementsAre(2));
  EXPECT_EQ(error_of_wav(file, 2), "x.wav: has no channel 2; it has 2, counted from 0");
}

TEST(Wav, ReadsOnAcrossItsBlocks) {
  std::string data;
  for (std::uint64_t i = 0; i < 10000; ++i) data += little(i, 2);

  const Samples x = parse_wav(wav_file({}, data), "x.wav", 0);

  ASSERT_EQ(x.values.size(), 10000u);
  for (std::size_t i = 0; i < x.values.size(); ++i)
    ASSERT_EQ(x.values.re[i], static_cast<double>(i) * 0x1p-15) << i;
}

TEST(Wav, EveryTruncationIsAnErrorThatNamesTheFile) {
  const std::string file = wav_file({}, std::string(20, '\1'));
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::string message = error_of_wav(file.substr(0, size));
    EXPECT_THAT(message, StartsWith(size < 12 ? "x.wav: is no WAV file" : "x.wav: is cut short"))
        << size << " bytes";
  }
  EXPECT_EQ(error_of_wav(file.substr(0, file.size() - 2)),
            "x.wav: is cut short: its data take 20 bytes, 18 are there");
}

TEST(Wav, ADataChunkThatClaimsMoreThanTheFileIsAnError) {
  EXPECT_THAT(error_of_wav(wav_file({}, std::string(20, '\1'), 0xffffffff)),
              holds("its data take 4294967295 bytes, 20 are there"));
}

TEST(Wav, DataThatEndWithinASampleAreAnError) {
  EXPECT_THAT(error_of_wav(wav_file({}, std::string(21, '\1'))), holds("is damaged: its 21 bytes"));
  EXPECT_THAT(error_of_wav(wav_file({.channels = 3}, std::string(20, '\1'))),
              holds("is damaged: its 20 bytes"));
}

TEST(Wav, ARecordingWithoutSamplesIsAnError) {
  EXPECT_EQ(error_of_wav(wav_file({}, "")), "x.wav: holds no samples");
}

TEST(Wav, OtherSampleFormatsAreErrorsThatListTheKnown) {
  const std::string message = error_of_wav(wav_file({.tag = 6, .bits = 8}, std::string(20, '\1')));

  EXPECT_THAT(message, holds("A-Law", "known: PCM of 8, 16, 24 or 32 bits, float and double"));
}

TEST(Wav, AHeaderThatMakesNoSenseIsAnError) {
  const std::string data(24, '\1');
  EXPECT_THAT(error_of_wav(wav_file({.channels = 0}, data)), holds("cannot be read as WAV: "));
  for (const WavFormat& format :
       {WavFormat{.channels = 0}, WavFormat{.tag = 0x4242}, WavFormat{.bits = 0},
        WavFormat{.tag = 3, .bits = 16}, WavFormat{.channels = 65535}})
    EXPECT_THAT(error_of_wav(wav_file(format, data)), StartsWith("x.wav: "))
        << format.tag << " " << format.channels << " " << format.bits;
}

TEST(Wav, InfinitiesAndNansAreErrorsThatSayWhere) {
  for (const double value : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    const std::string data = little(1.0) + little(value);
    EXPECT_EQ(error_of_wav(wav_file({.tag = 3, .bits = 64}, data)),
              "x.wav: sample 1 is infinite or not a number");
  }
}

TEST(Wav, AMutatedHeaderIsReadOrRefused) {
  const std::string good = wav_file({.channels = 2}, std::string(40, '\1'));
  const std::size_t data_at = good.size() - 40;
  for (std::size_t at = 0; at < data_at; ++at)
    for (const int value : {0, 1, 2, 3, 0x7f, 0x80, 0xff}) {
      std::string file = good;
      file[at] = static_cast<char>(value);
      try {
        const Samples x = parse_wav(file, "x.wav", 0);
        EXPECT_LE(x.values.size(), 40u) << "byte " << at << " = " << value;
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), StartsWith("x.wav: ")) << "byte " << at << " = " << value;
      }
    }
}

}  // namespace
}  // namespace fftprec::testing
