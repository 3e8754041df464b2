/// Tables for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fftprec {

using TextCells = std::vector<std::string>;

/// Columns as wide as their widest cell, two spaces between them: the first `names` to the left,
/// the others, numbers, to the right. Lines end where their text does.
/// Shapes: lines of one length, at least one.
std::string text_table(const std::vector<TextCells>& lines, std::size_t names);

}  // namespace fftprec
