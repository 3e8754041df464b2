#include "reports/commands/truth_request.hpp"

#include <fmt/format.h>

#include "arith/support/error.hpp"
#include "experiments/cases/row.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec::commands {

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

truth::TruthOptions truth_options(const TruthRequest& request) {
  truth::TruthOptions options;
  options.tier = request.tier;
  if (request.bits) options.needed_bits = *request.bits;
  return options;
}

}  // namespace fftprec::commands
