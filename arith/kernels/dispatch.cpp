#include "arith/kernels/dispatch.hpp"

#include "arith/error.hpp"
#include "arith/kernels/tables.hpp"

namespace fftprec {

namespace {

/// Calls choose(KernelTables<Tag>{}) for the tag of `isa`.
template <class Choose>
auto with_tables(Isa isa, Choose choose) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return choose(KernelTables<isa::avx512>{});
  if (isa == Isa::avx2) return choose(KernelTables<isa::avx2>{});
#endif
  return choose(KernelTables<isa::baseline>{});
}

}  // namespace

template <>
ComplexKernels<float> complex_kernels<float>(ProductScheme scheme, const Machine& machine,
                                             Isa isa) {
  return with_tables(isa, [&](auto tables) {
    return tables.complex_float(scheme, machine.product, machine.accumulator);
  });
}

template <>
ComplexKernels<double> complex_kernels<double>(ProductScheme scheme, const Machine&, Isa isa) {
  require(scheme == ProductScheme::plain, "complex_kernels: fp64 has the plain product only");
  return with_tables(isa, [](auto tables) { return tables.complex_double(); });
}

template <>
MatmulKernel<float> matmul_kernel<float>(const Machine& machine, bool wide_operands, Isa isa) {
  const ProductRounding product = wide_operands ? ProductRounding::none : machine.product;
  return with_tables(isa, [&](auto tables) {
    return tables.matmul_float(product, machine.accumulator, machine.across_tiles);
  });
}

template <>
MatmulKernel<double> matmul_kernel<double>(const Machine&, bool, Isa isa) {
  return with_tables(isa, [](auto tables) { return tables.matmul_double(); });
}

}  // namespace fftprec
