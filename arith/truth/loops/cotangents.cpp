#include "arith/truth/loops/cotangents.hpp"

#include "arith/support/isa.hpp"
#include "arith/truth/double_double.hpp"

namespace fftprec::truth {
namespace {

using Tag = isa::FFTPREC_ISA;

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

template <class T>
[[gnu::always_inline]] inline DoubleDoubleOf<T> read_pair(const double* hi, const double* lo) {
  return {read<T>(hi), read<T>(lo)};
}

[[gnu::always_inline]] inline double in_all(double x, double) { return x; }
[[gnu::always_inline]] inline Lanes in_all(double x, Lanes) { return all_lanes(x); }

/// a/b by two steps of long division, to a few u^2.
template <class T>
[[gnu::always_inline]] inline DoubleDoubleOf<T> quotient(DoubleDoubleOf<T> a, DoubleDoubleOf<T> b) {
  const T first = a.hi / b.hi;
  const DoubleDoubleOf<T> taken = two_product(first, b.hi);
  const T rest = ((a.hi - taken.hi) - taken.lo) + (a.lo - first * b.lo);
  return two_sum(first, rest / b.hi);
}

/// Elements j, or as many as the lanes are from j on.
template <class T>
[[gnu::always_inline]] inline void add_element(const PairView& sum, const ConstPairView& x,
                                               const double* c, const double* t_hi,
                                               const double* t_lo, std::size_t j) {
  const DoubleDoubleOf<T> cot{in_all(c[0], T{}), in_all(c[1], T{})};
  const DoubleDoubleOf<T> one{in_all(1, T{}), in_all(0, T{})};
  const DoubleDoubleOf<T> t = read_pair<T>(t_hi + j, t_lo + j);
  const DoubleDoubleOf<T> q = quotient(cot - t, one + cot * t);
  const DoubleDoubleOf<T> re = read_pair<T>(x.re_hi + j, x.re_lo + j);
  const DoubleDoubleOf<T> im = read_pair<T>(x.im_hi + j, x.im_lo + j);
  const auto add = [j](double* hi, double* lo, DoubleDoubleOf<T> term) {
    const DoubleDoubleOf<T> result = read_pair<T>(hi + j, lo + j) + term;
    write(hi + j, result.hi);
    write(lo + j, result.lo);
  };
  add(sum.re_hi, sum.re_lo, re - q * im);
  add(sum.im_hi, sum.im_lo, im + q * re);
}

}  // namespace

template <>
void CotangentTables<Tag>::accumulate(PairView sum, ConstPairView x, const double* c,
                                      const double* t_hi, const double* t_lo, std::size_t count) {
  std::size_t j = 0;
  for (; j + lane_count <= count; j += lane_count) add_element<Lanes>(sum, x, c, t_hi, t_lo, j);
  for (; j < count; ++j) add_element<double>(sum, x, c, t_hi, t_lo, j);
}

}  // namespace fftprec::truth
