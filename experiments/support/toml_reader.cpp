#include "experiments/support/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "experiments/support/printable.hpp"

namespace fftprec {

namespace {

/// "the text 'ten'", "3", "an array".
std::string described(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) {
    if (text->empty()) return "an empty text";
    const std::size_t enough = 40;
    return text->size() <= enough ? fmt::format("the text '{}'", printable(*text)) : "a long text";
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

/// Where the string that begins at `at` ends.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool lines = text.substr(at).starts_with(three);
  for (at += lines ? 3 : 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\')
      ++at;
    else if (lines ? text.substr(at).starts_with(three) : text[at] == quote || text[at] == '\n')
      return at + (lines ? 3 : text[at] == quote ? 1 : 0);
  }
  return text.size();
}

/// Where brackets or the parts of a key are nested deeper than most_toml_levels. The parser and the
/// readers of its tables are recursive.
std::optional<toml::source_position> too_deep(std::string_view text) {
  toml::source_position where{1, 1};
  std::size_t line_begin = 0;
  std::size_t brackets = 0;
  std::size_t dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      for (; i < end; ++i)
        if (text[i] == '\n') {
          ++where.line;
          line_begin = i + 1;
        }
      --i;
      continue;
    }
    if (c == '#') i = std::min(text.find('\n', i), text.size()) - 1;
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    dots = c == '.' ? dots + 1 : std::string_view("=,[]{}\n").find(c) != text.npos ? 0 : dots;
    if (brackets + dots > most_toml_levels) {
      where.column = static_cast<toml::source_index>(i - line_begin + 1);
      return where;
    }
    if (c == '\n') {
      ++where.line;
      line_begin = i + 1;
    }
  }
  return std::nullopt;
}

/// A text, which may be empty, of one line without control characters.
std::string line_from(const toml::node& node) {
  const auto value = node.value_exact<std::string>();
  if (!value) throw UnexpectedValue(node, "a text");
  if (holds_control(*value)) throw UnexpectedValue(node, "one line without control characters");
  return *value;
}

}  // namespace

UnexpectedValue::UnexpectedValue(const toml::node& found, std::string_view expected)
    : InputError(fmt::format("expected {}, not {}", expected, described(found))),
      where_(found.source().begin) {}

std::string text_from(const toml::node& node) {
  if (const auto value = node.value_exact<std::string>(); !value || value->empty())
    throw UnexpectedValue(node, "a text that is not empty");
  return line_from(node);
}

std::string prose_from(const toml::node& node) {
  const auto value = node.value_exact<std::string>();
  if (!value || value->empty()) throw UnexpectedValue(node, "a text that is not empty");
  if (holds_control(*value, "\n\t"))
    throw UnexpectedValue(node, "a text without control characters");
  return *value;
}

std::string scalar_from(const toml::node& node) {
  if (node.is_string()) return line_from(node);
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

toml::table TomlReader::parse(std::string_view text) const {
  if (const auto where = too_deep(text))
    throw error(*where, fmt::format("nested deeper than {} levels", most_toml_levels));
  try {
    return toml::parse(text, source_);
  } catch (const toml::parse_error& problem) {
    throw error(problem.source().begin, problem.description());
  }
}

LocatedError TomlReader::error(const toml::source_position& where, std::string_view message) const {
  return LocatedError(fmt::format("{}:{}:{}: {}", source_, where.line, where.column, message));
}

LocatedError TomlReader::error(const toml::node& node, std::string_view message) const {
  return error(node.source().begin, message);
}

LocatedError TomlReader::unexpected(const toml::node& node, std::string_view key,
                                    std::string_view expected) const {
  return error(node, fmt::format("{}: {}", key, UnexpectedValue(node, expected).what()));
}

void TomlReader::check_keys(const toml::table& table, const std::vector<std::string>& known,
                            std::string_view kind) const {
  for (const auto& [key, value] : table)
    if (std::ranges::find(known, key.str()) == known.end())
      throw error(key.source().begin, unknown_name(kind, key.str(), known).what());
}

const toml::node& TomlReader::node(const toml::table& table, std::string_view key) const {
  if (const toml::node* found = table.get(key)) return *found;
  throw error(table, fmt::format("the key '{}' is missing", key));
}

std::string TomlReader::text(const toml::table& table, std::string_view key) const {
  return value(table, key, text_from);
}

std::string TomlReader::text_or(const toml::table& table, std::string_view key,
                                std::string_view otherwise) const {
  if (!table.contains(key)) return std::string(otherwise);
  return value(table, key, line_from);
}

const toml::table& TomlReader::table(const toml::table& table, std::string_view key) const {
  const toml::node& found = node(table, key);
  if (const toml::table* inner = found.as_table()) return *inner;
  throw unexpected(found, key, fmt::format("a table, [{}]", key));
}

std::vector<const toml::table*> TomlReader::tables(const toml::table& table,
                                                   std::string_view key) const {
  std::vector<const toml::table*> found;
  const toml::node* node = table.get(key);
  if (!node) return found;
  if (!node->is_array_of_tables()) throw unexpected(*node, key, fmt::format("tables, [[{}]]", key));
  for (const toml::node& element : *node->as_array()) found.push_back(element.as_table());
  return found;
}

}  // namespace fftprec
