/// From chains of pairs to a truth: scaling back, zeros, certificates.
#pragma once

#include <cstddef>

#include "arith/truth/pair_chain.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::truth {

/// Stores the items of `chain` as those of `truth` from item `first` on, raises its radius_rel to
/// theirs and sets their element_radius. A part not above the error of its item is stored as zero.
/// Returns whether every other part is at least 2^10 times as large as the element radius.
/// Error: (e + what was replaced by zero) 2^scale, and sqrt(2n) 2^-1073 where values are scaled
/// down, since hi and lo may each lose half a last place of the smallest doubles. radius_rel is
/// infinite for scales beyond 2^+-2000.
/// Throws InputError if a result is beyond the range of double.
bool store_items(const PairChain& chain, std::size_t first, Truth& truth);

}  // namespace fftprec::truth
