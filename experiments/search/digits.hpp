/// Digits whose product has large errors: structured operands whose rounding errors are likely to
/// add up, and small changes of digits for a local search.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "experiments/inputs/generators.hpp"
#include "experiments/search/candidates.hpp"

namespace fftprec::search {

struct DigitShape {
  std::size_t n = 1;                        ///< digits of an operand
  std::vector<IntegerLaw::Range> ranges{};  ///< of the digits of one or two operands
  std::uint64_t seed = 1;                   ///< of the families that draw
};

/// All structured operands in a fixed order: the first operand by a pattern, the second by a rule
/// from the first. docs/search.md describes the families.
/// Requires: ranges contain 0.
std::vector<Candidate> structured_digits(const DigitShape& shape);

/// What a move does to the digits that it touches.
enum class DigitMove {
  negate,
  step,      ///< up or down by 2^k
  limit,     ///< to the least or greatest digit
  clear,     ///< to 0
  scale,     ///< multiplied by a factor between 1/2 and 2
  draw,      ///< replaced by random digits
  repeat,    ///< all become equal to one of them
  exchange,  ///< swapped with another digit
  cross,     ///< replaced by the digits of another input
  turn,      ///< a whole operand moves by some places
};
inline constexpr std::array all_digit_moves{
    DigitMove::negate, DigitMove::step,   DigitMove::limit,    DigitMove::clear, DigitMove::scale,
    DigitMove::draw,   DigitMove::repeat, DigitMove::exchange, DigitMove::cross, DigitMove::turn};

/// `parent` after one move on drawn_places, or on those of them that are not 0. Every digit keeps
/// to its range. Requires: equal sizes.
ComplexArray<double> moved_digits(const ComplexArray<double>& parent,
                                  const ComplexArray<double>& other, DigitMove move,
                                  const DigitShape& shape, TrialRandom& draws);

}  // namespace fftprec::search
