/// What each instruction set's compilation of the inner loops exports.
#pragma once

#include "arith/kernels/dispatch.hpp"

namespace fftprec {

/// Defined for isa::baseline, isa::avx2 and isa::avx512 by three compilations of kernels.cpp.
template <class Tag>
struct KernelTables {
  static ComplexKernels<float> complex_float(ProductScheme scheme, ProductRounding product,
                                             AccumulatorRounding accumulator);
  static ComplexKernels<double> complex_double();
  static MatmulKernel<float> matmul_float(ProductRounding product, AccumulatorRounding accumulator,
                                          AcrossTiles across);
  static MatmulKernel<double> matmul_double();
};

}  // namespace fftprec
