/// What `fftprec run` is asked of truths: which arithmetic, and how many bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/cases/session.hpp"

namespace fftprec::commands {

struct TruthRequest {
  std::optional<truth::Tier> tier{};  ///< empty: auto
  std::optional<int> bits{};          ///< every truth must have; empty: as many as it gets
};

/// The fewest bits that can be asked for, fp64's own, and the most that a pair of doubles is sure
/// to hold: each is nearest to what is left, so 2^-106 is lost of every part at most, and a little
/// in computing it.
inline constexpr int least_truth_bits = 53;
inline constexpr int most_truth_bits = 105;

/// "auto" (empty), "mpfr" or "dd". Throws InputError for any other text, listing these.
std::optional<truth::Tier> tier_asked(std::string_view text);

/// A count of bits. Throws InputError unless it is in least_truth_bits..most_truth_bits.
int truth_bits_asked(std::string_view text);

/// How truths are to be computed.
truth::TruthOptions truth_options(const TruthRequest& request);

}  // namespace fftprec::commands
