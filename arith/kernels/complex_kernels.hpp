/// Tables of elementwise loops over complex data, and their schemes.
#pragma once

#include <cassert>
#include <variant>

#include "arith/formats/format.hpp"
#include "arith/formats/views.hpp"
#include "arith/splitting/split.hpp"

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
    neumaier,      ///< PlainProduct; sums of products by Neumaier's summation
    split,         ///< SplitProduct<spec>
  };

  /// Requires: not split, which is made from its words.
  constexpr ProductScheme(Kind kind = plain) : of_(kind) { assert(kind != split); }  // NOLINT
  constexpr explicit ProductScheme(const SplitSpec& words) : of_(words) {}

  constexpr operator Kind() const {  // NOLINT: schemes are switched on
    return words() ? split : *std::get_if<Kind>(&of_);
  }
  /// The words of split products; null for other schemes.
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

}  // namespace fftprec
