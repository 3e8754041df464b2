/// What each instruction set's compilation of the inner loops exports.
#pragma once

#include "arith/kernels/dispatch.hpp"
#include "arith/machines/tensor_unit.hpp"

namespace fftprec {

/// Defined for isa::baseline, isa::avx2 and isa::avx512 by three compilations of kernels.cpp.
template <class Tag>
struct KernelTables {
  /// All null where the scheme has no loop on that engine.
  static ComplexKernels<float> complex_float(const ElementScheme& scheme,
                                             const VectorEngine& engine);
  static ComplexKernels<double> complex_double();
  static ComplexKernels<FloatPair> complex_pair();
  static HostMatmul host_matmul();
  /// The loops of a TensorUnit with that model.
  static void choose_loops(TensorUnit& unit);
};

}  // namespace fftprec
