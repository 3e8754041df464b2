/// Formats in files: lists of values, upwards, one in a line, after a comma the border between it
/// and the value before if that is not their middle. Empty lines, what follows a # and a first line
/// "value,border" are left out. Numbers are read to the nearest one of 50 bits, borders of 52.
#pragma once

#include <memory>
#include <string>

#include "arith/formats/number_system.hpp"

namespace fftprec {

/// The ListReader of "file:PATH?overflow=RULE&hash=H", either key or none. RULE is infinity,
/// saturate or nan, without it infinity where the list has one, else saturate. Throws InputError
/// "PATH:LINE: ..." for what cannot be in a list.
std::unique_ptr<NumberSystem> read_list(const std::string& name);

/// The name of an input or of tables with each format that it takes from a file, "to=file:PATH",
/// "in=file:PATH", under the name that tells the file's content. Throws what read_list throws.
std::string with_format_hashes(const std::string& name);

}  // namespace fftprec
