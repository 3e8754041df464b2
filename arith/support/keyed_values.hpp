/// Reads "key=value,...", by itself and in "NAME(key=value,...)".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// What a list without spaces gives for each key; commas within brackets do not split. Throws
/// InputError for what is not key=value, a key that is given twice and an unknown one, listing the
/// known: `kind` says what keys name.
std::map<std::string, std::string_view> keyed_values(std::string_view list,
                                                     const std::vector<std::string>& keys,
                                                     std::string_view kind);

/// The same of NAME(list); the first `needed` of `keys` have to be there.
/// Throws InputError, "WHAT: reason; the form is FORM".
std::map<std::string, std::string_view> keyed_values(std::string_view compact,
                                                     const std::vector<std::string>& keys,
                                                     std::size_t needed, const std::string& what,
                                                     const std::string& form);

}  // namespace fftprec
