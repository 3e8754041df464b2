#include "algorithms/theory/roundings.hpp"

#include <algorithm>
#include <cmath>

#include "arith/formats/round.hpp"

namespace fftprec {

ErrorBound rounding_error(const Format& format, Rounding rounding, int random_bits) {
  const double nearest = unit_roundoff(format);
  const ErrorBound once = random_rounding(is_nearest(rounding) ? nearest : 2 * nearest);
  if (rounding == Rounding::sr)
    return {once.worst, std::ldexp(once.worst, -random_bits), once.square};
  return rounding == Rounding::rne ? once : not_modelled(once);
}

AbsoluteErrors fixed_errors(const Format& format, Rounding rounding, int bits) {
  if (bits <= 0) return {};
  const double quantum = power_of_two(quantum_exponent(format));
  const double step = std::ldexp(1.0, -bits);
  const double half_open = (1 - square(step)) / 12;
  const double cut = (1 - step) / 2;
  AbsoluteErrors once{.largest = is_nearest(rounding) ? 0.5 : 1 - step, .variance = half_open};
  switch (rounding) {
    case Rounding::rne:
      once.variance = 1 / 12.0 + square(step) / 6;
      break;
    case Rounding::rnu:
      once.mean = step / 2;
      break;
    case Rounding::rna:
      once.outwards = step / 2;
      break;
    case Rounding::rd:
      once.mean = -cut;
      break;
    case Rounding::ru:
      once.mean = cut;
      break;
    case Rounding::rz:
      once.outwards = -cut;
      break;
    case Rounding::odd:
      once.variance = 1 / 3.0 - step / 2 + square(step) / 6;
      break;
    case Rounding::sr:
      once.variance = 2 * half_open;
      break;
  }
  return {once.largest * quantum, once.variance * square(quantum), once.mean * quantum,
          once.outwards * quantum};
}

double small_error(const Format& format, Rounding rounding) {
  const double smallest = min_subnormal(format);
  return is_nearest(rounding) && smallest > min_subnormal(fp64) ? smallest / 2 : smallest;
}

double rounded_table_error(const Format& format) {
  const double step = std::max(unit_roundoff(format), min_subnormal(format));
  return max_finite(format) < 1 ? step * std::sqrt(1.25) : step / std::sqrt(2.0);
}

double cut_loss(int bits, int source) {
  if (bits >= source) return 0;
  return truncation_loss * std::ldexp(1.0, -bits) * (1 - std::ldexp(1.0, bits - source));
}

ExpectedError expected_rounding(const Format& format, Rounding rounding) {
  const double u = unit_roundoff(format);
  const double nearest = value_variance(u);
  switch (rounding) {
    case Rounding::odd:
      return {4 * nearest, 0};
    case Rounding::sr:
      return {2 * nearest, 0};
    case Rounding::ru:
    case Rounding::rd:
      return {unknown, 0};
    case Rounding::rz:
      return {nearest, truncation_loss * u};
    default:
      return {nearest, 0};
  }
}

}  // namespace fftprec
