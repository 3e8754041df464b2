/// The directory of a run: results.csv, its journal results.csv.part, and manifest.json.
///
/// Every finished row is in the journal before the next begins, so an interrupt, a kill or a full
/// disk loses at most the running cases. The next run in the directory continues from there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/row.hpp"
#include "reports/results/csv.hpp"

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

struct Finished {
  std::map<SharedCase, Row> rows{};
  std::string results_hash{};  ///< of results.csv; empty if there is none
};

/// The finished rows in a directory, those of its journal last. An incomplete last line is ignored.
/// Throws InputError if they were made by another version or numerics version, were changed later,
/// or belong to cases that are not in `cases`.
Finished read_finished(const std::filesystem::path& directory, std::span<const SharedCase> cases);

class RunDirectory {
 public:
  /// Creates the directory and reads its finished rows. With `rerun` all, it does not read them but
  /// moves an existing results.csv to results.csv.old.
  /// Throws what read_finished throws, and InputError if the directory cannot be written.
  RunDirectory(const std::filesystem::path& directory, std::span<const SharedCase> cases,
               Rerun rerun);

  /// Adds the rows of `cases` that are missing here.
  void adopt(const std::map<SharedCase, Row>& rows, std::span<const SharedCase> cases);

  /// Whether the case has a finished row.
  bool has(const SharedCase& where) const { return finished_.contains(where); }
  bool empty() const { return finished_.empty(); }

  /// Whether results.csv holds every row.
  bool complete() const;

  void append(const Row& row);

  /// All finished rows, sorted by case.
  std::vector<Row> rows() const;

  /// The hash of results.csv at the start; empty if there was none.
  const std::string& results_hash() const { return results_hash_; }

  /// Calls `describe` with the text of results.csv, to write the manifest; then writes results.csv,
  /// then empties the journal. If the process is killed in between, the next run repeats this.
  void finish(const std::function<void(const std::string& csv)>& describe);

  std::filesystem::path manifest_path() const { return directory_ / "manifest.json"; }

 private:
  /// Adds the row to the journal.
  void write(const Row& row);

  std::filesystem::path directory_;
  Journal journal_;
  std::size_t case_count_;
  std::map<SharedCase, Row> finished_;
  std::string results_hash_{};
};

}  // namespace fftprec::results
