/// Forward Fourier transforms in MPFR, any length, with the error bound of what they do.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <variant>

#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// Split-complex MPFR numbers.
struct ComplexReals {
  ComplexReals(std::size_t size, mpfr_prec_t precision)
      : re(size, precision), im(size, precision) {}
  std::size_t size() const { return re.size(); }

  RealArray re;
  RealArray im;
};

/// exp(-2 pi i k/order), k < count, each part rounded once after an evaluation with 24 more bits:
/// |error| <= u/sqrt(2) (1 + 2^-20) < 0.7072 u.
ComplexReals table_of_roots(std::size_t count, std::size_t order, mpfr_prec_t precision);

/// Length 2^t, decimation in time, depth first, so that a part fits a cache before it is combined;
/// products with 1 and -i are left out.
class Radix2 {
 public:
  Radix2(std::size_t n, mpfr_prec_t precision);
  void operator()(ComplexReals& x) const;
  double radius() const;
  std::string name() const { return "radix-2"; }

 private:
  struct Scratch;
  /// Transforms `length` elements from `first` on, which lie in bit-reversed order.
  void transform(ComplexReals& x, std::size_t first, std::size_t length, Scratch& scratch) const;

  std::size_t n_;
  ComplexReals twiddles_;  ///< stage by stage: exp(-pi i k/half) at half + k, k < half
};

/// The definition; for short lengths.
class DirectSum {
 public:
  DirectSum(std::size_t n, mpfr_prec_t precision);
  void operator()(ComplexReals& x) const;
  double radius() const;
  std::string name() const { return "direct sum"; }

 private:
  std::size_t n_;
  ComplexReals roots_;  ///< exp(-2 pi i k/n), k < n
};

/// Chirp-z: y_k = c_k sum_j (x_j c_j) conj(c_(k-j)), c_j = exp(-pi i j^2/n) with j^2 reduced modulo
/// 2n exactly, the sum as a circular convolution of length m = 2^t >= 2n-1.
class Bluestein {
 public:
  Bluestein(std::size_t n, mpfr_prec_t precision);
  void operator()(ComplexReals& x) const;
  double radius() const;
  std::string name() const;

 private:
  std::size_t n_;
  Radix2 fft_;
  std::size_t m_;
  ComplexReals chirp_;     ///< c_j, j < n
  ComplexReals spectrum_;  ///< transform of conj(c), divided by m
};

/// A transform of length n with its tables.
class Fourier {
 public:
  /// Requires: n >= 1, 53 <= precision <= 512.
  Fourier(std::size_t n, mpfr_prec_t precision);

  /// x <- its forward transform, x_k = sum_j x_j exp(-2 pi i jk/n). Safe from several threads.
  /// Requires: n elements of the precision given.
  void operator()(ComplexReals& x) const;

  /// Relative error of the result in the 2-norm (radius.hpp), and that without building tables.
  double radius() const;
  static double radius(std::size_t n, mpfr_prec_t precision);

  mpfr_prec_t precision() const { return precision_; }
  std::string name() const;  ///< "bluestein over 4096"

 private:
  mpfr_prec_t precision_;
  std::variant<Radix2, DirectSum, Bluestein> engine_;
};

/// The same, kept for the next caller: the last few lengths stay in memory. Safe from several
/// threads.
std::shared_ptr<const Fourier> cached_fourier(std::size_t n, mpfr_prec_t precision);

}  // namespace fftprec::truth
