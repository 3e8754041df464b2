/// Formats in files: lists of values, ascending, one per line. After a comma a line may give the
/// border between its value and the value before; default: their middle. Empty lines, comments
/// after # and a first line "value,border" are ignored. Numbers are read to the nearest number of
/// 50 bits, borders of 52.
#pragma once

#include <memory>
#include <string>

#include "arith/formats/number_system.hpp"

namespace fftprec {

/// The ListReader of "file:PATH?overflow=RULE&hash=H", either key or none. RULE is infinity,
/// saturate or nan; default: infinity if the list has one, else saturate. Throws InputError
/// "PATH:LINE: ..." for a line that is not valid in a list.
std::unique_ptr<NumberSystem> read_list(const std::string& name);

/// The name of an input or of tables in which each format from a file, "to=file:PATH",
/// "in=file:PATH", has the name with the hash of the file's content. Throws as read_list does.
std::string with_format_hashes(const std::string& name);

}  // namespace fftprec
