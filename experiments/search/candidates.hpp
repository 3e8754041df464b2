/// Inputs with large errors: structured signals whose rounding errors are likely to add up, and
/// small changes of an input for a local search.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"

namespace fftprec::search {

/// An input and its origin: fp32 numbers, like all generated inputs, or digits.
struct Candidate {
  std::string family;  ///< "rounding-tree", ...
  std::string name;    ///< within its family: "from 128, i^j"
  ComplexArray<double> values;
};

struct CandidateShape {
  std::size_t n = 1;
  Format storage = fp32;     ///< of the data: determines steps and midpoints
  std::size_t k_tile = 128;  ///< of the machine: where new sums start
  bool real_only = false;    ///< imaginary parts are 0
  std::uint64_t seed = 1;    ///< of the families that draw
};

/// All structured candidates in a fixed order, with equal bits on every machine. docs/search.md
/// describes the families.
std::vector<Candidate> structured_candidates(const CandidateShape& shape);

/// A real input of n = 2^t values. In a radix-2 FFT every inexact sum on the path to output 0
/// rounds down by half a step. The root has a significand of `first` steps. A node of r steps has
/// the children r and r + 1 if r is even (their sum is a tie, which rounds to the even r), r - 1
/// and r + 1 if r is odd (exact). Leaves lie half a step above their rounded value, or on it if
/// fp32 has no number between. The children of a node are the elements of even and of odd index.
/// Result: values in [1, 2), in units where the root is n. Requires: n a power of two,
/// 2^(precision-1) <= first, precision <= 24.
std::vector<double> rounding_tree(std::size_t n, const Format& storage, std::uint64_t first);

/// What a move does to the values that it touches.
enum class Move {
  negate,
  step,      ///< up or down by 2^k steps of the storage format
  midpoint,  ///< to just below or above the middle of two numbers of the storage format
  scale,     ///< multiplied or divided by two
  repeat,    ///< all become equal to one of them
  exchange,  ///< swaps real and imaginary part, or two values of a real input
  cross,     ///< replaced by the values of another input
  grow,      ///< the whole input times 1 + k u
};
inline constexpr std::array all_moves{Move::negate, Move::step,     Move::midpoint, Move::scale,
                                      Move::repeat, Move::exchange, Move::cross,    Move::grow};

std::string_view name_of(Move move);

/// Random numbers from a counter: draw k of trial t does not depend on the order of trials.
class TrialRandom {
 public:
  TrialRandom(std::uint64_t seed, std::uint64_t trial) : seed_(seed), trial_(trial) {}

  /// Uniform in [0, count). Requires: 1 <= count <= 2^32.
  std::uint64_t below(std::uint64_t count);
  /// Uniform in [0, 1).
  double unit();

 private:
  std::uint64_t seed_;
  std::uint64_t trial_;
  std::uint64_t next_ = 0;
};

/// Which of n elements a move touches: one, a few, a block of 2^k neighbours, or every 2^k-th.
std::vector<std::size_t> drawn_places(std::size_t n, TrialRandom& draws);

/// `parent` after one move on drawn_places: real parts, imaginary parts or both. Values are 0 or
/// fp32 numbers of magnitudes in [2^-60, 2^60]; imaginary parts are 0 if `real_only`. Requires:
/// equal sizes.
ComplexArray<double> moved(const ComplexArray<double>& parent, const ComplexArray<double>& other,
                           Move move, const Format& storage, bool real_only, TrialRandom& draws);

/// `parent` with one to three parts changed: by a few steps of the storage format, in sign, in
/// size, or to 0; then just beside the middle of two of its numbers, or on one. Values are as in
/// `moved`.
ComplexArray<double> nudged(const ComplexArray<double>& parent, const Format& storage,
                            bool real_only, TrialRandom& draws);

}  // namespace fftprec::search
