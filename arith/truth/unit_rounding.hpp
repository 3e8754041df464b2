/// Rounding of values in [-1, 1] to a format, for tables: the judge's own, sharing nothing with the
/// rounding under test.
#pragma once

#include "arith/formats/format.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// Throws InputError unless the format holds 1/2 and 1, and double holds the format.
void require_table_format(const Format& format);

/// The value of `format` nearest to x, ties to even; zeros come out as +0.
/// Requires: |x| < 3/2 (a little above 1 comes from drifting tables), require_table_format(format).
/// Rounds: once, also where the format is subnormal. Below the smallest normal number of a format
/// without subnormals the candidates are 0 and that number.
double round_unit(mpfr_srcptr x, const Format& format);
double round_unit(double x, const Format& format);

/// Whether every number within `error` of hi + lo is known to round to one value of `format`, which
/// is then `rounded`. Never known where hi is a power of two: below it the grid is finer.
/// Requires: 2^-900 < hi < 3/2, |lo| at most half an ulp of hi, require_table_format(format).
bool round_unit_if_sure(double hi, double lo, double error, const Format& format, double& rounded);

}  // namespace fftprec::truth
