#include "algorithms/arithmetic/shared_exponent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "arith/formats/round.hpp"

namespace fftprec {

namespace {

template <class Real, class Take>
void each_row(View<Real> x, Take take) {
  for (std::size_t i = 0; i < x.rows; ++i)
    for (Real* const part : {x.re, x.im})
      if (part) take(part + i * x.stride);
}

/// 2^exponent in two factors: a double may not hold it.
struct PowerOfTwo {
  double half;
  double rest;
  explicit PowerOfTwo(int exponent)
      : half(power_of_two(exponent / 2)), rest(power_of_two(exponent - exponent / 2)) {}
};

}  // namespace

double codes_in_binade(const NumberSystem& system, int e) {
  const int at = e - system.lowest;
  if (at < 0 || e >= system.emax) return 0;
  const auto place = system.places.begin() + at;
  return place[1] - place[0];
}

template <class Real>
double largest_part(View<const Real> x) {
  if constexpr (std::is_same_v<Real, float> || std::is_same_v<Real, double>) {
    using Bits = typename Layout<Real>::Bits;
    using Integer = std::make_signed_t<Bits>;  // magnitudes order as their bits do
    constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
    constexpr auto infinity =
        static_cast<Integer>(__builtin_bit_cast(Bits, std::numeric_limits<Real>::infinity()));
    Integer largest = 0;
    each_row(x, [&](const Real* row) {
      for (std::size_t j = 0; j < x.cols; ++j) {
        const auto size = static_cast<Integer>(__builtin_bit_cast(Bits, row[j]) & ~sign);
        largest = size > largest && size < infinity ? size : largest;
      }
    });
    return static_cast<double>(__builtin_bit_cast(Real, largest));
  }
  return 0;
}

template double largest_part(View<const float>);
template double largest_part(View<const double>);
template double largest_part(View<const FloatPair>);

std::optional<Format> golden_zone(const NumberSystem& system, int precision) {
  const double codes = std::ldexp(1.0, precision - 1);
  const auto holds = [&](int e) { return codes_in_binade(system, e) >= codes; };
  Format zone{precision, 0, 0};
  if (!holds(-1) || !holds(0)) return std::nullopt;
  while (holds(zone.emin - 1)) --zone.emin;
  while (holds(zone.emax + 1)) ++zone.emax;
  // What becomes the smallest value errs by all of it at most.
  zone.emin = std::max(zone.emin, std::ilogb(system.least_positive) + 1 + precision);
  return zone;
}

double block_top(const Format& format) {
  if (!format.tapers()) return max_finite(format);
  const NumberSystem& system = *format.system;
  if (system.is_listed) return std::min(max_finite(format), -min_finite(format));
  int e = 1;
  while (codes_in_binade(system, e) >= codes_in_binade(system, 0)) ++e;
  return power_of_two(e);
}

int block_exponent(double largest, double top) {
  if (!(largest > 0)) return 0;
  int of_largest = 0, of_top = 0;
  const double significand = std::frexp(largest, &of_largest);
  const bool is_beyond = significand > std::frexp(top, &of_top);
  return of_largest - of_top + (is_beyond ? 1 : 0);
}

template <class Real>
void round_block(View<Real> x, const Format& format, const Cast& cast, Isa isa) {
  const View<const Real> before{x.re, x.im, x.rows, x.cols, x.stride};
  const int exponent = block_exponent(largest_part(before), block_top(format));
  Format shifted = format;
  shifted.emin += exponent;
  shifted.emax += exponent;
  // The same bits in one pass.
  if (!format.system && fits<Real>(shifted) && parts_not_finite(before) == 0)
    return round_rows(x, shifted, cast, isa);
  ComplexArray<double> block(x.rows * x.cols);
  const View<double> rounded{block.re.data(), x.im ? block.im.data() : nullptr, x.rows, x.cols,
                             x.cols};
  const auto each_part = [&](auto take) {
    for (std::size_t i = 0; i < x.rows; ++i) {
      take(x.re + i * x.stride, rounded.re + i * x.cols);
      if (x.im) take(x.im + i * x.stride, rounded.im + i * x.cols);
    }
  };
  const PowerOfTwo down(-exponent), up(exponent);
  each_part([&](const Real* from, double* to) {
    for (std::size_t j = 0; j < x.cols; ++j)
      to[j] = static_cast<double>(from[j]) * down.half * down.rest;
    if constexpr (std::is_same_v<Real, double>)
      for (std::size_t j = 0; j < x.cols; ++j)  // what rounds to no zero is none
        to[j] = to[j] == 0 && from[j] != 0
                    ? std::copysign(std::numeric_limits<double>::denorm_min(), from[j])
                    : to[j];
  });
  round_rows(rounded, format, cast, isa);
  each_part([&](Real* to, const double* from) {
    for (std::size_t j = 0; j < x.cols; ++j) {
      const Real value = static_cast<Real>(from[j] * up.half * up.rest);
      to[j] = to[j] - to[j] == 0 ? value : to[j];
    }
  });
}

template void round_block(View<float>, const Format&, const Cast&, Isa);
template void round_block(View<double>, const Format&, const Cast&, Isa);

template <class Real>
std::uint64_t parts_not_finite(View<const Real> x) {
  std::uint64_t count = 0;
  each_row(x, [&](const Real* row) {
    for (std::size_t j = 0; j < x.cols; ++j) count += row[j] - row[j] != 0;
  });
  return count;
}

template std::uint64_t parts_not_finite(View<const float>);
template std::uint64_t parts_not_finite(View<const double>);

bool operands_share_exponent(const ArithmeticSpec& arithmetic) {
  return arithmetic.shared_exponent() == SharedExponent::of_stores &&
         arithmetic.gemm().engine() == Engine::tensor;
}

double operand_top(const ArithmeticSpec& arithmetic, std::size_t depth) {
  const AccumulatorModel& unit = arithmetic.gemm().accumulate();
  double sums = std::min({max_finite(unit.format), max_finite(arithmetic.machine().psum),
                          max_finite(arithmetic.machine().eviction)});
  if (!unit.product.exact) sums = std::min(sums, max_finite(unit.product.format));
  const double terms = 2 * static_cast<double>(depth);
  return std::min(max_finite(arithmetic.gemm().operands()), sums / terms);
}

int operand_exponent(const ArithmeticSpec& arithmetic, double largest, std::size_t depth) {
  return block_exponent(largest, operand_top(arithmetic, depth));
}

int factor_exponent(double largest) { return block_exponent(largest, 1); }

template <class Real>
void scale_by_power(View<Real> x, int exponent) {
  const PowerOfTwo power(exponent);
  each_row(x, [&](Real* row) {
    for (std::size_t j = 0; j < x.cols; ++j)
      row[j] = static_cast<Real>(static_cast<double>(row[j]) * power.half * power.rest);
  });
}

template void scale_by_power(View<float>, int);
template void scale_by_power(View<double>, int);

}  // namespace fftprec
