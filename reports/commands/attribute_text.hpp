/// An error budget as text. Pure functions.
#pragma once

#include <string>

#include "experiments/errors/budget.hpp"

namespace fftprec {

/// The share of the error's square that a part's square is: 0.97.
double share_of(double part, const Budget& budget);

/// "tables make most of the error: 97 % of its square", or which two are the largest.
std::string verdict_of(const Budget& budget);

/// Sources, how they add up, and stages.
std::string budget_text(const Budget& budget);

}  // namespace fftprec
