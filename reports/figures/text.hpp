/// Texts in pictures: their widths in pixels, and line breaks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/figures/figure.hpp"

namespace fftprec::figures {

/// Width of a text in pixels at this font size, by the advance widths of DejaVu Sans. Its
/// substitutes are no wider.
double text_width(std::string_view text, double size);

/// The size of an exponent or an index, relative to its label.
inline constexpr double index_share = 0.75;

/// As above, for a label, whose exponent or index is smaller.
double label_width(const Label& label, double size);

/// `text` in lines of at most `most_pixels`, broken at spaces, and within longer words.
std::vector<std::string> wrapped(std::string_view text, double size, double most_pixels);

}  // namespace fftprec::figures
