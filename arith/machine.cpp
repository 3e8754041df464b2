#include "arith/machine.hpp"

#include "arith/named.hpp"

namespace fftprec {

std::size_t fp32_passes(const Machine& machine) {
  return machine.fp32_matmul == Fp32Matmul::native ? 1 : 4;
}

double accumulator_roundoff(const Machine& machine) {
  return machine.accumulator == AccumulatorRounding::rz ? 0x1p-23 : 0x1p-24;
}

const std::vector<Machine>& machines() {
  static const std::vector<Machine> presets = {
      {.name = "trn",
       .summary = "AWS Trainium as documented: exact products, fp32 PSUM (D); sequential rne "
                  "accumulation, tiles added one by one (U, default); fp32 in 4 passes (D)"},
      {.name = "ieee",
       .summary = "plain fp32 multiply, then add, in one sequential chain; no tiles, no passes",
       .product = ProductRounding::fp32_rne,
       .across_tiles = AcrossTiles::through,
       .fp32_matmul = Fp32Matmul::native},
      {.name = "trn-claim",
       .summary = "trn with every product rounded to bf16 before PSUM, as trnfft explains its "
                  "silicon figures (U)",
       .product = ProductRounding::bf16_rne},
      {.name = "trn-rz",
       .summary = "trn with an accumulator that rounds toward zero, as measured on other tensor "
                  "cores (U)",
       .accumulator = AccumulatorRounding::rz},
  };
  return presets;
}

const Machine& machine_named(std::string_view name) {
  return item_named(machines(), "machine", name);
}

}  // namespace fftprec
