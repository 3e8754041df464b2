/// A case with its names looked up: what evaluation works on.
#pragma once

#include "arith/machines/machine.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/transforms/transform_entry.hpp"

namespace fftprec {

struct Resolved {
  TransformEntry transform;
  AlgorithmEntry algorithm;
  Mode mode;
  Machine machine;
  SourceTables tables;
};

/// Throws InputError for an unknown name, listing the known ones.
Resolved resolve(const Case& where);

/// Why the case has no meaning, or an empty string.
std::string inapplicable(const Case& where, const Resolved& resolved);

/// The mode by whose arithmetic a refinement takes its residual.
std::string residual_mode(const Mode& mode);

}  // namespace fftprec
