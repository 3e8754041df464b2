/// Names as users write them, in lists and with keys, and as lists show them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// A key of a name, with its value: the one in the name, or the default.
struct Key {
  std::string name;
  std::string value;                   ///< empty: no default, so the name must give it
  std::vector<std::string> choices{};  ///< all possible values; empty if they cannot be listed
  std::string takes{};                 ///< where they cannot: "a format, or mode"; empty: a number
  bool bare = false;  ///< its choices may stand alone: "product:cyclic" for "product:ring=cyclic"
};

/// A name and one sentence about it, as `fftprec list` prints them.
struct Named {
  std::string name;
  std::string summary;
  std::vector<Key> keys{};  ///< keys that may follow it, with their defaults
};

/// The values of a key, as lists show them: "product, row-column" or "a format"; empty for numbers.
std::string values_text(const Key& key);

/// Named from items with a name, a summary and possibly keys.
template <class Items>
std::vector<Named> named(const Items& items) {
  std::vector<Named> names;
  for (const auto& item : items) {
    names.push_back({std::string(item.name), std::string(item.summary)});
    if constexpr (requires { item.keys; }) names.back().keys = item.keys;
  }
  return names;
}

/// The names of the items, by a member or a function.
template <class Items, class NameOf>
std::vector<std::string> names_by(const Items& items, NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(std::invoke(name_of, item));
  return names;
}

/// `text` without the spaces at its ends.
std::string_view trimmed(std::string_view text);

/// `text` cut at every comma outside (), [] and {}, each piece trimmed. Always at least one piece.
/// Throws InputError for brackets that do not pair.
std::vector<std::string> split_list(std::string_view text);

/// A name and its keys.
struct KeyedName {
  std::string_view name;
  std::string_view keys;  ///< "key=value:key=value", without the first colon
};

KeyedName split_name(std::string_view text);

/// `keys` with the values in `text`. The value of a key named `inner` is a whole name with its own
/// keys, so it takes the rest of the text. Any other value ends at the next colon that a key or a
/// bare choice follows, so it may contain other colons ("file:PATH", "binary8p3se:saturate").
/// `owner` names the item in errors ("algorithm bluestein"). Throws InputError for an unknown key,
/// a key that is given twice, or a piece that is neither key=value nor a choice.
std::vector<Key> with_values(std::vector<Key> keys, std::string_view text,
                             const std::string& owner);

/// The canonical spelling of `name` with these values: keys at their defaults are left out, bare
/// choices stand alone, and all are in the order of the keys.
std::string spelled(std::string_view name, const std::vector<Key>& defaults,
                    const std::vector<Key>& values);

/// The index of the key's value among its choices. Throws InputError for any other value.
std::size_t choice_of(const Key& key, const std::string& owner);

/// The value of a key, a whole number from 1 to `largest`. Throws InputError for any other value;
/// `alternative` is what else the key may hold, for the message ("nor n").
std::uint64_t whole_number(const Key& key, const std::string& owner,
                           std::uint64_t largest = std::uint64_t{1} << 24,
                           const std::string& alternative = {});

/// A name of a list with other values of some keys, spelled canonically.
class KeyedChange {
 public:
  /// Throws InputError for a name that the list does not hold and for an unknown key; `owner` is
  /// what the list is of, for the message.
  KeyedChange(const std::vector<Named>& list, std::string_view name, const std::string& owner);

  const std::string& operator[](std::string_view key) const;
  KeyedChange& set(std::string_view key, const std::string& value);
  /// To its default.
  KeyedChange& reset(std::string_view key);
  std::string text() const { return spelled(named_.name, named_.keys, values_); }

 private:
  std::size_t at(std::string_view key) const;

  Named named_;
  std::vector<Key> values_;
};

}  // namespace fftprec
