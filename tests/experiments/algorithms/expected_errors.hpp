/// The errors of some rows against their bounds and in the mean against what is expected.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "experiments/cases/evaluate.hpp"

namespace fftprec::testing {

/// The rows of seeds 1, 2, ..., for which tables and predictions are made once.
inline std::vector<Row> rows_of_seeds(Case where, std::uint64_t seeds) {
  Session session;
  const auto held = session.plan(where).transforms();
  std::vector<Row> rows;
  for (where.seed = 1; where.seed <= seeds; ++where.seed)
    rows.push_back(evaluate(session.plan(where), make_problem(problem_key(where))));
  return rows;
}

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
