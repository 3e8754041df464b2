#include "experiments/cases/measured_limit.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using testing::expect_each;
using testing::holds;

TEST(MeasuredLimit, HoldsUpToItsValueAndNeverForNan) {
  Row row;
  const MeasuredLimit limit = parse_measured_limit("err_l2_rel=0.5");
  row.err_l2_rel = 0.5;
  EXPECT_TRUE(holds(limit, row));
  row.err_l2_rel = std::nextafter(0.5, 1);
  EXPECT_FALSE(holds(limit, row));
  row.err_l2_rel = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(holds(limit, row));
}

TEST(MeasuredLimit, RefusesWhatCannotBeLimited) {
  const auto error = [](const std::string& text) {
    return error_text([text] { parse_measured_limit(text); });
  };
  expect_each(error, {{"err_l2=1", "did you mean 'err_l2_rel'"},
                      {"real_multiplications=1", "not measured of a result; what is: err_l2_rel"},
                      {"err_roundtrip_l2_rel=1", "not measured of a result"},
                      {"bits_l2=20", "bits_l2 grows as the error falls"},
                      {"snr_db=20", "snr_db grows as the error falls"},
                      {"gain=1", "gain may lie below 1"},
                      {"err_l2_rel=-1", "expected a number from 0 on"},
                      {"err_l2_rel=nan", "expected a number from 0 on"},
                      {"err_l2_rel", "is not METRIC=NUMBER"}});
}

}  // namespace
}  // namespace fftprec
