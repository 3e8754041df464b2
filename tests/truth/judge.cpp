#include "tests/truth/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

using truth::Real;

double error_of(const truth::Truth& truth, const Exact& exact) {
  double worst = 0;
  Real error(judge_bits);
  Real part(judge_bits);
  Real errors(judge_bits);
  Real stored(judge_bits);
  const auto add_part = [&](double hi, double lo, mpfr_srcptr value) {
    mpfr_set_d(part, hi, MPFR_RNDN);
    mpfr_add_d(part, part, lo, MPFR_RNDN);
    mpfr_sub(error, part, value, MPFR_RNDN);
    mpfr_fma(errors, error, error, errors, MPFR_RNDN);
    mpfr_fma(stored, part, part, stored, MPFR_RNDN);
  };
  for (std::size_t first = 0; first < truth.hi.size(); first += truth.n) {
    mpfr_set_zero(errors, 1);
    mpfr_set_zero(stored, 1);
    for (std::size_t i = first; i < first + truth.n; ++i) {
      add_part(truth.hi.re[i], truth.lo.re[i], exact.re[i]);
      add_part(truth.hi.im[i], truth.lo.im[i], exact.im[i]);
    }
    if (mpfr_zero_p(errors)) continue;
    mpfr_div(errors, errors, stored, MPFR_RNDU);
    mpfr_sqrt(errors, errors, MPFR_RNDU);
    worst = std::max(worst, mpfr_get_d(errors, MPFR_RNDU));
  }
  return worst;
}

const char* name_of(Stress stress) {
  constexpr const char* names[] = {"gaussian", "tone", "impulse", "constant plus tiny", "ramp",
                                   "wide",     "huge", "tiny",    "subnormal"};
  return names[static_cast<int>(stress)];
}

ComplexArray<double> stress_input(Stress stress, std::size_t size, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  ComplexArray<double> x(size);
  for (std::size_t j = 0; j < size; ++j) {
    const double a = normal(generator);
    const double b = normal(generator);
    const double c = normal(generator);
    const auto t = static_cast<double>(j);
    switch (stress) {
      case Stress::gaussian:
        x.re[j] = a, x.im[j] = b;
        break;
      case Stress::tone:
        x.re[j] = std::cos(0.7 * t), x.im[j] = std::sin(0.7 * t);
        break;
      case Stress::impulse:
        x.re[j] = j == seed % size ? 1 : 0;
        break;
      case Stress::constant_plus_tiny:
        x.re[j] = 1 + 0x1p-50 * a, x.im[j] = 0x1p-200 * b;
        break;
      case Stress::ramp:
        x.re[j] = t;
        break;
      case Stress::wide:
        x.re[j] = std::ldexp(a, static_cast<int>(90 * c)), x.im[j] = b;
        break;
      case Stress::huge:
        x.re[j] = 0x1p1000 * a, x.im[j] = 0x1p1000 * b;
        break;
      case Stress::tiny:
        x.re[j] = 0x1p-1000 * a, x.im[j] = 0x1p-1000 * b;
        break;
      case Stress::subnormal:
        x.re[j] = std::ldexp(std::nearbyint(1000 * a), -1074);
        x.im[j] = std::ldexp(std::nearbyint(1000 * b), -1074);
        break;
    }
  }
  return x;
}

ComplexArray<double> real_input(Stress stress, std::size_t size, std::uint64_t seed) {
  ComplexArray<double> x = stress_input(stress, size, seed);
  for (double& part : x.im) part = 0;
  return x;
}

