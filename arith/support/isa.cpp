#include "arith/support/isa.hpp"

#include "arith/support/error.hpp"

namespace fftprec {

const std::vector<Isa>& available_isas() {
  static const std::vector<Isa> isas = [] {
    std::vector<Isa> found = {Isa::baseline};
#if defined(__x86_64__)
    const bool fma = __builtin_cpu_supports("fma");
    if (fma && __builtin_cpu_supports("avx2")) found.push_back(Isa::avx2);
    if (fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
      found.push_back(Isa::avx512);
#endif
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
