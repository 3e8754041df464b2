#include "arith/support/isa.hpp"

#include <stdexcept>
#include <string>

#include "arith/support/built_isas.hpp"  // from cmake/instruction_sets.cmake
#include "arith/support/error.hpp"

namespace fftprec {

const std::vector<Isa>& available_isas() {
  static const std::vector<Isa> isas = [] {
    std::vector<Isa> found;
#ifdef FFTPREC_BUILT_baseline
    found.push_back(Isa::baseline);
#endif
#ifdef FFTPREC_BUILT_avx2
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) found.push_back(Isa::avx2);
#endif
#ifdef FFTPREC_BUILT_avx512
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw"))
      found.push_back(Isa::avx512);
#endif
    if (found.empty())
      throw std::runtime_error(
          "fftprec was built for instruction sets that this processor lacks: build it here, or "
          "with -DFFTPREC_INSTRUCTION_SETS=all");
    return found;
  }();
  return isas;
}

Isa best_isa() { return available_isas().back(); }

std::string_view name_of(Isa isa) {
  switch (isa) {
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
    case Isa::baseline:
      break;
  }
  return "baseline";
}

Isa isa_named(std::string_view name) {
  std::vector<std::string> known;
  for (const Isa isa : available_isas()) {
    if (name_of(isa) == name) return isa;
    known.emplace_back(name_of(isa));
  }
  throw unknown_name("instruction set", name, known);
}

}  // namespace fftprec
