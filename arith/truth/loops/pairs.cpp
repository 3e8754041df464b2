#include "arith/truth/loops/pairs.hpp"

#include "arith/support/isa.hpp"

namespace fftprec::truth {
namespace {

using Tag = isa::FFTPREC_ISA;
template <class T>
using Complex = ComplexDoubleDoubleOf<T>;
using Row = Complex<Lanes>;

template <class Pointer>
[[gnu::always_inline]] inline PairPlanes<Pointer> at(const PairPlanes<Pointer>& x, std::size_t i) {
  return {x.re_hi + i, x.re_lo + i, x.im_hi + i, x.im_lo + i};
}

/// One double, or as many as the lanes hold.
template <class T>
T read(const double* from);
template <>
[[gnu::always_inline]] inline double read<double>(const double* from) {
  return *from;
}
template <>
[[gnu::always_inline]] inline Lanes read<Lanes>(const double* from) {
  return load_lanes(from);
}

[[gnu::always_inline]] inline void write(double* to, double x) { *to = x; }
[[gnu::always_inline]] inline void write(double* to, Lanes x) { store_lanes(to, x); }

/// x itself, or in every lane.
template <class T>
T every(double x);
template <>
[[gnu::always_inline]] inline double every<double>(double x) {
  return x;
}
template <>
[[gnu::always_inline]] inline Lanes every<Lanes>(double x) {
  return all_lanes(x);
}
template <class T>
[[gnu::always_inline]] inline DoubleDoubleOf<T> every(double hi, double lo) {
  return {every<T>(hi), every<T>(lo)};
}

template <class T>
[[gnu::always_inline]] inline Complex<T> every(const ComplexDoubleDouble& x) {
  return {every<T>(x.re.hi, x.re.lo), every<T>(x.im.hi, x.im.lo)};
}

template <class T>
[[gnu::always_inline]] inline DoubleDoubleOf<T> read_pair(const double* hi, const double* lo) {
  return {read<T>(hi), read<T>(lo)};
}

template <class T>
[[gnu::always_inline]] inline void write_pair(double* hi, double* lo, DoubleDoubleOf<T> pair) {
  write(hi, pair.hi);
  write(lo, pair.lo);
}

/// Element i, or elements i, i + 1, ... in the lanes.
template <class T = Lanes>
[[gnu::always_inline]] inline Complex<T> load(const ConstPairView& x, std::size_t i) {
  return {read_pair<T>(x.re_hi + i, x.re_lo + i), read_pair<T>(x.im_hi + i, x.im_lo + i)};
}

template <class T>
[[gnu::always_inline]] inline void put(const PairView& x, std::size_t i, const Complex<T>& value) {
  write_pair(x.re_hi + i, x.re_lo + i, value.re);
  write_pair(x.im_hi + i, x.im_lo + i, value.im);
}

/// visit(T{}, j) for lanes of elements from j = 0 on, then for single ones.
template <class Visit>
[[gnu::always_inline]] inline void for_all(std::size_t count, Visit visit) {
  std::size_t j = 0;
  for (; j + lane_count <= count; j += lane_count) visit(Lanes{}, j);
  for (; j < count; ++j) visit(double{}, j);
}

template <class T>
[[gnu::always_inline]] inline Complex<T> times_minus_i(const Complex<T>& x) {
  return {x.im, -x.re};
}

/// One pass of radix 4: quarters of the input `quarter` apart, outputs `stride` apart.
/// out_m = sum_l in_l (-i)^(lm), times root^m if `Twiddled`.
template <bool Twiddled>
[[gnu::always_inline]] inline void radix4(const ConstPairView& in, const PairView& out,
                                          std::size_t stride, std::size_t quarter,
                                          const ConstPairView& roots, std::size_t exponent) {
  const ComplexDoubleDouble root = load<double>(roots, exponent);  // no output lies over them
  const ComplexDoubleDouble square = load<double>(roots, 2 * exponent);
  const ComplexDoubleDouble cube = load<double>(roots, 3 * exponent);
  for_all(
      stride, [&]<class T>(T, std::size_t q) __attribute__((always_inline)) {
        const Complex<T> a = load<T>(in, q);
        const Complex<T> b = load<T>(in, q + quarter);
        const Complex<T> c = load<T>(in, q + 2 * quarter);
        const Complex<T> d = load<T>(in, q + 3 * quarter);
        const Complex<T> even = a + c;
        const Complex<T> odd = a - c;
        const Complex<T> sum = b + d;
        const Complex<T> turned = times_minus_i(b - d);
        put(out, q, even + sum);
        if constexpr (Twiddled) {
          put(out, q + stride, (odd + turned) * every<T>(root));
          put(out, q + 2 * stride, (even - sum) * every<T>(square));
          put(out, q + 3 * stride, (odd - turned) * every<T>(cube));
        } else {
          put(out, q + stride, odd + turned);
          put(out, q + 2 * stride, even - sum);
          put(out, q + 3 * stride, odd - turned);
        }
      });
}

[[gnu::always_inline]] inline void radix2(const ConstPairView& in, const PairView& out,
                                          std::size_t half) {
  for_all(
      half, [&]<class T>(T, std::size_t q) __attribute__((always_inline)) {
        const Complex<T> a = load<T>(in, q);
        const Complex<T> b = load<T>(in, q + half);
        put(out, q, a + b);
        put(out, q + half, a - b);
      });
}

[[gnu::always_inline]] inline Lanes gather(const double* table, const std::uint64_t* places) {
  double values[lane_count];
  for (std::size_t lane = 0; lane < lane_count; ++lane) values[lane] = table[places[lane]];
  return load_lanes(values);
}
[[gnu::always_inline]] inline Row gather(const ConstPairView& x, const std::uint64_t* places) {
  return {{gather(x.re_hi, places), gather(x.re_lo, places)},
          {gather(x.im_hi, places), gather(x.im_lo, places)}};
}

/// coarse (1 + fine) for exponents `first`, `first + step`, ... in the lanes.
[[gnu::always_inline]] inline Row roots_at(const PairRootsView& roots, std::uint64_t first,
                                           std::uint64_t step) {
  std::uint64_t high[lane_count];
  std::uint64_t low[lane_count];
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const std::uint64_t exponent = first + lane * step;
    high[lane] = exponent >> roots.fine_bits;
    low[lane] = exponent & ((std::uint64_t{1} << roots.fine_bits) - 1);
  }
  const Row coarse = gather(roots.coarse, high);
  return coarse + coarse * gather(roots.fine, low);
}

/// a/b by two steps of long division, to a few u^2.
template <class T>
[[gnu::always_inline]] inline DoubleDoubleOf<T> quotient(DoubleDoubleOf<T> a, DoubleDoubleOf<T> b) {
  const T first = a.hi / b.hi;
  const DoubleDoubleOf<T> taken = two_product(first, b.hi);
  const T rest = ((a.hi - taken.hi) - taken.lo) + (a.lo - first * b.lo);
  return two_sum(first, rest / b.hi);
}

constexpr std::size_t partial_sums = 8;
constexpr std::size_t registers = partial_sums / lane_count;
static_assert(partial_sums % lane_count == 0);

template <class T>
[[gnu::always_inline]] inline T magnitude(T x) {
  return x < T{} ? -x : x;
}

template <class T>
struct SizesOf {
  T squares{};
  T least = every<T>(__builtin_inf());
  T largest{};

