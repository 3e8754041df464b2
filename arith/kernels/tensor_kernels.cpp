/// The matmul loops of one instruction set, FFTPREC_ISA, behind the tables of kernels/tables.hpp.
#include "arith/accumulators/psum_loops.hpp"
#include "arith/kernels/matmul.hpp"
#include "arith/kernels/tables.hpp"

namespace fftprec {

using TensorTag = isa::FFTPREC_ISA;

template <>
void KernelTables<TensorTag>::choose_loops(TensorUnit& unit) {
  unit.loops = PsumLoops<TensorTag>::matmul;
}

template <>
HostMatmul KernelTables<TensorTag>::host_matmul() {
  using Model = Accumulator<ProductRounding::none, AccumulatorRounding::rne>;
  return TileLoops<TensorTag, double, Model, AcrossTiles::through>::matmul;
}

}  // namespace fftprec
