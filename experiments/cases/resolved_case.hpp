/// A case with its names looked up: what evaluation works on.
#pragma once

#include <tuple>

#include "arith/machine.hpp"
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

/// Everything that a plan depends on.
using PlanKey = std::tuple<std::string, std::string, std::string, std::string, std::string,
                           std::size_t, std::size_t>;
PlanKey plan_key(const Case& where, const std::string& transform, std::size_t batch);

}  // namespace fftprec
