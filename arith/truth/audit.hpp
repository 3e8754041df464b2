/// The run-time certificate: random probes of a computed transform, in MPFR.
///
/// A probe multiplies the outputs of all lines by a random tone z^k between two frequencies of the
/// transform, z = exp(2 pi i (s + 1/2)/n), and by a random root of unity for each line, and sums
/// them. By the sum of a geometric series, as z^n = -1,
///   sum_l c_l sum_k y_l[k] z^k  =  sum_l c_l sum_j x_l[j] (1 + i cot(pi (2 (s - j) + 1)/(2n))).
/// Every output has a factor of modulus 1, so the whole error of a wrong element shows. So does
/// that of a wrong intermediate value: it changes outputs k = m + t q, t < n/q, by a tone, whose
/// probe is a geometric series with |1 - z^n| = 2 in the numerator, at least the error of the
/// value. (A tone of the transform itself would test one input element, and miss most of these
/// faults.) Over random s and c_l the expected squared difference of both sides is the squared
/// 2-norm of all errors (Parseval). An input that is concentrated at s can make roundings add up,
/// so a probe that fails is drawn once more. In addition, randomly drawn outputs are summed by
/// definition.
///
/// Tones and cotangents come from MPFR, and it compares both sides. The sums are in double-double,
/// whose rounding can raise an alarm but not hide an error. What depends on the sizes alone is made
/// once: the tones, and the cotangents with which inputs count. Cost: tests/bench/truth_bench.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// A complex number in the precision of the certificate.
struct ComplexReal {
  static constexpr mpfr_prec_t precision = 160;
  FixedReal<precision> re;
  FixedReal<precision> im;
};

/// exp(-2 pi i k/order).
ComplexReal exact_root(std::uint64_t k, std::uint64_t order);

/// The number of roots of unity that serve as factors of lines. Factor f is
/// exp(-2 pi i (f / 4)/line_factors) i^(f % 4), so that quarter turns are free.
inline constexpr unsigned line_factors = 256;

/// These factors.
ComplexPairs factors_of_lines(const std::vector<unsigned>& factors);

/// Lines of PairFourier (fourier.hpp), the first at `first`. Line l has the factor factors.at(l).
struct WeighedLines {
  const ComplexPairs& x;
  std::size_t first;
  std::size_t n;
  std::size_t stride;
  const ComplexPairs& factors;
};

/// sum_l c_l sum_k x_l[k] z^k.
ComplexDoubleDouble tone_sum(const WeighedLines& lines, const ComplexReal& z, const Loops& loops);

/// sum_l c_l sum_j x_l[j] (1 + i cot(pi (2 (s - j) + 1)/(2n))). Requires: s < n.
ComplexDoubleDouble cotangent_sum(const WeighedLines& lines, std::size_t s, const Loops& loops);

/// A truth that its own certificate refutes, so the computation or the memory is at fault.
class CertificateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The probes of transforms of certain sizes, which alone they depend on, with their tables.
class Audit {
 public:
  /// Of `size` elements in lines of n, `stride` apart (see PairFourier).
  Audit(std::size_t n, std::size_t stride, std::size_t size);
  ~Audit();

  /// Probes y, the forward transforms of the lines of x. `allowed` is the certified bound of
  /// ||y - exact||_2 over all lines. Safe from several threads.
  /// Throws CertificateError, with the probe, the difference and `allowed`.
  void operator()(const ComplexPairs& x, const ComplexPairs& y, double allowed,
                  const Loops& loops) const;

  bool is_of(std::size_t n, std::size_t stride, std::size_t size) const {
    return n == n_ && stride == stride_ && size == size_;
  }
  std::size_t elements() const;  ///< of its tables

 private:
  struct Tables;
  std::size_t n_;
  std::size_t stride_;
  std::size_t size_;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace fftprec::truth
