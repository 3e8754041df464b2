/// Fixed point that no native type holds, in integers of 256 bits.
#include <boost/multiprecision/cpp_int.hpp>
#include <utility>

#include "arith/formats/quad.hpp"
#include "arith/kernels/fixed_by_element.hpp"

namespace fftprec {

namespace {

using Integer = boost::multiprecision::int256_t;
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// 2^exponent, exactly.
Quad power_of_two_as_quad(int exponent) {
  constexpr int bias = 16383;
  constexpr int fraction_bits = 112;
  return __builtin_bit_cast(Quad, static_cast<Uint128>(exponent + bias) << fraction_bits);
}

/// integer * 2^exponent, whose integer is odd or zero.
struct Scaled {
  Integer integer;
  int exponent;
};
Scaled operator*(const Scaled& a, const Scaled& b) {
  return {a.integer * b.integer, a.exponent + b.exponent};
}

/// Requires: x is finite and zero or normal.
Scaled scaled(Quad x) {
  if (x == 0) return {0, 0};
  constexpr int fraction_bits = 112;
  constexpr int bias = 16383;
  const auto bits = __builtin_bit_cast(Uint128, x);
  const auto field = static_cast<int>(bits >> fraction_bits & 0x7fff);
  auto significand = (bits & ((Uint128{1} << fraction_bits) - 1)) | Uint128{1} << fraction_bits;
  int exponent = field - bias - fraction_bits;
  for (; (significand & 1) == 0; significand >>= 1) ++exponent;
  const Integer size = significand;
  return {x < 0 ? Integer(-size) : size, exponent};
}

/// An integer unit whose numbers are the digits of data, in units of the quantum.
class IntegerUnit {
 public:
  using Number = Integer;

  explicit IntegerUnit(const FixedPoint& fixed)
      : fixed_(fixed),
        fraction_(-quantum_exponent(fixed.data)),
        low_(-(Integer(1) << (width_of(fixed.data) - 1))),
        high_(-low_ - 1) {}

  Integer at(Quad x) const { return whole(x, fraction_); }
  std::uint64_t put(Quad& out, Integer digits) const {
    const bool lost = digits < low_ || digits > high_;
    if (lost) digits = brought_in(std::move(digits), low_, high_);
    out = static_cast<Quad>(static_cast<Int128>(digits)) * power_of_two_as_quad(-fraction_);
    return lost ? 1 : 0;
  }
  /// x <- factor * x, rounded once. Infinities are as numbers beyond all others.
  std::uint64_t scaled(Quad& x, Quad factor, std::uint64_t counter) const {
    if (x != x) return 0;
    const Quad beyond = power_of_two_as_quad(64 - quantum_exponent(fixed_.table));
    const Quad inside = x > beyond ? beyond : x < -beyond ? -beyond : x;
    const Scaled product = fftprec::scaled(inside) * fftprec::scaled(factor);
    // What is far below half a quantum rounds as what is a little nearer to it.
    constexpr int most_places = 128;
    const int places = -(product.exponent + fraction_);
    std::uint64_t lost = 0;
    Integer digits;
    if (places <= 0)
      digits = rounded(product.integer << -places, 0, counter, lost);
    else if (places <= most_places)
      digits = rounded(product.integer, places, counter, lost);
    else
      digits = rounded(product.integer < 0 ? -1 : 1, most_places, counter, lost);
    put(x, std::move(digits));
    return lost;
  }

  /// A complex sum of products, in units of both quanta.
  class Sum {
   public:
    Sum(const IntegerUnit& unit, const Complex<Integer>& start, const FixedCounters& counters)
        : unit_(unit),
          places_(-quantum_exponent(unit.factors())),
          counters_(counters),
          total_{start.re << places_, start.im << places_} {}

