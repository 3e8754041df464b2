#include "arith/support/keyed_values.hpp"

#include <algorithm>

#include "arith/support/error.hpp"

namespace fftprec {

std::map<std::string, std::string_view> keyed_values(std::string_view list,
                                                     const std::vector<std::string>& keys,
                                                     std::string_view kind) {
  std::map<std::string, std::string_view> values;
  for (bool more = true; more;) {
    std::size_t end = 0;
    for (int depth = 0; end < list.size() && (depth > 0 || list[end] != ','); ++end) {
      if (list[end] == '(' || list[end] == '{') ++depth;
      if (list[end] == ')' || list[end] == '}') --depth;
    }
    const std::string_view piece = list.substr(0, end);
    const std::size_t equals = piece.find('=');
    if (equals == piece.npos || equals == 0 || equals + 1 == piece.size())
      throw InputError("'" + std::string(piece) + "' is not key=value");
    const std::string key(piece.substr(0, equals));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) throw unknown_name(kind, key, keys);
    if (!values.emplace(key, piece.substr(equals + 1)).second)
      throw InputError("'" + key + "' is given twice");
    if (end + 1 == list.size()) throw InputError("nothing follows the last comma");
    more = end < list.size();
    if (more) list.remove_prefix(end + 1);
  }
  return values;
}

std::map<std::string, std::string_view> keyed_values(std::string_view compact,
                                                     const std::vector<std::string>& keys,
                                                     std::size_t needed, const std::string& what,
                                                     const std::string& form) {
  try {
    if (!compact.ends_with(')')) throw InputError("the closing parenthesis is missing");
    const std::size_t opening = compact.find('(') + 1;
    const auto values =
        keyed_values(compact.substr(opening, compact.size() - opening - 1), keys, "format field");
    for (std::size_t i = 0; i < needed; ++i)
      if (!values.contains(keys[i])) throw InputError("'" + keys[i] + "' is missing");
    return values;
  } catch (const InputError& error) {
    throw InputError(what + ": " + error.what() + "; the form is " + form);
  }
}

}  // namespace fftprec
