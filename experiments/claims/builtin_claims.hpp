/// The claim files that come with the program, as texts.
#pragma once

#include <span>
#include <string_view>

namespace fftprec {

struct BuiltinClaim {
  std::string_view id;  ///< "C1", of the file C1.toml
  std::string_view toml;
};

/// In the order of their numbers.
std::span<const BuiltinClaim> builtin_claim_texts();

}  // namespace fftprec
