/// Numbers as text: shortest decimals that read back to the same bits, whatever the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fftprec {

/// The shortest decimal that rounds to `value`; "inf", "-inf" and "nan" (every NaN) otherwise.
std::string shortest(double value);

/// The inverse of shortest: a decimal within the range of double, or "inf", "-inf", "nan", in full.
/// Anything else gives an empty optional.
std::optional<double> parse_double(std::string_view text);

/// A decimal integer below 2^64, digits only.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

}  // namespace fftprec
