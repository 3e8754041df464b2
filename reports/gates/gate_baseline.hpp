/// The kept rows that baseline and hash gates compare with: CSV files under version control.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "arith/error.hpp"
#include "reports/gates/gate.hpp"

namespace fftprec {

/// A baseline that is missing or cannot be read as rows.
class BaselineError : public InputError {
 public:
  using InputError::InputError;
};

/// The kept rows of every baseline that the gates name. Throws BaselineError.
KeptRows read_baselines(std::span<const Gate> gates);

/// What update_baselines did to one file.
struct BaselineUpdate {
  std::string file;
  std::size_t added = 0;
  std::size_t unchanged = 0;
  std::vector<std::string> changed;  ///< "-a ...: err_l2_rel 0.1 -> 0.2", one per case
};

/// Puts the measured rows that a gate selects into its baseline file: new cases are added, kept
/// ones replaced, the others stay. Times are not kept, for they never repeat. A file that does not
/// exist is made. Throws BaselineError if one cannot be read, InputError if it cannot be written.
std::vector<BaselineUpdate> update_baselines(std::span<const Gate> gates,
                                             std::span<const Row> rows);

}  // namespace fftprec
