/// An error as somebody published it: a few digits, and the interval that they leave open.
#pragma once

#include <string>
#include <string_view>

namespace fftprec {

struct PublishedValue {
  std::string text;  ///< "1.5e-3"
  int digits;        ///< significant ones
  double low;        ///< what rounds to the text lies in [low, high]: half a unit of the last
  double high;       ///< digit to either side
};

/// An exact result has this error at most, in place of 0: far below any other, so that errors have
/// logarithms.
inline constexpr double exact_error = 1e-30;

/// "1.5e-3" (two digits), "0.0015" (two), "1.50e-3" (three); zeros before the first other digit do
/// not count. "0" is an exact result. Throws InputError for what is no decimal, is negative, or has
/// more than 17 digits.
PublishedValue published_value(std::string_view text);

/// The same for a number of which `digits` digits were published: 0.0015 and 3 stand for 1.50e-3.
/// Throws InputError unless 1 <= digits <= 17 and `value` has no more digits than that.
PublishedValue published_value(double value, int digits);

/// `error` as it would be published with that many digits: "1.5e-3", "0". Requires: digits >= 1,
/// error finite and not negative.
std::string published_text(double error, int digits);

}  // namespace fftprec
