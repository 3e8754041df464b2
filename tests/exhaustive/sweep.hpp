/// A sweep over 2^32 cases, cut into chunks that threads take in turn, with progress on stderr.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace fftprec::exhaustive {

/// Which part of a sweep to do, and how.
struct Options {
  std::uint64_t chunks = std::uint64_t{1} << 16;  ///< do the first so many of the 2^16 chunks
  std::uint64_t stride = 1;                       ///< take every stride-th chunk only
  unsigned threads = 1;
};

/// What a sweep found.
struct Outcome {
  std::uint64_t cases = 0;
  std::uint64_t failures = 0;
  std::string first_failure;  ///< operands, result and truth
};

/// Checks the 2^16 cases of one chunk.
using CheckChunk = std::function<Outcome(std::uint32_t chunk)>;

/// Runs every chunk of the options. Each thread makes its own check, since MPFR numbers and its
/// exponent range are a thread's own; `first_failure` is that of the lowest chunk.
Outcome sweep(const std::string& name, const Options& options,
              const std::function<CheckChunk()>& make_check);

/// bf16 a op b against MPFR for all pairs; operation is "add", "subtract", "multiply" or "divide".
Outcome bf16_pairs(const std::string& operation, const Options& options);

/// Every float rounded to the named format (bf16 or fp16), rne, scalar and array form, against
/// MPFR.
Outcome floats(const std::string& format, const Options& options);

}  // namespace fftprec::exhaustive