  /// Requires: m >= 0.
  [[gnu::always_inline]] inline void add(T m) {
    const T none = every<T>(__builtin_inf());
    const T candidate = m > T{} ? m : none;
    squares = squares + m * m;
    least = candidate < least ? candidate : least;
    largest = m > largest ? m : largest;
  }
};

/// Element i goes into partial result i mod 8.
class Partials {
 public:
  [[gnu::always_inline]] inline SizesOf<Lanes>& operator[](std::size_t i) { return lanes_[i]; }

  /// Those in single numbers, for what is left at the end of an array and for the total.
  void spread(SizesOf<double>* single) const {
    for (std::size_t r = 0; r < registers; ++r)
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        SizesOf<double>& one = single[r * lane_count + lane];
        one.squares = lanes_[r].squares[lane];
        one.least = lanes_[r].least[lane];
        one.largest = lanes_[r].largest[lane];
      }
  }

 private:
  SizesOf<Lanes> lanes_[registers];
};

PartSizes total(const SizesOf<double>* single) {
  SizesOf<double> all;
  for (std::size_t i = 0; i < partial_sums; ++i) {
    all.squares += single[i].squares;
    all.least = single[i].least < all.least ? single[i].least : all.least;
    all.largest = single[i].largest > all.largest ? single[i].largest : all.largest;
  }
  return {all.squares, all.least, all.largest};
}

