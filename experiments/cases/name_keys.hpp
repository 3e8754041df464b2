/// Names that carry keys: "NAME:key=value:key=value".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// A key of a name, with its value: the default, or what the name says.
struct Key {
  std::string name;
  std::string value;
};

/// A name with what follows it.
struct KeyedName {
  std::string_view name;
  std::string_view keys;  ///< "key=value:key=value", without the first colon
};

KeyedName split_name(std::string_view text);

/// `keys` with the values that `text` gives; the value of a key called `inner` is a whole name with
/// keys of its own: it takes the rest of the text. `owner` names the item in errors ("algorithm
/// bluestein"). Throws InputError for an unknown key or a piece that is not key=value.
std::vector<Key> with_values(std::vector<Key> keys, std::string_view text,
                             const std::string& owner);

/// The value of a key that counts something, a whole number from 1 to `largest`. Throws InputError
/// otherwise; `alternative` says what else the key may hold ("nor n").
std::size_t whole_number(const Key& key, const std::string& owner,
                         std::size_t largest = std::size_t{1} << 24,
                         const std::string& alternative = {});

}  // namespace fftprec
