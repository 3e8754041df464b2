#include "algorithms/arithmetic/kernel_set.hpp"

#include "arith/formats/double_word.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

template <class Real>
KernelSet<Real> kernel_set(const Mode& mode, const Machine& machine, Isa isa) {
  KernelSet<Real> set{};
  set.isa = isa;
  const auto kernels = [&](const ElementScheme& scheme) {
    try {
      return complex_kernels<Real>(scheme, machine.vector, isa);
    } catch (const NotApplicable& reason) {
      throw NotApplicable(std::string(reason.what()) + " (machine " + machine.name + ")");
    }
  };
  set.wide = kernels(wide_scheme(mode));
  try {
    set.scheme = kernels(element_scheme(mode));
  } catch (const NotApplicable& reason) {
    set.no_elements = reason.what();
  }
  try {
    const GemmScheme gemm = gemm_scheme(mode, machine);
    if (gemm.engine == Engine::tensor) set.tensor = tensor_unit(machine, gemm.accumulate, isa);
    if (gemm.engine == Engine::host) set.host = host_matmul(isa);
  } catch (const NotApplicable& reason) {
    set.no_matrices = reason.what();
  }
  return set;
}

template KernelSet<float> kernel_set(const Mode&, const Machine&, Isa);
template KernelSet<double> kernel_set(const Mode&, const Machine&, Isa);
template KernelSet<FloatPair> kernel_set(const Mode&, const Machine&, Isa);

}  // namespace fftprec
