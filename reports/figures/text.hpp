/// Texts of pictures and pages: escaped for markup, measured in pixels, broken into lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/figures/figure.hpp"

namespace fftprec::figures {

/// `text` for the content of an element or a quoted attribute. Control characters but tab and
/// newline, and bytes that are no UTF-8, become U+FFFD.
std::string markup_text(std::string_view text);

/// An element with escaped text: <name attributes>text</name>.
std::string element(std::string_view name, std::string_view text, std::string_view attributes = "");

/// Pixels of a text at this font size, by the advance widths of DejaVu Sans; the fonts that stand
/// in for it are no wider.
double text_width(std::string_view text, double size);

/// The size of an exponent or an index beside that of its label.
inline constexpr double index_share = 0.75;

/// The same of a label, whose exponent or index is smaller.
double label_width(const Label& label, double size);

/// `text` in lines of at most so many pixels, broken at spaces, and within longer words.
std::vector<std::string> wrapped(std::string_view text, double size, double most_pixels);

}  // namespace fftprec::figures
