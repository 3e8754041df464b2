/// The fuzzer's check on a small corpus and on thousands of mutations that are the same every time.
/// They run under every compiler; libFuzzer, where it is built, goes on from there.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/files/sample_files.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/sample_files.hpp"

namespace fftprec::testing {
namespace {

const std::vector<std::string>& corpus() {
  static const std::vector<std::string> files{
      npy_file(npy_header("<f4", "(3,)"), little_all<float>({1, -2, 0.5F})),
      npy_file(npy_header(">f8", "(1, 2)"), big(1.0) + big(-1e300)),
      npy_file(npy_header("<c8", "()"), little(1.0F) + little(2.0F), 2),
      npy_file(npy_header("<c16", "(2, 1, 1)"), little_all<double>({1, 2, 3, 4}), 3),
      npy_file(npy_header("|O", "(2,)"), std::string(16, '\0')),
      npy_file(npy_header("<f8", "(2, 2)", "True"), std::string(32, '\0')),
      npy_file(npy_header("<f8", "(4294967296, 4294967296)"), std::string(8, '\0')),
  };
  return files;
}

TEST(NpyFuzz, TheCorpusHoldsAndSomeOfItIsRead) {
  std::size_t read = 0;
  for (const std::string& bytes : corpus()) {
    fuzz_once(bytes);
    try {
      parse_npy(bytes, "x.npy");
      ++read;
    } catch (const InputError&) {
    }
  }
  EXPECT_EQ(read, 5u);
}

TEST(NpyFuzz, EveryTruncationOfTheCorpusHolds) { fuzz_truncations(corpus()); }

TEST(NpyFuzz, TwentyThousandMutationsHold) {
  fuzz_mutations(corpus(), "'\"{}(),: \n<>|=fcO0123456789\xff", 20000);
}

}  // namespace
}  // namespace fftprec::testing
