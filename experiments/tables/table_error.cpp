#include "experiments/tables/table_error.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/theory/bounds.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec {

namespace {

constexpr double u = 0x1p-24;
constexpr double two_pi = 6.283185307179587;

/// fp32 parts, each correctly rounded, then rounded once more if the format is narrower.
double after_rounding(double error, const Format& format) {
  const double in_fp32 = error + rounded_table_error(fp32);
  return format.precision >= fp32.precision ? in_fp32
                                            : in_fp32 + (1 + in_fp32) * rounded_table_error(format);
}

/// An angle formed by at most five fp32 roundings (2 pi, the exponent, their product, the order and
/// the quotient) is off by (1 + u)^4 / (1 - u) - 1 < 5.01 u of itself, and moves the root by no
/// more.
double angle_error(double turns) { return 5.01 * u * two_pi * turns; }

}  // namespace

/// jitter: parts of up to 1 move by 2^-24 at most, the root by sqrt(2) as much, and by a little
/// more where it is then rounded to a narrower format. fp64-angle: as fp32-angle, with the unit
/// roundoff of fp64. bf16-angle: the angle is rounded to bf16 besides: another 2^-8 of itself.
/// recurrence: each of the `index` products multiplies the relative error by (1 + sqrt(5) u), the
/// schoolbook product, and by (1 + u/sqrt(2)), the rounded primitive root.
double table_error_bound(std::string_view name, const TableExtent& extent, const Format& format) {
  const auto [source, jitter] = table_name(name);
  if (jitter != 0) return table_error_bound(source, extent, format) + 2 * u;
  if (source == "exact") return rounded_table_error(format);
  if (source == "fp32-reduced")
    return after_rounding(angle_error(std::min(extent.turns, 1.0)), format);
  if (source == "fp64-angle") {
    const double in_fp64 = 5.01 * 0x1p-53 * two_pi * extent.turns + rounded_table_error(fp64);
    return format.precision >= fp64.precision
               ? in_fp64
               : in_fp64 + (1 + in_fp64) * rounded_table_error(format);
  }
  if (source == "bf16-angle") {
    const double exact_angle = two_pi * extent.turns;
    const double wide = angle_error(extent.turns);
    return after_rounding(wide + 0x1p-8 * (exact_angle + wide), format);
  }
  if (source == "recurrence") {
    const double product = std::sqrt(5.0) * u;
    const double step = product + (1 + product) * rounded_table_error(fp32);
    return after_rounding(repeated_error(step, static_cast<std::size_t>(extent.index)), format);
  }
  return after_rounding(angle_error(extent.turns), format);
}

}  // namespace fftprec
