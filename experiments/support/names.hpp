/// Names as users write them: in lists, with keys, and what a list of them shows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// A key of a name, with its value: the default, or what the name says.
struct Key {
  std::string name;
  std::string value;                   ///< empty: it has no default, the name has to say
  std::vector<std::string> choices{};  ///< all that it can be; empty where they are no list
};

/// A name and one sentence about it, as `fftprec list` prints them.
struct Named {
  std::string name;
  std::string summary;
  std::vector<Key> keys{};  ///< that may follow it, with their defaults
};

/// Of items with a name and a summary, and with keys if they have any.
template <class Items>
std::vector<Named> named(const Items& items) {
  std::vector<Named> names;
  for (const auto& item : items) {
    names.push_back({std::string(item.name), std::string(item.summary)});
    if constexpr (requires { item.keys; }) names.back().keys = item.keys;
  }
  return names;
}

/// `text` without the spaces at its ends.
std::string_view trimmed(std::string_view text);

/// `text` cut at every comma outside (), [] and {}, each piece trimmed. Always at least one piece.
/// Throws InputError for brackets that do not pair.
std::vector<std::string> split_list(std::string_view text);

/// A name with what follows it.
struct KeyedName {
  std::string_view name;
  std::string_view keys;  ///< "key=value:key=value", without the first colon
};

KeyedName split_name(std::string_view text);

/// `keys` with the values that `text` gives; the value of a key called `inner` is a whole name with
/// keys of its own: it takes the rest of the text. Another goes to the next colon with a key behind
/// it, as "file:PATH" and "binary8p3se:saturate" do.
/// `owner` names the item in errors ("algorithm bluestein"). Throws InputError for an unknown key,
/// one that is given twice, or a piece that is not key=value.
std::vector<Key> with_values(std::vector<Key> keys, std::string_view text,
                             const std::string& owner);

/// Which of its choices the key has. Throws InputError for another value.
std::size_t choice_of(const Key& key, const std::string& owner);

/// The value of a key that counts something, a whole number from 1 to `largest`. Throws InputError
/// otherwise; `alternative` says what else the key may hold ("nor n").
std::size_t whole_number(const Key& key, const std::string& owner,
                         std::size_t largest = std::size_t{1} << 24,
                         const std::string& alternative = {});

}  // namespace fftprec
