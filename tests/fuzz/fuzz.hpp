/// What every fuzzer here shares: its entry point, its way to say no, and mutations for its test.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Gives `size` bytes, whatever they are, to the readers of one kind of file. The process aborts if
/// something does not hold that must: each .cpp says what.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fftprec::testing {

/// Aborts unless `condition`: the only failure that libFuzzer knows.
inline void must(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz: not so: %s\n", what.c_str());
  std::abort();
}

/// Runs the entry point on a copy of the very size, so that a sanitizer sees the first byte read
/// beyond.
inline void fuzz_once(std::string_view bytes) {
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

/// One to four changes: a byte, one of the characters that tell something in such files, a piece
/// cut out, a piece of any file of the corpus put in, the end cut off.
inline std::string mutated(std::string bytes, std::span<const std::string> corpus,
                           std::string_view telling, std::mt19937& generator) {
  const auto below = [&](std::size_t limit) {
    return generator() % std::max<std::size_t>(limit, 1);
  };
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
        const std::string& other = corpus[below(corpus.size())];
        bytes.insert(at, other, below(other.size()), 1 + below(16));
        break;
      }
      default:
        bytes.resize(at);
    }
  }
  return bytes;
}

/// Every truncation of every file of the corpus, `step` bytes apart.
inline void fuzz_truncations(std::span<const std::string> corpus, std::size_t step = 1) {
  for (const std::string& bytes : corpus)
    for (std::size_t size = 0; size < bytes.size(); size += step)
      fuzz_once(std::string_view(bytes).substr(0, size));
}

/// The same mutations of the corpus every time.
inline void fuzz_mutations(std::span<const std::string> corpus, std::string_view telling,
                           int count) {
  const unsigned seed = 1;
  std::mt19937 generator(seed);
  for (int i = 0; i < count; ++i)
    fuzz_once(mutated(corpus[generator() % corpus.size()], corpus, telling, generator));
}

}  // namespace fftprec::testing
