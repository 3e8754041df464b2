/// The rows of a finished run, one at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/row.hpp"
#include "reports/results/csv.hpp"

namespace fftprec::results {

/// The hash of results.csv that the manifest in `directory` gives; none where it gives none.
std::optional<std::string> described_hash(const std::filesystem::path& directory);

/// The error for a results.csv that the manifest beside it does not describe.
InputError changed(const std::filesystem::path& results);

/// The file of rows in a directory of a run: results.csv, or, where that is not there,
/// results.csv.gz or results.csv.zst; of any other path the path.
std::filesystem::path results_of(const std::filesystem::path& where);

/// Reads DIR/results.csv, or a CSV file, as RowReader does. If a manifest.json beside results.csv
/// describes another text, an InputError says so, at the latest after the last row.
class RunReader {
 public:
  /// Throws InputError if the run is not finished or cannot be read.
  explicit RunReader(const std::filesystem::path& where);

  /// The next row, valid until the next call; null at the end. Throws what RowReader::next throws.
  const Row* next();

  /// Reads the text to its end. Throws InputError if the manifest describes another.
  void check_described();

 private:
  std::filesystem::path results_;
  std::optional<std::string> described_{};
  RowReader rows_;
};

/// Whether the rows can be read more than once: not from a pipe.
bool reads_again(const std::filesystem::path& where);

/// The rows of a run that are `wanted` (by default all), one at a time, as long as they are in
/// order.
class OrderedRun {
 public:
  using Key = std::function<SharedCase(const Row&)>;

  /// Throws what RunReader throws.
  OrderedRun(const std::filesystem::path& where, std::function<bool(const Row&)> wanted,
             Key key = identity_of);

  /// The row, and its key; null at the end.
  const Row* row() const { return row_; }
  const SharedCase& key() const { return key_of_row_; }

  /// Goes on to the next row. False if its key is not above the one before: the rows are not in
  /// order, or two of them have one key.
  bool advance();

 private:
  RunReader reader_;
  std::function<bool(const Row&)> wanted_;
  Key key_;
  const Row* row_ = nullptr;
  SharedCase key_of_row_{};
};

/// The rows of RunReader that are `wanted`, by default all; those of equal names share them.
std::vector<Row> read_run(const std::filesystem::path& where,
                          const std::function<bool(const Row&)>& wanted = {});

}  // namespace fftprec::results
