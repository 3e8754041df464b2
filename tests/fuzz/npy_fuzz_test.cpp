/// The fuzzer's check on a small corpus and on thousands of mutations that are the same every time.
/// They run under every compiler; libFuzzer, where it is built, goes on from there.
#include "tests/fuzz/npy_fuzz.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "arith/error.hpp"
#include "experiments/npy.hpp"
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

void check(const std::string& bytes) {
  // Of its very size, so that a sanitizer sees the first byte read beyond.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

/// One to four changes: a byte, a piece cut out, a piece of any file put in, the end cut off.
std::string mutated(std::string bytes, std::mt19937& generator) {
  const auto below = [&](std::size_t limit) {
    return generator() % std::max<std::size_t>(limit, 1);
  };
  static constexpr std::string_view telling = "'\"{}(),: \n<>|=fcO0123456789\xff";
  for (std::size_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = below(bytes.size());
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 1:
        bytes[at] = telling[below(telling.size())];
        break;
      case 2:
        bytes.erase(at, 1 + below(8));
        break;
      case 3: {
        const std::string& other = corpus()[below(corpus().size())];
        bytes.insert(at, other, below(other.size()), 1 + below(16));
        break;
      }
      default:
        bytes.resize(at);
    }
  }
  return bytes;
}

TEST(NpyFuzz, TheCorpusHoldsAndSomeOfItIsRead) {
  std::size_t read = 0;
  for (const std::string& bytes : corpus()) {
    check(bytes);
    try {
      parse_npy(bytes, "x.npy");
      ++read;
    } catch (const InputError&) {
    }
  }
  EXPECT_EQ(read, 4u);
}

TEST(NpyFuzz, EveryTruncationOfTheCorpusHolds) {
  for (const std::string& bytes : corpus())
    for (std::size_t size = 0; size < bytes.size(); ++size) check(bytes.substr(0, size));
}

TEST(NpyFuzz, TwentyThousandMutationsHold) {
  const unsigned seed = 1;
  std::mt19937 generator(seed);
  for (int i = 0; i < 20000; ++i)
    check(mutated(corpus()[generator() % corpus().size()], generator));
}

}  // namespace
}  // namespace fftprec::testing
