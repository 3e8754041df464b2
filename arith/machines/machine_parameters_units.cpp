#include "arith/machines/machine_parameters_rows.hpp"

namespace fftprec {

namespace {

constexpr AccumulatorModel default_unit{};

// Which units read a parameter.

bool every(const Machine&, const AccumulatorModel&) { return true; }

bool aligned(const Machine&, const AccumulatorModel& unit) { return unit.sum == BlockSum::aligned; }

bool aligned_late(const Machine&, const AccumulatorModel& unit) {
  return unit.sum == BlockSum::aligned && unit.c == Inclusion::late;
}

bool by_segments(const Machine&, const AccumulatorModel& unit) {
  return unit.sum == BlockSum::segments;
}

/// Halves of fp32 operands multiply exactly.
bool multiplies(const Machine& machine, const AccumulatorModel& unit) {
  return unit.operands != fp32 || machine.fp32_matmul == Fp32Matmul::native;
}

bool rounds_products(const Machine& machine, const AccumulatorModel& unit) {
  return multiplies(machine, unit) && !unit.product.exact;
}

using ReadsUnit = bool (*)(const Machine&, const AccumulatorModel&);

/// "16", "bf16, fp16: 16; tf32: 8", or `unread`.
template <class UnitText>
std::string over_units(const Machine& machine, ReadsUnit reads, UnitText text) {
  std::vector<std::pair<std::string, std::string>> classes;  // operands, value
  for (const AccumulatorModel& unit : machine.units) {
    if (!reads(machine, unit)) continue;
    const std::string value = text(unit);
    const auto same = std::find_if(classes.begin(), classes.end(),
                                   [&](const auto& known) { return known.second == value; });
    if (same == classes.end())
      classes.emplace_back(to_string(unit.operands), value);
    else
      same->first += ", " + to_string(unit.operands);
  }
  if (classes.empty()) return std::string(unread);
  if (classes.size() == 1) return classes[0].second;
  std::string all;
  for (const auto& [operands, value] : classes)
    all += (all.empty() ? "" : "; ") + operands + ": " + value;
  return all;
}

/// A parameter that `access` finds in every unit which reads it.
template <class Access>
MachineParameter of_units(MachineParameter parameter, Access access, ReadsUnit reads = every,
                          const Names& known = {}) {
  parameter.text = [=](const Machine& machine) {
    return over_units(machine, reads,
                      [&](const AccumulatorModel& unit) { return value_text(access(unit)); });
  };
  parameter.set = [=, key = parameter.key](Machine& machine, std::string_view text) {
    for (AccumulatorModel& unit : machine.units)
      if (reads(machine, unit)) parse_value(access(unit), key, text, known);
  };
  return parameter;
}

/// "exact", or the format to which products round.
MachineParameter product(MachineParameter parameter) {
  parameter.text = [](const Machine& machine) {
    return over_units(machine, multiplies, [](const AccumulatorModel& unit) {
      return unit.product.exact ? "exact" : to_string(unit.product.format);
    });
  };
  parameter.set = [key = parameter.key](Machine& machine, std::string_view text) {
    Format format = bf16;
    if (text != "exact") parse_value(format, key + ": exact or a format", text, {});
    for (AccumulatorModel& unit : machine.units) {
      if (!multiplies(machine, unit)) continue;
      unit.product.exact = text == "exact";
      unit.product.format = format;
    }
  };
  return parameter;
}

/// A flush that the machine or a unit asks for; set for all units at once.
MachineParameter flush(MachineParameter parameter, bool Machine::*of_all,
                       bool AccumulatorModel::*of_unit) {
  parameter.text = [=](const Machine& machine) {
    return over_units(machine, every, [&](const AccumulatorModel& unit) {
      return value_text(machine.*of_all || unit.*of_unit);
    });
  };
  parameter.set = [=, key = parameter.key](Machine& machine, std::string_view text) {
    parse_value(machine.*of_all, key, text, {});
    for (AccumulatorModel& unit : machine.units) unit.*of_unit = false;
  };
  return parameter;
}

}  // namespace

void forget_unread_of_units(Machine& machine) {
  for (AccumulatorModel& unit : machine.units) {
    if (!multiplies(machine, unit)) unit.product = {};
    if (unit.product.exact) unit.product = {};
    if (!by_segments(machine, unit)) unit.segment = default_unit.segment;
    if (!aligned(machine, unit)) {
      unit.fraction_bits = default_unit.fraction_bits;
      unit.group = default_unit.group;
      unit.lowest_exponent = default_unit.lowest_exponent;
      unit.cut = default_unit.cut;
    }
    if (!aligned_late(machine, unit)) {
      unit.late_fraction_bits = default_unit.late_fraction_bits;
      unit.late_cut = default_unit.late_cut;
    }
  }
}

std::vector<MachineParameter> product_parameters() {
  return {
      product({"product", "what becomes of the exact product of two operands",
               std::string("exact, or ") + any_format, "U"}),
      of_units({"product.rounding", "of products that round", joined({"rne", "rz"}), "U",
                "product=FORMAT"},
               [](auto& u) -> auto& { return u.product.rounding; }, rounds_products, {"rne", "rz"}),
      of_units(
          {"product.overflow", "products of 2^128 or more are infinite, as in fp32",
           known_values<bool>(), "U"},
          [](auto& u) -> auto& { return u.product_overflow; }),
  };
}

std::vector<MachineParameter> sum_parameters() {
  return {
      of_units(
          {"accumulate.order", "in which the terms of a block meet", known_values<BlockSum>(), "U"},
          [](auto& u) -> auto& { return u.sum; }),
      of_units(
          {"accumulate.block", "products per block; blocks chain through c; 0: the column",
           "0..65536", "U"},
          [](auto& u) -> auto& { return u.block; }),
      of_units(
          {"accumulate.segment", "products per chain of a sum by segments", "1..65536", "U",
           "accumulate.order=segments"},
          [](auto& u) -> auto& { return u.segment; }, by_segments),
      of_units(
          {"accumulate.c", "when the accumulator's old value joins a block",
           known_values<Inclusion>(), "U"},
          [](auto& u) -> auto& { return u.c; }),
      of_units({"accumulate.rounding", "of every addition, or of an exact or aligned sum",
                joined({"rne", "rz", "odd"}), "U"},
               [](auto& u) -> auto& { return u.rounding; }, every, {"rne", "rz", "odd"}),
      of_units(
          {"accumulate.format", "of the accumulator inside the array", any_format, "D"},
          [](auto& u) -> auto& { return u.format; }),
      of_units(
          {"accumulate.overflow", "results beyond the top are infinite however they round",
           known_values<bool>(), "U"},
          [](auto& u) -> auto& { return u.overflow_to_infinity; }),
      of_units(
          {"accumulate.group", "products whose exact sum is one term", "1..65536", "U",
           "accumulate.order=aligned"},
          [](auto& u) -> auto& { return u.group; }, aligned),
      of_units(
          {"accumulate.fraction_bits", "bits kept below the largest exponent", "1..40", "U",
           "accumulate.order=aligned"},
          [](auto& u) -> auto& { return u.fraction_bits; }, aligned),
      of_units(
          {"accumulate.late_fraction_bits", "the same of the sum that a late c joins", "1..40", "U",
           "accumulate.order=aligned and accumulate.c=late"},
          [](auto& u) -> auto& { return u.late_fraction_bits; }, aligned_late),
      of_units(
          {"accumulate.lowest_exponent", "to which terms are aligned", "-298..127", "U",
           "accumulate.order=aligned"},
          [](auto& u) -> auto& { return u.lowest_exponent; }, aligned),
      of_units(
          {"accumulate.cut", "of the bits that alignment shifts out", known_values<Cut>(), "U",
           "accumulate.order=aligned"},
          [](auto& u) -> auto& { return u.cut; }, aligned),
      of_units(
          {"accumulate.late_cut", "the same where a late c joins", known_values<Cut>(), "U",
           "accumulate.order=aligned and accumulate.c=late"},
          [](auto& u) -> auto& { return u.late_cut; }, aligned_late),
  };
}

std::vector<MachineParameter> flush_parameters() {
  return {
      flush({"flush.inputs", "subnormal operands of the tensor engine count as zero",
             known_values<bool>(), "U"},
            &Machine::flush_inputs, &AccumulatorModel::flush_inputs),
      flush({"flush.outputs", "subnormal results of the tensor engine become zero",
             known_values<bool>(), "U"},
            &Machine::flush_outputs, &AccumulatorModel::flush_outputs),
  };
}

}  // namespace fftprec
