/// The measures of a result as columns of a row.
#pragma once

#include "arith/truth/metrics.hpp"
#include "experiments/rows/row.hpp"

namespace fftprec {

/// Copies each measure into the column of its name; leaves the others.
void set_errors(Row& row, const truth::Errors& errors);

}  // namespace fftprec
