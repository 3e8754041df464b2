#include "tests/truth/transform_judge.hpp"

#include <functional>
#include <numeric>

namespace fftprec::testing {

using truth::Real;

namespace {

std::size_t product(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

/// cos and sin of 2 pi m/order.
struct Circle {
  explicit Circle(std::size_t order) : cos(order, judge_bits), sin(order, judge_bits) {
    Real angle(judge_bits);
    for (std::size_t m = 0; m < order; ++m) {
      mpfr_const_pi(angle, MPFR_RNDN);
      mpfr_mul_ui(angle, angle, 2 * m, MPFR_RNDN);
      mpfr_div_ui(angle, angle, order, MPFR_RNDN);
      mpfr_cos(cos[m], angle, MPFR_RNDN);
      mpfr_sin(sin[m], angle, MPFR_RNDN);
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

Exact dct2_by_definition(const ComplexArray<double>& x, std::size_t n) {
  const Circle circle(4 * n);
  Exact y(x.size());
  for (std::size_t first = 0; first < x.size(); first += n)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j)
        add_turned(y, first + k, x.re[first + j], 0, circle, k * (2 * j + 1) % (4 * n),
                   Direction::forward, 2);
  forget_imaginary(y);
  return y;
}

Exact dct3_by_definition(const ComplexArray<double>& x, std::size_t n) {
  const Circle circle(4 * n);
  Exact y(x.size());
  for (std::size_t first = 0; first < x.size(); first += n)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j)
        add_turned(y, first + k, x.re[first + j], 0, circle, j * (2 * k + 1) % (4 * n),
                   Direction::forward, j == 0 ? 1 : 2);
  forget_imaginary(y);
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

}  // namespace fftprec::testing
