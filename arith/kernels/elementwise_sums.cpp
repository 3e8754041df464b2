/// Compensated products and sums of one instruction set, FFTPREC_ISA.
#include "arith/kernels/elementwise.hpp"

namespace fftprec {

namespace {

using Tag = isa::FFTPREC_ISA;

/// `loops` with its sums over k formed by another scheme.
template <class Sum>
constexpr ComplexKernels<float> with_sums(ComplexKernels<float> loops) {
  using Sums = CompensatedLoops<Tag, float, Sum>;
  loops.multiply_accumulate = Sums::multiply_accumulate;
  loops.accumulate_columns = Sums::accumulate_columns;
  return loops;
}

template <class Product>
constexpr ComplexKernels<float> blocked() {
  return kernels_of<Tag, float, BlockedLoops<Tag, float, Product>>();
}

}  // namespace

template <>
ComplexKernels<float> ElementTables<Tag>::compensated(ProductScheme product) {
  switch (product) {
    case ProductScheme::two_prod:
      return kernels_of<Tag, float, Loops<Tag, float, TwoProdProduct>>();
    case ProductScheme::rounded_once:
      return blocked<RoundedOnceProduct>();
    case ProductScheme::dot2:
      return with_sums<Dot2Sum>(blocked<Dot2Product>());
    case ProductScheme::kahan_sum:
      return with_sums<KahanSum>(stored(fp32));
    case ProductScheme::neumaier:
      return with_sums<NeumaierSum>(stored(fp32));
    default:
      return {};
  }
}

}  // namespace fftprec
