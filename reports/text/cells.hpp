/// Pieces of text: cells and tables for a terminal and for Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/case.hpp"

namespace fftprec::text {

/// "1.23e-07", or "exact" for 0.
std::string error_text(double error);

/// `text` on one line, with the bar of Markdown tables escaped.
std::string markdown_cell(std::string_view text);

/// The command that repeats a case and prints its row.
std::string reproduce_command(const Case& where);

using TextCells = std::vector<std::string>;

/// Columns as wide as their widest cell, two spaces between them: the first `names` to the left,
/// the others, numbers, to the right. Lines end where their text does.
/// Shapes: lines of one length, at least one.
std::string text_table(const std::vector<TextCells>& lines, std::size_t names);

}  // namespace fftprec::text
