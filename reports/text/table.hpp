/// Text for people: tables with their printers for a terminal, Markdown, HTML and LaTeX, and what
/// they escape.
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
/// characters but tab and newline, and bytes that are no UTF-8, become U+FFFD.
std::string markup_text(std::string_view text);

/// An element with escaped text: <name attributes>text</name>.
std::string element(std::string_view name, std::string_view text, std::string_view attributes = "");

/// `text` with the characters that LaTeX gives a meaning escaped.
std::string latex_text(std::string_view text);

/// The words as a shell takes them.
std::string shell_command(const std::vector<std::string>& argv);

/// The name of the program whose command line is `argv`: fftprec, or, of a program with algorithms
/// of its own, the first word, as a word for a shell.
std::string program_of(const std::vector<std::string>& argv);

/// The command that repeats a case and prints its row; of a case with a name that only another
/// program knows, a comment that names the case. `argv` is the command that made the row, if that
/// is known, or this one: results of other programs are measured all together, with a comment that
/// names the case, and what a program's own algorithms gave, that program gives again.
std::string reproduce_command(const Case& where, const std::vector<std::string>& argv = {});

using TextCells = std::vector<std::string>;

/// Lines of one length, the titles first. Columns from the left: `names`, then `numbers`, which end
/// where they align, then names again.
struct Table {
  static constexpr std::size_t all = std::string::npos;

  std::vector<TextCells> lines;
  std::size_t names = 0;
  std::size_t numbers = all;
  std::size_t markup = all;  ///< this column and those behind are in the printer's own language

  bool is_number(std::size_t column) const { return column >= names && column - names < numbers; }
};

/// Columns as wide as their widest cell, two spaces between them. Lines end where their text does.
/// Cells are made printable.
std::string terminal_table(const Table& table);

std::string markdown_table(const Table& table);

/// In a box that scrolls, `attributes` its own.
std::string html_table(const Table& table, std::string_view attributes = "class=\"scroll\"");

/// A tabular of booktabs. A first cell like that above is left out, and another stands apart; an
/// empty number is a dash. "1.23e$-7$", narrow enough for six of them on a page; "$\infty$".
std::string latex_tabular(const Table& table);

}  // namespace fftprec::text
