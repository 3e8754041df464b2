/// What the standard library of emscripten 3.1.6, libc++ 13, lacks of C++20: algorithms on ranges,
/// from range-v3, whose authors proposed them; decimals of floating-point numbers, whose digits are
/// those of fmt and musl; std::jthread. Every source of the playground begins with it (-include).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <range/v3/algorithm.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

namespace std {

namespace ranges {
using ::ranges::adjacent_find, ::ranges::all_of, ::ranges::any_of, ::ranges::binary_search,
    ::ranges::copy, ::ranges::copy_if, ::ranges::count, ::ranges::count_if, ::ranges::equal,
    ::ranges::fill, ::ranges::find, ::ranges::find_if, ::ranges::for_each, ::ranges::includes,
    ::ranges::is_sorted, ::ranges::lower_bound, ::ranges::max_element, ::ranges::min_element,
    ::ranges::minmax, ::ranges::move, ::ranges::none_of, ::ranges::nth_element, ::ranges::pop_heap,
    ::ranges::push_heap, ::ranges::replace, ::ranges::reverse, ::ranges::set_intersection,
    ::ranges::sort, ::ranges::stable_sort, ::ranges::transform, ::ranges::upper_bound;
}  // namespace ranges

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// The digits that suffice, as 1.5e-07, or fixed where that is no longer.
template <class Real>
requires std::is_floating_point_v<Real> to_chars_result to_chars(char* first, char* last,
                                                                 Real value) {
  std::string text;
  if (value == 0 || !std::isfinite(value)) {
    text = fmt::format("{:g}", value);
  } else {
    const auto decimal = fmt::detail::dragonbox::to_decimal(std::fabs(value));
    const std::string digits = std::to_string(decimal.significand);
    const int exponent = decimal.exponent + static_cast<int>(digits.size()) - 1;
    std::string scientific = digits.substr(0, 1) +
                             (digits.size() > 1 ? "." + digits.substr(1) : "") +
                             fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
    // A whole number beyond the digits has those of its value, not zeros.
    std::string fixed = decimal.exponent >= 0 ? fmt::format("{:.0f}", std::fabs(value))
                        : exponent >= 0
                            ? digits.substr(0, exponent + 1) + "." + digits.substr(exponent + 1)
                            : "0." + std::string(-exponent - 1, '0') + digits;
    text =
        (std::signbit(value) ? "-" : "") + (fixed.size() <= scientific.size() ? fixed : scientific);
  }
  if (static_cast<std::size_t>(last - first) < text.size()) return {last, errc::value_too_large};
  return {std::copy(text.begin(), text.end(), first), errc{}};
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format format,
                                int precision) {
  const auto size = static_cast<std::size_t>(last - first);
  char text[512];
  const int length = std::snprintf(
      text, sizeof text, format == chars_format::fixed ? "%.*f" : "%.*e", precision, value);
  if (static_cast<std::size_t>(length) > size) return {last, errc::value_too_large};
  return {std::copy(text, text + length, first), errc{}};
}

/// The digits that suffice, as 1.5e-07. Requires: format is scientific.
inline to_chars_result to_chars(char* first, char* last, double value, chars_format format) {
  int precision = 0;
  if (value != 0 && std::isfinite(value))
    precision = static_cast<int>(
        std::to_string(fmt::detail::dragonbox::to_decimal(std::fabs(value)).significand).size() -
        1);
  return to_chars(first, last, value, format, precision);
}

inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const std::string text(first, last);
  const std::size_t digit = text.starts_with('-') ? 1 : 0;
  if (digit == text.size() || text[digit] == '+' ||
      std::isspace(static_cast<unsigned char>(text[digit])))
    return {first, errc::invalid_argument};
  const bool hex = text.size() > digit + 1 && text[digit] == '0' && (text[digit + 1] | 32) == 'x';
  if (hex) return value = 0.0, from_chars_result{first + digit + 1, errc{}};
  char* end = nullptr;
  errno = 0;
  const double read = std::strtod(text.c_str(), &end);
  const char* stop = first + (end - text.c_str());
  if (stop == first) return {first, errc::invalid_argument};
  if (errno == ERANGE) return {stop, errc::result_out_of_range};
  value = read;
  return {stop, errc{}};
}

template <class Char, class Traits>
constexpr strong_ordering operator<=>(basic_string_view<Char, Traits> a,
                                      basic_string_view<Char, Traits> b) {
  return a.compare(b) <=> 0;
}
template <class Char, class Traits, class Allocator>
constexpr strong_ordering operator<=>(const basic_string<Char, Traits, Allocator>& a,
                                      const basic_string<Char, Traits, Allocator>& b) {
  return a.compare(b) <=> 0;
}
template <class... A, class... B>
constexpr auto operator<=>(const tuple<A...>& a, const tuple<B...>& b) {
  strong_ordering order = strong_ordering::equal;
  [&]<std::size_t... I>(index_sequence<I...>) {
    static_cast<void>(((order = get<I>(a) <=> get<I>(b), order != 0) || ...));
  }
  (index_sequence_for<A...>{});
  return order;
}

class jthread : public thread {
 public:
  using thread::thread;
  jthread(jthread&&) = default;
  ~jthread() {
    if (joinable()) join();
  }
};

}  // namespace std
