/// A-priori error bounds and expected errors of every algorithm in every mode on every machine.
///
/// All are relative errors in the 2-norm, ||y^ - y|| / ||y||, against the exact transform y of the
/// input as given, barring overflow and underflow. A worst-case bound is a theorem, proven beside
/// its formula in bounds.cpp; an expected value is the RMS model of expected.cpp for random input.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "algorithms/modes.hpp"
#include "algorithms/table_statistics.hpp"
#include "arith/complex_array.hpp"

namespace fftprec {

/// What a bound or an expected error depends on.
struct BoundCase {
  std::size_t n;
  const Mode& mode;
  const Machine& machine;
  Direction direction = Direction::forward;
  double table_error = 0;     ///< mu: |w^ - w| <= mu for every table entry, |w| = 1
  bool exact_tables = true;   ///< entries correctly rounded, so 1, -1, i and -i are exact
  bool input_rounded = true;  ///< the input is not on the grid of the storage format
};

/// A bound and the theorem that it evaluates.
struct Bound {
  double l2_rel;
  std::string_view name;
};

/// (1 + error)^count - 1, evaluated without cancellation.
double repeated_error(double error, std::size_t count);

/// |w^ - w| for a correctly rounded table entry, |w| = 1: both parts are at most 1 in magnitude, so
/// each is off by at most u/2; together u/sqrt(2).
double rounded_table_error(const Format& format);

/// |fl(wx) - wx| <= rho |w| |x| for the complex product of the mode, table error not included.
double product_error(const Mode& mode, const Machine& machine);

/// Worst case of dft-gemm and of radix2-dit.
Bound dft_gemm_bound(const BoundCase& where);
Bound radix2_dit_bound(const BoundCase& where);

/// Expected relative 2-norm error for random complex input (expected.cpp), given the statistics of
/// the tables: of the one matrix of dft-gemm; of radix2-dit's stages, the first stage first.
double dft_gemm_expected(const BoundCase& where, std::span<const TableStatistics> tables);
double radix2_dit_expected(const BoundCase& where, std::span<const TableStatistics> tables);

}  // namespace fftprec
