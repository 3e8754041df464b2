/// results.csv: rows as text and back, without loss.
///
/// LF, UTF-8, RFC 4180 quoting, one line of column names, shortest decimals that read back to the
/// same bits, the same under every locale. An empty cell was not measured.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"

namespace fftprec::results {

/// `text` as one cell of a table for people: in quotes, and its quotes doubled, where it holds a
/// comma, a quote or a line end (RFC 4180, section 2), and with an apostrophe before what a
/// spreadsheet takes for a formula: text, not a number, that begins with =, +, -, @, a tab or CR.
std::string csv_cell(std::string text);

/// The line of column names, with its newline.
std::string csv_header();

/// One line, with its newline.
std::string to_csv(const Row& row);

/// The header and every row.
std::string csv_text(std::span<const Row> rows);
std::string csv_text(const std::map<SharedCase, Row>& rows);

/// Whether a case may have several rows: in a journal it has one for every time it was run.
enum class Duplicates { refuse, keep };

/// A line of any CSV text, or the lines that a quoted cell spans.
struct Record {
  std::size_t line;  ///< where it begins
  std::vector<std::string> cells;
};

/// The records of `text`, the column names first. Throws InputError("NAME:LINE: ...") for quotes
/// that do not pair and for a record that has not as many cells as there are names.
std::vector<Record> parse_records(std::string_view text, std::string_view name);

/// The rows of `text`; columns may stand in any order, later ones may be missing, CRLF is taken as
/// LF, and lines above the names that begin with # are passed over.
/// Throws InputError("NAME:LINE: column 'c': ...") for a missing or unknown column, a malformed
/// cell, a case_id that does not belong to its row, a second row of a case, or a last line without
/// its end.
std::vector<Row> parse_csv(std::string_view text, std::string_view name,
                           Duplicates duplicates = Duplicates::refuse);

}  // namespace fftprec::results
