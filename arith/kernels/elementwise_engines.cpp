/// Plain and two_prod products of one instruction set, FFTPREC_ISA, on vector engines that round
/// otherwise than IEEE fp32 does.
#include "arith/formats/vector_engine.hpp"
#include "arith/kernels/elementwise.hpp"

namespace fftprec {

namespace {

using Tag = isa::FFTPREC_ISA;

/// The engines that have loops, beside the default one.
inline constexpr VectorEngine engines[] = {
    {.sum_rounding = Rounding::rz},
    {.product_bits = 21},
    {.product_bits = 21, .sum_rounding = Rounding::rz},
    {.product_bits = 21, .product_rounding = Rounding::rz},
    {.product_bits = 21, .product_rounding = Rounding::rz, .sum_rounding = Rounding::rz},
    {.product_bits = 20},
    {.product_bits = 20, .sum_rounding = Rounding::rz},
    {.product_bits = 20, .product_rounding = Rounding::rz},
    {.product_bits = 20, .product_rounding = Rounding::rz, .sum_rounding = Rounding::rz},
    {.flush = true},
    {.fused = true},
    {.fused = true, .flush = true},
};

template <VectorEngine engine, class Product>
constexpr ComplexKernels<float> blocked() {
  using T = EngineFloat<engine>;
  return kernels_of<Tag, T, BlockedLoops<Tag, T, Product>>();
}

template <std::size_t i = 0>
ComplexKernels<float> engine_kernels(ProductScheme product, const VectorEngine& wanted) {
  if constexpr (i == std::size(engines)) {
    return {};
  } else {
    constexpr VectorEngine engine = engines[i];
    if (wanted != engine) return engine_kernels<i + 1>(product, wanted);
    if constexpr (engine.fused)
      return product == ProductScheme::plain ? blocked<engine, FusedProduct>()
                                             : ComplexKernels<float>{};
    else
      return product == ProductScheme::plain ? blocked<engine, PlainProduct>()
                                             : blocked<engine, TwoProdProduct>();
  }
}

}  // namespace

template <>
ComplexKernels<float> ElementTables<Tag>::on_engine(ProductScheme product,
                                                    const VectorEngine& engine) {
  return engine_kernels(product, engine);
}

}  // namespace fftprec
