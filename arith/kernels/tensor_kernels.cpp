/// The matmul of a tensor engine for one instruction set, FFTPREC_ISA.
#include "arith/kernels/tables.hpp"
#include "arith/kernels/tensor_loops.hpp"

namespace fftprec {

using TensorTag = isa::FFTPREC_ISA;

template <>
void KernelTables<TensorTag>::tensor_matmul(const TensorUnit& unit, const Matmul<float>& call) {
  PsumLoops<TensorTag>::matmul(unit, call);
}

}  // namespace fftprec
