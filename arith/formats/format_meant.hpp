/// What a name that is no format may have been meant to be.
#pragma once

#include <string>
#include <string_view>

namespace fftprec {

/// The name of a format that `text` may mean: it in small letters, "q1.11" of "Q1.11", or what
/// other programs call so, "fp32" of "float". Empty if it may mean none.
std::string format_meant(std::string_view text);

}  // namespace fftprec
