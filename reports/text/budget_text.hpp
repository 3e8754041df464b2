/// An error budget as text. Pure functions.
#pragma once

#include <string>

#include "experiments/errors/budget.hpp"

namespace fftprec::text {

/// The share of the error's square that a part's square is: 0.97.
double share_of(double part, const errors::Budget& budget);

/// "Most of the error comes from tables: 97.0 % of its square.", or which two are the largest.
std::string verdict_of(const errors::Budget& budget);

/// "97.0 %" of a share.
std::string percent_text(double share);

/// A part of the error, or "-" for one that binary64's own errors hide.
std::string part_text(double part, const errors::Budget& budget);

/// "in quadrature 2.45e-07, 1.027 of the error; ...": how the parts add up.
std::string quadrature_text(const errors::Budget& budget);

/// Sources, how they add up, and stages.
std::string budget_text(const errors::Budget& budget);

}  // namespace fftprec::text
