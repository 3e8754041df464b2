/// Numbers as text: shortest decimals that read back to the same bits, whatever the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fftprec {

/// For data files: the shortest decimal that rounds to `value`, "2.03e-05"; else "inf", "-inf", or
/// "nan" for every NaN.
std::string shortest(double value);

/// Appends shortest(value), or the digits of a whole number.
void append_number(std::string& text, double value);
void append_number(std::string& text, std::uint64_t value);

/// For people, everywhere but in data files: the leading `digits` of a number, without zeros at the
/// end, "0.0203", "2.03e-3", "1.25e6"; a whole number below 10^15 in full; "inf", "nan".
std::string short_number(double value, int digits = 3);

/// As short_number, with the fewest digits that read back as `value`.
std::string exact_number(double value);

/// The inverse of shortest: the whole text must be a decimal within the range of double, or "inf",
/// "-inf" or "nan". Empty for any other text.
std::optional<double> parse_double(std::string_view text);

/// A decimal integer below 2^64, digits only.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

// Numbers as people write them.

/// A whole number below 2^64: "1024", a power "2^10", "1k" (k or K, M, G: times 1024, 1024^2,
/// 1024^3, as lengths of transforms are named), or "1e4" up to 2^53.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// Seconds: "500ms", "5s", "2m", "1h", or a number of seconds; finite and at least 0.
std::optional<double> parse_seconds(std::string_view text);

}  // namespace fftprec
