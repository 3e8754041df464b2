/// Text from outside (names, messages, cells), made safe to show: without control characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fftprec {

/// Bytes of the well-formed UTF-8 character that `text` begins with; 0 if there is none.
/// Source: Unicode 15, table 3-7.
std::size_t character_length(std::string_view text);

/// Whether the character is a control of ASCII or Latin-1, a line or paragraph separator, or
/// changes the direction of writing.
bool is_control(std::string_view character);

/// Whether `text` holds a control that is not among `allowed`, or bytes that are not UTF-8.
bool holds_control(std::string_view text, std::string_view allowed = "");

/// `text` with every line end replaced by a blank.
std::string on_one_line(std::string_view text);

/// `text` on one line that no terminal and no CI server takes for a command. Controls and bytes
/// that are not UTF-8 become \n, \t, \x1b; a backslash is put before "::" at the beginning and
/// before "##[". At most the first `most` bytes are shown.
std::string printable(std::string_view text, std::size_t most = std::string_view::npos);

/// "1 row", "2 rows".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace fftprec
