/// Reads "key=value,...", alone or in "NAME(key=value,...)".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// The value of each key in a list without spaces; commas within brackets do not split. Throws
/// InputError for an item that is not key=value, a key given twice, and an unknown key, listing the
/// known ones. `kind` is the word for keys in messages.
std::map<std::string, std::string_view> keyed_values(std::string_view list,
                                                     const std::vector<std::string>& keys,
                                                     std::string_view kind);

/// As above, for NAME(list). The first `needed` keys are required.
/// Throws InputError, "WHAT: reason; the form is FORM".
std::map<std::string, std::string_view> keyed_values(std::string_view compact,
                                                     const std::vector<std::string>& keys,
                                                     std::size_t needed, const std::string& what,
                                                     const std::string& form);

}  // namespace fftprec
