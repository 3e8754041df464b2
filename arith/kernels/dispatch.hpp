/// Chooses inner loops at run time, by scheme, vector engine and instruction set.
#pragma once

#include "arith/accumulators/tensor_unit.hpp"
#include "arith/formats/double_word.hpp"
#include "arith/formats/vector_engine.hpp"
#include "arith/kernels/complex_kernels.hpp"
#include "arith/kernels/fixed.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// The loops of a scheme on a vector engine. Real is float for every scheme; double (fp64, on the
/// host) and FloatPair (double words of fp32) have only `plain`.
/// Storage other than fp32 is for plain products: bf16, fp16, tf32, fp8_e4m3, fp8_e4m3fn, fp8_e5m2.
/// Engines other than the default one have plain and two_prod on fp32 data: product_bits 24, 21 or
/// 20 with either rounding of sums and, of fewer than 24 bits, of products; flush; and fused, with
/// or without flush, plain products alone. Throws NotApplicable, with the reason, for a scheme that
/// is not modelled on that vector engine.
template <class Real>
ComplexKernels<Real> complex_kernels(const ElementScheme& scheme, const VectorEngine& engine,
                                     Isa isa);

/// The loops of fixed point on float or double.
template <class Real>
FixedKernels<Real> fixed_kernels(Isa isa);

/// HostLoops of kernels/loops.hpp, by products and sums or by FMAs.
HostMatmul host_matmul(bool fused, Isa isa);

/// The loop of TensorUnit::matmul: kernels/tensor_loops.hpp.
TensorLoops tensor_loops(Isa isa);

}  // namespace fftprec