std::size_t product(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

namespace {

/// cos and sin of 2 pi m/order.
struct Circle {
  explicit Circle(std::size_t order) : cos(order, judge_bits), sin(order, judge_bits) {
    for (std::size_t m = 0; m < order; ++m) {
      const Turn wide = turn(m, order, judge_bits);
      mpfr_set(cos[m], wide.cos.get(), MPFR_RNDN);
      mpfr_set(sin[m], wide.sin.get(), MPFR_RNDN);
    }
  }
  truth::RealArray cos;
  truth::RealArray sin;
};

/// y_i += c (re + i im)(cos +- i sin)(m), the lower sign for forward.
void add_turned(Exact& y, std::size_t i, double re, double im, const Circle& circle, std::size_t m,
                Direction direction, long c = 1) {
  const bool inverse = direction == Direction::inverse;
  Real term(judge_bits);
  const auto add = [&](mpfr_ptr sum, mpfr_srcptr factor, double value, long sign) {
    mpfr_mul_d(term, factor, value, MPFR_RNDN);
    mpfr_mul_si(term, term, c * sign, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
  };
  add(y.re[i], circle.cos[m], re, 1);
  add(y.re[i], circle.sin[m], im, inverse ? -1 : 1);
  add(y.im[i], circle.cos[m], im, 1);
  add(y.im[i], circle.sin[m], re, inverse ? 1 : -1);
}

void divide(Exact& y, std::size_t divisor) {
  for (std::size_t i = 0; i < y.re.size(); ++i) {
    mpfr_div_ui(y.re[i], y.re[i], divisor, MPFR_RNDN);
    mpfr_div_ui(y.im[i], y.im[i], divisor, MPFR_RNDN);
  }
}

void forget_imaginary(Exact& y) {
  for (std::size_t i = 0; i < y.im.size(); ++i) mpfr_set_zero(y.im[i], 1);
}

Sizes digits(std::size_t index, const Sizes& sizes) {
  Sizes all(sizes.size());
  for (std::size_t a = sizes.size(); a-- > 0; index /= sizes[a]) all[a] = index % sizes[a];
  return all;
}

/// sum_a j_a k_a / n_a as a numerator over `order`, a common multiple of the n_a.
std::size_t phase(const Sizes& j, const Sizes& k, const Sizes& sizes, std::size_t order) {
  std::size_t sum = 0;
  for (std::size_t a = 0; a < sizes.size(); ++a) sum += j[a] * k[a] % sizes[a] * (order / sizes[a]);
  return sum % order;
}

std::size_t common_multiple(const Sizes& sizes) {
  std::size_t order = 1;
  for (const std::size_t size : sizes) order = std::lcm(order, size);
  return order;
}

/// Sums over everything from items of shape `in` to items of shape `out`, indices within `sizes`.
Exact summed(const ComplexArray<double>& x, const Sizes& sizes, const Sizes& in, const Sizes& out,
             Direction direction, bool doubled) {
  const std::size_t order = common_multiple(sizes);
  const Circle circle(order);
  const std::size_t items = x.size() / product(in);
  Exact y(items * product(out));
  for (std::size_t item = 0; item < items; ++item)
    for (std::size_t k = 0; k < product(out); ++k)
      for (std::size_t j = 0; j < product(in); ++j) {
        const Sizes from = digits(j, in);
        const bool own_mirror = from.back() == 0 || 2 * from.back() == sizes.back();
        const std::size_t source = item * product(in) + j;
        add_turned(y, item * product(out) + k, x.re[source], x.im[source], circle,
                   phase(from, digits(k, out), sizes, order), direction,
                   doubled && !own_mirror ? 2 : 1);
      }
  return y;
}

Sizes halved(Sizes sizes) {
  sizes.back() = sizes.back() / 2 + 1;
  return sizes;
}

/// x as frames see it, margins and all.
std::vector<double> padded(const ComplexArray<double>& x, std::size_t first,
                           const Framing& framing) {
  const std::vector<double> signal(
      x.re.begin() + static_cast<std::ptrdiff_t>(first),
      x.re.begin() + static_cast<std::ptrdiff_t>(first + framing.length));
  const std::size_t last = framing.length - 1;
  std::vector<double> before;  // outward from the ends
  std::vector<double> after;
  for (std::size_t i = 1; i <= framing.margin(); ++i) switch (framing.padding) {
      case Padding::reflect:
        before.push_back(signal[i]);
        after.push_back(signal[last - i]);
        break;
      case Padding::constant:
        before.push_back(0);
        after.push_back(0);
        break;
      case Padding::replicate:
        before.push_back(signal.front());
        after.push_back(signal.back());
        break;
      case Padding::circular:
        before.push_back(signal[last + 1 - i]);
        after.push_back(signal[i - 1]);
        break;
    }
  std::vector<double> all(before.rbegin(), before.rend());
  all.insert(all.end(), signal.begin(), signal.end());
  all.insert(all.end(), after.begin(), after.end());
  return all;
}

/// w_j at position j of the frame, from the formulas of framing.hpp.
truth::RealArray window_by_definition(const Framing& framing) {
  const std::size_t m = framing.window_length;
  truth::RealArray all(framing.n, judge_bits);
  Real t(judge_bits);
  Real part(judge_bits);
  for (std::size_t j = 0; j < m; ++j) {
    mpfr_ptr w = all[(framing.n - m) / 2 + j];
    mpfr_const_pi(t, MPFR_RNDN);
    mpfr_mul_ui(t, t, 2 * j, MPFR_RNDN);
    mpfr_div_ui(t, t, m, MPFR_RNDN);
    const auto add = [&](unsigned long percent, unsigned long multiple, int sign) {
      mpfr_mul_ui(part, t, multiple, MPFR_RNDN);
      mpfr_cos(part, part, MPFR_RNDN);
      mpfr_mul_si(part, part, sign * static_cast<long>(percent), MPFR_RNDN);
      mpfr_div_ui(part, part, 100, MPFR_RNDN);
      mpfr_add(w, w, part, MPFR_RNDN);
    };
    switch (framing.window) {
      case Window::rectangular:
        mpfr_set_ui(w, 1, MPFR_RNDN);
        break;
      case Window::hann:  // sin^2(t/2), another form of the same
        mpfr_div_2ui(part, t, 1, MPFR_RNDN);
        mpfr_sin(part, part, MPFR_RNDN);
        mpfr_sqr(w, part, MPFR_RNDN);
        break;
      case Window::hamming:
        add(54, 0, 1);
        add(46, 1, -1);
        break;
      case Window::blackman:
        add(42, 0, 1);
        add(50, 1, -1);
        add(8, 2, 1);
        break;
      case Window::bartlett:
        mpfr_set_ui(part, 2 * j, MPFR_RNDN);
        mpfr_div_ui(part, part, m, MPFR_RNDN);
        mpfr_sub_ui(part, part, 1, MPFR_RNDN);
        mpfr_abs(part, part, MPFR_RNDN);
        mpfr_ui_sub(w, 1, part, MPFR_RNDN);
        break;
    }
  }
  return all;
}

}  // namespace

Exact dft_nd_by_definition(const ComplexArray<double>& x, const Sizes& sizes, Direction direction) {
  Exact y = summed(x, sizes, sizes, sizes, direction, false);
  if (direction == Direction::inverse) divide(y, product(sizes));
  return y;
}

Exact by_definition(const ComplexArray<double>& x, std::size_t n, Direction direction) {
  return dft_nd_by_definition(x, {n}, direction);
}

Exact rfft_nd_by_definition(const ComplexArray<double>& x, const Sizes& sizes) {
  return summed(x, sizes, sizes, halved(sizes), Direction::forward, false);
}

Exact irfft_nd_by_definition(const ComplexArray<double>& x, const Sizes& sizes) {
  Exact y = summed(x, sizes, halved(sizes), sizes, Direction::inverse, true);
  forget_imaginary(y);
  divide(y, product(sizes));
  return y;
}

Exact hfft_by_definition(const ComplexArray<double>& x, std::size_t n) {
  Exact y = summed(x, {n}, {n / 2 + 1}, {n}, Direction::forward, true);
  forget_imaginary(y);
  return y;
}

Exact ihfft_by_definition(const ComplexArray<double>& x, std::size_t n) {
  Exact y = summed(x, {n}, {n}, {n / 2 + 1}, Direction::inverse, false);
  divide(y, n);
  return y;
}

namespace {

/// sum_j c_j x_j cos(2 pi phase(j, k)/(4 n)) for each k, c_0 = `first`, else 2.
template <class Phase>
Exact cosines(const ComplexArray<double>& x, std::size_t n, long first, Phase phase) {
  const Circle circle(4 * n);
  Exact y(x.size());
  for (std::size_t item = 0; item < x.size(); item += n)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j)
        add_turned(y, item + k, x.re[item + j], 0, circle, phase(j, k) % (4 * n),
                   Direction::forward, j == 0 ? first : 2);
  forget_imaginary(y);
  return y;
}

}  // namespace

Exact dct2_by_definition(const ComplexArray<double>& x, std::size_t n) {
  return cosines(x, n, 2, [](std::size_t j, std::size_t k) { return k * (2 * j + 1); });
}

Exact dct3_by_definition(const ComplexArray<double>& x, std::size_t n) {
  return cosines(x, n, 1, [](std::size_t j, std::size_t k) { return j * (2 * k + 1); });
}

namespace {

/// A product of a weight and the cosine of 2 pi phase/order.
struct Cosine {
  std::size_t phase;
  long weight = 1;
};

/// y_k = sum over j of x_j times the cosines(j, k), over items of `in` and `out` values.
template <class Cosines>
Exact sums_of_cosines(const ComplexArray<double>& x, std::size_t in, std::size_t out,
                      std::size_t order, Cosines cosines) {
  const Circle circle(order);
  Exact y(x.size() / in * out);
  for (std::size_t i = 0; i < y.re.size(); ++i)
    for (std::size_t j = 0; j < in; ++j)
      for (const auto& [phase, weight] : std::vector<Cosine>(cosines(j, i % out)))
        add_turned(y, i, x.re[i / out * in + j], 0, circle, phase % order, Direction::forward,
                   weight);
  forget_imaginary(y);
  return y;
}

}  // namespace

Exact dct1_by_definition(const ComplexArray<double>& x, std::size_t n) {
  return sums_of_cosines(x, n, n, 2 * (n - 1), [n](std::size_t j, std::size_t k) {
    return std::vector<Cosine>{{j * k, j == 0 || j == n - 1 ? 1 : 2}};
  });
}

Exact dct4_by_definition(const ComplexArray<double>& x, std::size_t n) {
  return sums_of_cosines(x, n, n, 8 * n, [](std::size_t j, std::size_t k) {
    return std::vector<Cosine>{{(2 * j + 1) * (2 * k + 1), 2}};
  });
}

// sin t = cos(t + 3 pi/2).
Exact dst1_by_definition(const ComplexArray<double>& x, std::size_t n) {
  return sums_of_cosines(x, n, n, 4 * (n + 1), [n](std::size_t j, std::size_t k) {
    return std::vector<Cosine>{{2 * (j + 1) * (k + 1) + 3 * (n + 1), 2}};
  });
}

Exact dst2_by_definition(const ComplexArray<double>& x, std::size_t n) {
  return sums_of_cosines(x, n, n, 4 * n, [n](std::size_t j, std::size_t k) {
    return std::vector<Cosine>{{(2 * j + 1) * (k + 1) + 3 * n, 2}};
  });
}

Exact dst3_by_definition(const ComplexArray<double>& x, std::size_t n) {
  return sums_of_cosines(x, n, n, 4 * n, [n](std::size_t j, std::size_t k) {
    return std::vector<Cosine>{{(j + 1) * (2 * k + 1) + 3 * n, j == n - 1 ? 1 : 2}};
  });
}

Exact dst4_by_definition(const ComplexArray<double>& x, std::size_t n) {
  return sums_of_cosines(x, n, n, 8 * n, [n](std::size_t j, std::size_t k) {
    return std::vector<Cosine>{{(2 * j + 1) * (2 * k + 1) + 6 * n, 2}};
  });
}

Exact hartley_by_definition(const ComplexArray<double>& x, std::size_t n) {
  return sums_of_cosines(x, n, n, 4 * n, [n](std::size_t j, std::size_t k) {
    return std::vector<Cosine>{{4 * j * k}, {4 * j * k + 3 * n}};
  });
}

namespace {

/// Twice w cos(2 pi phase/(8n)), w the sine window at `sample` or 1.
std::vector<Cosine> windowed_cosine(std::size_t n, std::size_t sample, std::size_t phase,
                                    bool windowed) {
  if (!windowed) return {{phase, 2}};
  const std::size_t of_window = 2 * sample + 1;  // 2 sin a cos b = sin(a + b) + sin(a - b)
  return {{of_window + phase + 6 * n}, {8 * n * phase + of_window - phase + 6 * n}};
}

}  // namespace

Exact mdct_by_definition(const ComplexArray<double>& x, std::size_t n, bool windowed) {
  Exact y = sums_of_cosines(x, 2 * n, n, 8 * n, [=](std::size_t j, std::size_t k) {
    return windowed_cosine(n, j, (2 * j + 1 + n) * (2 * k + 1), windowed);
  });
  divide(y, 2);
  return y;
}

Exact imdct_by_definition(const ComplexArray<double>& x, std::size_t n, bool windowed) {
  Exact y = sums_of_cosines(x, n, 2 * n, 8 * n, [=](std::size_t k, std::size_t j) {
    return windowed_cosine(n, j, (2 * j + 1 + n) * (2 * k + 1), windowed);
  });
  divide(y, 2);
  return y;
}

Exact stft_by_definition(const ComplexArray<double>& x, const Framing& framing) {
  const std::size_t n = framing.n;
  const Circle circle(n);
  const truth::RealArray window = window_by_definition(framing);
  const std::size_t signals = x.size() / framing.length;
  Exact y(signals * framing.frames() * framing.bins());
  Real value(judge_bits);
  Real term(judge_bits);
  std::size_t i = 0;
  for (std::size_t signal = 0; signal < signals; ++signal) {
    const std::vector<double> samples = padded(x, signal * framing.length, framing);
    for (std::size_t f = 0; f < framing.frames(); ++f)
      for (std::size_t k = 0; k < framing.bins(); ++k, ++i)
        for (std::size_t j = 0; j < n; ++j) {
          mpfr_mul_d(value, window[j], samples.at(f * framing.hop + j), MPFR_RNDN);
          mpfr_mul(term, value, circle.cos[j * k % n], MPFR_RNDN);
          mpfr_add(y.re[i], y.re[i], term, MPFR_RNDN);
          mpfr_mul(term, value, circle.sin[j * k % n], MPFR_RNDN);
          mpfr_sub(y.im[i], y.im[i], term, MPFR_RNDN);
        }
  }
  return y;
}

Exact istft_by_definition(const ComplexArray<double>& x, const Framing& framing) {
  const std::size_t frames = framing.frames();
  const Exact v = irfft_nd_by_definition(x, {framing.n});
  const truth::RealArray window = window_by_definition(framing);
  const std::size_t signals = x.size() / (frames * framing.bins());
  Exact y(signals * framing.length);
  Real term(judge_bits);
  Real squares(judge_bits);
  for (std::size_t signal = 0; signal < signals; ++signal)
    for (std::size_t i = 0; i < framing.length; ++i) {
      mpfr_ptr sum = y.re[signal * framing.length + i];
      mpfr_set_zero(squares, 1);
      for (std::size_t f = 0; f < frames; ++f) {
        if (i + framing.margin() < f * framing.hop) continue;
        const std::size_t j = i + framing.margin() - f * framing.hop;
        if (j >= framing.n) continue;
        mpfr_mul(term, window[j], v.re[(signal * frames + f) * framing.n + j], MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
        mpfr_sqr(term, window[j], MPFR_RNDN);
        mpfr_add(squares, squares, term, MPFR_RNDN);
      }
      if (!mpfr_zero_p(mpfr_srcptr(squares))) mpfr_div(sum, sum, squares, MPFR_RNDN);
    }
  return y;
}

namespace {

/// y_i += a b with complex a and b.
void add_product(Exact& y, std::size_t i, const ComplexArray<double>& a, std::size_t s,
                 const ComplexArray<double>& b, std::size_t t) {
  Real term(judge_bits);
  const auto add = [&](mpfr_ptr sum, double first, double second, long sign) {
    mpfr_set_d(term, first, MPFR_RNDN);
    mpfr_mul_d(term, term, second, MPFR_RNDN);
    mpfr_mul_si(term, term, sign, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
  };
  add(y.re[i], a.re[s], b.re[t], 1);
  add(y.re[i], a.im[s], b.im[t], -1);
  add(y.im[i], a.re[s], b.im[t], 1);
  add(y.im[i], a.im[s], b.re[t], 1);
}

}  // namespace

Exact cgemm_by_definition(const ComplexArray<double>& x, const ComplexArray<double>& w,
                          std::size_t batch, std::size_t k, std::size_t n) {
  Exact y(batch * n);
  for (std::size_t i = 0; i < batch; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t l = 0; l < k; ++l) add_product(y, i * n + j, x, i * k + l, w, j * k + l);
  return y;
}

Exact cmul_by_definition(const ComplexArray<double>& x, const ComplexArray<double>& m) {
  Exact y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) add_product(y, i, x, i, m, i % m.size());
  return y;
}

Exact cconv1d_by_definition(const ComplexArray<double>& x, const ComplexArray<double>& h,
                            std::size_t n) {
  const std::size_t full = n + h.size() - 1;
  Exact y(x.size() / n * full);
  for (std::size_t item = 0; item < x.size() / n; ++item)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < h.size(); ++j)
        add_product(y, item * full + i + j, x, item * n + i, h, j);
  return y;
}

Exact cmodrelu_by_definition(const ComplexArray<double>& z, const ComplexArray<double>& b) {
  Exact y(z.size());
  Real modulus(judge_bits);
  Real factor(judge_bits);
  for (std::size_t i = 0; i < z.size(); ++i) {
    mpfr_set_d(modulus, z.re[i], MPFR_RNDN);
    mpfr_sqr(modulus, modulus, MPFR_RNDN);
    mpfr_set_d(factor, z.im[i], MPFR_RNDN);
    mpfr_fma(modulus, factor, factor, modulus, MPFR_RNDN);
    mpfr_sqrt(modulus, modulus, MPFR_RNDN);
    mpfr_add_d(factor, modulus, b.re[i % b.size()], MPFR_RNDN);
    if (mpfr_sgn(mpfr_srcptr(factor)) <= 0 || mpfr_zero_p(mpfr_srcptr(modulus))) continue;
    mpfr_div(factor, factor, modulus, MPFR_RNDN);
    mpfr_mul_d(y.re[i], factor, z.re[i], MPFR_RNDN);
    mpfr_mul_d(y.im[i], factor, z.im[i], MPFR_RNDN);
  }
  return y;
}

ChainError chain_error(const truth::Chain& chain, const Exact& exact, std::size_t item) {
  Real difference(judge_bits);
  Real errors(judge_bits);
  Real squares(judge_bits);
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const std::size_t i = item * chain.size() + k;
    const auto add_part = [&](mpfr_srcptr value, mpfr_srcptr part) {
      mpfr_sub(difference, value, part, MPFR_RNDN);
      mpfr_fma(errors, difference, difference, errors, MPFR_RNDN);
      mpfr_fma(squares, part, part, squares, MPFR_RNDN);
    };
    add_part(chain.values.re[k], exact.re[i]);
    add_part(chain.values.im[k], exact.im[i]);
  }
  mpfr_sqrt(squares, squares, MPFR_RNDN);
  mpfr_sqrt(errors, errors, MPFR_RNDU);
  mpfr_div(errors, errors, squares, MPFR_RNDU);
  mpfr_div(squares, chain.error.get(), squares, MPFR_RNDU);
  return {mpfr_get_d(errors, MPFR_RNDU), mpfr_get_d(squares, MPFR_RNDU)};
}

