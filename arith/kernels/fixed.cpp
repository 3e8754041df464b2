/// The loops of fixed point of one instruction set, FFTPREC_ISA.
#include "arith/kernels/fixed_loops.hpp"

namespace fftprec {

template <>
FixedKernels<float> KernelTables<isa::FFTPREC_ISA>::fixed_float() {
  return fixed_kernels_of<float, FixedLoops<isa::FFTPREC_ISA, float>>();
}

template <>
FixedKernels<double> KernelTables<isa::FFTPREC_ISA>::fixed_double() {
  return fixed_kernels_of<double, FixedLoops<isa::FFTPREC_ISA, double>>();
}

}  // namespace fftprec
