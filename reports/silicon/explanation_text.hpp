/// An explanation of measured errors as text for a terminal. Pure functions.
#pragma once

#include <cstddef>
#include <string>

#include "experiments/silicon/explain.hpp"

namespace fftprec {

/// What was measured; the variants that fit, or the nearest where none does, at most `most`; every
/// hypothesis with its best variant and the rows that refute it; which tables and dispatches fit;
/// and how much all that is worth. Rows are called a, b, c, ... A predicted value that a row
/// refutes is marked with '!'.
std::string explanation_text(const silicon::Explanation& explanation, std::size_t most = 12);

/// The groups that no experiment tells apart, what they predict of longer transforms, and the
/// experiments that tell most, at most `most` of either.
std::string design_text(const silicon::Design& design, std::size_t most = 8);

/// "trn{demote=terms}, tables exact, stockham for fast": what tells a variant from the others of
/// its set.
std::string variant_text(const silicon::Variant& variant);

/// "a", "b", ..., "z", "aa", ...
std::string row_letter(std::size_t index);

/// "1.74e-3" of a defined prediction, else "-".
std::string predicted_text(const silicon::Predictive& predicted, int digits = 3);

}  // namespace fftprec