/// (hi, lo) <- what is stored of it.
template <class T>
[[gnu::always_inline]] inline void keep_or_drop(T& hi, T& lo, T threshold, T first, T second,
                                                SizesOf<T>& kept, SizesOf<T>& dropped) {
  const T size = magnitude(hi);
  const T zero{};
  kept.add(size > threshold ? size : zero);
  dropped.add(size > threshold ? zero : size);
  const T scaled_hi = (hi * first) * second;
  const T scaled_lo = (lo * first) * second;
  hi = size > threshold ? scaled_hi : zero;
  lo = size > threshold ? scaled_lo : zero;
}

}  // namespace

template <>
bool PairTables<Tag>::transform(PairView a, PairView b, std::size_t length, std::size_t width,
                                ConstPairView roots) {
  bool in_b = false;
  const auto swap = [&] {
    const PairView read = a;
    a = b;
    b = read;
    in_b = !in_b;
  };
  std::size_t stride = width;
  std::size_t rest = length;
  for (; rest >= 4; rest /= 4, stride *= 4) {
    const std::size_t quarter = rest / 4;
    radix4<false>(read_only(a), b, stride, quarter * stride, roots, 0);
    for (std::size_t p = 1; p < quarter; ++p)
      radix4<true>(read_only(at(a, p * stride)), at(b, 4 * p * stride), stride, quarter * stride,
                   roots, p * (length / rest));
    swap();
  }
  if (rest == 2) {
    radix2(read_only(a), b, stride);
    swap();
  }
  return in_b;
}

template <>
void PairTables<Tag>::twiddle(PairView x, std::size_t rows, std::size_t width, std::size_t first,
                              const PairRootsView& roots) {
  for (std::size_t row = 1; row < rows; ++row)
    for (std::size_t column = 0; column < width; column += lane_count) {
      const Row root = roots_at(roots, row * (first + column), row);
      const std::size_t i = row * width + column;
      put(x, i, load(read_only(x), i) * root);
    }
}

template <>
void PairTables<Tag>::multiply(PairView x, ConstPairView t, std::size_t count) {
  for_all(
      count, [&]<class T>(T, std::size_t j) __attribute__((always_inline)) {
        put(x, j, load<T>(read_only(x), j) * load<T>(t, j));
      });
}

template <>
ComplexDoubleDouble PairTables<Tag>::dot(ConstPairView x, ConstPairView w, std::size_t count) {
  Row lanes[registers]{};
  std::size_t j = 0;
  for (; j + partial_sums <= count; j += partial_sums)
    for (std::size_t r = 0; r < registers; ++r)
      lanes[r] = lanes[r] + load(x, j + r * lane_count) * load(w, j + r * lane_count);
  ComplexDoubleDouble sums[partial_sums];
  for (std::size_t i = 0; i < partial_sums; ++i) {
    const Row& row = lanes[i / lane_count];
    const std::size_t lane = i % lane_count;
    sums[i] = {{row.re.hi[lane], row.re.lo[lane]}, {row.im.hi[lane], row.im.lo[lane]}};
  }
  for (; j < count; ++j)
    sums[j % partial_sums] = sums[j % partial_sums] + load<double>(x, j) * load<double>(w, j);
  for (std::size_t half = partial_sums / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) sums[i] = sums[i] + sums[i + half];
  return sums[0];
}

