#include "arith/truth/loops/pair_steps.hpp"

#include "arith/support/isa.hpp"

namespace fftprec::truth {
namespace {

using Tag = isa::FFTPREC_ISA;

constexpr std::size_t partial_sums = 8;
constexpr std::size_t registers = partial_sums / lane_count;

template <class T>
[[gnu::always_inline]] inline T magnitude(T x) {
  return x < T{} ? -x : x;
}

/// T is double or Lanes.
template <class T>
struct SizesOf {
  T squares{};
  T least = T{} + __builtin_inf();
  T largest{};

  /// Requires: m >= 0.
  [[gnu::always_inline]] inline void add(T m) {
    const T none = T{} + __builtin_inf();
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

template <class T>
[[gnu::always_inline]] inline T scaled(T x, T first, T second, T smallest) {
  const T value = (x * first) * second;
  return magnitude(value) >= smallest ? value : T{};
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
PartSizes PairSteps<Tag>::measure(const double* x, std::size_t count) {
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
void PairSteps<Tag>::scale(const double* x, double* out, std::size_t count, double first,
                           double second, double smallest) {
  std::size_t i = 0;
  for (; i + lane_count <= count; i += lane_count)
    store_lanes(out + i, scaled(load_lanes(x + i), all_lanes(first), all_lanes(second),
                                all_lanes(smallest)));
  for (; i < count; ++i) out[i] = scaled(x[i], first, second, smallest);
}

template <>
StoredParts PairSteps<Tag>::store(const double* hi, const double* lo, double* out_hi,
                                  double* out_lo, std::size_t count, double threshold, double first,
                                  double second) {
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
void PairSteps<Tag>::times(double* hi, double* lo, std::size_t count, DoubleDouble factor) {
  const DoubleDoubleOf<Lanes> factors{all_lanes(factor.hi), all_lanes(factor.lo)};
  std::size_t i = 0;
  for (; i + lane_count <= count; i += lane_count) {
    const DoubleDoubleOf<Lanes> product =
        DoubleDoubleOf<Lanes>{load_lanes(hi + i), load_lanes(lo + i)} * factors;
    store_lanes(hi + i, product.hi);
    store_lanes(lo + i, product.lo);
  }
  for (; i < count; ++i) {
    const DoubleDouble product = DoubleDouble{hi[i], lo[i]} * factor;
    hi[i] = product.hi;
    lo[i] = product.lo;
  }
}

}  // namespace fftprec::truth
