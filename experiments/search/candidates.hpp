/// Inputs made to be bad: structured signals whose rounding errors have a reason to add up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"

namespace fftprec {

/// An input with where it comes from. Holds fp32 numbers only, like every input that is made.
struct Candidate {
  std::string family;  ///< "rounding-tree", ...
  std::string name;    ///< within its family: "from 128, i^j"
  ComplexArray<double> values;
};

struct CandidateShape {
  std::size_t n = 1;
  Format storage = fp32;     ///< of the data: where its steps and midpoints lie
  std::size_t k_tile = 128;  ///< of the machine: where sums start anew
  bool real_only = false;    ///< imaginary parts are 0
  std::uint64_t seed = 1;    ///< of the families that draw
};

/// All of them, in a fixed order; the same bits on every machine. The families are documented in
/// docs/search.md.
std::vector<Candidate> structured_candidates(const CandidateShape& shape);

/// The real input of n = 2^t values for which every sum of a radix-2 FFT on the way to output 0
/// that can round, rounds down by half a step: with significands of `first` steps at the root, a
/// node of an even number r of steps has the children r and r + 1 (their sum is a tie, which goes
/// to the even r), one of an odd r has r - 1 and r + 1 (exact). Leaves lie half a step above their
/// rounded value, or on it where fp32 has nothing between. Children of a node are the elements of
/// even and of odd index. Result: values in [1, 2), in units where the root is n. Requires: n a
/// power of two, 2^(precision-1) <= first, precision <= 24.
std::vector<double> rounding_tree(std::size_t n, const Format& storage, std::uint64_t first);

}  // namespace fftprec