template <>
void PairTables<Tag>::accumulate(PairView sum, ConstPairView x, const double* c,
                                 std::size_t count) {
  const ComplexDoubleDouble factor{{c[0], c[1]}, {c[2], c[3]}};  // no sum lies over it
  for_all(
      count, [&]<class T>(T, std::size_t j) __attribute__((always_inline)) {
        put(sum, j, load<T>(read_only(sum), j) + load<T>(x, j) * every<T>(factor));
      });
}

template <>
void PairTables<Tag>::accumulate_cotangents(PairView sum, ConstPairView x, const double* c,
                                            const double* t_hi, const double* t_lo,
                                            std::size_t count) {
  const DoubleDouble cotangent{c[0], c[1]};
  for_all(
      count, [&]<class T>(T, std::size_t j) __attribute__((always_inline)) {
        const DoubleDoubleOf<T> cot = every<T>(cotangent.hi, cotangent.lo);
        const DoubleDoubleOf<T> t = read_pair<T>(t_hi + j, t_lo + j);
        const DoubleDoubleOf<T> q = quotient(cot - t, every<T>(1, 0) + cot * t);
        const Complex<T> v = load<T>(x, j);
        put(sum, j, load<T>(read_only(sum), j) + Complex<T>{v.re - q * v.im, v.im + q * v.re});
      });
}

template <>
PartSizes PairTables<Tag>::measure(const double* x, std::size_t count) {
  Partials lanes;
  std::size_t i = 0;
  for (; i + partial_sums <= count; i += partial_sums)
    for (std::size_t r = 0; r < registers; ++r)
      lanes[r].add(magnitude(load_lanes(x + i + r * lane_count)));
  SizesOf<double> single[partial_sums];
  lanes.spread(single);
  for (; i < count; ++i) single[i % partial_sums].add(magnitude(x[i]));
  return total(single);
}

template <>
void PairTables<Tag>::scale(const double* x, double* out, std::size_t count, double first,
                            double second, double smallest) {
  for_all(
      count, [&]<class T>(T, std::size_t i) __attribute__((always_inline)) {
        const T value = (read<T>(x + i) * every<T>(first)) * every<T>(second);
        write(out + i, magnitude(value) >= every<T>(smallest) ? value : T{});
      });
}

template <>
StoredParts PairTables<Tag>::store(const double* hi, const double* lo, double* out_hi,
                                   double* out_lo, std::size_t count, double threshold,
                                   double first, double second) {
  Partials kept_lanes;
  Partials dropped_lanes;
  std::size_t i = 0;
  for (; i + partial_sums <= count; i += partial_sums)
    for (std::size_t r = 0; r < registers; ++r) {
      const std::size_t place = i + r * lane_count;
      Lanes a = load_lanes(hi + place);
      Lanes b = load_lanes(lo + place);
      keep_or_drop(a, b, all_lanes(threshold), all_lanes(first), all_lanes(second), kept_lanes[r],
                   dropped_lanes[r]);
      store_lanes(out_hi + place, a);
      store_lanes(out_lo + place, b);
    }
  SizesOf<double> kept[partial_sums];
  SizesOf<double> dropped[partial_sums];
  kept_lanes.spread(kept);
  dropped_lanes.spread(dropped);
  for (; i < count; ++i) {
    double a = hi[i];
    double b = lo[i];
    keep_or_drop(a, b, threshold, first, second, kept[i % partial_sums], dropped[i % partial_sums]);
    out_hi[i] = a;
    out_lo[i] = b;
  }
  return {total(kept), total(dropped)};
}

template <>
void PairTables<Tag>::times(double* hi, double* lo, std::size_t count, DoubleDouble factor) {
  for_all(
      count, [&]<class T>(T, std::size_t i) __attribute__((always_inline)) {
        write_pair(hi + i, lo + i, read_pair<T>(hi + i, lo + i) * every<T>(factor.hi, factor.lo));
      });
}

}  // namespace fftprec::truth
