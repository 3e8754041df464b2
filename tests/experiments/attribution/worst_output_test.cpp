/// The worst element, by numbers had by hand.
#include "experiments/attribution/worst_output.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <vector>

#include "experiments/cases/columns.hpp"
#include "experiments/testing/measure_result.hpp"
#include "tests/support/complex_samples.hpp"

namespace fftprec::attribution {
namespace {

using testing::complex_values;
using testing::samples;

class WorstElements : public ::testing::Test {
 protected:
  WorstElement worst(const std::vector<std::complex<double>>& y, const char* metric) const {
    return worst_element(complex_values(y), asked_.problem.truth, column_named(metric), fp32);
  }

  ForeignProblem asked_ = foreign_problem("fft", 4, samples({1, 2, 3, 4, 1, 2, 3, 4}, {2, 4}));
  /// Errors: 0.25 at output 0 of item 0, 1/40 of it; 0.125 in re and im at output 1 of item 1,
  /// 1/16 of either part.
  std::vector<std::complex<double>> y_ = {10.25, {-2, 2},         -2, {-2, -2},
                                          10,    {-2.125, 2.125}, -2, {-2, -2}};
};

TEST_F(WorstElements, NormsAreDecidedByTheLargestDifference) {
  for (const char* metric : {"err_l2_rel", "err_linf_rel", "err_l1_rel"}) {
    const WorstElement found = worst(y_, metric);
    EXPECT_EQ(found.item, 0U) << metric;
    EXPECT_EQ(found.index, 0U) << metric;
    EXPECT_EQ(found.computed, 10.25) << metric;
    EXPECT_EQ(found.exact, 10.0) << metric;
  }
}

TEST_F(WorstElements, ElementwiseMetricsAreDecidedByTheirOwnWorst) {
  // Steps of fp32: 2^-20 at 10, 2^-22 at 2, so 2^18 steps at output 0 and 2^19 at output 1.
  for (const char* metric : {"err_re_max_rel", "err_im_max_rel", "err_max_ulp", "err_rms_ulp"}) {
    const WorstElement found = worst(y_, metric);
    EXPECT_EQ(found.item, 1U) << metric;
    EXPECT_EQ(found.index, 1U) << metric;
  }
  EXPECT_EQ(text_of(worst(y_, "err_max_ulp")),
            "output 1 of item 1: (-2.125, 2.125), where (-2, 2) is true");
}

TEST_F(WorstElements, WhatIsNotFiniteIsWorst) {
  y_[6] = {0, std::numeric_limits<double>::quiet_NaN()};
  y_[7] = std::numeric_limits<double>::infinity();
  for (const char* metric : {"err_l2_rel", "err_re_max_rel", "err_max_ulp"})
    EXPECT_EQ(worst(y_, metric).index, 2U) << metric;
}

}  // namespace
}  // namespace fftprec::attribution
