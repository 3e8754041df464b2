/// Splitting lists as -a, -f and sweep files write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fftprec {

/// `text` without the spaces at its ends.
std::string_view trimmed(std::string_view text);

/// `text` cut at every comma outside (), [] and {}, each piece trimmed. Always at least one piece.
/// Throws InputError for brackets that do not pair.
std::vector<std::string> split_list(std::string_view text);

}  // namespace fftprec
