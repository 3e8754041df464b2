#include "experiments/support/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"

namespace fftprec {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> split_list(std::string_view text) {
  const auto unpaired = [text] {
    return InputError("brackets do not pair in '" + std::string(text) + "'");
  };
  std::vector<std::string> pieces;
  std::string closing;  // the brackets that are open
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(') closing += ')';
    if (c == '[') closing += ']';
    if (c == '{') closing += '}';
    if (c == ')' || c == ']' || c == '}') {
      if (closing.empty() || closing.back() != c) throw unpaired();
      closing.pop_back();
    }
    if (c == ',' && closing.empty()) {
      pieces.emplace_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (!closing.empty()) throw unpaired();
  pieces.emplace_back(trimmed(text.substr(begin)));
  return pieces;
}

KeyedName split_name(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  return {text.substr(0, colon), text.substr(std::min(colon + 1, text.size()))};
}

namespace {

/// A word and '='.
bool begins_with_key(std::string_view text) {
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  return end != 0 && end < text.size() && text[end] == '=';
}

/// The bare key with that choice, or the end.
std::vector<Key>::iterator bare_key(std::vector<Key>& keys, std::string_view choice) {
  return std::ranges::find_if(keys, [&](const Key& key) {
    return key.bare && std::ranges::count(key.choices, choice) > 0;
  });
}

/// The names of keys, and the choices that may stand alone.
std::vector<std::string> pieces_of(const std::vector<Key>& keys) {
  std::vector<std::string> pieces;
  for (const Key& key : keys)
    if (key.bare) pieces.insert(pieces.end(), key.choices.begin(), key.choices.end());
  for (const Key& key : keys) pieces.push_back(key.name);
  return pieces;
}

}  // namespace

std::vector<Key> with_values(std::vector<Key> keys, std::string_view text,
                             const std::string& owner) {
  std::set<std::string> given;
  const auto check_new = [&](const std::string& name) {
    if (!given.insert(name).second)
      throw InputError(owner + ": the key " + name + " is given twice");
  };
  const auto begins_piece = [&](std::string_view rest) {
    return begins_with_key(rest) || bare_key(keys, rest.substr(0, rest.find(':'))) != keys.end();
  };
  while (!text.empty()) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string_view name = text.substr(0, equals);
    std::size_t end = name == "inner" ? text.size() : std::min(text.find(':'), text.size());
    if (const auto key = bare_key(keys, text.substr(0, end)); key != keys.end()) {
      check_new(key->name);
      key->value = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      continue;
    }
    while (end < text.size() && !begins_piece(text.substr(end + 1)))
      end = std::min(text.find(':', end + 1), text.size());
    const auto key = std::ranges::find(keys, name, &Key::name);
    if (key == keys.end())
      throw unknown_name("key of " + owner, text.substr(0, std::min(equals, end)), pieces_of(keys));
    if (equals >= end)
      throw InputError(owner + ": '" + std::string(text.substr(0, end)) + "' is not key=value");
    check_new(key->name);
    key->value = text.substr(equals + 1, end - equals - 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return keys;
}

std::string spelled(std::string_view name, const std::vector<Key>& defaults,
                    const std::vector<Key>& values) {
  std::string text(name);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].value != defaults[i].value)
      text += ":" + (values[i].bare ? "" : values[i].name + "=") + values[i].value;
  return text;
}

std::string values_text(const Key& key) {
  if (!key.takes.empty() || !key.choices.empty())
    return key.choices.empty() ? key.takes : fmt::format("{}", fmt::join(key.choices, ", "));
  return key.name == "inner" ? "a name with its keys" : "";
}

std::size_t choice_of(const Key& key, const std::string& owner) {
  return index_named(key.choices, key.name + " of " + owner, key.value);
}

std::uint64_t whole_number(const Key& key, const std::string& owner, std::uint64_t largest,
                           const std::string& alternative) {
  const std::optional<std::uint64_t> value = parse_unsigned(key.value);
  if (value && *value >= 1 && *value <= largest) return *value;
  throw InputError(owner + ": " + key.name + "='" + key.value +
                   "' is not a whole number from 1 to " + std::to_string(largest) +
                   (alternative.empty() ? "" : ", " + alternative));
}

KeyedChange::KeyedChange(const std::vector<Named>& list, std::string_view name,
                         const std::string& owner)
    : named_(item_named(list, owner, split_name(name).name)),
      values_(with_values(named_.keys, split_name(name).keys, owner + " " + named_.name)) {}

std::size_t KeyedChange::at(std::string_view key) const {
  return static_cast<std::size_t>(std::ranges::find(values_, key, &Key::name) - values_.begin());
}

const std::string& KeyedChange::operator[](std::string_view key) const {
  return values_[at(key)].value;
}

KeyedChange& KeyedChange::set(std::string_view key, const std::string& value) {
  values_[at(key)].value = value;
  return *this;
}

KeyedChange& KeyedChange::reset(std::string_view key) {
  return set(key, named_.keys[at(key)].value);
}

}  // namespace fftprec