    void add(const Complex<Integer>& x, Quad w_re, Quad w_im) {
      const Integer re = whole(w_re, places_);
      const Integer im = whole(w_im, places_);
      if (!unit_.fixed_.rounds_products) {
        total_.re += re * x.re - im * x.im;
        total_.im += re * x.im + im * x.re;
        return;
      }
      std::uint64_t counter = counters_.re + FixedCounters::terms_apart * terms_++;
      const auto product = [&](const Integer& factor, const Integer& part) {
        counter += FixedCounters::products_apart;
        return unit_.settled(factor * part, places_, counter, lost_);
      };
      const Integer straight_re = product(re, x.re);
      const Integer straight_im = product(re, x.im);
      const Integer crossed_re = product(im, x.im);
      const Integer crossed_im = product(im, x.re);
      total_.re += (straight_re - crossed_re) << places_;
      total_.im += (straight_im + crossed_im) << places_;
    }
    /// The sums as an accumulator of so many bits holds them.
    void hold() {
      if (unit_.fixed_.accumulator_bits == 0) return;
      // The sums may be in units below those of both quanta.
      const int finer = places_ + quantum_exponent(unit_.fixed_.table);
      const Integer least = Integer(1) << finer;
      const Integer low = -(Integer(1) << (unit_.fixed_.accumulator_bits - 1 + finer));
      for (Integer* part : {&total_.re, &total_.im}) {
        if (*part >= low && *part <= -low - least) continue;
        ++lost_;
        *part = unit_.brought_in(std::move(*part), low, -low - least);
      }
    }
    std::uint64_t put(Quad& re, Quad& im) {
      unit_.put(re, unit_.rounded(total_.re, places_, counters_.re, lost_));
      unit_.put(im, unit_.rounded(total_.im, places_, counters_.im, lost_));
      return lost_;
    }

   private:
    const IntegerUnit& unit_;
    int places_;  ///< of a sum, below the quantum of data
    FixedCounters counters_;
    Complex<Integer> total_;
    std::uint64_t terms_ = 0;
    std::uint64_t lost_ = 0;
  };

 private:
  /// Whose multiples factors are: computed ones are data.
  const Format& factors() const {
    return quantum_exponent(fixed_.table) < quantum_exponent(fixed_.data) ? fixed_.table
                                                                          : fixed_.data;
  }
  static Integer whole(Quad x, int fraction) {
    return static_cast<Int128>(x * power_of_two_as_quad(fraction));
  }
  /// A value beyond [low, high], which is a span of 2^k least values: its end, or modulo the span.
  Integer brought_in(Integer value, const Integer& low, const Integer& high) const {
    if (fixed_.data.overflow != Overflow::wrap) return value > high ? high : low;
    const Integer span = -2 * low;
    Integer rest = (value - low) % span;
    if (rest < 0) rest += span;
    return low + rest;
  }
  Integer settled(const Integer& value, int places, std::uint64_t counter,
                  std::uint64_t& lost) const {
    Integer digits = rounded(value, places, counter, lost);
    return digits < low_ || digits > high_ ? brought_in(std::move(digits), low_, high_) : digits;
  }

  /// value / 2^places, rounded to an integer. Counts it where it is beyond the range by more than a
  /// rounding: to nearest half a quantum, else a whole one.
  Integer rounded(const Integer& value, int places, std::uint64_t counter,
                  std::uint64_t& lost) const {
    const Integer one = Integer(1) << places;
    const Integer half = one / 2;
    const Integer away = value < 0 ? Integer(one - 1 - value) : value;
    const Integer floor = value < 0 ? Integer(-(away >> places)) : Integer(away >> places);
    const Integer rest = value - (floor << places);
    if (is_nearest(fixed_.rounding))
      lost += floor > high_ || (floor == high_ && places > 0 && rest >= half) || floor < low_ - 1 ||
              (floor == low_ - 1 && rest <= half);
    else
      lost += floor > high_ || floor < low_ - 1 || (floor == low_ - 1 && rest == 0);
    if (rest == 0) return floor;
    return goes_up(value < 0, floor, rest, half, places, counter) ? Integer(floor + 1) : floor;
  }
  bool goes_up(bool negative, const Integer& floor, const Integer& rest, const Integer& half,
               int places, std::uint64_t counter) const {
    const bool is_odd = floor % 2 != 0;
    switch (fixed_.rounding) {
      case Rounding::rne:
        return rest > half || (rest == half && is_odd);
      case Rounding::rna:
        return rest > half || (rest == half && !negative);
      case Rounding::rnu:
        return rest >= half;
      case Rounding::rz:
        return negative;
      case Rounding::ru:
        return true;
      case Rounding::rd:
        return false;
      case Rounding::odd:
        return !is_odd;
      case Rounding::sr:
        break;
    }
    const Integer random = random_bits(fixed_.random, counter);
    return (rest << 64) + (random << places) >= Integer(1) << (places + 64);
  }

  const FixedPoint& fixed_;
  int fraction_;
  Integer low_;
  Integer high_;
};

}  // namespace

template <>
FixedKernels<Quad> fixed_kernels<Quad>(Isa) {
  return fixed_kernels_of<Quad, FixedByElement<Quad, IntegerUnit>>();
}

}  // namespace fftprec
