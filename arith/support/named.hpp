/// Looking things up by name: modes, machines, algorithms and whatever else is a list of named
/// items.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arith/support/error.hpp"

namespace fftprec {

/// The item of `items` whose member `name` is `name`; `kind` says in an error what was looked for,
/// `others` what else would have been understood.
/// Throws InputError for an unknown name, listing the known ones.
template <class Items>
const auto& item_named(const Items& items, std::string_view kind, std::string_view name,
                       const std::vector<std::string>& others = {}) {
  std::vector<std::string> known;
  for (const auto& item : items) {
    if (item.name == name) return item;
    known.emplace_back(item.name);
  }
  known.insert(known.end(), others.begin(), others.end());
  throw unknown_name(kind, name, known);
}

}  // namespace fftprec
