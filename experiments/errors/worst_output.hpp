/// Where a result is worst.
#pragma once

#include <cstddef>

#include "arith/truth/truth.hpp"
#include "experiments/cases/case_output.hpp"

namespace fftprec {

/// One output element and what it should be.
struct WorstOutput {
  std::size_t item;   ///< of the batch
  std::size_t index;  ///< in the item
  double re;          ///< as computed, rounded to double
  double im;
  double true_re;  ///< the true value, rounded to double
  double true_im;
  double error_re;  ///< computed less true value
  double error_im;
  double rel_to_largest;  ///< |error| / max|t|: of the element that decides it, err_linf_rel
  double part_rel;        ///< the larger relative error of its two parts
  double ulp;             ///< the larger error of its two parts, in steps of the result's format
};

/// The element with the largest |error|, and the one with the largest relative error of a part, as
/// worst_element finds them. Errors are (y - hi) - lo, relative error 2^-52. Requires: sizes that
/// agree, at least one element.
struct WorstOutputs {
  WorstOutput by_magnitude;
  WorstOutput by_part;
};
WorstOutputs worst_outputs(const Output& output, const truth::Truth& truth, const Format& format);

}  // namespace fftprec
