/// The errors of some rows against their bounds and in the mean against what is expected.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "experiments/cases/evaluate.hpp"

namespace fftprec::testing {

/// The root mean square of what each row is measured to have, relative to what is expected.
inline double rms_ratio(const std::vector<Row>& rows) {
  double squares = 0;
  for (const Row& row : rows) {
    const double ratio = row.err_l2_rel.value() / row.expected_l2_rel.value();
    squares += ratio * ratio / static_cast<double>(rows.size());
  }
  return std::sqrt(squares);
}

inline void expect_below_their_bounds(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value()) << command_of(row.where);
}

/// No row above its bound, and all together within the tolerance of what is expected.
inline void expect_as_expected(const std::vector<Row>& rows, double tolerance = 0.25) {
  expect_below_their_bounds(rows);
  EXPECT_NEAR(rms_ratio(rows), 1, tolerance)
      << command_of(rows.front().where) << " and the other seeds";
}

}  // namespace fftprec::testing
