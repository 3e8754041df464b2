/// One-sided spectra of real data: cutting and extending lines of a chain.
#pragma once

#include <cstddef>

#include "arith/truth/chain.hpp"
#include "arith/truth/pair_chain.hpp"

namespace fftprec::truth {

/// Bins of a one-sided spectrum.
inline std::size_t half_size(std::size_t n) { return n / 2 + 1; }

/// The first half_size(n) elements of each contiguous line of n. Error: e.
Chain one_sided(const Chain& x, std::size_t n);
PairChain one_sided(const PairChain& x, std::size_t n);

/// Lines of n from lines of h = half_size(n): x_0 .. x_(h-1), then conj x_(n-k); the imaginary
/// parts at 0 and, for even n, at n/2 are dropped. Error: sqrt(2) e, as each element is used at
/// most twice, conjugation keeps norms and dropping is a projection. It is linear over the reals,
/// which is all that a bound asks.
Chain two_sided(const Chain& x, std::size_t n);
PairChain two_sided(const PairChain& x, std::size_t n);

}  // namespace fftprec::truth
