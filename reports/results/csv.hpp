/// results.csv: rows as text and back, without loss.
///
/// LF, UTF-8, RFC 4180 quoting, one line of column names, shortest decimals that read back to equal
/// bits, independent of the locale. An empty cell was not measured.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/case_ids.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/row.hpp"

namespace fftprec::results {

/// `text` as one cell of a table for people. A text with a comma, a quote or a line end is quoted,
/// with its quotes doubled (RFC 4180, section 2). A text that a spreadsheet takes for a formula
/// gets an apostrophe: it begins with =, +, -, @, a tab or CR and is no number.
std::string csv_cell(std::string text);

/// The texts as cells of such a table, on a line with its newline.
std::string csv_line(const std::vector<std::string>& texts);

/// Which columns of statistics over seeds follow columns().
enum class SeedColumns {
  all,
  least,  ///< those from which the others follow
};

/// The line of column names, with its newline. `summarised`: the metrics of rows with statistics
/// over seeds; none of other rows.
std::string csv_header(std::span<const Column* const> summarised = {},
                       SeedColumns which = SeedColumns::all);

/// One line, with its newline. Rows with statistics over seeds have their columns, too.
std::string to_csv(const Row& row, SeedColumns which = SeedColumns::all);

/// Lines of many rows, in a fraction of the time of to_csv where neighbours share their names.
class RowWriter {
 public:
  /// Appends to_csv(row, which).
  void append(std::string& text, const Row& row, SeedColumns which = SeedColumns::all);

 private:
  CaseIds ids_{};
  SharedCase last_{};          ///< whose cells are kept
  std::string before_seed_{};  ///< cells from transform on, with their commas; empty: none are kept
  std::string after_seed_{};   ///< those of later axes
};

/// The header and every row. Throws InputError unless all rows have the columns of the first.
std::string csv_text(std::span<const Row> rows);
std::string csv_text(const std::map<SharedCase, Row>& rows);

/// Whether a case may have several rows. In a journal it has one for each time it ran.
enum class Duplicates { refuse, keep };

/// A record of any CSV text: one line, or several if a quoted cell spans them.
struct Record {
  std::size_t line;  ///< where it begins
  std::vector<std::string> cells;
};

/// The records of `text`, the column names first. Throws InputError("NAME:LINE: ...") for unpaired
/// quotes and for a record whose number of cells is not that of the names.
std::vector<Record> parse_records(std::string_view text, std::string_view name);

/// The rows of a file or text, one at a time, plain or compressed by gzip or zstd. Columns may be
/// in any order, and later ones may be missing. CRLF counts as LF. Lines above the names that begin
/// with # are ignored.
///
/// Of statistics over seeds, the seeds and the summaries of errors decide; other cells may be
/// missing and must follow from them. Such rows are sorted by the case without its seed.
///
/// Memory does not grow with the rows while they are sorted by case, as runs write them: a second
/// row of a case is then the neighbour of the first. Of a file in another order, 16 bytes a row are
/// kept, and a second row of a case may be found only at the end.
class RowReader {
 public:
  /// Throws InputError if the file cannot be read.
  explicit RowReader(const std::filesystem::path& file, Duplicates duplicates = Duplicates::refuse);

  /// Of text in memory, which must stay there.
  RowReader(std::string_view text, std::string_view name,
            Duplicates duplicates = Duplicates::refuse);

  ~RowReader();
  RowReader(RowReader&&) noexcept;
  RowReader& operator=(RowReader&&) noexcept;

  /// The next row, valid until the next call; null at the end.
  /// Throws InputError("NAME:LINE: column 'c': ...") for a missing or unknown column, a malformed
  /// cell, a case_id or statistics that do not belong to their row, a second row of a case, or a
  /// last line without its end; InputError("NAME: ...") for damaged or cut off compression.
  const Row* next();

  /// text_hash of the whole text: reads what is left of it, but no more rows. Throws InputError if
  /// it cannot be read.
  std::string hash();

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// All rows of `text`. Rows with equal names share them. Throws what RowReader throws.
std::vector<Row> parse_csv(std::string_view text, std::string_view name,
                           Duplicates duplicates = Duplicates::refuse);

}  // namespace fftprec::results
