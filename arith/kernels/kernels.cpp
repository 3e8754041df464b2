/// Which elementwise loops of one instruction set, FFTPREC_ISA, a scheme on a vector engine takes.
#include "arith/kernels/elementwise.hpp"
#include "arith/kernels/tables.hpp"

namespace fftprec {

namespace {

using Tag = isa::FFTPREC_ISA;

}  // namespace

template <>
ComplexKernels<float> KernelTables<Tag>::complex_float(const ElementScheme& scheme,
                                                       const VectorEngine& engine) {
  using Tables = ElementTables<Tag>;
  const bool plain = scheme.product == ProductScheme::plain;
  if (!plain && scheme.storage != fp32) return {};
  if (engine != VectorEngine{}) {
    const bool known = plain || scheme.product == ProductScheme::two_prod;
    return known && scheme.storage == fp32 ? Tables::on_engine(scheme.product, engine)
                                           : ComplexKernels<float>{};
  }
  if (plain) return Tables::stored(scheme.storage);
  return scheme.product == ProductScheme::split ? Tables::split(scheme.split)
                                                : Tables::compensated(scheme.product);
}

}  // namespace fftprec
