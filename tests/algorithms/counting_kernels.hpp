/// The inner loops with every operation counted: a MachineArithmetic made with them does what it
/// always does, and tells how much.
#pragma once

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "arith/formats/double_word.hpp"
#include "arith/kernels/loops.hpp"
#include "tests/support/counting.hpp"

namespace fftprec::testing {

struct CountingTag;

/// The operations counted by Counting<T>, which has one set of counters per T.
inline OperationCounts counted() {
  const OperationCounts a = Counting<float>::counts, b = Counting<Bf16>::counts,
                        c = Counting<double>::counts;
  return {a.multiplications + b.multiplications + c.multiplications,
          a.additions + b.additions + c.additions, a.conversions + b.conversions + c.conversions};
}

inline void reset_counts() {
  Counting<float>::counts = {};
  Counting<Bf16>::counts = {};
  Counting<double>::counts = {};
}

template <class T, class Scheme>
auto kernels_around() {
  using Element = ElementLoops<CountingTag, T>;
  return ComplexKernels<typename Carrier<T>::type>{
      .multiply = Scheme::multiply,
      .butterfly = Scheme::butterfly,
      .butterfly_dif = Scheme::butterfly_dif,
      .multiply_accumulate = Scheme::multiply_accumulate,
      .accumulate_columns = Scheme::accumulate_columns,
      .add = Element::add,
      .subtract = Element::subtract,
      .sum_difference = Element::sum_difference,
      .sum_difference_rotated = Element::sum_difference_rotated,
      .rotate_eighth = Element::rotate_eighth,
      .scale = Element::scale,
      .fused = Element::fused};
}

template <class T, class Product>
auto product_kernels() {
  return kernels_around<T, Loops<CountingTag, T, Product>>();
}

template <class Sum, class Product>
ComplexKernels<float> sum_kernels() {
  using Sums = CompensatedLoops<CountingTag, Counting<float>, Sum>;
  ComplexKernels<float> loops = product_kernels<Counting<float>, Product>();
  loops.multiply_accumulate = Sums::multiply_accumulate;
  loops.accumulate_columns = Sums::accumulate_columns;
  return loops;
}

/// The loops of one of the splits; others have none here.
template <std::size_t i = 0>
ComplexKernels<float> split_kernels(const SplitSpec& wanted) {
  constexpr SplitSpec counted_splits[] = {ozaki_split, ozaki_hq_split, residual_split(bf16, 3, 6),
                                          residual_split(fp16, 2, 3, 11)};
  if constexpr (i == std::size(counted_splits)) {
    return {};
  } else {
    constexpr SplitSpec spec = counted_splits[i];
    return wanted == spec ? product_kernels<Counting<float>, SplitProduct<spec>>()
                          : split_kernels<i + 1>(wanted);
  }
}

inline ComplexKernels<float> float_kernels(const ElementScheme& scheme) {
  using T = Counting<float>;
  switch (scheme.product) {
    case ProductScheme::two_prod:
      return product_kernels<T, TwoProdProduct>();
    case ProductScheme::rounded_once:
      return product_kernels<T, RoundedOnceProduct>();
    case ProductScheme::dot2:
      return sum_kernels<Dot2Sum, Dot2Product>();
    case ProductScheme::kahan_sum:
      return sum_kernels<KahanSum, PlainProduct>();
    case ProductScheme::neumaier:
      return sum_kernels<NeumaierSum, PlainProduct>();
    case ProductScheme::split:
      return split_kernels(*scheme.product.words());
    case ProductScheme::plain:
      break;
  }
  // Whatever the narrow format, the operations are the same.
  return scheme.storage == fp32 ? product_kernels<T, PlainProduct>()
                                : product_kernels<Counting<Bf16>, PlainProduct>();
}

/// A matmul that only counts: its products and sums, the sum into a PSUM that holds something, the
/// roundings of products.
inline void count_matmul(const TensorUnit& unit, const Matmul<float>& call) {
  OperationCounts& counts = Counting<float>::counts;
  const std::uint64_t elements = call.m * call.n;
  const bool joins = call.accumulate && unit.across_tiles == AcrossTiles::tile_then_add;
  const ProductModel& product = unit.model.product;
  const bool rounds =
      !product.exact && 2 * unit.model.operands.precision > product.format.precision;
  counts.multiplications += elements * call.k;
  counts.additions += elements * (call.k + (joins ? 1 : 0));
  counts.conversions += rounds ? elements * call.k : 0;
  for (std::size_t i = 0; i < call.m; ++i)
    for (std::size_t j = 0; j < call.n; ++j) call.psum[i * call.psum_stride + j] = 1;
}

template <class Real>
KernelSet<Real> counting_kernels(const ArithmeticSpec& arithmetic) {
  KernelSet<Real> set{};
  if constexpr (std::is_same_v<Real, float>) {
    set.scheme = float_kernels(element_scheme(arithmetic));
    set.wide = product_kernels<Counting<float>, PlainProduct>();
  } else if constexpr (std::is_same_v<Real, double>) {
    set.scheme = set.wide = product_kernels<Counting<double>, PlainProduct>();
  } else if constexpr (std::is_same_v<Real, FloatPair>) {
    set.scheme = set.wide = product_kernels<DoubleWord<Counting<float>>, PlainProduct>();
  }
  set.host = HostLoops<CountingTag, Counting<double>>::matmul;
  const GemmScheme& gemm = arithmetic.matrices();
  if (gemm.engine() == Engine::tensor) {
    set.tensor = tensor_unit(arithmetic.machine(), gemm.operands(), Isa::baseline);
    set.tensor.loops = count_matmul;
  }
  return set;
}

}  // namespace fftprec::testing
