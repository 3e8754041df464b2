#include "arith/truth/loops/expansion_fft.hpp"

#include "arith/support/isa.hpp"
#include "arith/truth/double_double.hpp"
#include "arith/truth/triple_double.hpp"

namespace fftprec::truth {
namespace {

using Tag = isa::FFTPREC_ISA;
using PairRow = ComplexOf<DoubleDoubleOf<Lanes>>;

template <class Pointer>
[[gnu::always_inline]] inline PairPlanes<Pointer> at(const PairPlanes<Pointer>& x, std::size_t i) {
  return {x.re_hi + i, x.re_lo + i, x.im_hi + i, x.im_lo + i};
}
template <class Pointer>
[[gnu::always_inline]] inline TriplePlanes<Pointer> at(const TriplePlanes<Pointer>& x,
                                                       std::size_t i) {
  return {x.re_hi + i, x.re_mid + i, x.re_lo + i, x.im_hi + i, x.im_mid + i, x.im_lo + i};
}

[[gnu::always_inline]] inline ConstPairView read_only(const PairView& x) {
  return {x.re_hi, x.re_lo, x.im_hi, x.im_lo};
}
[[gnu::always_inline]] inline ConstTripleView read_only(const TripleView& x) {
  return {x.re_hi, x.re_mid, x.re_lo, x.im_hi, x.im_mid, x.im_lo};
}

/// The elements of x, each of its arrays read by `get`.
template <class Get>
[[gnu::always_inline]] inline auto elements(const ConstPairView& x, Get get) {
  using Part = DoubleDoubleOf<decltype(get(x.re_hi))>;
  return ComplexOf<Part>{{get(x.re_hi), get(x.re_lo)}, {get(x.im_hi), get(x.im_lo)}};
}
template <class Get>
[[gnu::always_inline]] inline auto elements(const ConstTripleView& x, Get get) {
  using Part = TripleDoubleOf<decltype(get(x.re_hi))>;
  return ComplexOf<Part>{{get(x.re_hi), get(x.re_mid), get(x.re_lo)},
                         {get(x.im_hi), get(x.im_mid), get(x.im_lo)}};
}

/// put(array of x, what `value` has for it), for all arrays.
template <class T, class Put>
[[gnu::always_inline]] inline void put_elements(const PairView& x,
                                                const ComplexOf<DoubleDoubleOf<T>>& value,
                                                Put put) {
  put(x.re_hi, value.re.hi);
  put(x.re_lo, value.re.lo);
  put(x.im_hi, value.im.hi);
  put(x.im_lo, value.im.lo);
}
template <class T, class Put>
[[gnu::always_inline]] inline void put_elements(const TripleView& x,
                                                const ComplexOf<TripleDoubleOf<T>>& value,
                                                Put put) {
  put(x.re_hi, value.re.hi);
  put(x.re_mid, value.re.mid);
  put(x.re_lo, value.re.lo);
  put(x.im_hi, value.im.hi);
  put(x.im_mid, value.im.mid);
  put(x.im_lo, value.im.lo);
}

/// Elements i, i + 1, ... in the lanes.
template <class ConstView>
[[gnu::always_inline]] inline auto load(const ConstView& x, std::size_t i) {
  return elements(x, [i](const double* plane) { return load_lanes(plane + i); });
}

/// Element i alone, or in every lane.
template <class ConstView>
[[gnu::always_inline]] inline auto one(const ConstView& x, std::size_t i) {
  return elements(x, [i](const double* plane) { return plane[i]; });
}
template <class ConstView>
[[gnu::always_inline]] inline auto one_in_all_lanes(const ConstView& x, std::size_t i) {
  return elements(x, [i](const double* plane) { return all_lanes(plane[i]); });
}

template <class View, class Number>
[[gnu::always_inline]] inline void store(const View& x, std::size_t i,
                                         const ComplexOf<Number>& value) {
  put_elements(x, value, [i](double* plane, Lanes lanes) { store_lanes(plane + i, lanes); });
}
template <class View, class Number>
[[gnu::always_inline]] inline void store_one(const View& x, std::size_t i,
                                             const ComplexOf<Number>& value) {
  put_elements(x, value, [i](double* plane, double element) { plane[i] = element; });
}

template <class Number>
[[gnu::always_inline]] inline ComplexOf<Number> times_minus_i(const ComplexOf<Number>& x) {
  return {x.im, -x.re};
}

/// One pass of radix 4: quarters of the input `quarter` apart, outputs `stride` apart.
/// out_m = sum_l in_l (-i)^(lm), times root^m if `Twiddled`.
template <bool Twiddled, class ConstView, class View>
[[gnu::always_inline]] inline void radix4(const ConstView& in, const View& out, std::size_t stride,
                                          std::size_t quarter, const ConstView& roots,
                                          std::size_t exponent) {
  using Row = decltype(load(in, 0));
  const Row w1 = one_in_all_lanes(roots, exponent);
  const Row w2 = one_in_all_lanes(roots, 2 * exponent);
  const Row w3 = one_in_all_lanes(roots, 3 * exponent);
  for (std::size_t q = 0; q < stride; q += lane_count) {
    const Row a = load(in, q);
    const Row b = load(in, q + quarter);
    const Row c = load(in, q + 2 * quarter);
    const Row d = load(in, q + 3 * quarter);
    const Row even = a + c;
    const Row odd = a - c;
    const Row sum = b + d;
    const Row turned = times_minus_i(b - d);
    store(out, q, even + sum);
    if constexpr (Twiddled) {
      store(out, q + stride, (odd + turned) * w1);
      store(out, q + 2 * stride, (even - sum) * w2);
      store(out, q + 3 * stride, (odd - turned) * w3);
    } else {
      store(out, q + stride, odd + turned);
      store(out, q + 2 * stride, even - sum);
      store(out, q + 3 * stride, odd - turned);
    }
  }
}

template <class ConstView, class View>
[[gnu::always_inline]] inline void radix2(const ConstView& in, const View& out, std::size_t half) {
  for (std::size_t q = 0; q < half; q += lane_count) {
    const auto a = load(in, q);
    const auto b = load(in, q + half);
    store(out, q, a + b);
    store(out, q + half, a - b);
  }
}

template <class View, class ConstView>
[[gnu::always_inline]] inline bool transform_columns(View in, View out, std::size_t length,
                                                     std::size_t width, const ConstView& roots) {
  bool in_b = false;
  const auto swap = [&] {
    const View read = in;
    in = out;
    out = read;
    in_b = !in_b;
  };
  std::size_t stride = width;
  std::size_t rest = length;
  for (; rest >= 4; rest /= 4, stride *= 4) {
    const std::size_t quarter = rest / 4;
    radix4<false>(read_only(in), out, stride, quarter * stride, roots, 0);
    for (std::size_t p = 1; p < quarter; ++p)
      radix4<true>(read_only(at(in, p * stride)), at(out, 4 * p * stride), stride, quarter * stride,
                   roots, p * (length / rest));
    swap();
  }
  if (rest == 2) {
    radix2(read_only(in), out, stride);
    swap();
  }
  return in_b;
}

[[gnu::always_inline]] inline Lanes gather(const double* table, const std::uint64_t* places) {
  double values[lane_count];
  for (std::size_t lane = 0; lane < lane_count; ++lane) values[lane] = table[places[lane]];
  return load_lanes(values);
}

/// coarse (1 + fine) for exponents `first`, `first + step`, ... in the lanes.
template <class ConstView>
[[gnu::always_inline]] inline auto roots_at(const RootsView<ConstView>& roots, std::uint64_t first,
                                            std::uint64_t step) {
  std::uint64_t high[lane_count];
  std::uint64_t low[lane_count];
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const std::uint64_t exponent = first + lane * step;
    high[lane] = exponent >> roots.fine_bits;
    low[lane] = exponent & ((std::uint64_t{1} << roots.fine_bits) - 1);
  }
  const auto coarse =
      elements(roots.coarse, [&high](const double* plane) { return gather(plane, high); });
  const auto fine =
      elements(roots.fine, [&low](const double* plane) { return gather(plane, low); });
  return coarse + coarse * fine;
}

template <class View, class ConstView>
[[gnu::always_inline]] inline void twiddle_columns(const View& x, std::size_t rows,
                                                   std::size_t width, std::size_t first,
                                                   const RootsView<ConstView>& roots) {
  for (std::size_t row = 1; row < rows; ++row)
    for (std::size_t column = 0; column < width; column += lane_count) {
      const auto root = roots_at(roots, row * (first + column), row);
      const std::size_t i = row * width + column;
      store(x, i, load(read_only(x), i) * root);
    }
}

/// What a product takes.
template <class T>
[[gnu::always_inline]] inline ComplexOf<DoubleDoubleOf<T>> factor(
    const ComplexOf<DoubleDoubleOf<T>>& x) {
  return x;
}
template <class T>
[[gnu::always_inline]] inline ComplexOf<TripleDoubleOf<T>> factor(
    const ComplexOf<TripleDoubleOf<T>>& x) {
  return {with_own_majorant(x.re), with_own_majorant(x.im)};
}

template <class View, class ConstView>
[[gnu::always_inline]] inline void multiply_elements(const View& x, const ConstView& t,
                                                     std::size_t count) {
  std::size_t j = 0;
  for (; j + lane_count <= count; j += lane_count)
    store(x, j, factor(load(read_only(x), j)) * load(t, j));
  for (; j < count; ++j) store_one(x, j, factor(one(read_only(x), j)) * one(t, j));
}

}  // namespace

