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
/// Tones, cotangents and the last sums are computed in MPFR. The long sums before them are in
/// double-double, whose rounding can raise an alarm but not hide an error. Cost:
/// tests/bench/truth_bench.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "arith/truth/complex_pairs.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::truth {

/// A complex number in the precision of the certificate.
struct ComplexReal {
  static constexpr mpfr_prec_t precision = 160;
  Real re{precision};
  Real im{precision};
};

/// exp(-2 pi i k/order).
ComplexReal exact_root(std::uint64_t k, std::uint64_t order);

/// The number of roots of unity that serve as factors of lines. Factor f is
/// exp(-2 pi i (f / 4)/line_factors) i^(f % 4), so that quarter turns are free.
inline constexpr unsigned line_factors = 256;

/// Lines of PairFourier (fourier.hpp), the first at `first`. Line l has the factor factors[l].
struct WeighedLines {
  const ComplexPairs& x;
  std::size_t first;
  std::size_t n;
  std::size_t stride;
  const std::vector<unsigned>& factors;
};

/// sum_l c_l sum_k x_l[k] z^k.
ComplexReal tone_sum(const WeighedLines& lines, const ComplexReal& z, const Loops& loops);

/// sum_l c_l sum_j x_l[j] (1 + i cot(pi (2 (s - j) + 1)/(2n))). Requires: s < n.
ComplexReal cotangent_sum(const WeighedLines& lines, std::size_t s, const Loops& loops);

/// A truth that its own certificate refutes, so the computation or the memory is at fault.
class CertificateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Probes y, the forward transforms of the lines of x (see PairFourier). `allowed` is the certified
/// bound of ||y - exact||_2 over all lines. The probes depend only on the sizes.
/// Throws CertificateError, with the probe, the difference and `allowed`.
void audit(const ComplexPairs& x, const ComplexPairs& y, std::size_t n, std::size_t stride,
           double allowed, const Loops& loops);

}  // namespace fftprec::truth
