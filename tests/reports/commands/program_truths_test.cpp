/// The built program and the truths that it keeps: damaged, shared, or with no room for them.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/reports/commands/started_program.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::commands {
namespace {

using namespace testing;

/// Long enough to compute that the truth is kept.
std::vector<std::string> with_cache(const std::string& cache, const std::string& rows) {
  return {"run", "-a", "n=4096", "-a", "mode=fast,bf16", "--truth", "mpfr",
          "-j",  "1",  "--csv",  rows, "--truth-cache",  cache};
}

TEST(Program, NeverUsesADamagedTruth) {
  const TemporaryDirectory directory;
  EXPECT_EQ(code_of(with_cache("none", directory / "expected")), 0);
  EXPECT_EQ(code_of(with_cache(directory / "cache", directory / "rows")), 0);
  const std::filesystem::path entry =
      std::filesystem::directory_iterator(directory / "cache")->path();
  const std::string good = text_of(entry);
  EXPECT_EQ(bits_of(directory / "rows"), bits_of(directory / "expected"));
  for (const std::size_t place : {std::size_t{1000}, good.size() / 2, good.size() - 1}) {
    std::string bad = good;
    bad[place] = static_cast<char>(bad[place] ^ 1);
    write_text(entry, bad);

    EXPECT_EQ(code_of(with_cache(directory / "cache", directory / "rows")), 0);

    EXPECT_EQ(bits_of(directory / "rows"), bits_of(directory / "expected")) << place;
    EXPECT_EQ(text_of(entry), good) << "replaced by a good one";
  }
}

TEST(Program, SharesItsTruthsWithAnotherProcess) {
  const TemporaryDirectory directory;
  EXPECT_EQ(code_of(with_cache("none", directory / "expected")), 0);
  for (int round = 0; round < 3; ++round) {
    const Started one = start(with_cache(directory / "cache", directory / "one"));
    const Started two = start(with_cache(directory / "cache", directory / "two"));
    EXPECT_EQ(one.wait(), 0) << one.err();
    EXPECT_EQ(two.wait(), 0) << two.err();
    for (const char* rows : {"one", "two"})
      EXPECT_EQ(bits_of(directory / rows), bits_of(directory / "expected"));
  }
}

TEST(Program, RunsOnWhereTruthsCannotBeKept) {
  const TemporaryDirectory directory;
  EXPECT_EQ(code_of(with_cache("none", directory / "expected")), 0);

  const Started full =
      start(with_cache(directory / "cache", directory / "rows"), {.out = {}, .file_bytes = 65536});

  EXPECT_EQ(full.wait(), 0) << full.err();
  EXPECT_THAT(full.err(), holds("truths are not kept: "));
  EXPECT_EQ(bits_of(directory / "rows"), bits_of(directory / "expected"));
  EXPECT_TRUE(std::filesystem::is_empty(directory / "cache"));
}

}  // namespace
}  // namespace fftprec::commands
