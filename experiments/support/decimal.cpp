#include "experiments/support/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace fftprec {

namespace {

/// Appends value by std::to_chars with these arguments.
template <class Number, class... Arguments>
void append_chars(std::string& text, Number value, Arguments... arguments) {
  std::array<char, 64> buffer;
  text.append(buffer.data(),
              std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, arguments...).ptr);
}

template <class... Arguments>
std::string chars_of(double value, Arguments... arguments) {
  std::string text;
  append_chars(text, value, arguments...);
  return text;
}

/// value, whose digits `scientific` has, "-2.030e-03", as people read it.
std::string as_people_read(double value, std::string scientific) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return scientific;
  if (value == std::trunc(value) && std::fabs(value) < 1e15)
    return chars_of(value, std::chars_format::fixed, 0);
  const std::size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  scientific.erase(e);
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  const auto digits = std::ranges::count_if(scientific, is_digit);
  std::string power = "e" + std::to_string(exponent);
  if (-2 <= exponent && exponent < digits) {
    std::erase(scientific, '.');
    const std::size_t first = scientific.find_first_not_of('-');
    if (exponent < 0) scientific.insert(first, static_cast<std::size_t>(-exponent), '0');
    scientific.insert(first + static_cast<std::size_t>(std::max(exponent, 0)) + 1, ".");
    power.clear();
  }
  if (scientific.find('.') != std::string::npos)
    scientific.erase(scientific.find_last_not_of('0') + 1);
  if (scientific.back() == '.') scientific.pop_back();
  return scientific + power;
}

}  // namespace

std::string shortest(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

void append_number(std::string& text, double value) {
  std::isnan(value) ? void(text += "nan") : append_chars(text, value);
}

void append_number(std::string& text, std::uint64_t value) { append_chars(text, value); }

std::string short_number(double value, int digits) {
  return as_people_read(value, chars_of(value, std::chars_format::scientific, digits - 1));
}

std::string exact_number(double value) {
  return as_people_read(value, chars_of(value, std::chars_format::scientific));
}

std::optional<double> parse_double(std::string_view text) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return infinity;
  if (text == "-inf") return -infinity;
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  // from_chars also takes "INFINITY" and "nan(12)", which this program never writes.
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  if (first == text.size() || text[first] > '9') return std::nullopt;
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (const std::size_t hat = text.find('^'); hat != std::string_view::npos) {
    const auto base = parse_unsigned(text.substr(0, hat));
    const auto exponent = parse_unsigned(text.substr(hat + 1));
    if (!base || *base < 2 || !exponent || *exponent > 63) return std::nullopt;
    std::uint64_t power = 1;
    for (std::uint64_t i = 0; i < *exponent; ++i) {
      if (power > most / *base) return std::nullopt;
      power *= *base;
    }
    return power;
  }
  if (text.find_first_of("eE") != std::string_view::npos) {
    const auto value = parse_double(text);
    if (!value || !(*value >= 0 && *value <= 0x1p53) || *value != std::floor(*value))
      return std::nullopt;
    return static_cast<std::uint64_t>(*value);
  }
  constexpr std::string_view suffixes = "kKMG";
  std::uint64_t unit = 1;
  if (const std::size_t at = text.empty() ? text.npos : suffixes.find(text.back());
      at != text.npos) {
    unit = std::uint64_t{1} << (10 * std::max<std::size_t>(at, 1));
    text.remove_suffix(1);
  }
  const auto count = parse_unsigned(text);
  if (!count || *count > most / unit) return std::nullopt;
  return *count * unit;
}

std::optional<double> parse_seconds(std::string_view text) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"", 1}};
  for (const auto& [suffix, seconds] : units) {
    if (!text.ends_with(suffix)) continue;
    const auto value = parse_double(text.substr(0, text.size() - suffix.size()));
    // Divided, so that 500ms is the double 0.5 and 100ms the double 0.1.
    const double result = seconds < 1 ? value.value_or(-1) / 1000 : value.value_or(-1) * seconds;
    return result >= 0 && std::isfinite(result) ? std::optional(result) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace fftprec
