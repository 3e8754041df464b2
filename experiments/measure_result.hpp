/// The error of somebody else's result, by the same truths and metrics as that of a case.
#pragma once

#include <cstdint>
#include <string>

#include "arith/format.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/row.hpp"
#include "experiments/samples.hpp"

namespace fftprec {

/// Copies the measures into the columns of a row.
void set_errors(Row& row, const truth::Errors& errors);

/// What a program was given and what it gave.
struct ForeignResult {
  std::string transform = "fft";  ///< with its keys, as in a case
  std::uint64_t n = 0;            ///< 0: the last axis of the input
  Format format = fp32;           ///< whose steps the ulp columns count
  Samples input;                  ///< the operands of all items, one item after the other
  Samples output;                 ///< the results likewise, as the transform orders them
};

/// A row with the case's transform, n and batch, the measures, truth_bits and truth_tier; nothing
/// else is known of a foreign result. The batch follows from the size of the input.
/// Throws InputError for an unknown transform, sizes that do not go together (saying which would),
/// and as the truth of the transform does.
Row measure_result(const ForeignResult& result, const truth::TruthOptions& options = {});

}  // namespace fftprec
