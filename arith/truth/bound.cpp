#include "arith/truth/bound.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace fftprec::truth {
namespace {

/// A non-negative number that every operation rounds upward: to nearest, then one step up.
struct Upper {
  double value;

  static Upper above(double nearest) {
    return {std::nextafter(nearest, std::numeric_limits<double>::infinity())};
  }
  friend Upper operator+(Upper a, Upper b) { return above(a.value + b.value); }
  friend Upper operator*(Upper a, Upper b) { return above(a.value * b.value); }
};

Upper exact(double value) { return {value}; }
Upper root(double value) { return Upper::above(std::sqrt(value)); }

/// (1+a)(1+b) - 1
Upper compose(Upper a, Upper b) { return a + b + a * b; }

/// (1+a)^count - 1
Upper repeat(Upper a, std::size_t count) {
  Upper all = exact(0);
  for (; count > 0; count /= 2) {
    if (count % 2 == 1) all = compose(all, a);
    a = compose(a, a);
  }
  return all;
}

struct Roundings {
  Upper u;    ///< of one operation
  Upper rho;  ///< of a complex product
  Upper mu;   ///< of a table entry
  Upper g;    ///< of a product with a table entry
};

/// Table entries have an error of u/2 per part and 2^-20 of that from before their last rounding:
/// u/sqrt(2) (1 + 2^-20) < 0.7072 u in modulus.
Roundings roundings(int precision) {
  const Upper u = exact(std::ldexp(1.0, -precision));
  const Upper rho = root(5) * u;
  const Upper mu = exact(0.7072) * u;
  return {u, rho, mu, compose(mu, rho)};
}

Upper radix2(int stages, int precision) {
  const Roundings r = roundings(precision);
  const auto count = static_cast<std::size_t>(stages);
  return compose(repeat(r.u, count), repeat(r.g, count > 2 ? count - 2 : 0));
}

/// Of double-double arithmetic: `u` is not used by its sums.
Roundings pair_roundings() {
  const Upper u2 = exact(0x1p-106);
  const Upper mu = exact(5) * u2;
  const Upper rho = exact(14) * root(2) * u2 * exact(1 + 0x1p-40);
  return {u2, rho, mu, compose(mu, rho)};
}

/// What products below 2^-960 lose, relative to data with a part >= 2^-400: fewer than 2^60 of them
/// reach an output, each loses less than 2^-1010.
constexpr double pair_underflow = 0x1p-500;

Upper bluestein(std::size_t n, std::size_t m, Upper fft, const Roundings& r) {
  const Upper e = compose(compose(compose(fft, fft), compose(r.g, r.mu)), r.rho);
  const Upper ratio = Upper::above(static_cast<double>(m) / static_cast<double>(n));
  const Upper inverse = (e + exact(1)) * fft * root(ratio.value);
  const Upper convolution = root(static_cast<double>(2 * n - 1)) * (e + inverse);
  return compose(convolution, r.g);
}

}  // namespace

double radix2_radius(int stages, int precision) { return radix2(stages, precision).value; }

double direct_radius(std::size_t n, int precision) {
  const Roundings r = roundings(precision);
  return (root(static_cast<double>(n)) * compose(r.g, repeat(r.u, n - 1))).value;
}

double bluestein_radius(std::size_t n, std::size_t m, int precision) {
  const Upper fft = radix2(std::countr_zero(m), precision);
  return bluestein(n, m, fft, roundings(precision)).value;
}

double pair_radius(int levels, int products) {
  const Upper sums = exact(3) * root(2) * exact(0x1p-106) * exact(1 + 0x1p-40);
  const Upper all = compose(repeat(sums, static_cast<std::size_t>(levels)),
                            repeat(pair_roundings().g, static_cast<std::size_t>(products)));
  return compose(all, exact(pair_underflow)).value;
}

double pair_bluestein_radius(std::size_t n, std::size_t m, double fft) {
  return bluestein(n, m, exact(fft), pair_roundings()).value;
}

}  // namespace fftprec::truth
