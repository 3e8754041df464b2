#include "arith/truth/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arith/error.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A sum of non-negative numbers that keeps what its additions round off (Neumaier 1974).
class Sum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    const double moved = sum - sum_;
    rest_ += (sum_ - (sum - moved)) + (x - moved);
    sum_ = sum;
  }
  double value() const { return sum_ + rest_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
};

/// (y - hi) - lo, relative error at most 2^-52: if y is within a factor 2 of hi, y - hi is exact
/// (Sterbenz) and one rounding follows; else it is at least |hi|/2, has one rounding, and lo, at
/// most 2^-53 |hi|, cancels nothing of it.
double difference(double y, double hi, double lo) { return (y - hi) - lo; }

/// Differences are taken of values times 2^-60 where one of them is so large that they overflow.
constexpr int huge_shift = 60;
bool is_huge(double x) { return std::fabs(x) >= 0x1p1020; }
double shrink_for(bool huge) { return huge ? std::ldexp(1.0, -huge_shift) : 1.0; }

double quotient(double part, double whole) { return part == 0 ? 0 : part / whole; }

/// sqrt(re^2 + im^2) without over- or underflow of the squares.
double magnitude(double re, double im) {
  const double large = std::max(std::fabs(re), std::fabs(im));
  const double small = std::min(std::fabs(re), std::fabs(im));
  if (large == 0) return 0;
  const double ratio = small / large;
  return large * std::sqrt(1 + ratio * ratio);
}

double largest_of(const AlignedVector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

/// x = (result) * 2^exponent with |result| < 4 for the largest of the values.
int exponent_of(double largest) { return largest == 0 ? 0 : std::max(std::ilogb(largest), -1022); }

/// Exponent of the output's step at hi + lo.
int step_exponent(double hi, double lo, const Format& output) {
  const int smallest = quantum_exponent(output);
  if (hi == 0) return smallest;
  int exponent = std::ilogb(hi);
  const bool power_of_two = std::fabs(hi) == std::ldexp(1.0, exponent);
  if (power_of_two && lo != 0 && std::signbit(hi) != std::signbit(lo)) --exponent;
  return std::max(exponent - output.precision + 1, smallest);
}

/// Largest relative error of one part; its errors in ulp go to `ulps`.
double measure_part(const AlignedVector<double>& y, const AlignedVector<double>& hi,
                    const AlignedVector<double>& lo, const Format& output,
                    AlignedVector<double>& ulps) {
  double max_rel = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool huge = is_huge(y[i]) || is_huge(hi[i]);
    const double scale = shrink_for(huge);
    const double error = std::fabs(difference(y[i] * scale, hi[i] * scale, lo[i] * scale));
    max_rel = std::max(max_rel, quotient(error, std::fabs(hi[i] * scale)));
    const int step = step_exponent(hi[i], lo[i], output);
    ulps.push_back(std::ldexp(error, huge ? huge_shift - step : -step));
  }
  return max_rel;
}

double root_mean_square(const AlignedVector<double>& values) {
  const double largest = largest_of(values);
  if (largest == 0 || largest == infinity) return largest;
  const int exponent = exponent_of(largest);
  const double scale = std::ldexp(1.0, -exponent);
  Sum squares;
  for (const double value : values) squares.add(value * scale * (value * scale));
  return std::ldexp(std::sqrt(squares.value() / static_cast<double>(values.size())), exponent);
}

/// The norms of split-complex values, divided by 2^exponent.
struct Norms {
  int exponent = 0;
  double l2 = 0;
  double linf = 0;
  double l1 = 0;
};

Norms norms_of(const AlignedVector<double>& re, const AlignedVector<double>& im) {
  Norms norms;
  norms.exponent = exponent_of(std::max(largest_of(re), largest_of(im)));
  const double scale = std::ldexp(1.0, -norms.exponent);
  Sum squares;
  Sum magnitudes;
  for (std::size_t i = 0; i < re.size(); ++i) {
    const double x = re[i] * scale;
    const double y = im[i] * scale;
    squares.add(x * x + y * y);
    const double size = magnitude(x, y);
    magnitudes.add(size);
    norms.linf = std::max(norms.linf, size);
  }
  norms.l2 = std::sqrt(squares.value());
  norms.l1 = magnitudes.value();
  return norms;
}

/// Fills in the three quotients of norms of e and t.
void measure_norms(const ComplexArray<double>& y, const Truth& t, Errors& errors) {
  const double shrink = shrink_for(is_huge(largest_of(y.re)) || is_huge(largest_of(y.im)) ||
                                   is_huge(largest_of(t.hi.re)) || is_huge(largest_of(t.hi.im)));
  ComplexArray<double> e(y.size());
  ComplexArray<double> whole(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    whole.re[i] = t.hi.re[i] * shrink;
    whole.im[i] = t.hi.im[i] * shrink;
    e.re[i] = difference(y.re[i] * shrink, whole.re[i], t.lo.re[i] * shrink);
    e.im[i] = difference(y.im[i] * shrink, whole.im[i], t.lo.im[i] * shrink);
  }
  const Norms error = norms_of(e.re, e.im);
  const Norms truth = norms_of(whole.re, whole.im);
  const int shift = error.exponent - truth.exponent;
  errors.l2_rel = std::ldexp(quotient(error.l2, truth.l2), shift);
  errors.linf_rel = std::ldexp(quotient(error.linf, truth.linf), shift);
  errors.l1_rel = std::ldexp(quotient(error.l1, truth.l1), shift);
}

double bits_of(double relative) {
  Real bits(relative, 53);
  mpfr_log2(bits, bits, MPFR_RNDN);
  return 0 - mpfr_get_d(bits, MPFR_RNDN);
}

bool any_nan(const AlignedVector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
}

}  // namespace

double l2_norm(const ComplexArray<double>& x) {
  const Norms norms = norms_of(x.re, x.im);
  return std::ldexp(norms.l2, norms.exponent);
}

Errors measure(const ComplexArray<double>& y, const Truth& t, const Format& output) {
  require(y.re.size() == t.hi.size() && y.im.size() == t.hi.size(),
          "measure: output and truth differ in size");
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (any_nan(y.re) || any_nan(y.im)) return {nan, nan, nan, nan, nan, nan, nan, nan};

  Errors errors{};
  AlignedVector<double> ulps;
  ulps.reserve(2 * y.size());
  errors.re_max_rel = measure_part(y.re, t.hi.re, t.lo.re, output, ulps);
  errors.im_max_rel = measure_part(y.im, t.hi.im, t.lo.im, output, ulps);
  errors.max_ulp = largest_of(ulps);
  errors.rms_ulp = root_mean_square(ulps);
  if (std::max(largest_of(y.re), largest_of(y.im)) == infinity)
    errors.l2_rel = errors.linf_rel = errors.l1_rel = infinity;
  else
    measure_norms(y, t, errors);
  errors.bits_l2 = bits_of(errors.l2_rel);
  return errors;
}

}  // namespace fftprec::truth
