/// The options of `fftprec run` for truths: which arithmetic, and how many bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "experiments/cases/session.hpp"

namespace fftprec::commands {

struct TruthRequest {
  std::optional<truth::Tier> tier{};  ///< empty: auto
  std::optional<int> bits{};          ///< least bits of every truth; empty: no minimum
};

/// The limits for the bits of a truth. At least those of fp64. At most those that a pair of doubles
/// is sure to hold: each double is the nearest to the rest, so every part has a relative error of
/// at most 2^-106, plus a little from its computation.
inline constexpr int least_truth_bits = 53;
inline constexpr int most_truth_bits = 105;

/// Parses "auto" (empty), "mpfr", "dd" or "gmp". Throws InputError for any other text, listing
/// these.
std::optional<truth::Tier> tier_asked(std::string_view text);

/// Parses a number of bits. Throws InputError unless it is in least_truth_bits..most_truth_bits.
int truth_bits_asked(std::string_view text);

/// The options for computing truths.
truth::TruthOptions truth_options(const TruthRequest& request);

}  // namespace fftprec::commands
