#include "arith/support/floating_point.hpp"

#include <cstdint>
#include <limits>

namespace fftprec {

namespace {

/// Operands are volatile, so that the compiler cannot work the answer out in its own environment;
/// a subnormal result is looked at as bits, since a comparison may take it as zero.
template <class Real, class Bits>
void check(const std::string& type, std::vector<std::string>& problems) {
  const volatile Real min_normal = std::numeric_limits<Real>::min();
  const volatile Real min_subnormal = std::numeric_limits<Real>::denorm_min();
  const volatile Real half = Real(0.5);
  const volatile Real one = Real(1);
  const volatile Real ulp = std::numeric_limits<Real>::epsilon();
  const volatile Real half_ulp = std::numeric_limits<Real>::epsilon() / 2;

  const volatile Real subnormal = min_normal * half;
  if (__builtin_bit_cast(Bits, static_cast<Real>(subnormal)) == 0)
    problems.push_back(type + ": subnormal results are flushed to zero (FTZ)");

  const volatile Real sum = min_normal + min_subnormal;  // a normal number: FTZ leaves it alone
  if (sum == min_normal) problems.push_back(type + ": subnormal operands count as zero (DAZ)");

  const volatile Real tie_down = one + half_ulp;
  const volatile Real negative_tie_up = -one - half_ulp;
  const volatile Real tie_up = (one + ulp) + half_ulp;
  if (tie_down != one || negative_tie_up != -one || tie_up != one + 2 * ulp)
    problems.push_back(type + ": the rounding mode is not to nearest even");
}

}  // namespace

std::vector<std::string> check_floating_point_environment() {
  std::vector<std::string> problems;
  check<float, std::uint32_t>("float", problems);
  check<double, std::uint64_t>("double", problems);
  return problems;
}

}  // namespace fftprec
