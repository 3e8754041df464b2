#include "experiments/silicon/toml_reader.hpp"

#include <algorithm>
#include <cstdint>

namespace fftprec::silicon {

toml::table TomlReader::parse(std::string_view text) const {
  try {
    return toml::parse(text, source_);
  } catch (const toml::parse_error& problem) {
    throw error(problem.source(), problem.description());
  }
}

InputError TomlReader::error(const toml::source_region& where, std::string_view message) const {
  return InputError(
      fmt::format("{}:{}:{}: {}", source_, where.begin.line, where.begin.column, message));
}

void TomlReader::check_keys(const toml::table& table, const std::vector<std::string>& known) const {
  for (const auto& [key, value] : table)
    if (std::find(known.begin(), known.end(), key.str()) == known.end())
      throw error(key.source(), unknown_name("key", key.str(), known).what());
}

std::string TomlReader::text(const toml::table& table, std::string_view key) const {
  const toml::node* node = table.get(key);
  if (!node) return "";
  if (const auto value = node->value_exact<std::string>()) return *value;
  throw error(node->source(), fmt::format("'{}' must be a text", key));
}

std::string TomlReader::scalar(const toml::node& node) const {
  if (const auto value = node.value_exact<std::string>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
  throw error(node.source(), "expected a text or a whole number");
}

std::vector<std::string> TomlReader::list(const toml::node& node) const {
  const toml::array* array = node.as_array();
  if (!array) return {scalar(node)};
  std::vector<std::string> all;
  for (const toml::node& element : *array) all.push_back(scalar(element));
  if (all.empty()) throw error(node.source(), "expected at least one value");
  return all;
}

const toml::table& TomlReader::table(const toml::node& node) const {
  if (const toml::table* found = node.as_table()) return *found;
  throw error(node.source(), "expected a table");
}

std::vector<const toml::table*> TomlReader::tables(const toml::table& table,
                                                   std::string_view key) const {
  std::vector<const toml::table*> found;
  const toml::node* node = table.get(key);
  if (!node) return found;
  if (!node->is_array_of_tables())
    throw error(node->source(), fmt::format("'{0}' must be tables: [[{0}]]", key));
  for (const toml::node& element : *node->as_array()) found.push_back(element.as_table());
  return found;
}

}  // namespace fftprec::silicon
