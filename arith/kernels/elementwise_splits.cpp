/// Split products of one instruction set, FFTPREC_ISA.
#include <iterator>

#include "arith/kernels/elementwise.hpp"

namespace fftprec {

namespace {

using Tag = isa::FFTPREC_ISA;

/// The loops of splits[i] for the i at which `wanted` stands.
template <std::size_t i = 0>
ComplexKernels<float> split_kernels(const SplitSpec& wanted) {
  if constexpr (i == std::size(splits))
    return {};
  else
    return wanted == splits[i]
               ? kernels_of<Tag, float, BlockedLoops<Tag, float, SplitProduct<splits[i]>>>()
               : split_kernels<i + 1>(wanted);
}

}  // namespace

template <>
ComplexKernels<float> ElementTables<Tag>::split(const SplitSpec& spec) {
  return split_kernels(spec);
}

}  // namespace fftprec
