/// The loops of fixed point of one instruction set, FFTPREC_ISA.
#include "arith/kernels/fixed_loops.hpp"

namespace fftprec {

namespace {

template <class Real>
constexpr FixedKernels<Real> kernels() {
  using Loops = FixedLoops<isa::FFTPREC_ISA, Real>;
  return {.multiply = Loops::multiply,
          .butterfly = Loops::butterfly,
          .butterfly_dif = Loops::butterfly_dif,
          .accumulate = Loops::accumulate,
          .accumulate_columns = Loops::accumulate_columns,
          .add = Loops::add,
          .sum_difference = Loops::sum_difference,
          .sum_difference_rotated = Loops::sum_difference_rotated,
          .rotate_eighth = Loops::rotate_eighth,
          .scale = Loops::scale};
}

}  // namespace

template <>
FixedKernels<float> KernelTables<isa::FFTPREC_ISA>::fixed_float() {
  return kernels<float>();
}

template <>
FixedKernels<double> KernelTables<isa::FFTPREC_ISA>::fixed_double() {
  return kernels<double>();
}

}  // namespace fftprec
