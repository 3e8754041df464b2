/// The elementary functions over arrays with one instruction set, FFTPREC_ISA.
#include "arith/truth/loops/elementary.hpp"

#include "arith/support/isa.hpp"

namespace fftprec::truth {
namespace {

using Tag = isa::FFTPREC_ISA;

}  // namespace

template <>
void ElementaryTables<Tag>::sin_cos(const float* __restrict x, float* __restrict sin,
                                    float* __restrict cos, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const SinCos found = sin_cos_if_sure(x[i]);
    sin[i] = found.sin;
    cos[i] = found.cos;
  }
}

template <>
void ElementaryTables<Tag>::log(const float* __restrict x, float* __restrict log,
                                std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) log[i] = log_if_sure(x[i]);
}

template <>
void ElementaryTables<Tag>::exp(const float* __restrict x, float* __restrict exp,
                                std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) exp[i] = exp_if_sure(x[i]);
}

}  // namespace fftprec::truth
