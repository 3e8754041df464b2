/// Inputs that are made to err: structured signals whose rounding errors have a reason to add up.
/// And small changes of an input, which a local search tries next.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"

namespace fftprec::search {

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

/// What a move does to the values that it touches.
enum class Move {
  negate,
  step,      ///< up or down by 2^k steps of the storage format
  midpoint,  ///< to just below or above the middle of two numbers of the storage format
  scale,     ///< times or by two
  repeat,    ///< all become one of the values that are there
  exchange,  ///< real and imaginary part change places, or where all is real two values
  cross,     ///< become those of another input
  grow,      ///< the whole input times 1 + k u
};
inline constexpr std::array all_moves{Move::negate, Move::step,     Move::midpoint, Move::scale,
                                      Move::repeat, Move::exchange, Move::cross,    Move::grow};

std::string_view name_of(Move move);

/// Random numbers by their place: draw k of trial t is the same in any order of trials.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t trial) : seed_(seed), trial_(trial) {}

  /// Uniform in [0, count). Requires: 1 <= count <= 2^32.
  std::uint64_t below(std::uint64_t count);
  /// Uniform in [0, 1).
  double unit();

 private:
  std::uint64_t seed_;
  std::uint64_t trial_;
  std::uint64_t next_ = 0;
};

/// `parent` after one move on a place that is drawn: one element, a few, a block of 2^k neighbours,
/// or every 2^k-th, the real or imaginary part or both. Values are fp32 numbers of magnitudes in
/// [2^-60, 2^60], or 0; imaginary parts are 0 where `real_only`.
/// Requires: equal sizes.
ComplexArray<double> moved(const ComplexArray<double>& parent, const ComplexArray<double>& other,
                           Move move, const Format& storage, bool real_only, Draws& draws);

}  // namespace fftprec::search
