/// What `fftprec run` is asked of truths: which arithmetic, how many bits, and where they are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "experiments/cases/session.hpp"
#include "experiments/truths/truth_cache.hpp"

namespace fftprec::commands {

struct TruthRequest {
  std::optional<truth::Tier> tier{};  ///< empty: auto
  std::optional<int> bits{};          ///< every truth must have; empty: as many as it gets
  std::string cache{};                ///< a directory, "none", or empty: the user's own
  std::uint64_t cache_bytes = TruthCache::Options{}.limit_bytes;
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

/// "123", or a multiple of 2^10, 2^20, 2^30: "64K", "64M", "64G". Throws InputError for any other
/// text, and beyond 2^63.
std::uint64_t bytes_asked(std::string_view text);

/// How truths are to be computed.
truth::TruthOptions truth_options(const TruthRequest& request);

/// The cache asked for, or null. Where there is no directory for it, one line on `err` says so.
std::unique_ptr<TruthCache> open_truth_cache(const TruthRequest& request, std::ostream& err);

/// Throws InputError if a truth has fewer bits than were asked for.
void require_truth_bits(const truth::Truth& truth, const TruthRequest& request);

}  // namespace fftprec::commands
