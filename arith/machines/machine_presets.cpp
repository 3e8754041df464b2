#include "arith/machines/machine_presets.hpp"

#include <utility>

#include "arith/accumulators/published.hpp"
#include "arith/splitting/block_scaling.hpp"

namespace fftprec {

namespace {

/// The same unit for every format of operands that a Trainium tensor engine takes.
std::vector<AccumulatorModel> trn_units(const AccumulatorModel& unit) {
  std::vector<AccumulatorModel> units;
  for (const Format& operands : {bf16, fp16, tf32, fp32, fp8_e4m3, fp8_e5m2}) {
    units.push_back(unit);
    units.back().operands = operands;
    // Halves of fp32 operands are exact in the product whatever 16-bit products do.
    if (operands == fp32) units.back().product = {};
  }
  return units;
}

AccumulatorModel truncating(AccumulatorModel unit) {
  unit.rounding = Rounding::rz;
  return unit;
}

AccumulatorModel rounding_products(AccumulatorModel unit, const ProductModel& product) {
  unit.product = product;
  return unit;
}

/// Plain fp32: every product rounds, fp32 operands included.
std::vector<AccumulatorModel> ieee_units() {
  std::vector<AccumulatorModel> units = trn_units(trn_sequential);
  for (AccumulatorModel& unit : units) unit.product = fp32_product;
  return units;
}

/// NeuronCore v4 takes OCP's fp8, and the elements of its block-scaled formats, as well.
std::vector<AccumulatorModel> trn3_units() {
  std::vector<AccumulatorModel> units = trn_units(trn_sequential);
  for (const Format& operands : {fp8_e4m3fn, fp4_e2m1})
    units.push_back(
        with_operands(trn_sequential, operands, trn_sequential.name, trn_sequential.summary));
  return units;
}

constexpr ProductModel bf16_product{.exact = false, .format = bf16};

}  // namespace

std::vector<Machine> trainium_presets() {
  return {
      {.name = "trn",
       .summary = "AWS Trainium as documented: exact products, fp32 PSUM (D); sequential rne "
                  "accumulation, tiles added one by one (U, default); fp32 in 4 passes (D)",
       .units = trn_units(trn_sequential)},
      {.name = "trn-claim",
       .summary = "trn with every product rounded to bf16 before PSUM, as trnfft explains its "
                  "silicon figures (U)",
       .units = trn_units(rounding_products(trn_sequential, bf16_product))},
      {.name = "trn-rz",
       .summary = "trn with an accumulator that rounds toward zero, as measured on other tensor "
                  "cores (U)",
       .units = trn_units(truncating(trn_sequential))},
      {.name = "trn-ftz",
       .summary = "trn with subnormals flushed to zero, in and out, on both engines (U)",
       .units = trn_units(trn_sequential),
       .vector = {.flush = true},
       .flush_inputs = true,
       .flush_outputs = true},
      {.name = "trn-reversed",
       .summary = "trn with columns summed from the last product to the first (U)",
       .units = trn_units(trn_reversed)},
      {.name = "trn-segments",
       .summary = "trn with columns summed in chains of 32 partitions and a tree over those (U)",
       .units = trn_units(trn_segments)},
      {.name = "trn-tree",
       .summary = "trn with columns summed by a tree of neighbours, PSUM added last (U)",
       .units = trn_units(trn_tree)},
      {.name = "trn-exact",
       .summary = "trn with a column summed exactly and rounded once (U): the best that fp32 PSUM "
                  "allows",
       .units = trn_units(trn_exact)},
      {.name = "trn3-bf16psum",
       .summary = "Trainium 3 with PSUM in bf16, as NeuronCore v4 offers: widened, added in fp32, "
                  "rounded on write (D); else trn; also takes fp8_e4m3fn and e2m1 in blocks (D)",
       .units = trn3_units(),
       .psum = bf16},
      {.name = "trn-autocast",
       .summary = "trn with fp32 matmuls cast to bf16, as the Neuron compiler did by default "
                  "before SDK 2.27 (D)",
       .units = trn_units(trn_sequential),
       .fp32_matmul = Fp32Matmul::one_bf16},
      {.name = "trn-elided",
       .summary = "trn after a compiler that takes fp32 -> bf16 -> fp32 for the identity, as XLA "
                  "may: residuals of splits are zero (D that it may, U that it did)",
       .units = trn_units(trn_sequential),
       .elided = Elision::both},
      {.name = "trn-misread",
       .summary = "trn with a kernel that reads the fp32 words of a split as bf16 in every product "
                  "after the first (U): a hypothesis about published figures",
       .units = trn_units(trn_sequential),
       .misread = true},
      {.name = "trn-sr",
       .summary = "trn with stochastic rounding switched on: casts, eviction and writes to a "
                  "narrower PSUM (D; 32 random bits U)",
       .units = trn_units(trn_sequential),
       .psum_rounding = Rounding::sr,
       .casts = Rounding::sr},
      {.name = "ieee",
       .summary = "plain fp32 multiply, then add, in one sequential chain; no tiles, no passes",
       .units = ieee_units(),
       .across_tiles = AcrossTiles::through,
       .fp32_matmul = Fp32Matmul::native},
  };
}

const std::vector<Machine>& machines() {
  static const std::vector<Machine> presets = [] {
    std::vector<Machine> all = trainium_presets();
    for (Machine& machine : vendor_presets()) all.push_back(std::move(machine));
    return all;
  }();
  return presets;
}

}  // namespace fftprec
