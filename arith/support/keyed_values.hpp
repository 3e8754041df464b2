/// Reads "NAME(key=value,...)".
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// What a text without spaces gives for each key; the first `needed` of `keys` have to be there.
/// Throws InputError, "WHAT: reason; the form is FORM", or for an unknown key, listing the known.
std::map<std::string, std::string_view> keyed_values(std::string_view compact,
                                                     const std::vector<std::string>& keys,
                                                     std::size_t needed, const std::string& what,
                                                     const std::string& form);

}  // namespace fftprec