double worst_element(const truth::Truth& truth, const Exact& exact) {
  double worst = 0;
  Real error(judge_bits);
  Real square(judge_bits);
  const auto add_part = [&](double hi, double lo, mpfr_srcptr value) {
    mpfr_d_sub(error, hi, value, MPFR_RNDN);
    mpfr_add_d(error, error, lo, MPFR_RNDN);
    mpfr_fma(square, error, error, square, MPFR_RNDU);
  };
  for (std::size_t i = 0; i < truth.hi.size(); ++i) {
    mpfr_set_zero(square, 1);
    add_part(truth.hi.re[i], truth.lo.re[i], exact.re[i]);
    add_part(truth.hi.im[i], truth.lo.im[i], exact.im[i]);
    if (mpfr_zero_p(mpfr_srcptr(square))) continue;
    mpfr_sqrt(square, square, MPFR_RNDU);
    mpfr_div_d(square, square, truth.element_radius.at(i / truth.n), MPFR_RNDU);
    worst = std::max(worst, mpfr_get_d(square, MPFR_RNDU));
  }
  return worst;
}

std::vector<bool> real_elements(const truth::Evaluation& evaluation) {
  const truth::Chain chain = evaluation.evaluate({60}, 0);
  const truth::PairChain pairs = evaluation.evaluate_pairs({}, 0, 1);
  std::vector<bool> real;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    real.push_back(mpfr_zero_p(chain.values.im[k]) != 0);
    const bool real_in_pairs = pairs.values.hi.im[k] == 0 && pairs.values.lo.im[k] == 0;
    EXPECT_EQ(real_in_pairs, real.back()) << evaluation.method << ", element " << k;
  }
  return real;
}

