#include "arith/truth/radius.hpp"

#include <algorithm>
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

}  // namespace

double radix2_radius(int stages, int precision) { return radix2(stages, precision).value; }

double direct_radius(std::size_t n, int precision) {
  const Roundings r = roundings(precision);
  return (root(static_cast<double>(n)) * compose(r.g, repeat(r.u, n - 1))).value;
}

double bluestein_radius(std::size_t n, std::size_t m, int precision) {
  const Roundings r = roundings(precision);
  int stages = 0;
  while ((std::size_t{1} << stages) < m) ++stages;
  const Upper fft = radix2(stages, precision);
  const Upper e = compose(compose(compose(fft, fft), compose(r.g, r.mu)), r.rho);
  const Upper ratio = Upper::above(static_cast<double>(m) / static_cast<double>(n));
  const Upper inverse = (e + exact(1)) * fft * root(ratio.value);
  const Upper convolution = root(static_cast<double>(2 * n - 1)) * (e + inverse);
  return compose(convolution, r.g).value;
}

double stored_radius(double computed, bool divided, int precision, double largest, std::size_t n) {
  if (largest == 0) return std::numeric_limits<double>::infinity();
  const Upper rounding = exact(divided ? std::ldexp(1.0, -precision) : 0.0);
  const Upper b = compose(exact(computed), rounding);
  const Upper c = exact(0x1p-106);
  const Upper underflow = Upper::above(std::numeric_limits<double>::denorm_min() / largest) *
                          root(static_cast<double>(2 * n));
  // 1/(1-x) <= 1 + 2x for 0 <= x <= 1/2
  const Upper relative = (b * (exact(1) + exact(2) * b) + c) * (exact(1) + exact(2) * c);
  return (relative * (exact(1) + underflow) + underflow).value;
}

}  // namespace fftprec::truth
