#include "reports/commands/truth_request.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::commands {

namespace {

/// An absolute path in a variable of the environment, or an empty one.
std::filesystem::path path_in(const char* variable) {
  const char* const value = std::getenv(variable);
  const std::filesystem::path path = value ? value : "";
  return path.is_absolute() ? path : std::filesystem::path();
}

/// $XDG_CACHE_HOME/fftprec/truth, or $HOME/.cache/fftprec/truth; empty where neither variable is an
/// absolute path.
std::filesystem::path default_truth_directory() {
  std::filesystem::path caches = path_in("XDG_CACHE_HOME");
  if (caches.empty() && !path_in("HOME").empty()) caches = path_in("HOME") / ".cache";
  return caches.empty() ? caches : caches / "fftprec" / "truth";
}

}  // namespace

std::optional<truth::Tier> tier_asked(std::string_view text) {
  if (text == "auto") return std::nullopt;
  std::vector<std::string> known = {"auto"};
  for (const truth::Tier tier : truth::all_tiers) {
    if (name_of(tier) == text) return tier;
    known.emplace_back(name_of(tier));
  }
  throw unknown_name("value of --truth", text, known);
}

int truth_bits_asked(std::string_view text) {
  const std::optional<std::uint64_t> bits = parse_unsigned(text);
  if (!bits || *bits < least_truth_bits || *bits > most_truth_bits)
    throw InputError(
        fmt::format("--truth-bits: '{}' is not in {}..{}; a truth is a pair of doubles", text,
                    least_truth_bits, most_truth_bits));
  return static_cast<int>(*bits);
}

std::uint64_t bytes_asked(std::string_view text) {
  const std::optional<std::uint64_t> count = parse_count(text);
  if (!count || *count > std::uint64_t{1} << 63)
    throw InputError(fmt::format(
        "--truth-cache-size: '{}' is no number of bytes; expected digits, then K, M, G or nothing",
        text));
  return *count;
}

truth::TruthOptions truth_options(const TruthRequest& request) {
  truth::TruthOptions options;
  options.tier = request.tier;
  if (request.bits) options.needed_bits = *request.bits;
  return options;
}

std::unique_ptr<TruthCache> open_truth_cache(const TruthRequest& request, std::ostream& err) {
  if (request.cache == "none") return nullptr;
  const std::filesystem::path directory =
      request.cache.empty() ? default_truth_directory() : std::filesystem::path(request.cache);
  if (!directory.empty())
    return std::make_unique<TruthCache>(directory,
                                        TruthCache::Options{.limit_bytes = request.cache_bytes});
  err << "truths are not kept: neither XDG_CACHE_HOME nor HOME is an absolute path\n";
  return nullptr;
}

void require_truth_bits(const truth::Truth& truth, const TruthRequest& request) {
  if (!request.bits || truth.bits >= *request.bits) return;
  throw InputError(fmt::format("the truth ({}) is certified to {} bits; --truth-bits asks for {}",
                               truth.method, truth.bits, *request.bits));
}

}  // namespace fftprec::commands
