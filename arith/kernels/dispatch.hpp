/// The inner loops by run-time choice: a scheme, a machine's roundings and an instruction set.
#pragma once

#include <type_traits>

#include "arith/isa.hpp"
#include "arith/kernels/views.hpp"
#include "arith/machine.hpp"

namespace fftprec {

/// How a vector engine forms the complex product of a table entry and a value.
enum class ProductScheme {
  plain,         ///< PlainProduct in the carrier's own precision
  rounded_bf16,  ///< PlainProduct with every operation rounded to bf16
  two_prod,      ///< TwoProdProduct
  split3,        ///< SplitProduct<SplitThree, ...>
  split6,        ///< SplitProduct<SplitSix, ...>
};

/// Loops over complex views; see kernels/loops.hpp for what each computes.
template <class Real>
struct ComplexKernels {
  void (*multiply)(View<Real> x, FactorView<Real> w);
  void (*butterfly)(View<Real> top, View<Real> bottom, FactorView<Real> w);
  void (*butterfly_dif)(View<Real> top, View<Real> bottom, FactorView<Real> w);
  void (*multiply_accumulate)(View<Real> sum, View<Real> x, FactorView<Real> w);
  void (*accumulate_columns)(View<Real> sum, FactorView<Real> w, View<Real> x);
  void (*add)(View<Real> out, View<const Real> a, View<const Real> b);
  void (*subtract)(View<Real> out, View<const Real> a, View<const Real> b);
  void (*sum_difference)(View<Real> top, View<Real> bottom);
  void (*sum_difference_rotated)(View<Real> top, View<Real> bottom);
  void (*rotate_eighth)(View<Real> x, bool conjugate);
  void (*scale)(View<Real> x, Real factor);
};

/// The loops of a scheme. `machine` decides how the split schemes accumulate; Real is float for
/// every scheme, double for `plain` alone.
template <class Real>
ComplexKernels<Real> complex_kernels(ProductScheme scheme, const Machine& machine, Isa isa);

/// One real matmul into a PSUM tile: see kernels/matmul.hpp.
template <class Real>
using MatmulKernel = void (*)(const Matmul<Real>&);

/// The loop with the machine's product rounding, accumulator rounding and way across tiles. The
/// product rounding is that of 16-bit operands: for fp32 operands pass `wide_operands`.
template <class Real>
MatmulKernel<Real> matmul_kernel(const Machine& machine, bool wide_operands, Isa isa);

}  // namespace fftprec
