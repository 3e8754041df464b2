/// Which order of operations gives the bits of a stage that the emulation does not have.
///
/// The stage is computed from the program's own data, node by node in the mode's format, in ways
/// that programs have: products fused into sums, sums in other orders, fewer bits. Only a way that
/// gives every bit of the stage is named.
#pragma once

#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "experiments/attribution/flow.hpp"
#include "experiments/cases/session.hpp"

namespace fftprec::attribution {

/// Data of a stage, of the whole batch.
struct StageBits {
  const ComplexArray<double>& before;    ///< the program's
  const ComplexArray<double>& after;     ///< the program's
  const ComplexArray<double>& emulated;  ///< computed from `before`
};

/// The way that gives all bits of `after`, as a sentence without a full stop; empty where none
/// does, or where the node by node computation does not give the emulation's bits either, as for
/// split products and wide fixed point.
std::string way_of_bits(const Resolved& resolved, const FlowRegion& region, const StageBits& bits);

}  // namespace fftprec::attribution
