#include "experiments/support/toml_reader.hpp"

#include <algorithm>

namespace fftprec {

toml::table TomlReader::parse(std::string_view text) const {
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
    if (std::find(known.begin(), known.end(), key.str()) == known.end())
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
  return value(table, key, [](const toml::node& node) {
    if (const auto text = node.value_exact<std::string>()) return *text;
    throw UnexpectedValue(node, "a text");
  });
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
