/// Ids of many cases, in a fraction of the time of case_id where neighbours share their names.
#pragma once

#include <string>

#include "experiments/cases/case.hpp"

namespace fftprec {

class CaseIds {
 public:
  /// case_id, valid until the next call.
  const std::string& id_of(const SharedCase& where);

 private:
  SharedCase last_{};      ///< whose options are kept
  std::string before_{};   ///< options up to the number of the seed; empty: none are kept
  std::string after_{};    ///< options after it
  std::string command_{};  ///< these two are kept for their memory
  std::string id_{};
};

}  // namespace fftprec
