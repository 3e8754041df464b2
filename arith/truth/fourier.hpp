/// Forward Fourier transforms of any length with their error bounds, in MPFR and in double-double,
/// and a cache of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "arith/truth/audit.hpp"
#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// A transform of length n in MPFR with its tables: radix 2 for powers of two, the definition for
/// other n <= 32, Bluestein's chirp above.
class Fourier {
 public:
  /// Requires: n >= 1, 53 <= precision <= 512.
  Fourier(std::size_t n, mpfr_prec_t precision);
  ~Fourier();

  /// x <- its forward transform, x_k = sum_j x_j exp(-2 pi i jk/n). Safe from several threads.
  /// Requires: n elements of the precision given.
  void operator()(ComplexReals& x) const;

  /// Relative error of the result in the 2-norm (bound.hpp). The static function needs no tables.
  double radius() const;
  static double radius(std::size_t n, mpfr_prec_t precision);

  std::size_t size() const { return n_; }
  mpfr_prec_t precision() const { return precision_; }
  std::string name() const;  ///< "bluestein over 4096"

 private:
  struct Engine;
  std::size_t n_;
  mpfr_prec_t precision_;
  std::unique_ptr<const Engine> engine_;
};

/// A transform of length n in double-double with its tables: Stockham's radix 4 for powers of two,
/// Bluestein's chirp through three of them otherwise.
class PairFourier {
 public:
  /// Requires: 1 <= n <= longest.
  explicit PairFourier(std::size_t n);
  ~PairFourier();

  static constexpr std::size_t longest = std::size_t{1} << 27;

  /// The forward transform y_k = sum_j x_j exp(-2 pi i jk/n) of each line of n elements `stride`
  /// apart. Shapes: lines in blocks of n * stride elements; element j of line s in block b at
  /// (b n + j) stride + s.
  /// Error: ||computed - exact||_2 <= radius() sqrt(n) ||x||_2 for each line, if it has a part of
  /// at least 2^-400 or is zero; over all lines, if one of them has.
  /// Requires: n * stride divides x.size(); no |part| above 2^800. Safe from several threads.
  ComplexPairs operator()(const ComplexPairs& x, std::size_t stride, const Loops& loops) const;

  /// Relative to the exact result in the 2-norm, rounded upward (bound.hpp).
  double radius() const;
  std::size_t size() const { return n_; }
  std::string name() const;  ///< "stockham", "bluestein over 4096"

 private:
  struct Engine;
  std::size_t n_;
  std::unique_ptr<const Engine> engine_;
};

/// A cache of transforms and audits of the last few lengths. Safe from several threads; a call
/// waits for a length that another thread is making.
class Plans {
 public:
  std::shared_ptr<const Fourier> in_mpfr(std::size_t n, mpfr_prec_t precision);
  std::shared_ptr<const PairFourier> in_pairs(std::size_t n);
  std::shared_ptr<const Audit> audit(std::size_t n, std::size_t stride, std::size_t size);
  std::size_t made() const { return made_; }  ///< how many were made, of all kinds

 private:
  std::mutex mpfr_mutex_;
  std::mutex pairs_mutex_;
  std::mutex audits_mutex_;
  std::list<std::shared_ptr<const Fourier>> mpfr_;  ///< most recently used first
  std::list<std::shared_ptr<const PairFourier>> pairs_;
  std::list<std::shared_ptr<const Audit>> audits_;
  std::atomic<std::size_t> made_ = 0;
};

}  // namespace fftprec::truth
