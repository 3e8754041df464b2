/// The elementwise loops of one instruction set, FFTPREC_ISA: plain products for every storage
/// format and carrier, compensated products and sums, and which loops a scheme on a vector engine
/// takes.
#include "arith/kernels/elementwise.hpp"

#include "arith/kernels/tables.hpp"

namespace fftprec {

namespace {

using Tag = isa::FFTPREC_ISA;

template <class T>
constexpr ComplexKernels<typename Carrier<T>::type> plain() {
  return kernels_of<Tag, T, Loops<Tag, T, PlainProduct>>();
}

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
ComplexKernels<float> ElementTables<Tag>::stored(const Format& storage) {
  if (storage == fp32) return plain<float>();
  if (storage == bf16) return plain<Bf16>();
  if (storage == fp16) return plain<Fp16>();
  if (storage == tf32) return plain<Tf32>();
  if (storage == fp8_e4m3) return plain<Fp8E4m3>();
  if (storage == fp8_e4m3fn) return plain<Fp8E4m3fn>();
  if (storage == fp8_e5m2) return plain<Fp8E5m2>();
  return {};
}

template <>
ComplexKernels<double> KernelTables<Tag>::complex_double() {
  return plain<double>();
}

template <>
HostMatmul KernelTables<Tag>::host_matmul(bool fused) {
  return fused ? HostLoops<Tag, double, true>::matmul : HostLoops<Tag, double>::matmul;
}

template <>
ComplexKernels<FloatPair> KernelTables<Tag>::complex_pair() {
  return plain<FloatPair>();
}

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

template <>
ComplexKernels<float> KernelTables<Tag>::complex_float(const ElementScheme& scheme,
                                                       const VectorEngine& engine) {
  using Tables = ElementTables<Tag>;
  const bool plain = scheme.product == ProductScheme::plain;
  if (!plain && scheme.storage != fp32) return {};
  if (engine != VectorEngine{}) {
    const bool known = plain || scheme.product == ProductScheme::two_prod;
    return known && scheme.storage == fp32 ? Tables::on_engine(scheme.product, engine)
                                           : ComplexKernels<float>{};
  }
  if (plain) return Tables::stored(scheme.storage);
  const SplitSpec* words = scheme.product.words();
  return words ? Tables::split(*words) : Tables::compensated(scheme.product);
}

}  // namespace fftprec
