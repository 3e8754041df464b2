/// The inner loops that an arithmetic calls, chosen once.
#pragma once

#include "algorithms/arithmetic/modes.hpp"
#include "arith/accumulators/tensor_unit.hpp"

namespace fftprec {

/// The inner loops that an arithmetic calls.
template <class Real>
struct KernelSet {
  ComplexKernels<Real> scheme;  ///< in the mode's storage format and product scheme
  ComplexKernels<Real> wide;    ///< in the carrier's own format: sums of terms, residuals
  TensorUnit tensor{};          ///< one real matmul into PSUM
  HostMatmul host = nullptr;    ///< the same in fp64
  /// Why the machine multiplies no matrices in this mode, or an empty string: algorithms that need
  /// none run all the same.
  std::string no_matrices{};
  std::string no_elements{};  ///< the same of elementwise operations
  Isa isa = Isa::baseline;    ///< for the loops that round arrays beside these
};

/// The loops of `mode` on `machine`, compiled for `isa`.
template <class Real>
KernelSet<Real> kernel_set(const Mode& mode, const Machine& machine, Isa isa);

}  // namespace fftprec
