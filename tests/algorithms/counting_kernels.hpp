/// The inner loops with every operation counted: a MachineArithmetic made with them does what it
/// always does, and tells how much.
#pragma once

#include "algorithms/machine_arithmetic.hpp"
#include "arith/counting.hpp"
#include "arith/kernels/loops.hpp"
#include "arith/kernels/matmul.hpp"

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

template <class T, class Product>
auto complex_kernels() {
  using Scheme = Loops<CountingTag, Counting<T>, Product>;
  using Element = ElementLoops<CountingTag, Counting<T>>;
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
      .scale = Element::scale};
}

template <class Model>
KernelSet<float> float_kernels(const Mode& mode, const Machine& machine) {
  KernelSet<float> set{};
  set.wide = complex_kernels<float, PlainProduct>();
  set.scheme = set.wide;
  if (mode.product == ProductScheme::rounded_bf16)
    set.scheme = complex_kernels<Bf16, PlainProduct>();
  if (mode.product == ProductScheme::two_prod)
    set.scheme = complex_kernels<float, TwoProdProduct>();
  if (mode.product == ProductScheme::split3)
    set.scheme = complex_kernels<float, SplitProduct<SplitThree, Model>>();
  if (mode.product == ProductScheme::split6)
    set.scheme = complex_kernels<float, SplitProduct<SplitSix, Model>>();
  using Plain = Accumulator<ProductRounding::none, AccumulatorRounding::rne>;
  const bool wide = gemm_scheme(mode, machine).wide_operands;
  using T = Counting<float>;
  if (machine.across_tiles == AcrossTiles::through)
    set.matmul = TileLoops<CountingTag, T, Plain, AcrossTiles::through>::matmul;
  else
    set.matmul = wide ? TileLoops<CountingTag, T, Plain, AcrossTiles::tile_then_add>::matmul
                      : TileLoops<CountingTag, T, Model, AcrossTiles::tile_then_add>::matmul;
  return set;
}

inline KernelSet<float> float_kernels(const Mode& mode, const Machine& machine) {
  using enum ProductRounding;
  constexpr auto rne = AccumulatorRounding::rne;
  if (machine.product == bf16_rne) return float_kernels<Accumulator<bf16_rne, rne>>(mode, machine);
  if (machine.accumulator == rne) return float_kernels<Accumulator<none, rne>>(mode, machine);
  return float_kernels<Accumulator<none, AccumulatorRounding::rz>>(mode, machine);
}

inline KernelSet<double> double_kernels() {
  using Plain = Accumulator<ProductRounding::none, AccumulatorRounding::rne>;
  const auto complex = complex_kernels<double, PlainProduct>();
  return {complex, complex,
          TileLoops<CountingTag, Counting<double>, Plain, AcrossTiles::through>::matmul};
}

template <class Real>
KernelSet<Real> counting_kernels(const Mode& mode, const Machine& machine) {
  if constexpr (std::is_same_v<Real, double>)
    return double_kernels();
  else
    return float_kernels(mode, machine);
}

}  // namespace fftprec::testing
