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

/// `text` on one line of Markdown, also in a table: no control, no HTML, no code.
std::string markdown_cell(std::string_view text);

/// `text` as code within a line of Markdown, also in a table.
std::string markdown_code(std::string_view text);

/// The command that repeats a case and prints its row.
std::string reproduce_command(const Case& where);

using TextCells = std::vector<std::string>;

/// Columns as wide as their widest cell, two spaces between them: the first `names` to the left,
/// then `numbers` to the right, and the others to the left. Lines end where their text does. Cells
/// are made printable. Shapes: lines of one length, at least one.
std::string text_table(std::vector<TextCells> lines, std::size_t names,
                       std::size_t numbers = std::string::npos);

}  // namespace fftprec::text
