#include "experiments/support/published_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

namespace {

constexpr int most_digits = 17;  // more than a double holds

/// A decimal taken apart: the significant digits and the exponent of the last one.
struct Decimal {
  int digits = 0;
  int last_exponent = 0;
  bool zero = true;
};

Decimal taken_apart(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  Decimal decimal;
  bool after_point = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    decimal.zero = decimal.zero && c == '0';
    if (!decimal.zero) ++decimal.digits;
    if (after_point) --decimal.last_exponent;
  }
  std::string_view exponent = text.substr(std::min(e + 1, text.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  int shift = 0;
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), shift);
  decimal.last_exponent += shift;
  return decimal;
}

}  // namespace

PublishedValue published_value(std::string_view text) {
  const std::string quoted = "'" + std::string(text) + "'";
  const std::optional<double> value = parse_double(text);
  require(value && std::isfinite(*value), "value ", quoted, " is not a decimal, as in \"1.5e-3\"");
  require(*value >= 0 && !text.starts_with('-'), "value ", quoted, " is negative; an error is not");
  const Decimal decimal = taken_apart(text);
  if (decimal.zero) return {std::string(text), 1, 0, exact_error};
  require(decimal.digits <= most_digits, "value ", quoted, " has ", decimal.digits,
          " digits, more than the 17 that a double holds");
  const double half = parse_double(fmt::format("5e{}", decimal.last_exponent - 1)).value();
  return {std::string(text), decimal.digits, *value - half, *value + half};
}

PublishedValue published_value(double value, int digits) {
  require(digits >= 1 && digits <= most_digits, "digits = ", digits, " is not in 1..17");
  require(std::isfinite(value) && value >= 0, "value ", exact_number(value),
          " is no error: it must be finite and not negative");
  const int held = taken_apart(shortest(value)).digits;
  const std::string text = published_text(value, digits);
  require(parse_double(text) == value, "value ", exact_number(value), " has ", held,
          " digits, more than digits = ", digits);
  return published_value(text);
}

std::string published_text(double error, int digits) {
  if (error <= exact_error) return "0";
  std::string text = fmt::format("{:.{}e}", error, digits - 1);
  // 1.5e-03 is written 1.5e-3.
  const std::size_t exponent = text.find('e') + 2;
  while (text.size() > exponent + 1 && text[exponent] == '0') text.erase(exponent, 1);
  return text;
}

}  // namespace fftprec
