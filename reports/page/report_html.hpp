/// Texts made fit for a page: escaped, and UTF-8 whatever they hold.
#pragma once

#include <string>
#include <string_view>

namespace fftprec {

/// `text` for the content of an element or a quoted attribute. Control characters but tab and
/// newline, and bytes that are no UTF-8, become U+FFFD.
std::string html_text(std::string_view text);

/// `text` as a JSON string, quotes included, that may stand within <script>.
std::string json_text(std::string_view text);

/// An element with escaped text: <name attributes>text</name>.
std::string element(std::string_view name, std::string_view text, std::string_view attributes = "");

/// A section with a heading and an anchor; the body is HTML.
std::string section(std::string_view id, std::string_view heading, std::string_view body);

/// A command that can be copied; lines break between its words only.
std::string command_line(std::string_view command);

/// "1.23e-07", three significant digits; "inf", "nan".
std::string three_digits(double value);

}  // namespace fftprec
