#include "arith/truth/loops/metrics.hpp"

#include "arith/support/isa.hpp"
#include "arith/truth/loops/double_double.hpp"

namespace fftprec::truth {
namespace {

using Tag = isa::FFTPREC_ISA;

constexpr std::size_t block = 8;
constexpr std::size_t registers = block / lane_count;
static_assert(block % lane_count == 0);

/// Integers as wide as the doubles, to look at their bits.
using LaneBits = long long __attribute__((vector_size(lane_count * sizeof(double))));
[[gnu::always_inline]] inline long long bits_of(double x) {
  return __builtin_bit_cast(long long, x);
}
[[gnu::always_inline]] inline LaneBits bits_of(Lanes x) { return reinterpret_cast<LaneBits>(x); }
[[gnu::always_inline]] inline double of_bits(long long bits) {
  return __builtin_bit_cast(double, bits);
}
[[gnu::always_inline]] inline Lanes of_bits(LaneBits bits) { return reinterpret_cast<Lanes>(bits); }

constexpr long long sign_bit = static_cast<long long>(1ull << 63);
constexpr long long exponent_bits = 2047ll << 52;

template <class T>
[[gnu::always_inline]] inline T every(double x) {
  return T{} + x;
}

[[gnu::always_inline]] inline double root(double x) { return __builtin_sqrt(x); }
[[gnu::always_inline]] inline Lanes root(Lanes x) {
#if defined(__AVX512F__)
  return _mm512_maskz_sqrt_pd(0xff, x);  // the plain one warns of its unused operand in g++ 12
#elif defined(__AVX2__)
  return _mm256_sqrt_pd(x);
#elif defined(__SSE2__)
  return _mm_sqrt_pd(x);
#else
  for (std::size_t i = 0; i < lane_count; ++i) x[i] = __builtin_sqrt(x[i]);
  return x;
#endif
}

template <class T>
[[gnu::always_inline]] inline T magnitude(T x) {
  return of_bits(bits_of(x) & ~sign_bit);
}

/// b where a is NaN.
template <class T>
[[gnu::always_inline]] inline T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
[[gnu::always_inline]] inline T smaller(T a, T b) {
  return a < b ? a : b;
}

/// Adds x; the low part gathers what is rounded off and is not brought below u of the high part.
template <class T>
[[gnu::always_inline]] inline void add_to(DoubleDoubleOf<T>& sum, T x) {
  const DoubleDoubleOf<T> next = two_sum(sum.hi, x);
  sum.hi = next.hi;
  sum.lo += next.lo;
}

[[gnu::always_inline]] inline void add_to(DoubleDouble& sum, const DoubleDouble& other) {
  add_to(sum, other.hi);
  sum.lo += other.lo;
}

/// inf where hi is: lo is NaN then.
[[gnu::always_inline]] inline double value_of(const DoubleDouble& sum) {
  return sum.hi - sum.hi == 0 ? sum.hi + sum.lo : sum.hi;
}

[[gnu::always_inline]] inline DoubleDouble lane(const DoubleDoubleOf<Lanes>& sum, std::size_t i) {
  return {sum.hi[i], sum.lo[i]};
}

template <class T>
struct Norms {
  DoubleDoubleOf<T> squares{};
  DoubleDoubleOf<T> sizes{};
  T largest_square{};

  /// Returns the square.
  [[gnu::always_inline]] T add(T re, T im) {
    const T square = re * re + im * im;
    add_to(squares, square);
    add_to(sizes, root(square));
    largest_square = larger(square, largest_square);
    return square;
  }
  [[gnu::always_inline]] void join(const Norms& other) {
    add_to(squares, other.squares);
    add_to(sizes, other.sizes);
    largest_square = larger(other.largest_square, largest_square);
  }
  [[gnu::always_inline]] NormSums sums() const {
    return {value_of(squares), value_of(sizes), largest_square};
  }
};

[[gnu::always_inline]] inline Norms<double> lane(const Norms<Lanes>& norms, std::size_t i) {
  return {lane(norms.squares, i), lane(norms.sizes, i), norms.largest_square[i]};
}

/// 1 / binade of hi + lo. Where lo points towards zero and hi is a power of two, the binade is the
/// one below: that of the number before hi.
template <class T>
[[gnu::always_inline]] inline T inverse_binade(T hi, T size, T lo, double smallest_binade) {
  const T outwards = of_bits(bits_of(lo) ^ (bits_of(hi) & sign_bit));
  const T zero{};
  const auto bits = bits_of(size);
  const auto before = outwards < zero ? bits - 1 : bits;
  const T binade = size > zero ? of_bits(before & exponent_bits) : zero;
  return of_bits((2046ll << 52) - bits_of(larger(binade, every<T>(smallest_binade))));
}

template <class T>
struct Extremes {
  T largest_relative{};
  T smallest_truth = every<T>(__builtin_inf());

