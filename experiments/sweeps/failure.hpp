/// Cases without a result: why, and as rows.
#pragma once

#include <string>

#include "experiments/rows/row.hpp"

namespace fftprec {

/// Why a case has no result.
struct Failure {
  Status status = Status::failed;
  std::string message{};
};

/// What the exception being handled says of its case: skipped, if it is NotApplicable.
Failure current_failure();

Row row_without_result(const Case& where, const Failure& failure);

}  // namespace fftprec
