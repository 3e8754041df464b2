/// What a name that is no format may have been meant to be.
#pragma once

#include <string>
#include <string_view>

namespace fftprec {

/// The name of the format that `text` probably means: its spelling in small letters ("q1.11" for
/// "Q1.11"), or the format that other programs call so ("fp32" for "float"). Empty if there is
/// none.
std::string format_meant(std::string_view text);

}  // namespace fftprec