template <>
bool ExpansionTables<Tag>::transform(PairView a, PairView b, std::size_t length, std::size_t width,
                                     ConstPairView roots) {
  return transform_columns(a, b, length, width, roots);
}
template <>
bool ExpansionTables<Tag>::transform(TripleView a, TripleView b, std::size_t length,
                                     std::size_t width, ConstTripleView roots) {
  return transform_columns(a, b, length, width, roots);
}

template <>
void ExpansionTables<Tag>::twiddle(PairView x, std::size_t rows, std::size_t width,
                                   std::size_t first, const PairRootsView& roots) {
  twiddle_columns(x, rows, width, first, roots);
}
template <>
void ExpansionTables<Tag>::twiddle(TripleView x, std::size_t rows, std::size_t width,
                                   std::size_t first, const TripleRootsView& roots) {
  twiddle_columns(x, rows, width, first, roots);
}

template <>
void ExpansionTables<Tag>::multiply(PairView x, ConstPairView t, std::size_t count) {
  multiply_elements(x, t, count);
}
template <>
void ExpansionTables<Tag>::multiply(TripleView x, ConstTripleView t, std::size_t count) {
  multiply_elements(x, t, count);
}

template <>
void ExpansionTables<Tag>::accumulate(PairView sum, ConstPairView x, const double* c,
                                      std::size_t count) {
  const ComplexDoubleDouble factor{{c[0], c[1]}, {c[2], c[3]}};
  const PairRow factors{{all_lanes(c[0]), all_lanes(c[1])}, {all_lanes(c[2]), all_lanes(c[3])}};
  std::size_t j = 0;
  for (; j + lane_count <= count; j += lane_count)
    store(sum, j, load(read_only(sum), j) + load(x, j) * factors);
  for (; j < count; ++j) store_one(sum, j, one(read_only(sum), j) + one(x, j) * factor);
}

}  // namespace fftprec::truth
