#include "arith/support/keyed_values.hpp"

#include <algorithm>

#include "arith/support/error.hpp"

namespace fftprec {

std::map<std::string, std::string_view> keyed_values(std::string_view compact,
                                                     const std::vector<std::string>& keys,
                                                     std::size_t needed, const std::string& what,
                                                     const std::string& form) {
  const auto refuse = [&](const std::string& reason) {
    throw InputError(what + ": " + reason + "; the form is " + form);
  };
  if (!compact.ends_with(')')) refuse("the closing parenthesis is missing");
  const std::size_t opening = compact.find('(') + 1;
  std::string_view rest = compact.substr(opening, compact.size() - opening - 1);
  std::map<std::string, std::string_view> values;
  for (std::size_t comma = 0; comma != rest.npos;) {
    comma = rest.find(',');
    const std::string_view field = rest.substr(0, comma);
    const std::size_t equals = field.find('=');
    if (equals == field.npos) refuse("'" + std::string(field) + "' is not key=value");
    const std::string key(field.substr(0, equals));
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw unknown_name("format field", key, keys);
    if (!values.emplace(key, field.substr(equals + 1)).second)
      refuse("'" + key + "' is given twice");
    if (comma != rest.npos) rest.remove_prefix(comma + 1);
  }
  for (std::size_t i = 0; i < needed; ++i)
    if (!values.contains(keys[i])) refuse("'" + keys[i] + "' is missing");
  return values;
}

}  // namespace fftprec
