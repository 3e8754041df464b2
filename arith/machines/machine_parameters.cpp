#include "arith/machines/machine_parameters.hpp"

#include "arith/machines/machine_parameters_rows.hpp"

namespace fftprec {

namespace {

const Names rne_rz{"rne", "rz"};
const Names rne_sr{"rne", "sr"};

bool is_stochastic(const Machine& machine) {
  return machine.casts == Rounding::sr || machine.psum_rounding == Rounding::sr;
}

/// What nothing reads goes back to its default, so that machines which compute the same are equal.
void forget_unread(Machine& machine) {
  forget_unread_of_units(machine);
  if (!is_stochastic(machine)) {
    machine.stochastic_bits = Machine{}.stochastic_bits;
    machine.stochastic_seed = Machine{}.stochastic_seed;
  }
}

std::vector<MachineParameter> matmul_parameters() {
  return {
      of_machine(
          {"fp32_matmul", "how the tensor engine multiplies fp32 operands: passes",
           known_values<Fp32Matmul>(), "I"},
          [](auto& m) -> auto& { return m.fp32_matmul; }),
  };
}

std::vector<MachineParameter> memory_parameters() {
  const auto size = "1..65536";
  return {
      of_machine(
          {"tiles", "a tile is summed from zero, then added to PSUM, or starts from PSUM",
           known_values<AcrossTiles>(), "U"},
          [](auto& m) -> auto& { return m.across_tiles; }),
      of_machine(
          {"k_tile", "contraction length of one matmul", size, "D"},
          [](auto& m) -> auto& { return m.k_tile; }),
      of_machine(
          {"m_tile", "rows of a PSUM tile", size, "D"}, [](auto& m) -> auto& { return m.m_tile; }),
      of_machine(
          {"n_tile", "columns of a PSUM tile", size, "D"},
          [](auto& m) -> auto& { return m.n_tile; }),
      of_machine(
          {"psum", "format of PSUM between matmuls", any_format, "D"},
          [](auto& m) -> auto& { return m.psum; }),
      of_machine(
          {"psum.rounding", "of writes to a PSUM narrower than fp32", joined(rne_sr), "D"},
          [](auto& m) -> auto& { return m.psum_rounding; }, rne_sr),
      of_machine(
          {"eviction", "format in which PSUM leaves", any_format, "D"},
          [](auto& m) -> auto& { return m.eviction; }),
      of_machine(
          {"casts", "rounding of casts to narrower formats", joined(rne_sr), "D"},
          [](auto& m) -> auto& { return m.casts; }, rne_sr),
      of_machine(
          {"sr.bits", "random bits of stochastic rounding", "1..53", "U",
           "casts=sr or psum.rounding=sr"},
          [](auto& m) -> auto& { return m.stochastic_bits; }, {}, is_stochastic),
      of_machine(
          {"sr.seed", "seed of stochastic rounding", "0..2^64-1", "D",
           "casts=sr or psum.rounding=sr"},
          [](auto& m) -> auto& { return m.stochastic_seed; }, {}, is_stochastic),
  };
}

std::vector<MachineParameter> vector_parameters() {
  return {
      of_machine(
          {"vector.product_bits",
           "significand bits that the vector engine's multiplier "
           "delivers",
           "24, 21, 20", "D"},
          [](auto& m) -> auto& { return m.vector.product_bits; }),
      of_machine(
          {"vector.product_rounding", "of a multiplier that delivers fewer than 24 bits",
           joined(rne_rz), "D"},
          [](auto& m) -> auto& { return m.vector.product_rounding; }, rne_rz),
      of_machine(
          {"vector.sum_rounding", "of the vector engine's additions", joined(rne_rz), "D"},
          [](auto& m) -> auto& { return m.vector.sum_rounding; }, rne_rz),
      of_machine(
          {"vector.fused", "a product and the sum that takes it round once", known_values<bool>(),
           "U"},
          [](auto& m) -> auto& { return m.vector.fused; }),
      of_machine(
          {"vector.flush", "subnormals count as zero on the vector engine", known_values<bool>(),
           "U"},
          [](auto& m) -> auto& { return m.vector.flush; }),
  };
}

std::vector<MachineParameter> fault_parameters() {
  return {
      of_machine(
          {"integer.bits", "of an integer accumulator for 8-bit operands; 0: none", "0, 32", "D"},
          [](auto& m) -> auto& { return m.integer_bits; }),
      of_machine(
          {"elide", "whose residuals a compiler loses", known_values<Elision>(), "I"},
          [](auto& m) -> auto& { return m.elided; }),
      of_machine(
          {"demote", "what a kernel rounds to bf16 between the products of a split",
           known_values<Demotion>(), "U"},
          [](auto& m) -> auto& { return m.demotion; }),
      of_machine(
          {"misread", "split products after the first read fp32 data as bf16", known_values<bool>(),
           "U"},
          [](auto& m) -> auto& { return m.misread; }),
  };
}

}  // namespace

const std::vector<MachineParameter>& machine_parameters() {
  static const std::vector<MachineParameter> parameters = [] {
    std::vector<MachineParameter> all;
    for (auto group : {matmul_parameters, product_parameters, sum_parameters, memory_parameters,
                       vector_parameters, flush_parameters, fault_parameters})
      for (MachineParameter& parameter : group()) {
        parameter.set = [set = std::move(parameter.set)](Machine& machine, std::string_view text) {
          set(machine, text);
          forget_unread(machine);
        };
        all.push_back(std::move(parameter));
      }
    return all;
  }();
  return parameters;
}

std::vector<MachineRow> describe(const Machine& machine) {
  const Machine& trn = machines().front();
  const bool derived = machine.name.starts_with("trn");
  std::vector<MachineRow> rows;
  for (const MachineParameter& parameter : machine_parameters()) {
    const std::string value = parameter.text(machine);
    const bool as_trn = value == parameter.text(trn);
    rows.push_back({parameter.key, value, parameter.meaning, parameter.values,
                    derived && as_trn && value != unread ? parameter.confidence : "", as_trn});
  }
  return rows;
}

}  // namespace fftprec
