/// The flags and the environment that every result depends on.
#include "arith/support/floating_point.hpp"

#include <gmock/gmock.h>

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace fftprec::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Volatile operands: the compiler must do the arithmetic, and could fuse it if it were allowed to.
template <class Real>
Real product_minus(Real a, Real b, Real c) {
  const Real product = a * b;
  return product - c;
}

TEST(Flags, AProductAndASumStayTwoRoundings) {
  volatile double a = 1 + 0x1p-30;
  volatile double c = 1 + 0x1p-29;  // a * a rounds to c; its exact value is c + 2^-60
  EXPECT_EQ(product_minus<double>(a, a, c), 0);
  volatile float x = 1 + 0x1p-13f;
  volatile float z = 1 + 0x1p-12f;
  EXPECT_EQ(product_minus<float>(x, x, z), 0);
}

TEST(Environment, IsSoundAtStart) { EXPECT_THAT(check_floating_point_environment(), IsEmpty()); }

/// A rounding mode for a scope.
class RoundingMode {
 public:
  explicit RoundingMode(int mode) : old_(std::fegetround()) { std::fesetround(mode); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;
  ~RoundingMode() { std::fesetround(old_); }

 private:
  int old_;
};

class OtherRoundingMode : public ::testing::TestWithParam<int> {};

TEST_P(OtherRoundingMode, IsFound) {
  std::vector<std::string> problems;
  {
    const RoundingMode mode(GetParam());
    problems = check_floating_point_environment();
  }
  EXPECT_THAT(problems, ElementsAre(HasSubstr("float: the rounding mode"),
                                    HasSubstr("double: the rounding mode")));
}

INSTANTIATE_TEST_SUITE_P(Directions, OtherRoundingMode,
                         ::testing::Values(FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO));

#if defined(__x86_64__)
/// Bits of the SSE control register for a scope.
class ControlBits {
 public:
  explicit ControlBits(unsigned bits) : old_(_mm_getcsr()) { _mm_setcsr(old_ | bits); }
  ControlBits(const ControlBits&) = delete;
  ControlBits& operator=(const ControlBits&) = delete;
  ~ControlBits() { _mm_setcsr(old_); }

 private:
  unsigned old_;
};

std::vector<std::string> problems_with(unsigned bits) {
  const ControlBits control(bits);
  return check_floating_point_environment();
}

TEST(Environment, FlushToZeroIsFound) {
  EXPECT_THAT(problems_with(0x8000), ElementsAre(HasSubstr("float: subnormal results"),
                                                 HasSubstr("double: subnormal results")));
}

TEST(Environment, DenormalsAreZeroIsFound) {
  EXPECT_THAT(problems_with(0x0040), ElementsAre(HasSubstr("float: subnormal operands"),
                                                 HasSubstr("double: subnormal operands")));
}
#endif

}  // namespace
}  // namespace fftprec::testing