void expect_honest(const truth::Truth& truth, const Exact& exact) {
  EXPECT_LE(error_of(truth, exact), truth.radius_rel) << truth.method;
  EXPECT_LE(worst_element(truth, exact), 1) << truth.method;
}

void expect_tiers_honest(const truth::Evaluation& evaluation, const Exact& exact) {
  expect_honest(truth::certify(evaluation, {.tier = truth::Tier::mpfr}), exact);
  expect_honest(truth::certify(evaluation, {}), exact);
  if (!evaluation.evaluate_pairs) return;
  // 0 bits: whatever is certified
  expect_honest(
      truth::certify(evaluation, {.tier = truth::Tier::double_double, .needed_bits = -2000}),
      exact);
}

void expect_certified(const truth::Evaluation& evaluation, const Exact& exact, double roundings) {
  constexpr int coarse = 60;
  ASSERT_EQ(evaluation.items * evaluation.item_size, exact.re.size());
  for (std::size_t item = 0; item < evaluation.items; ++item) {
    const truth::Chain chain = evaluation.evaluate({coarse}, item);
    ASSERT_EQ(chain.size(), evaluation.item_size);
    const ChainError error = chain_error(chain, exact, item);
    EXPECT_LE(error.found, error.bound) << evaluation.method << ", item " << item;
    EXPECT_LE(error.bound, std::ldexp(roundings, -coarse)) << evaluation.method;
  }
  const truth::Truth truth = truth::certify(evaluation, {.tier = truth::Tier::mpfr});
  EXPECT_EQ(truth.n, evaluation.item_size);
  EXPECT_EQ(truth.tier, truth::Tier::mpfr);
  expect_honest(truth, exact);
  EXPECT_LE(truth.radius_rel, 0x1.1p-106) << truth.method;
  if (!evaluation.evaluate_pairs) return;
  const truth::Truth pairs =
      truth::certify(evaluation, {.tier = truth::Tier::double_double, .needed_bits = 70});
  EXPECT_EQ(pairs.n, evaluation.item_size);
  EXPECT_EQ(pairs.tier, truth::Tier::double_double);
  expect_honest(pairs, exact);
  EXPECT_LE(pairs.radius_rel, std::ldexp(roundings, -106)) << pairs.method;
}

}  // namespace fftprec::testing
