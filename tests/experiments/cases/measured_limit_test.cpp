#include "experiments/cases/measured_limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/error_text.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using ::testing::HasSubstr;

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
  const auto error = [](const char* text) {
    return error_text([text] { parse_measured_limit(text); });
  };
  EXPECT_THAT(error("err_l2=1"), HasSubstr("did you mean 'err_l2_rel'"));
  EXPECT_THAT(error("mac_count=1"), HasSubstr("not measured of a result; what is: err_l2_rel"));
  EXPECT_THAT(error("err_roundtrip_l2_rel=1"), HasSubstr("not measured of a result"));
  EXPECT_THAT(error("bits_l2=20"), HasSubstr("bits_l2 grows as the error falls"));
  EXPECT_THAT(error("snr_db=20"), HasSubstr("snr_db grows as the error falls"));
  EXPECT_THAT(error("gain=1"), HasSubstr("gain may lie below 1"));
  EXPECT_THAT(error("err_l2_rel=-1"), HasSubstr("expected a number from 0 on"));
  EXPECT_THAT(error("err_l2_rel=nan"), HasSubstr("expected a number from 0 on"));
  EXPECT_THAT(error("err_l2_rel"), HasSubstr("is not METRIC=NUMBER"));
}

}  // namespace
}  // namespace fftprec
