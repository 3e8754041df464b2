/// Small changes of an input: what a local search tries next.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"

namespace fftprec {

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

}  // namespace fftprec
