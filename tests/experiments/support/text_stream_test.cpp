#include "experiments/support/text_stream.hpp"

#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

#include "experiments/support/hash.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using testing::error_text;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Words that compress, but not to nothing.
std::string some_text(std::size_t size) {
  std::mt19937 random(1);
  std::string text;
  while (text.size() < size) text += std::to_string(random() % 1000) + ",word\n";
  text.resize(size);
  return text;
}

std::string compressed(const std::string& text, Compression compression) {
  std::string bytes;
  Compressor compressor(compression, [&bytes](std::string_view piece) { bytes += piece; });
  compressor.write(text);
  compressor.finish();
  return bytes;
}

std::string text_in(const std::string& bytes) {
  TextReader reader(bytes, "x");
  std::string text;
  for (std::string_view piece = reader.next(); !piece.empty(); piece = reader.next()) text += piece;
  return text;
}

class TextStream : public ::testing::Test {
 protected:
  testing::TemporaryDirectory directory_;
};

TEST_F(TextStream, ReadsBackWhatWasWrittenInAnyPieces) {
  for (const char* name : {"x.csv", "x.csv.gz", "x.csv.zst"})
    for (const std::size_t size : {0u, 1u, 131071u, 131072u, 131073u, 1000000u}) {
      const std::string text = some_text(size);
      TextWriter writer(directory_ / name);
      for (std::size_t begin = 0, length = 1; begin < size;
           begin += length, length = 3 * length + 1)
        writer.write(std::string_view(text).substr(begin, length));
      writer.finish();

      EXPECT_TRUE(read_text(directory_ / name) == text) << name << " " << size;
      if (size == 1000000 && compression_of(name) != Compression::none) {
        EXPECT_LT(std::filesystem::file_size(directory_ / name), size / 2) << name;
      }
    }
}

TEST_F(TextStream, IsRecognisedByItsBytes) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    testing::write_text(directory_ / "plainly.csv", compressed("a,b\n", compression));
    EXPECT_EQ(read_text(directory_ / "plainly.csv"), "a,b\n");
  }
}

TEST_F(TextStream, ReplacesAFileOnlyWhenItIsFinished) {
  testing::write_text(directory_ / "x.gz", "before");
  {
    TextWriter writer(directory_ / "x.gz");
    writer.write(some_text(1000000));
  }
  EXPECT_EQ(testing::text_of(directory_ / "x.gz"), "before");
  EXPECT_THAT(error_text([this] { TextWriter(directory_ / "none/x.gz"); }),
              HasSubstr("x.gz: cannot be written"));
  EXPECT_THAT(error_text([this] { TextReader(directory_ / "none/x.gz"); }),
              HasSubstr("x.gz: cannot be read"));
}

TEST(TextStreamParts, InARowAreOneText) {
  for (const Compression compression : {Compression::gzip, Compression::zstd})
    EXPECT_EQ(text_in(compressed("one,", compression) + compressed("", compression) +
                      compressed("two", compression)),
              "one,two");
}

TEST(TextStreamDamage, OfACutIsNamedWithItsByte) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const std::string bytes = compressed(some_text(300000), compression);
    for (const std::size_t size : {std::size_t{5}, bytes.size() / 2, bytes.size() - 1})
      EXPECT_THAT(error_text([&] { text_in(bytes.substr(0, size)); }),
                  AllOf(StartsWith("x: the "),
                        HasSubstr("data are cut off after byte " + std::to_string(size))));
  }
}

TEST(TextStreamDamage, NeverGivesAnotherText) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const std::string text = some_text(20000);
    const std::string good = compressed(text, compression);
    std::size_t seen = 0;
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
      std::string bytes = good;
      bytes[4 + random() % (bytes.size() - 4)] ^= static_cast<char>(1 << random() % 8);
      std::string read;
      const std::string error = error_text([&] { read = text_in(bytes); });
      if (error != "no error") {
        ++seen;
        EXPECT_THAT(error, AnyOf(HasSubstr("damaged at byte"), HasSubstr("cut off after byte")));
      } else {
        EXPECT_EQ(read, text) << "flip " << i;
      }
    }
    EXPECT_GT(seen, 290u);
  }
}

TEST(TextStreamDamage, IsReportedAgainWhenMoreIsAskedFor) {
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    std::string bytes = compressed(some_text(1000), compression);
    bytes[bytes.size() / 2] ^= 64;
    TextReader reader(bytes, "x");
    const auto read = [&] {
      while (!reader.next().empty()) continue;
    };

    const std::string first = error_text(read);

    EXPECT_THAT(first, HasSubstr("damaged"));
    EXPECT_EQ(error_text(read), first);
  }
}

TEST(TextHash, OfPiecesIsThatOfTheWhole) {
  const std::string text = some_text(10000);
  TextHash hash;
  for (std::size_t begin = 0; begin < text.size(); begin += 77) hash.add(text.substr(begin, 77));

  EXPECT_EQ(hash.digits(), text_hash(text));
  EXPECT_EQ(TextHash().digits(), text_hash(""));
}

}  // namespace
}  // namespace fftprec
