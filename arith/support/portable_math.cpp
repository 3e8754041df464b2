#include "arith/support/portable_math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace fftprec {

namespace portable {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// ln 2 in two words; the first has 32 bits, so its product with an exponent is exact.
constexpr double ln2_high = 0x1.62e42feep-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;

/// c_0 + c_1 x + ...
template <std::size_t count>
constexpr double polynomial(const std::array<double, count>& c, double x) {
  double sum = c[count - 1];
  for (std::size_t i = count - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

/// The array of term(0), term(1), ...
template <std::size_t count, class Term>
constexpr std::array<double, count> series(Term term) {
  std::array<double, count> c{};
  for (std::size_t i = 0; i < count; ++i) c[i] = term(static_cast<int>(i));
  return c;
}

constexpr double sign(int i) { return i % 2 == 0 ? 1 : -1; }

constexpr double factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return product;
}

/// e^(x + low) - 1 of a small x and a low below its last bit.
double small_expm1(double x, double low = 0) {
  static constexpr auto c = series<13>([](int i) { return 1 / factorial(i + 2); });
  return x + (low + x * x * polynomial(c, x));
}

/// e^(x + low), low much smaller than x.
double exp_of_sum(double x, double low) {
  if (std::isnan(x)) return x;
  if (x > 709.79) return infinity;
  if (x < -745.2) return 0;
  const double k = std::nearbyint(x / std::numbers::ln2);
  const double high = x - k * ln2_high;
  const double rest = low - k * ln2_low;
  const double reduced = high + rest;
  return std::ldexp(1 + small_expm1(reduced, high - reduced + rest), static_cast<int>(k));
}

/// ln x = k ln 2 + ln(1 + f), sqrt(1/2) <= 1 + f < sqrt 2. Requires: x is finite and positive.
struct Logarithm {
  double k = 0;
  double f = 0;

  explicit Logarithm(double x) {
    int exponent = 0;
    double digits = std::frexp(x, &exponent);
    if (digits < std::numbers::sqrt2 / 2) {
      digits *= 2;
      --exponent;
    }
    k = exponent;
    f = digits - 1;
  }

  /// ln(1 + f) + low = 2 atanh s + low, s = f/(2 + f): f less f^2/2 less what s times this and the
  /// series of 2 atanh s give.
  double of_digits(double low = 0) const {
    static constexpr auto c = series<11>([](int i) { return 2 / (2.0 * i + 3); });
    const double s = f / (2 + f);
    const double half = f * f / 2;
    return f - (half - (s * (half + s * s * polynomial(c, s * s)) + low));
  }
};

bool has_logarithm(double x) { return x > 0 && x < infinity; }

double log_outside(double x) {
  if (x == 0) return -infinity;
  return x > 0 ? x : std::numeric_limits<double>::quiet_NaN();
}

/// sin x of |x| <= pi/4.
double small_sin(double x) {
  static constexpr auto c = series<8>([](int i) { return -sign(i) / factorial(2 * i + 3); });
  return x + x * x * x * polynomial(c, x * x);
}

/// e^(x^2) erfc(x), x >= 0: (1 + 2x) times it is smooth in t = (x - 3.75)/(x + 3.75), and so the
/// Chebyshev series of degree 24 is off by 4e-18. Source: Shepherd, Laframboise, Math. Comp. 36
/// (1981), 249-253.
double scaled_erfc(double x) {
  static constexpr std::array<double, 25> c = {
      1.2375126308378275,      -0.14024059858554697,    0.0035854154854644293,
      0.0822767384901452,      -0.10880393014174886,    0.09230432116037748,
      -0.05869339858963677,    0.028362277418956406,    -0.009746579558029276,
      0.0017556258528952954,   0.0002937136655913448,   -0.0002901540805408417,
      5.164909889268241e-05,   2.238423915508223e-05,   -1.1444146237700524e-05,
      -9.73559896736775e-07,   1.751637648849062e-06,   -5.7218230603224086e-08,
      -2.5866850716155884e-07, 2.3263508708859124e-08,  3.8675334242222354e-08,
      -3.744210080962018e-09,  -5.1739902140113095e-09, 3.1114333809799254e-10,
      4.2514714447963895e-10};
  return polynomial(c, (x - 3.75) / (x + 3.75)) / (1 + 2 * x);
}

/// erf(x) of |x| <= 1.
double small_erf(double x) {
  static constexpr auto c =
      series<18>([](int i) { return sign(i) / factorial(i) / (2.0 * i + 1); });
  return 2 * std::numbers::inv_sqrtpi * x * polynomial(c, x * x);
}

}  // namespace

double exp(double x) { return exp_of_sum(x, 0); }

double exp2(double x) {
  if (std::isnan(x)) return x;
  if (x >= 1024) return infinity;
  if (x < -1076) return 0;
  const double k = std::nearbyint(x);
  return std::ldexp(1 + small_expm1((x - k) * std::numbers::ln2), static_cast<int>(k));
}

double expm1(double x) { return std::fabs(x) < 0.35 ? small_expm1(x) : exp(x) - 1; }

double log(double x) {
  if (!has_logarithm(x)) return log_outside(x);
  const Logarithm of(x);
  return of.k * ln2_high + of.of_digits(of.k * ln2_low);
}

double log2(double x) {
  if (!has_logarithm(x)) return log_outside(x);
  const Logarithm of(x);
  return of.k + of.of_digits() * std::numbers::log2e;
}

/// ln(1 + x) = ln u + (x - (u - 1))/u, u the rounded 1 + x.
double log1p(double x) {
  const double u = 1 + x;
  if (!has_logarithm(u)) return log_outside(u);
  return log(u) + (x - (u - 1)) / u;
}

double erf(double x) {
  if (std::fabs(x) <= 1) return small_erf(x);
  return x < 0 ? erfc(-x) - 1 : 1 - erfc(x);
}

double erfc(double x) {
  if (std::fabs(x) < 0.5) return 1 - small_erf(x);
  if (x < 0) return 2 - erfc(-x);
  if (x > 28) return 0;
  const double head = static_cast<float>(x);  // its square is exact
  return exp_of_sum(-head * head, -(x - head) * (x + head)) * scaled_erfc(x);
}

/// By Newton's method for ln erfc, which is nearly quadratic, from a value that is too large:
/// erfc(x) <= e^(-x^2).
double erfc_inverse(double q) {
  const double goal = log(q);
  double x = std::sqrt(-goal);
  for (int step = 0; step < 8; ++step) {
    const double scaled = scaled_erfc(x);
    x += (log(scaled) - x * x - goal) * scaled / (2 * std::numbers::inv_sqrtpi);
  }
  return x;
}

/// By the halved angle, twice: tan(a/2) = t/(1 + sqrt(1 + t^2)), t = tan a.
double atan(double x) {
  if (std::fabs(x) > 1) return std::copysign(std::numbers::pi / 2, x) - atan(1 / x);
  static constexpr auto c = series<12>([](int i) { return -sign(i) / (2.0 * i + 3); });
  double t = x;
  for (int halved = 0; halved < 2; ++halved) t = t / (1 + std::sqrt(1 + t * t));
  return 4 * (t + t * t * t * polynomial(c, t * t));
}

double cos(double x) {
  // In two words, since what is near pi/2 would lose the bits of pi.
  constexpr double rest_of_half_pi = 0x1.1a62633145c07p-54;
  if (x > std::numbers::pi / 4) return small_sin(std::numbers::pi / 2 - x + rest_of_half_pi);
  static constexpr auto c = series<8>([](int i) { return sign(i) / factorial(2 * i + 4); });
  const double square = x * x;
  return 1 - (square / 2 - square * square * polynomial(c, square));
}

double hypot(double a, double b) {
  if (std::isinf(a) || std::isinf(b)) return infinity;
  if (std::isnan(a) || std::isnan(b)) return a + b;
  const double small = std::min(std::fabs(a), std::fabs(b));
  const double large = std::max(std::fabs(a), std::fabs(b));
  if (large == 0) return large;
  return large * std::sqrt(1 + (small / large) * (small / large));
}

}  // namespace portable

}  // namespace fftprec
