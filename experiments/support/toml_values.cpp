#include "experiments/support/toml_values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fftprec {

namespace {

/// "the text 'ten'", "3", "an array".
std::string described(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) {
    if (text->empty()) return "an empty text";
    const std::size_t enough = 40;
    return text->size() <= enough ? fmt::format("the text '{}'", *text) : "a long text";
  }
  if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
  if (const auto number = node.value_exact<double>()) return fmt::format("{:#}", *number);
  if (const auto truth = node.value_exact<bool>()) return *truth ? "true" : "false";
  if (node.is_array()) return "an array";
  if (node.is_table()) return "a table";
  return node.is_date() ? "a date" : "a time";
}

template <class Read>
std::vector<std::string> each_from(const toml::node& node, Read&& read) {
  const toml::array* array = node.as_array();
  if (!array) return {read(node)};
  std::vector<std::string> all;
  for (const toml::node& element : *array) all.push_back(read(element));
  return all;
}

}  // namespace

UnexpectedValue::UnexpectedValue(const toml::node& found, std::string_view expected)
    : InputError(fmt::format("expected {}, not {}", expected, described(found))),
      where_(found.source().begin) {}

std::string text_from(const toml::node& node) {
  const auto value = node.value_exact<std::string>();
  if (!value || value->empty()) throw UnexpectedValue(node, "a text that is not empty");
  return *value;
}

std::string scalar_from(const toml::node& node) {
  if (const auto value = node.value_exact<std::string>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
  throw UnexpectedValue(node, "a text or a whole number");
}

double number_from(const toml::node& node) {
  if (!node.is_number()) throw UnexpectedValue(node, "a number");
  const double value = *node.value<double>();
  if (!std::isfinite(value)) throw UnexpectedValue(node, "a finite number");
  return value;
}

std::uint64_t count_from(const toml::node& node) {
  const auto value = node.value_exact<std::int64_t>();
  if (!value || *value < 0) throw UnexpectedValue(node, "a whole number from 0 on");
  return static_cast<std::uint64_t>(*value);
}

bool truth_value_from(const toml::node& node) {
  if (const auto value = node.value_exact<bool>()) return *value;
  throw UnexpectedValue(node, "true or false");
}

std::chrono::sys_days day_from(const toml::node& node) {
  const auto value = node.value_exact<toml::date>();
  if (!value) throw UnexpectedValue(node, "a date without quotes, as 2026-12-31");
  return std::chrono::year_month_day{std::chrono::year{value->year},
                                     std::chrono::month{value->month},
                                     std::chrono::day{value->day}};
}

std::vector<std::string> texts_from(const toml::node& node) { return each_from(node, text_from); }

std::vector<std::string> scalars_from(const toml::node& node) {
  std::vector<std::string> all = each_from(node, scalar_from);
  if (all.empty()) throw UnexpectedValue(node, "at least one value");
  return all;
}

}  // namespace fftprec
