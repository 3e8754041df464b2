#include "arith/truth/transforms.hpp"

#include <functional>
#include <numeric>
#include <vector>

#include "arith/error.hpp"
#include "arith/truth/hermitian.hpp"

namespace fftprec::truth {
namespace {

using Sizes = std::vector<std::size_t>;

std::size_t elements(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

Sizes checked_sizes(std::string_view name, Shape shape) {
  require(!shape.empty(), std::string(name) + ": a shape without axes");
  for (const std::size_t size : shape)
    require(size >= 1, std::string(name) + ": an axis of size 0");
  return {shape.begin(), shape.end()};
}

Sizes halved(Sizes sizes) {
  sizes.back() = half_size(sizes.back());
  return sizes;
}

/// Along every axis but the last `left_out` ones. Each is a step of its own bound.
void transform_axes(Chain& x, const Sizes& sizes, std::size_t left_out, Direction direction) {
  std::size_t stride = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    if (axis + left_out < sizes.size()) transform(x, sizes[axis], stride, direction);
    stride *= sizes[axis];
  }
}

/// Drops what real data leave in the imaginary parts of outputs that are their own mirror image.
void drop_imaginary_of_mirrored(Chain& x, const Sizes& half, std::size_t last) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    bool mirrored = true;
    std::size_t rest = i;
    for (std::size_t axis = half.size(); axis-- > 0;) {
      const std::size_t k = rest % half[axis];
      const std::size_t size = axis + 1 == half.size() ? last : half[axis];
      mirrored = mirrored && 2 * k % size == 0;
      rest /= half[axis];
    }
    if (mirrored) drop_imaginary(x, i);
  }
}

void conjugate(Chain& x) {
  for (std::size_t k = 0; k < x.size(); ++k) mpfr_neg(x.values.im[k], x.values.im[k], MPFR_RNDN);
}

Chain real_spectrum(const ComplexArray<double>& x, std::size_t item, const Sizes& sizes,
                    mpfr_prec_t precision) {
  const std::size_t count = elements(sizes);
  Chain whole = exact_values(x, item * count, count, precision);
  transform(whole, sizes.back(), 1, Direction::forward);
  Chain y = one_sided(whole, sizes.back());
  const Sizes half = halved(sizes);
  transform_axes(y, half, 1, Direction::forward);
  drop_imaginary_of_mirrored(y, half, sizes.back());
  return y;
}

/// y_j = sum_k z_k exp(+2 pi i jk/n) along the last axis, z the Hermitian extension of half lines.
Chain real_signal(const Chain& half, std::size_t n) {
  Chain y = two_sided(half, n);
  transform(y, n, 1, Direction::inverse);
  drop_imaginary(y);
  return y;
}

/// exp(-pi i k/(2n)), k < n; within u of them.
auto quarter_turns(std::size_t n) {
  return once_per_precision(
      [n](mpfr_prec_t precision) { return table_of_roots(n, 4 * n, precision); });
}

/// Followed by n zeros.
Chain padded(const Chain& x) {
  Sizes sources(2 * x.size(), nothing);
  std::iota(sources.begin(), sources.begin() + static_cast<std::ptrdiff_t>(x.size()),
            std::size_t{0});
  return gathered(x, sources);
}

Chain first_half(const Chain& x) {
  Sizes sources(x.size() / 2);
  std::iota(sources.begin(), sources.end(), std::size_t{0});
  return gathered(x, sources);
}

/// By a power of two: exact.
void times_two(Chain& x, std::size_t first) {
  for (std::size_t k = first; k < x.size(); ++k) {
    mpfr_mul_2ui(x.values.re[k], x.values.re[k], 1, MPFR_RNDN);
    mpfr_mul_2ui(x.values.im[k], x.values.im[k], 1, MPFR_RNDN);
  }
  x.error = Bound(2) * x.error;
}

}  // namespace

