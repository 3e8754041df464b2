/// Filters that name what exists: a misspelt name would match nothing, and nothing would say so.
#pragma once

#include "experiments/cases/axes.hpp"
#include "experiments/rows/filter.hpp"

namespace fftprec {

/// Throws InputError if a condition compares an axis with a name that it cannot hold.
void check_filter_names(const Filter& filter, const CheckNames& check_names);

}  // namespace fftprec
