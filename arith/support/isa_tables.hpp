/// Chooses among the loops of the instruction sets of this build.
#pragma once

#include <stdexcept>
#include <string>

#include "arith/support/built_isas.hpp"  // from cmake/instruction_sets.cmake
#include "arith/support/isa.hpp"

namespace fftprec {

/// Calls use(Tables<Tag>{}) with the tag type of `isa`, one of available_isas().
template <template <class> class Tables, class Use>
auto with_tables([[maybe_unused]] Isa isa, Use use) {
#ifdef FFTPREC_BUILT_avx512
  if (isa == Isa::avx512) return use(Tables<isa::avx512>{});
#endif
#ifdef FFTPREC_BUILT_avx2
  if (isa == Isa::avx2) return use(Tables<isa::avx2>{});
#endif
#ifdef FFTPREC_BUILT_baseline
  if (isa == Isa::baseline) return use(Tables<isa::baseline>{});
#endif
  throw std::logic_error("this build has no loops for " + std::string(name_of(isa)));
}

}  // namespace fftprec
