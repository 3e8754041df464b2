/// The run-time certificate: random probes of a computed transform, MPFR against the transform's
/// own arithmetic.
///
/// A probe multiplies the outputs of all lines by a random tone z^k between two frequencies of the
/// transform, z = exp(2 pi i (s + 1/2)/n), and by a random root of unity for each line, and sums
/// them. By the sum of a geometric series, as z^n = -1,
///   sum_l c_l sum_k y_l[k] z^k  =  sum_l c_l sum_j x_l[j] (1 + i cot(pi (2 (s - j) + 1)/(2n))).
/// Every output has a factor of modulus 1: a wrong element shows with its whole error. So does a
/// wrong value on the way: it disturbs outputs k = m + t q, t < n/q, by a tone, and the probe of
/// that is a geometric series with |1 - z^n| = 2 above, at least the value's own error. (A tone of
/// the transform itself would look at one input element, and miss most such faults.) Over random s
/// and c_l the expected squared difference of both sides is the squared 2-norm of all errors
/// (Parseval); an input that is concentrated at s can make roundings add up, so that a probe that
/// fails is drawn once more. Beside it outputs drawn at random are summed by definition.
///
/// Tones, cotangents and the last sums are MPFR's; the long sums before them are
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

/// A complex number of the precision that the certificate computes in.
struct ComplexReal {
  static constexpr mpfr_prec_t precision = 160;
  Real re{precision};
  Real im{precision};
};

/// exp(-2 pi i k/order).
ComplexReal exact_root(std::uint64_t k, std::uint64_t order);

/// A line counts with one of so many roots of unity: line factor f is
/// exp(-2 pi i (f / 4)/line_factors) i^(f % 4), so that quarter turns cost nothing.
inline constexpr unsigned line_factors = 256;

/// Lines as PairFourier takes them (fourier.hpp), the first at `first`; line l counts
/// with factors[l].
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

/// A truth that its own certificate refutes: the computation or the memory is at fault.
class CertificateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Probes y, the forward transforms of the lines of x as PairFourier (fourier.hpp) takes
/// them. `allowed` is the certified bound of ||y - exact||_2 over all lines. Which probes are made
/// depends only on the sizes.
/// Throws CertificateError, with the probe, the difference and `allowed`.
void audit(const ComplexPairs& x, const ComplexPairs& y, std::size_t n, std::size_t stride,
           double allowed, const Loops& loops);

}  // namespace fftprec::truth
