/// The directory of a run: results.csv, its journal results.csv.part, and manifest.json.
///
/// Every finished row is in the journal before the next begins, so an interrupt, a kill or a full
/// disk loses at most the running cases. The next run in the directory continues from there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"
#include "experiments/sweeps/plan_stream.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/sorted_rows.hpp"

namespace fftprec::results {

/// A file to which one process at a time appends whole lines, each in one write.
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

  /// Appends `line`, which ends in a newline, in one write. Throws InputError, and leaves no part
  /// of the line, if it does not fit.
  void append(std::string_view line);

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

class RunDirectory {
 public:
  /// Creates the directory and reads its finished rows. With `rerun` all, it does not read them but
  /// moves an existing results.csv to results.csv.old. An incomplete last line of the journal is
  /// ignored. The list must outlive the object; `wanted` are the cases of this run, and
  /// `wanted_count` how many they are.
  /// Throws InputError if rows were made by another version or numerics version, were changed later
  /// or belong to cases that are not wanted, and if the directory cannot be written.
  RunDirectory(const std::filesystem::path& directory, const CaseList& cases, CaseSet wanted,
               std::size_t wanted_count, Rerun rerun);

  /// Adds the rows of another directory whose wanted cases are not finished here; with `rerun`
  /// failed, without failed rows. Throws InputError as above, for cases that are not in the list.
  void adopt(const std::filesystem::path& directory, Rerun rerun);

  /// The cases with a finished row, by their places.
  const CaseSet& finished() const { return finished_; }
  /// Of all finished rows.
  const RowCounts& counts() const { return counts_; }

  /// Whether results.csv holds every row.
  bool complete() const;

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
  template <class Take>
  void take_rows(SortedRows& rows, const std::filesystem::path& directory, Take take) const;
  /// Adds the line of a row to the journal.
  void write(std::string_view line);
  bool wants(std::uint64_t place) const { return wanted_.empty() || wanted_[place]; }

  std::filesystem::path directory_;
  Journal journal_;
  const CaseList* cases_;
  CaseSet wanted_;
  std::size_t wanted_count_;
  SortedRows rows_;
  CaseSet finished_;
  RowCounts counts_;
  std::string results_hash_{};
};

}  // namespace fftprec::results
