/// The directory of a run: results.csv, its journal results.csv.part, and manifest.json.
///
/// Finished rows are in the journal before more cases begin, so an interrupt or a full disk loses
/// at most the running cases, and a kill those of the last milliseconds. The next run in the
/// directory continues from there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/sweeps/plan_stream.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/sorted_rows.hpp"

namespace fftprec::results {

/// A file to which one process at a time appends whole lines.
class Journal {
 public:
  /// Opens or creates the file and drops a last line without its end, left by a killed program.
  /// Throws InputError if it cannot be written, is a link, or another process is writing it.
  explicit Journal(const std::filesystem::path& path);
  ~Journal();  ///< an empty journal is removed
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  bool empty() const;
  bool begins_with(std::string_view text) const;

  /// Appends lines, the last of which ends in a newline, in one write. Throws InputError if they do
  /// not fit, and leaves those that do.
  void append(std::string_view lines);

  /// Empties the file.
  void clear();

 private:
  std::filesystem::path path_;
  int file_;
};

/// Which finished cases run again.
enum class Rerun { none, failed, all };

/// Writes rows as results.csv, in pieces. Returns the hash of the text.
std::string write_csv(SortedRows& rows, const std::function<void(std::string_view piece)>& write);

/// By a walk over the rows.
RowCounts counts_of(SortedRows& rows);

class RunDirectory {
 public:
  /// Creates the directory and reads its finished rows. With `rerun` all, it does not read them but
  /// moves an existing results.csv to results.csv.old. An incomplete last line of the journal is
  /// ignored. The list must outlive the object; `wanted` are the cases of this run, and
  /// `wanted_count` how many they are. `summarised`: the metrics of rows with statistics over
  /// seeds; none if the run keeps a row for each case. Throws InputError if rows were made by
  /// another version or numerics version, were changed later or belong to cases that are not
  /// wanted, if they have other statistics over seeds, and if the directory cannot be written.
  RunDirectory(const std::filesystem::path& directory, const CaseList& cases, CaseSet wanted,
               std::size_t wanted_count, Rerun rerun, std::vector<const Column*> summarised = {});

  /// Adds the rows of another directory whose wanted cases are not finished here; with `rerun`
  /// failed, without failed rows. A row with statistics over seeds is added if all of its seeds are
  /// wanted and none is finished. Throws InputError as above, for cases that are not in `all`.
  void adopt(const std::filesystem::path& directory, const CaseList& all, Rerun rerun);

  /// The cases with a finished row, by their places.
  const CaseSet& finished() const { return finished_; }
  std::uint64_t finished_count() const { return finished_count_; }
  /// Of all finished rows.
  RowCounts counts() { return rows_.summarised().empty() ? counts_ : counts_of(rows_); }

  /// Whether results.csv holds every row.
  bool complete() const;

  /// Finished rows: of cases, or with statistics over seeds. Several threads may append rows at
  /// once.
  void append(std::vector<Row> rows);
  void append(Row row);

  /// All finished rows, sorted by case.
  SortedRows& rows() { return rows_; }

  /// The hash of results.csv at the start; empty if there was none.
  const std::string& results_hash() const { return results_hash_; }

  /// Writes results.csv, then calls `describe` to write the manifest, then puts results.csv in
  /// place, then empties the journal. If the process is killed in between, the next run repeats
  /// this.
  void finish(const std::function<void(std::string results_hash)>& describe);

  std::filesystem::path manifest_path() const { return directory_ / "manifest.json"; }

 private:
  void adopt_reduced(SortedRows& rows, Rerun rerun);
  /// Adds sealed lines to the journal.
  void write(std::string_view lines);
  bool wants(std::uint64_t place) const { return wanted_.empty() || wanted_[place]; }

  std::filesystem::path directory_;
  Journal journal_;
  const CaseList* cases_;
  CaseSet wanted_;
  std::size_t wanted_count_;
  SortedRows rows_;
  CaseSet finished_;
  RowCounts counts_;  ///< of rows of one case
  std::uint64_t finished_count_ = 0;
  std::string results_hash_{};
  std::mutex mutex_;  ///< of journal and counts
};

}  // namespace fftprec::results
