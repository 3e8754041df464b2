#include "arith/machines/machine.hpp"

#include <algorithm>
#include <utility>

#include "arith/kernels/dispatch.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

Fp32Passes residual_passes(const Format& operands, std::size_t words, std::size_t count) {
  const SplitSpec spec = residual_split(operands, words, count);
  return {operands, Rounding::rne, words, {spec.term, spec.term + spec.count}};
}

}  // namespace

AccumulatorModel accumulator_for(const Machine& machine, const Format& operands) {
  const Format wanted = unit_operands(operands);
  std::string known;
  for (const AccumulatorModel& unit : machine.units) {
    if (unit.operands == wanted) {
      AccumulatorModel model = unit;
      model.operands = operands;
      // A unit whose c comes after its block widens its operands to fp16.
      if (unit.addend == AddendPosition::after)
        model.operands.emin = std::min(model.operands.emin, fp16.emin);
      model.flush_inputs |= machine.flush_inputs;
      model.flush_outputs |= machine.flush_outputs;
      return model;
    }
    known += (known.empty() ? "" : ", ") + to_string(unit.operands);
  }
  throw NotApplicable("machine " + machine.name + " multiplies no matrices of " +
                      to_string(operands) + "; it takes " + known);
}

AccumulatorModel accumulator_for(const Machine& machine, const Format& data, const Format& table) {
  AccumulatorModel model = accumulator_for(machine, data);
  if (table == data) return model;
  constexpr int most = 4;  // significant bits of e4m3, the most precise of the formats that mix
  AccumulatorModel other = accumulator_for(machine, table);
  const Format of_b = std::exchange(other.operands, model.operands);
  other.name = model.name;
  if (other != model || std::max(data.precision, table.precision) > most ||
      machine.fidelity != Fidelity::whole)
    throw NotApplicable("machine " + machine.name + " multiplies no matrices of " +
                        to_string(data) + " by such of " + to_string(table));
  model.operands_of_b = of_b;
  return model;
}

TensorUnit tensor_unit(const Machine& machine, const Format& operands, Isa isa) {
  return tensor_unit(machine, accumulator_for(machine, operands), isa);
}

TensorUnit tensor_unit(const Machine& machine, const AccumulatorModel& model, Isa isa) {
  return {.model = model,
          .across_tiles = machine.across_tiles,
          .psum = machine.psum,
          .psum_rounding = machine.psum_rounding,
          .psum_via = machine.psum_via,
          .stochastic_bits = machine.stochastic_bits,
          .stochastic_seed = machine.stochastic_seed,
          .stochastic_variant = machine.stochastic_variant,
          .fidelity = machine.fidelity,
          .loops = tensor_loops(isa)};
}

Fp32Passes fp32_passes(Fp32Matmul matmul) {
  const std::vector<SplitTerm> four{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  switch (matmul) {
    case Fp32Matmul::split_12_12:
      return {half_fp32, Rounding::rz, 2, four};
    case Fp32Matmul::three_of_12:
      return {half_fp32, Rounding::rz, 2, {four.begin(), four.begin() + 3}};
    case Fp32Matmul::split_11_13:
      return {longer_half_fp32, Rounding::rz, 2, four, 11};
    case Fp32Matmul::split_11_11:
      return {tf32, Rounding::rz, 2, four};
    case Fp32Matmul::one_bf16:
      return {bf16};
    case Fp32Matmul::one_tf32:
      return {tf32};
    case Fp32Matmul::one_tf32_cut:
      return {tf32, Rounding::rz};
    case Fp32Matmul::two_bf16:
      return residual_passes(bf16, 2, 3);
    case Fp32Matmul::three_bf16:
      return residual_passes(bf16, 3, 6);
    case Fp32Matmul::native:
      break;
  }
  return {fp32};
}

}  // namespace fftprec
