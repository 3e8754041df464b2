/// Values of parameters as text, and back. Each `parse_value` throws InputError with what is known
/// instead, each `value_text` gives the one canonical spelling.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "arith/machines/machine.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// Names of the values of an enumeration, in its order.
template <class Value>
inline constexpr std::array<std::string_view, 0> value_names{};
template <>
inline constexpr std::array<std::string_view, 2> value_names<bool>{"off", "on"};
template <>
inline constexpr std::array<std::string_view, 7> value_names<BlockSum>{
    "sequential", "reversed", "pairwise", "segments", "even_odd", "exact", "aligned"};
template <>
inline constexpr std::array<std::string_view, 2> value_names<Inclusion>{"early", "late"};
template <>
inline constexpr std::array<std::string_view, 2> value_names<Cut>{"toward_zero", "floor"};
template <>
inline constexpr std::array<std::string_view, 2> value_names<AcrossTiles>{"tile_then_add",
                                                                          "through"};
template <>
inline constexpr std::array<std::string_view, 9> value_names<Fp32Matmul>{
    "native", "split_12_12", "three_of_12", "split_11_11", "bf16",
    "tf32",   "tf32_cut",    "bf16x2",      "bf16x3"};
template <>
inline constexpr std::array<std::string_view, 4> value_names<Elision>{"none", "data", "table",
                                                                      "both"};
template <>
inline constexpr std::array<std::string_view, 4> value_names<Demotion>{"none", "sum", "terms",
                                                                       "leading"};

template <class Value>
concept Enumerated = !value_names<Value>.empty();

template <class Value>
concept WholeNumber = std::integral<Value> && !Enumerated<Value>;

template <Enumerated Value>
std::string value_text(Value value) {
  return std::string(value_names<Value>.at(static_cast<std::size_t>(value)));
}

template <WholeNumber Value>
std::string value_text(Value value) {
  return std::to_string(value);
}

inline std::string value_text(Rounding value) { return std::string(name_of(value)); }

inline std::string value_text(const Format& value) { return to_string(value); }

/// `known` limits what the value can be; empty: whatever its type can be.
template <Enumerated Value>
void parse_value(Value& value, const std::string& key, std::string_view text,
                 const std::vector<std::string>&) {
  for (std::size_t i = 0; i < value_names<Value>.size(); ++i)
    if (value_names<Value>[i] == text) {
      value = static_cast<Value>(i);
      return;
    }
  throw unknown_name("value of " + key, text,
                     {value_names<Value>.begin(), value_names<Value>.end()});
}

template <WholeNumber Value>
void parse_value(Value& value, const std::string& key, std::string_view text,
                 const std::vector<std::string>&) {
  Value parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc{} || end != text.data() + text.size())
    throw InputError("value of " + key + " '" + std::string(text) + "' is not a whole number" +
                     (std::unsigned_integral<Value> ? " from 0 on" : ""));
  value = parsed;
}

inline void parse_value(Rounding& value, const std::string& key, std::string_view text,
                        const std::vector<std::string>& known) {
  for (const std::string& name : known)
    if (name == text) {
      value = rounding_named(name);
      return;
    }
  throw unknown_name("value of " + key, text, known);
}

inline void parse_value(Format& value, const std::string& key, std::string_view text,
                        const std::vector<std::string>&) {
  try {
    value = format_named(text);
  } catch (const InputError& error) {
    throw InputError("value of " + key + ": " + error.what());
  }
}

}  // namespace fftprec
