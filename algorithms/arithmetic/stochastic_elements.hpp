/// Elementwise operations whose results are rounded stochastically on store.
#pragma once

#include "arith/formats/complex.hpp"
#include "arith/formats/round.hpp"
#include "arith/formats/views.hpp"
#include "arith/machines/machine.hpp"

namespace fftprec {

/// What ComplexKernels does, for data in a format narrower than fp32 on a machine whose casts are
/// stochastic. Every operation is one of fp32, rounded to nearest, and then stored with random
/// bits that depend on the machine's seed, on `step` (one per call) and on the place of the element
/// and operation alone: the same in any order.
class StochasticElements {
 public:
  StochasticElements(const Machine& machine, const Format& storage)
      : storage_(storage), random_{machine.stochastic_bits, machine.stochastic_seed, 0} {}

  void multiply(View<float> x, FactorView<float> w, std::uint64_t step) const;
  void butterfly(View<float> top, View<float> bottom, FactorView<float> w,
                 std::uint64_t step) const;
  void butterfly_dif(View<float> top, View<float> bottom, FactorView<float> w,
                     std::uint64_t step) const;
  void multiply_accumulate(View<float> sum, View<float> x, FactorView<float> w,
                           std::uint64_t step) const;
  void accumulate_columns(View<float> sum, FactorView<float> w, View<float> x,
                          std::uint64_t step) const;
  void add(View<float> out, View<const float> a, View<const float> b, std::uint64_t step) const;
  void sum_difference(View<float> top, View<float> bottom, std::uint64_t step) const;
  void sum_difference_rotated(View<float> top, View<float> bottom, std::uint64_t step) const;
  void rotate_eighth(View<float> x, bool conjugate, std::uint64_t step) const;
  void scale(View<float> x, float factor, std::uint64_t step) const;

 private:
  /// The roundings of one element, in turn.
  class Rounder;
  template <class Body>
  void each(View<float> x, std::uint64_t step, std::size_t operations, Body body) const;

  Format storage_;
  StochasticRounding random_;
};

}  // namespace fftprec
