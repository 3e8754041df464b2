/// The kept rows that baseline and hash gates compare with: CSV files under version control.
///
/// Their first line says which numbers they hold: `# numerics_version = 3`. Rows of different
/// versions have different bits, so they cannot be compared; a file without the line, made by hand,
/// is taken as it stands.
#pragma once

#include <map>
#include <optional>
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

/// The kept rows of every baseline that the gates name, to be compared with rows of
/// `rows_version`. Where a file is missing, is no table of rows, has two rows of one case, or has
/// another version, `problems` says so, by its name: see GateOptions::no_baseline.
KeptRows read_baselines(std::span<const Gate> gates, std::map<std::string, std::string>& problems,
                        int rows_version = numerics_version);

/// What update_baselines did to one file.
struct BaselineUpdate {
  std::string file;
  std::size_t added = 0;
  std::size_t unchanged = 0;
  std::size_t dropped = 0;           ///< kept rows of another version that the run lacks
  std::vector<std::string> changed;  ///< "-a ...: err_l2_rel 0.1 -> 0.2", one per case
};

/// Puts the rows that a gate selects, measured or skipped, into its baseline file: new cases are
/// added, kept ones replaced, the others stay. Times are not kept, for they never repeat. A file
/// that does not exist is made; of one with another version only what the run measured again stays.
/// Throws BaselineError if one cannot be read, InputError if it cannot be written or if no gate
/// names a baseline.
std::vector<BaselineUpdate> update_baselines(std::span<const Gate> gates, std::span<const Row> rows,
                                             int rows_version = numerics_version);

}  // namespace fftprec::gates