namespace evaluation {

Evaluation dft_nd(const ComplexArray<double>& x, Shape shape, Direction direction) {
  const Sizes sizes = checked_sizes("dft_nd", shape);
  const std::size_t count = elements(sizes);
  check_items("dft_nd", x, count);
  return {"dft by axes", x.size() / count, count,
          [&x, sizes, count, direction](std::size_t item, mpfr_prec_t precision) {
            Chain y = exact_values(x, item * count, count, precision);
            transform_axes(y, sizes, 0, direction);
            if (direction == Direction::inverse) divide(y, count);
            return y;
          }};
}

Evaluation rfft_nd(const ComplexArray<double>& x, Shape shape) {
  const Sizes sizes = checked_sizes("rfft_nd", shape);
  check_items("rfft_nd", x, elements(sizes));
  check_real("rfft_nd", x);
  return {"real dft by axes", x.size() / elements(sizes), elements(halved(sizes)),
          [&x, sizes](std::size_t item, mpfr_prec_t precision) {
            return real_spectrum(x, item, sizes, precision);
          }};
}

Evaluation irfft_nd(const ComplexArray<double>& x, Shape shape) {
  const Sizes sizes = checked_sizes("irfft_nd", shape);
  const Sizes half = halved(sizes);
  check_items("irfft_nd", x, elements(half));
  return {"inverse real dft by axes", x.size() / elements(half), elements(sizes),
          [&x, sizes, half](std::size_t item, mpfr_prec_t precision) {
            const std::size_t count = elements(half);
            Chain z = exact_values(x, item * count, count, precision);
            transform_axes(z, half, 1, Direction::inverse);
            Chain y = real_signal(z, sizes.back());
            divide(y, elements(sizes));
            return y;
          }};
}

Evaluation hfft(const ComplexArray<double>& x, std::size_t n) {
  require(n >= 1, "hfft: n = 0");
  check_items("hfft", x, half_size(n));
  return {"dft of a hermitian extension", x.size() / half_size(n), n,
          [&x, n](std::size_t item, mpfr_prec_t precision) {
            Chain z = exact_values(x, item * half_size(n), half_size(n), precision);
            conjugate(z);
            return real_signal(z, n);
          }};
}

Evaluation ihfft(const ComplexArray<double>& x, std::size_t n) {
  check_items("ihfft", x, n);
  check_real("ihfft", x);
  return {"conjugate of a real dft", x.size() / n, half_size(n),
          [&x, n](std::size_t item, mpfr_prec_t precision) {
            Chain y = real_spectrum(x, item, {n}, precision);
            conjugate(y);
            divide(y, n);
            return y;
          }};
}

/// 2 Re(exp(-pi i k/(2n)) sum_j x_j exp(-2 pi i jk/(2n))): the sum is a transform of length 2n of x
/// and n zeros.
Evaluation dct2(const ComplexArray<double>& x, std::size_t n) {
  check_items("dct2", x, n);
  check_real("dct2", x);
  return {"dct through a dft of twice the length", x.size() / n, n,
          [&x, n, turns = quarter_turns(n)](std::size_t item, mpfr_prec_t precision) {
            Chain whole = padded(exact_values(x, item * n, n, precision));
            transform(whole, 2 * n, 1, Direction::forward);
            Chain y = first_half(whole);
            multiply(y, turns(precision), unit_roundoff(precision));
            drop_imaginary(y);
            times_two(y, 0);
            return y;
          }};
}

/// Re sum_j a_j exp(-pi i j/(2n)) exp(-2 pi i jk/(2n)), a_0 = x_0 and a_j = 2 x_j beyond.
Evaluation dct3(const ComplexArray<double>& x, std::size_t n) {
  check_items("dct3", x, n);
  check_real("dct3", x);
  return {"dct through a dft of twice the length", x.size() / n, n,
          [&x, n, turns = quarter_turns(n)](std::size_t item, mpfr_prec_t precision) {
            Chain a = exact_values(x, item * n, n, precision);
            times_two(a, 1);
            multiply(a, turns(precision), unit_roundoff(precision));
            Chain whole = padded(a);
            transform(whole, 2 * n, 1, Direction::forward);
            Chain y = first_half(whole);
            drop_imaginary(y);
            return y;
          }};
}

}  // namespace evaluation

Truth dft_nd(const ComplexArray<double>& x, Shape shape, Direction direction, int precision_bits) {
  return certify(evaluation::dft_nd(x, shape, direction), precision_bits);
}

Truth rfft_nd(const ComplexArray<double>& x, Shape shape, int precision_bits) {
  return certify(evaluation::rfft_nd(x, shape), precision_bits);
}

Truth irfft_nd(const ComplexArray<double>& x, Shape shape, int precision_bits) {
  return certify(evaluation::irfft_nd(x, shape), precision_bits);
}

Truth hfft(const ComplexArray<double>& x, std::size_t n, int precision_bits) {
  return certify(evaluation::hfft(x, n), precision_bits);
}

Truth ihfft(const ComplexArray<double>& x, std::size_t n, int precision_bits) {
  return certify(evaluation::ihfft(x, n), precision_bits);
}

Truth dct2(const ComplexArray<double>& x, std::size_t n, int precision_bits) {
  return certify(evaluation::dct2(x, n), precision_bits);
}

Truth dct3(const ComplexArray<double>& x, std::size_t n, int precision_bits) {
  return certify(evaluation::dct3(x, n), precision_bits);
}

}  // namespace fftprec::truth
