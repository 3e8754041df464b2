/// Long sums of double-double data with factors from MPFR, for the run-time certificate
/// (audit.hpp).
///
/// What is long, n terms to each of about sqrt(n) partial sums, is double-double; factors, sums of
/// the partial sums and whatever is near a pole are MPFR's.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// sum_l c_l x_l[j]: one element of each line.
ComplexReal element_sum(const WeighedLines& lines, std::size_t j);

/// sum_l c_l sum_k x_l[k] z^k.
ComplexReal tone_sum(const WeighedLines& lines, const ComplexReal& z, const Loops& loops);

/// sum_l c_l sum_j x_l[j] (1 + i cot(pi (2 (s - j) + 1)/(2n))). Requires: s < n.
ComplexReal cotangent_sum(const WeighedLines& lines, std::size_t s, const Loops& loops);

}  // namespace fftprec::truth
