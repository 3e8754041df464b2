/// A case with its names looked up: what evaluation works on.
#pragma once

#include "arith/machines/machine.hpp"
#include "experiments/cases/case.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

struct Resolved {
  TransformEntry transform;
  AlgorithmEntry algorithm;
  ResolvedArithmetic arithmetic;
  SourceTables tables;
};

/// Throws InputError for an unknown name, listing the known ones.
Resolved resolve(const Case& where);

/// Why the case has no meaning, or an empty string.
std::string inapplicable(const Case& where, const Resolved& resolved);

/// The arithmetic by which a refinement takes its residual.
ResolvedArithmetic residual_arithmetic(const ResolvedArithmetic& arithmetic);

}  // namespace fftprec
