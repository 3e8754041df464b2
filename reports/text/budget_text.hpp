/// An error budget as text. Pure functions.
#pragma once

#include <string>

#include "experiments/attribution/budget.hpp"
#include "reports/text/table.hpp"

namespace fftprec::text {

/// "Most of the error comes from tables: 97.0 % of its square.", or the two largest sources.
std::string verdict_of(const attribution::Budget& budget);

/// Every source, its error alone, and the error without it.
Table sources_table(const attribution::Budget& budget);

/// The error that each source adds in each stage; "-" if the errors of binary64 hide it.
Table stages_table(const attribution::Budget& budget);

/// "in quadrature 2.45e-07, 1.027 of the error; ...": how the parts add up.
std::string quadrature_text(const attribution::Budget& budget);

/// Sources, how they add up, and stages.
std::string budget_text(const attribution::Budget& budget);

}  // namespace fftprec::text
