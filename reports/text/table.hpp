/// Text for people: tables, their printers for a terminal, Markdown, HTML and LaTeX, and escaping
/// for each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/case.hpp"

namespace fftprec::text {

/// "1.23e-7", or "exact" for 0.
std::string error_text(double error);

/// `text` on one line of Markdown, also in a table: no control, no HTML, no code.
std::string markdown_cell(std::string_view text);

/// `text` as code within a line of Markdown, also in a table.
std::string markdown_code(std::string_view text);

/// `text` for the content of an element or a quoted attribute of HTML, XML or SVG. Control
/// characters except tab and newline, and bytes that are not UTF-8, become U+FFFD.
std::string markup_text(std::string_view text);

/// An element with escaped text: <name attributes>text</name>.
std::string element(std::string_view name, std::string_view text, std::string_view attributes = "");

/// `text` with the special characters of LaTeX escaped.
std::string latex_text(std::string_view text);

/// The words as a command for a shell, quoted as needed.
std::string shell_command(const std::vector<std::string>& argv);

/// The name of the program whose command line is `argv`, as a word for a shell: fftprec, or the
/// first word for a program with its own algorithms.
std::string program_of(const std::vector<std::string>& argv);

/// The command that repeats a case and prints its row. If only another program knows a name of the
/// case, a comment that names the case. `argv` is the command that made the row, if known, else
/// this one. Its program repeats the results of its own algorithms. Results of other programs are
/// measured again all together, with a comment that names the case.
std::string reproduce_command(const Case& where, const std::vector<std::string>& argv = {});

using TextCells = std::vector<std::string>;

/// Lines of equal length, the titles first. Columns from the left: `names`, then `numbers`, which
/// are right-aligned, then names again.
struct Table {
  static constexpr std::size_t all = std::string::npos;

  std::vector<TextCells> lines;
  std::size_t names = 0;
  std::size_t numbers = all;
  std::size_t markup = all;  ///< from this column on, cells are in the language of the printer

  bool is_number(std::size_t column) const { return column >= names && column - names < numbers; }
};

/// Columns as wide as their widest cell, two spaces between them, without spaces at the ends of
/// lines. Cells are made printable.
std::string terminal_table(const Table& table);

std::string markdown_table(const Table& table);

/// In a box that scrolls; `attributes` are those of the box.
std::string html_table(const Table& table, std::string_view attributes = "class=\"scroll\"");

/// A tabular of booktabs. A first cell equal to the one above is omitted; a different one gets
/// extra space above. An empty number is a dash. Numbers are "1.23e$-7$", narrow enough for six on
/// a page, or "$\infty$".
std::string latex_tabular(const Table& table);

}  // namespace fftprec::text