  [[gnu::always_inline]] void add(T error, T truth) {
    largest_relative = larger(error / truth, largest_relative);
    smallest_truth = smaller(truth, smallest_truth);
  }
  [[gnu::always_inline]] void join(const Extremes& other) {
    largest_relative = larger(other.largest_relative, largest_relative);
    smallest_truth = smaller(other.smallest_truth, smallest_truth);
  }
  [[gnu::always_inline]] PartExtremes extremes() const {
    return {largest_relative, smallest_truth};
  }
};

[[gnu::always_inline]] inline Extremes<double> lane(const Extremes<Lanes>& part, std::size_t i) {
  return {part.largest_relative[i], part.smallest_truth[i]};
}

template <class T>
struct Part {
  T y, hi, lo;
};

template <class T>
struct Metrics {
  Norms<T> error{};
  Norms<T> truth{};
  Extremes<T> re{};
  Extremes<T> im{};
  DoubleDoubleOf<T> binades_squares{};
  T largest_binades{};
  DoubleDoubleOf<T> along{};
  DoubleDoubleOf<T> relative{};
  T least_error_square = every<T>(__builtin_inf());
  T least_truth_square = every<T>(__builtin_inf());

  [[gnu::always_inline]] void add(Part<T> x, Part<T> y, double smallest_binade) {
    const T signed_re = (x.y - x.hi) - x.lo;
    const T signed_im = (y.y - y.hi) - y.lo;
    add_to(along, signed_re * x.hi + signed_im * y.hi);
    const T error_re = magnitude(signed_re);
    const T error_im = magnitude(signed_im);
    const T truth_re = magnitude(x.hi);
    const T truth_im = magnitude(y.hi);
    const T error_square = error.add(error_re, error_im);
    const T truth_square = truth.add(truth_re, truth_im);
    const T zero{};
    const T none = every<T>(__builtin_inf());
    add_to(relative, error_square > zero ? root(error_square) / root(truth_square) : zero);
    least_error_square =
        smaller(error_re + error_im > zero ? error_square : none, least_error_square);
    least_truth_square =
        smaller(truth_re + truth_im > zero ? truth_square : none, least_truth_square);
    re.add(error_re, truth_re);
    im.add(error_im, truth_im);
    const T binades_re = error_re * inverse_binade(x.hi, truth_re, x.lo, smallest_binade);
    const T binades_im = error_im * inverse_binade(y.hi, truth_im, y.lo, smallest_binade);
    add_to(binades_squares, binades_re * binades_re + binades_im * binades_im);
    largest_binades = larger(larger(binades_re, binades_im), largest_binades);
  }
  [[gnu::always_inline]] void join(const Metrics& other) {
    error.join(other.error);
    truth.join(other.truth);
    re.join(other.re);
    im.join(other.im);
    add_to(binades_squares, other.binades_squares);
    largest_binades = larger(other.largest_binades, largest_binades);
    add_to(along, other.along);
    add_to(relative, other.relative);
    least_error_square = smaller(other.least_error_square, least_error_square);
    least_truth_square = smaller(other.least_truth_square, least_truth_square);
  }
};

[[gnu::always_inline]] inline Metrics<double> lane(const Metrics<Lanes>& metrics, std::size_t i) {
  return {
      lane(metrics.error, i),       lane(metrics.truth, i),           lane(metrics.re, i),
      lane(metrics.im, i),          lane(metrics.binades_squares, i), metrics.largest_binades[i],
      lane(metrics.along, i),       lane(metrics.relative, i),        metrics.least_error_square[i],
      metrics.least_truth_square[i]};
}

template <class T>
struct Rest {
  DoubleDoubleOf<T> squares{};
  DoubleDoubleOf<T> along{};

