/// A published error: a few digits, and the interval of values that round to them.
#pragma once

#include <string>
#include <string_view>

namespace fftprec {

struct PublishedValue {
  std::string text;  ///< "1.5e-3"
  int digits;        ///< significant ones
  double low;        ///< values in [low, high] round to the text: half a unit of the last digit
  double high;       ///< to either side
};

/// Replaces an error of 0, so that errors have logarithms; far below any other error.
inline constexpr double exact_error = 1e-30;

/// Parses "1.5e-3" (two digits), "0.0015" (two), "1.50e-3" (three): leading zeros do not count. "0"
/// is an exact result. Throws InputError for a text that is no decimal, is negative, or has more
/// than 17 digits.
PublishedValue published_value(std::string_view text);

/// As above, for a number with `digits` published digits: 0.0015 and 3 mean 1.50e-3.
/// Throws InputError unless 1 <= digits <= 17 and `value` has no more digits than that.
PublishedValue published_value(double value, int digits);

/// `error` as it would be published with `digits` digits: "1.5e-3", "0". Requires: digits >= 1,
/// error finite and not negative.
std::string published_text(double error, int digits);

}  // namespace fftprec
