/// Plain products of one instruction set, FFTPREC_ISA, for every storage format and carrier.
#include "arith/kernels/elementwise.hpp"
#include "arith/kernels/tables.hpp"

namespace fftprec {

namespace {

using Tag = isa::FFTPREC_ISA;

template <class T>
constexpr ComplexKernels<typename Carrier<T>::type> plain() {
  return kernels_of<Tag, T, Loops<Tag, T, PlainProduct>>();
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
HostMatmul KernelTables<Tag>::host_matmul() {
  return HostLoops<Tag, double>::matmul;
}

template <>
ComplexKernels<FloatPair> KernelTables<Tag>::complex_pair() {
  return plain<FloatPair>();
}

}  // namespace fftprec
