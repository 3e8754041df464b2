/// The inner loops by run-time choice: a scheme, a vector engine and an instruction set.
#pragma once

#include <cassert>
#include <variant>

#include "arith/accumulators/tensor_unit.hpp"
#include "arith/formats/double_word.hpp"
#include "arith/formats/format.hpp"
#include "arith/formats/vector_engine.hpp"
#include "arith/formats/views.hpp"
#include "arith/splitting/split.hpp"
#include "arith/support/isa.hpp"

namespace fftprec {

/// How a vector engine forms complex products of a table entry and a value, and sums of them.
class ProductScheme {
 public:
  enum Kind {
    plain,         ///< PlainProduct, every operation rounded to the storage format
    two_prod,      ///< TwoProdProduct
    rounded_once,  ///< RoundedOnceProduct: each part correctly rounded
    dot2,          ///< Dot2Product, and sums of products by Dot2
    kahan_sum,     ///< PlainProduct; sums of products by Kahan's compensated summation
    neumaier,      ///< PlainProduct; sums of products by Neumaier's
    split,         ///< SplitProduct<spec>
  };

  /// Requires: not split, which has words.
  constexpr ProductScheme(Kind kind = plain) : of_(kind) { assert(kind != split); }  // NOLINT
  constexpr explicit ProductScheme(const SplitSpec& words) : of_(words) {}

  constexpr operator Kind() const {  // NOLINT: schemes are switched on
    return words() ? split : *std::get_if<Kind>(&of_);
  }
  /// Of split products, else null.
  constexpr const SplitSpec* words() const { return std::get_if<SplitSpec>(&of_); }

 private:
  std::variant<Kind, SplitSpec> of_;
};

/// The arithmetic of a mode's elementwise loops.
struct ElementScheme {
  ProductScheme product{};
  Format storage = fp32;  ///< of data between operations
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
  void (*fused)(View<Real> x, View<Real> a, FactorView<Real> w);  ///< null: the engine has none
};

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

/// One fp64 matmul, by products and sums or by FMAs: HostLoops of kernels/loops.hpp.
using HostMatmul = void (*)(const Matmul<double>&);
HostMatmul host_matmul(bool fused, Isa isa);

/// The loop of TensorUnit::matmul: kernels/tensor_loops.hpp.
TensorLoops tensor_loops(Isa isa);

}  // namespace fftprec
