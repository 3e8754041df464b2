#include "arith/truth/transforms.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "arith/formats/eft.hpp"
#include "arith/support/error.hpp"
#include "arith/support/portable_math.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec::truth {
namespace {

using Sizes = std::vector<std::size_t>;

std::size_t elements(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

Sizes checked_sizes(std::string_view name, Shape shape) {
  require(!shape.empty(), name, ": a shape without axes");
  for (const std::size_t size : shape) require(size >= 1, name, ": an axis of size 0");
  return {shape.begin(), shape.end()};
}

Sizes halved(Sizes sizes) {
  sizes.back() = half_size(sizes.back());
  return sizes;
}

/// Along every axis but the last `left_out` ones. Each is a step of its own bound.
template <class AnyChain>
void transform_axes(AnyChain& x, const Sizes& sizes, std::size_t left_out, Direction direction,
                    Plans& plans) {
  std::size_t stride = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    if (axis + left_out < sizes.size()) transform(x, sizes[axis], stride, direction, plans);
    stride *= sizes[axis];
  }
}

/// Drops what real data leave in the imaginary parts of outputs that are their own mirror image.
template <class AnyChain>
void drop_imaginary_of_mirrored(AnyChain& x, const Sizes& half, std::size_t last) {
  for (std::size_t i = 0; i < x.item_size(); ++i) {
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

/// From the real values `whole` of shape `sizes`.
template <class AnyChain>
AnyChain real_spectrum(AnyChain whole, const Sizes& sizes, Plans& plans) {
  transform(whole, sizes.back(), 1, Direction::forward, plans);
  AnyChain y = one_sided(whole, sizes.back());
  const Sizes half = halved(sizes);
  transform_axes(y, half, 1, Direction::forward, plans);
  drop_imaginary_of_mirrored(y, half, sizes.back());
  return y;
}

/// y_j = sum_k z_k exp(+2 pi i jk/n) along the last axis, z the Hermitian extension of half lines.
template <class AnyChain>
AnyChain real_signal(const AnyChain& half, std::size_t n, Plans& plans) {
  AnyChain y = two_sided(half, n);
  transform(y, n, 1, Direction::inverse, plans);
  drop_imaginary(y);
  return y;
}

/// exp(-pi i k/(2n)), k < n.
Chain turns(const MpfrBench& bench, std::size_t n) {
  return {table_of_roots(n, 4 * n, bench.precision), unit_roundoff(bench.precision)};
}

PairChain turns(const PairBench& bench, std::size_t n) {
  PairChain table{ComplexPairs(n), {Bound(5 * 0x1p-106)}, {0}, bench.loops};
  const PairRoots roots(4 * n);
  for (std::size_t k = 0; k < n; ++k) table.values.set(k, roots(k));
  return table;
}

auto quarter_turns(std::size_t n) {
  return OncePerBench([n](const auto& bench) { return turns(bench, n); });
}

}  // namespace

namespace evaluation {

Evaluation dft_nd(const ComplexArray<double>& x, Shape shape, Direction direction) {
  const Sizes sizes = checked_sizes("dft_nd", shape);
  const std::size_t count = elements(sizes);
  check_items("dft_nd", x, count);
  return evaluation_of(
      "dft by axes", x.size() / count, count,
      [&x, sizes, count, direction](const auto& bench, std::size_t first, std::size_t items) {
        auto y = exact_values(bench, x, first * count, count, items);
        transform_axes(y, sizes, 0, direction, *bench.plans);
        if (direction == Direction::inverse) divide(y, count);
        return y;
      });
}

Evaluation rfft_nd(const ComplexArray<double>& x, Shape shape) {
  const Sizes sizes = checked_sizes("rfft_nd", shape);
  const std::size_t count = elements(sizes);
  check_items("rfft_nd", x, count);
  check_real("rfft_nd", x);
  return evaluation_of("real dft by axes", x.size() / count, elements(halved(sizes)),
                       [&x, sizes, count](const auto& bench, std::size_t first, std::size_t items) {
                         return real_spectrum(exact_values(bench, x, first * count, count, items),
                                              sizes, *bench.plans);
                       });
}

Evaluation irfft_nd(const ComplexArray<double>& x, Shape shape) {
  const Sizes sizes = checked_sizes("irfft_nd", shape);
  const Sizes half = halved(sizes);
  const std::size_t count = elements(half);
  check_items("irfft_nd", x, count);
  return evaluation_of(
      "inverse real dft by axes", x.size() / count, elements(sizes),
      [&x, sizes, half, count](const auto& bench, std::size_t first, std::size_t items) {
        auto z = exact_values(bench, x, first * count, count, items);
        transform_axes(z, half, 1, Direction::inverse, *bench.plans);
        auto y = real_signal(z, sizes.back(), *bench.plans);
        divide(y, elements(sizes));
        return y;
      });
}

Evaluation hfft(const ComplexArray<double>& x, std::size_t n) {
  require(n >= 1, "hfft: n = 0");
  check_items("hfft", x, half_size(n));
  const std::size_t count = half_size(n);
  return evaluation_of("dft of a hermitian extension", x.size() / count, n,
                       [&x, n, count](const auto& bench, std::size_t first, std::size_t items) {
                         auto z = exact_values(bench, x, first * count, count, items);
                         conjugate(z, 0, count);
                         return real_signal(z, n, *bench.plans);
                       });
}

Evaluation ihfft(const ComplexArray<double>& x, std::size_t n) {
  check_items("ihfft", x, n);
  check_real("ihfft", x);
  return evaluation_of("conjugate of a real dft", x.size() / n, half_size(n),
                       [&x, n](const auto& bench, std::size_t first, std::size_t items) {
                         auto y = real_spectrum(exact_values(bench, x, first * n, n, items), {n},
                                                *bench.plans);
                         conjugate(y, 0, half_size(n));
                         divide(y, n);
                         return y;
                       });
}

/// 2 Re(exp(-pi i k/(2n)) sum_j x_j exp(-2 pi i jk/(2n))): the sum is a transform of length 2n of x
/// and n zeros.
Evaluation dct2(const ComplexArray<double>& x, std::size_t n) {
  check_items("dct2", x, n);
  check_real("dct2", x);
  return evaluation_of(
      "dct through a dft of twice the length", x.size() / n, n,
      [&x, n, turns = quarter_turns(n)](const auto& bench, std::size_t first, std::size_t items) {
        auto whole = resized(exact_values(bench, x, first * n, n, items), n, 2 * n);
        transform(whole, 2 * n, 1, Direction::forward, *bench.plans);
        auto y = resized(whole, n, n);
        multiply(y, turns(bench));
        drop_imaginary(y);
        times_two(y, 0);
        return y;
      });
}

/// Re sum_j a_j exp(-pi i j/(2n)) exp(-2 pi i jk/(2n)), a_0 = x_0 and a_j = 2 x_j beyond.
Evaluation dct3(const ComplexArray<double>& x, std::size_t n) {
  check_items("dct3", x, n);
  check_real("dct3", x);
  return evaluation_of(
      "dct through a dft of twice the length", x.size() / n, n,
      [&x, n, turns = quarter_turns(n)](const auto& bench, std::size_t first, std::size_t items) {
        auto a = exact_values(bench, x, first * n, n, items);
        times_two(a, 1);
        multiply(a, turns(bench));
        auto whole = resized(a, n, 2 * n);
        transform(whole, 2 * n, 1, Direction::forward, *bench.plans);
        auto y = resized(whole, n, n);
        drop_imaginary(y);
        return y;
      });
}

}  // namespace evaluation

Truth dft(const ComplexArray<double>& x, std::size_t n, Direction direction,
          const TruthOptions& options) {
  require(n >= 1, "dft: n = 0");
  const std::size_t shape[] = {n};
  return certify(evaluation::dft_nd(x, shape, direction), options);
}

namespace {

/// sqrt(x) and 1/x to about 2^-104.
Pair<double> root_of(double x) {
  const double high = std::sqrt(x);
  return {high, std::fma(-high, high, x) / (2 * high)};
}
Pair<double> inverse_of(Pair<double> x) {
  const double high = 1 / x.high;
  return {high, (std::fma(-high, x.high, 1.0) - high * x.low) * high};
}

Pair<double> product(Pair<double> a, Pair<double> b) {
  const Pair<double> high = two_prod(a.high, b.high);
  return fast_two_sum(high.high, high.low + (a.high * b.low + a.low * b.high));
}

/// Every element times `factor`, but the first of each item times `of_first`, which is that or the
/// factor over sqrt(2): then the error of a norm counts at most sqrt(2) times as much.
Truth scaled(Truth truth, Pair<double> factor, Pair<double> of_first) {
  const auto scale = [&](AlignedVector<double>& hi, AlignedVector<double>& lo) {
    for (std::size_t i = 0; i < hi.size(); ++i) {
      const Pair<double> scaled = product({hi[i], lo[i]}, i % truth.n == 0 ? of_first : factor);
      hi[i] = scaled.high;
      lo[i] = scaled.low;
    }
  };
  scale(truth.hi.re, truth.lo.re);
  scale(truth.hi.im, truth.lo.im);
  constexpr double rounding = 0x1p-100;
  if (of_first.high != factor.high) truth.radius_rel *= 1.5;
  truth.radius_rel += rounding;
  truth.bits = std::min(truth.bits, static_cast<int>(-portable::log2(truth.radius_rel)));
  for (std::size_t item = 0; item < truth.element_radius.size(); ++item) {
    const std::size_t first = item * truth.n;
    double largest = 0;
    for (std::size_t i = first; i < first + truth.n; ++i)
      largest = std::max(largest, portable::hypot(truth.hi.re[i], truth.hi.im[i]));
    truth.element_radius[item] =
        truth.element_radius[item] * factor.high * (1 + 0x1p-50) + largest * rounding;
  }
  return truth;
}

}  // namespace

Truth in_norm(Truth truth, Dft dft, std::size_t points) {
  if (dft.norm == Norm::backward) return truth;
  const double n = static_cast<double>(points);
  const Pair<double> size = dft.norm == Norm::ortho ? root_of(n) : Pair<double>{n, 0};
  const Pair<double> factor = dft == Direction::forward ? inverse_of(size) : size;
  return scaled(std::move(truth), factor, factor);
}

Truth dct2(const ComplexArray<double>& x, std::size_t n, const TruthOptions& options, Norm norm) {
  Truth truth =
      in_norm(certify(evaluation::dct2(x, n), options), {Direction::forward, norm}, 2 * n);
  return norm == Norm::ortho ? scaled(std::move(truth), {1, 0}, inverse_of(root_of(2))) : truth;
}

/// Under ortho x_0 / sqrt(n) joins every element. The transform is orthogonal then, so neither part
/// is larger than the whole, and what both products and the sum round stays below 2^-100 of it,
/// which in_norm has added to the radius.
Truth dct3(const ComplexArray<double>& x, std::size_t n, const TruthOptions& options, Norm norm) {
  if (norm != Norm::ortho)
    return in_norm(certify(evaluation::dct3(x, n), options), {Direction::forward, norm}, 2 * n);
  check_items("dct3", x, n);
  ComplexArray<double> others = x;
  for (std::size_t first = 0; first < x.size(); first += n) others.re[first] = 0;
  Truth truth =
      in_norm(certify(evaluation::dct3(others, n), options), {Direction::forward, norm}, 2 * n);
  const Pair<double> factor = inverse_of(root_of(static_cast<double>(n)));
  for (std::size_t i = 0; i < truth.hi.size(); ++i) {
    const Pair<double> mean = product({x.re[i - i % n], 0}, factor);
    const Pair<double> high = fftprec::two_sum(truth.hi.re[i], mean.high);
    const Pair<double> sum = fast_two_sum(high.high, high.low + (truth.lo.re[i] + mean.low));
    truth.hi.re[i] = sum.high;
    truth.lo.re[i] = sum.low;
    if (i % n == 0) truth.element_radius[i / n] += std::abs(mean.high) * 0x1p-100;
  }
  return truth;
}

}  // namespace fftprec::truth
