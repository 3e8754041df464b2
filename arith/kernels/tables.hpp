/// The exports of the inner loops for each instruction set: `Tag` is isa::baseline, isa::avx2 or
/// isa::avx512. The sources that fftprec_loops_per_isa compiles define the members.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/accumulators/tensor_unit.hpp"
#include "arith/formats/double_word.hpp"
#include "arith/formats/round.hpp"
#include "arith/formats/vector_engine.hpp"
#include "arith/kernels/complex_kernels.hpp"
#include "arith/kernels/fixed.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

template <class Tag>
struct KernelTables {
  /// All null if the scheme has no loop on this engine.
  static ComplexKernels<float> complex_float(const ElementScheme& scheme,
                                             const VectorEngine& engine);
  static ComplexKernels<double> complex_double();
  static ComplexKernels<FloatPair> complex_pair();
  static FixedKernels<float> fixed_float();
  static FixedKernels<double> fixed_double();
  static HostMatmul host_matmul(bool fused);
  /// TensorUnit::matmul.
  static void tensor_matmul(const TensorUnit& unit, const Matmul<float>& call);
};

template <class Real>
using RoundKernel = void (*)(const Real* in, Real* out, std::size_t size, const Format& format,
                             const StochasticRounding& random, std::uint64_t first_counter);

/// The array roundings of kernels/round_array.hpp.
template <class Tag>
struct RoundTables {
  /// The loop of a rounding; only that of sr reads `random` and `first_counter`. in == out is
  /// allowed, partial overlap is not.
  static RoundKernel<float> loop(Rounding rounding, float);
  static RoundKernel<double> loop(Rounding rounding, double);
};

}  // namespace fftprec