  /// y - g (hi + lo): if y is within a factor 2 of the rounded product the first difference is
  /// exact, else it is at least half of that, and the product's error cancels nothing of it.
  [[gnu::always_inline]] static T of(Part<T> x, T factor) {
    const DoubleDoubleOf<T> product = two_product(factor, x.hi);
    return (x.y - product.hi) - (product.lo + factor * x.lo);
  }
  [[gnu::always_inline]] void add(Part<T> x, Part<T> y, T factor) {
    const T rest_re = of(x, factor);
    const T rest_im = of(y, factor);
    add_to(squares, rest_re * rest_re + rest_im * rest_im);
    add_to(along, rest_re * x.hi + rest_im * y.hi);
  }
  [[gnu::always_inline]] void join(const Rest& other) {
    add_to(squares, other.squares);
    add_to(along, other.along);
  }
};

[[gnu::always_inline]] inline Rest<double> lane(const Rest<Lanes>& rest, std::size_t i) {
  return {lane(rest.squares, i), lane(rest.along, i)};
}

/// add(partial, j, T) for every j: into 8 partial results side by side, then one for the tail;
/// joins them in that order.
template <template <class> class Partial, class Add>
[[gnu::always_inline]] inline Partial<double> reduced(std::size_t size, Add add) {
  Partial<Lanes> partial[registers];
  const std::size_t whole = size - size % block;
  for (std::size_t j = 0; j < whole; j += block)
    for (std::size_t k = 0; k < registers; ++k) add(partial[k], j + k * lane_count);
  Partial<double> result = lane(partial[0], 0);
  for (std::size_t i = 1; i < block; ++i)
    result.join(lane(partial[i / lane_count], i % lane_count));
  Partial<double> tail{};
  for (std::size_t j = whole; j < size; ++j) add(tail, j);
  result.join(tail);
  return result;
}

template <class T>
struct Loaded;
template <>
struct Loaded<double> {
  [[gnu::always_inline]] static double from(const double* x) { return *x; }
};
template <>
struct Loaded<Lanes> {
  [[gnu::always_inline]] static Lanes from(const double* x) { return load_lanes(x); }
};

template <class T>
[[gnu::always_inline]] inline Part<T> load(const MeasuredPart& part, std::size_t j) {
  return {Loaded<T>::from(part.y + j), Loaded<T>::from(part.hi + j), Loaded<T>::from(part.lo + j)};
}

}  // namespace

template <>
void MetricTables<Tag>::measure(const MeasuredPart& re, const MeasuredPart& im, std::size_t size,
                                double smallest_binade, MetricSums& sums) {
  const Metrics<double> found = reduced<Metrics>(
      size, [&]<class T>(Metrics<T> & metrics, std::size_t j) __attribute__((always_inline)) {
        metrics.add(load<T>(re, j), load<T>(im, j), smallest_binade);
      });
  sums = {found.error.sums(),      found.truth.sums(),       found.re.extremes(),
          found.im.extremes(),     found.largest_binades,    value_of(found.binades_squares),
          value_of(found.along),   value_of(found.relative), found.least_error_square,
          found.least_truth_square};
}

template <>
void MetricTables<Tag>::rest(const MeasuredPart& re, const MeasuredPart& im, std::size_t size,
                             double factor, RestSums& sums) {
  const Rest<double> found = reduced<Rest>(
      size, [&]<class T>(Rest<T> & rest, std::size_t j) __attribute__((always_inline)) {
        rest.add(load<T>(re, j), load<T>(im, j), every<T>(factor));
      });
  sums = {value_of(found.squares), value_of(found.along)};
}

template <>
void MetricTables<Tag>::norms(const double* re, const double* im, std::size_t size, double scale,
                              NormSums& sums) {
  sums = reduced<Norms>(
             size,
             [&]<class T>(Norms<T> & norms, std::size_t j) __attribute__((always_inline)) {
               norms.add(Loaded<T>::from(re + j) * scale, Loaded<T>::from(im + j) * scale);
             })
             .sums();
}

}  // namespace fftprec::truth
