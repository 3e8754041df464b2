/// The kept rows that baseline and hash gates compare with: CSV files under version control.
///
/// Their first line is the version of the numbers: `# numerics_version = 3`. Rows of different
/// versions have different bits, so they cannot be compared. A file without this line, made by
/// hand, is compared with any version.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/support/version.hpp"
#include "experiments/gates/gate.hpp"

namespace fftprec::gates {

/// A baseline that is missing, cannot be read as rows, or cannot be compared.
class BaselineError : public InputError {
 public:
  using InputError::InputError;
};

/// The kept rows of all baselines of the gates, to compare with rows of `rows_version`. If a file
/// is missing, is no table of rows, has two rows of one case, or has another version, `problems`
/// gets the reason under its name (see GateOptions::no_baseline).
KeptRows read_baselines(std::span<const Gate> gates, std::map<std::string, std::string>& problems,
                        int rows_version = numerics_version);

/// The changes that BaselineWriter made in one file.
struct BaselineUpdate {
  std::string file;
  std::size_t added = 0;
  std::size_t unchanged = 0;
  std::size_t dropped = 0;           ///< kept rows of another version that the run lacks
  std::vector<std::string> changed;  ///< "-a ...: err_l2_rel 0.1 -> 0.2", one per case
};

/// Stores the rows that a gate selects, measured or skipped, in its baseline file: adds new cases,
/// replaces kept ones, and leaves the others. Times are not stored, since they never repeat.
/// Creates missing files. A file of another version keeps only the cases that the run measured
/// again. The rows of the files are in memory, the others of the run are not.
class BaselineWriter {
 public:
  /// Throws BaselineError if a file cannot be read, InputError if no gate names a baseline. `gates`
  /// must stay there.
  explicit BaselineWriter(std::span<const Gate> gates, int rows_version = numerics_version);
  ~BaselineWriter();
  BaselineWriter(BaselineWriter&&) noexcept;
  BaselineWriter& operator=(BaselineWriter&&) noexcept;

  void add(const Row& row);

  /// Once, after all rows. Throws InputError if a file cannot be written.
  std::vector<BaselineUpdate> finish();

 private:
  class File;
  std::vector<File> files_;
};

/// BaselineWriter on these rows.
std::vector<BaselineUpdate> update_baselines(std::span<const Gate> gates, std::span<const Row> rows,
                                             int rows_version = numerics_version);

}  // namespace fftprec::gates
