#include "arith/machines/parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

// Values of parameters as text, and back. Each `parse_value` throws InputError with what is known
// instead, each `value_text` gives the one canonical spelling.

/// Names of the values of an enumeration, in its order.
template <class Value>
constexpr std::array<std::string_view, 0> value_names{};
template <>
constexpr std::array<std::string_view, 2> value_names<bool>{"off", "on"};
template <>
constexpr std::array<std::string_view, 7> value_names<BlockSum>{
    "sequential", "reversed", "pairwise", "segments", "even_odd", "exact", "aligned"};
template <>
constexpr std::array<std::string_view, 3> value_names<AddendPosition>{"early", "late", "after"};
template <>
constexpr std::array<std::string_view, 2> value_names<GroupExponent>{"product", "scale"};
template <>
constexpr std::array<std::string_view, 2> value_names<Cut>{"toward_zero", "floor"};
template <>
constexpr std::array<std::string_view, 2> value_names<AcrossTiles>{"tile_then_add", "through"};
template <>
constexpr std::array<std::string_view, 10> value_names<Fp32Matmul>{
    "native", "split_12_12", "three_of_12", "split_11_13", "split_11_11",
    "bf16",   "tf32",        "tf32_cut",    "bf16x2",      "bf16x3"};
template <>
constexpr std::array<std::string_view, 2> value_names<Fp64Matmul>{"host", "fma"};
template <>
constexpr std::array<std::string_view, 5> value_names<Fidelity>{"whole", "lofi", "hifi2", "hifi3",
                                                                "hifi4"};
template <>
constexpr std::array<std::string_view, 3> value_names<OverflowMode>{"saturate", "wrap", "error"};
template <>
constexpr std::array<std::string_view, 2> value_names<RoundedResults>{"sums", "products"};
template <>
constexpr std::array<std::string_view, 3> value_names<Stochastic>{"a", "b", "c"};

template <class Value>
concept Enumerated = !value_names<Value>.empty();

template <class Value>
concept WholeNumber = std::integral<Value> && !Enumerated<Value>;

template <Enumerated Value>
std::string value_text(Value value) {
  return std::string(value_names<Value>.at(static_cast<std::size_t>(value)));
}

template <WholeNumber Value>
std::string value_text(Value value) {
  return std::to_string(value);
}

std::string value_text(Rounding value) { return std::string(name_of(value)); }

std::string value_text(const Format& value) { return to_string(value); }

/// `known`: the names that it can be.
template <Enumerated Value>
void parse_value(Value& value, const std::string& key, std::string_view text,
                 const std::vector<std::string>&) {
  for (std::size_t i = 0; i < value_names<Value>.size(); ++i)
    if (value_names<Value>[i] == text) {
      value = static_cast<Value>(i);
      return;
    }
  throw unknown_name("value of " + key, text,
                     {value_names<Value>.begin(), value_names<Value>.end()});
}

template <WholeNumber Value>
void parse_value(Value& value, const std::string& key, std::string_view text,
                 const std::vector<std::string>&) {
  Value parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc{} || end != text.data() + text.size())
    throw InputError("value of " + key + " '" + std::string(text) + "' is not a whole number" +
                     (std::unsigned_integral<Value> ? " from 0 on" : ""));
  value = parsed;
}

void parse_value(Rounding& value, const std::string& key, std::string_view text,
                 const std::vector<std::string>& known) {
  for (const std::string& name : known)
    if (name == text || (!text.empty() && text == rounding_entry(name).standard)) {
      value = rounding_named(name);
      return;
    }
  throw unknown_name("value of " + key, text, known);
}

void parse_value(Format& value, const std::string& key, std::string_view text,
                 const std::vector<std::string>&) {
  try {
    const Format format = format_named(text);
    require(!format.system, "hardware has binary formats here, not ", format);
    value = format;
  } catch (const InputError& error) {
    throw InputError("value of " + key + ": " + error.what());
  }
}

// How rows are made.

using Names = std::vector<std::string>;

/// A parameter that can be one of these names.
ParameterValues one_of(Names names) { return {.names = std::move(names)}; }

/// One that can be a number of that range.
ParameterValues between(std::int64_t least, std::uint64_t most) {
  return {.range = WholeRange{least, most}};
}

/// What a parameter of this type can be, if the table does not say.
template <class Value>
ParameterValues values_of() {
  if constexpr (Enumerated<Value>)
    return one_of({value_names<Value>.begin(), value_names<Value>.end()});
  else
    return {.any_format = std::is_same_v<Value, Format>};
}

/// A member of a member.
template <class Whole, class Part, class Value>
struct Inner {
  Part Whole::*part;
  Value Part::*member;

  const Value& operator()(const Whole& whole) const { return whole.*part.*member; }
  Value& operator()(Whole& whole) const { return whole.*part.*member; }
};
template <class Whole, class Part, class Value>
Inner<Whole, Part, Value> inner(Part Whole::*part, Value Part::*member) {
  return {part, member};
}

/// When a parameter is read, and how that is said.
template <class... Of>
struct Condition {
  std::string_view needs;
  bool (*holds)(const Machine&, const Of&...);
};
using MachineCondition = Condition<>;
using UnitCondition = Condition<AccumulatorModel>;

/// The parameter with what its type and its condition say of it.
template <class Value, class... Of>
MachineParameter completed(MachineParameter parameter, const Condition<Of...>& read) {
  if (parameter.values.text().empty()) parameter.values = values_of<Value>();
  parameter.needs = read.needs;
  return parameter;
}

constexpr MachineCondition always{"", [](const Machine&) { return true; }};

/// A parameter of the whole machine, a member or an Inner one.
template <class Access>
MachineParameter of_machine(MachineParameter parameter, Access access,
                            MachineCondition read = always) {
  using Value = std::remove_cvref_t<std::invoke_result_t<Access, Machine&>>;
  parameter = completed<Value>(std::move(parameter), read);
  parameter.text = [=](const Machine& machine) {
    return read.holds(machine) ? value_text(std::invoke(access, machine)) : std::string(unread);
  };
  parameter.set = [=, key = parameter.key, known = parameter.values.names](Machine& machine,
                                                                           std::string_view text) {
    parse_value(std::invoke(access, machine), key, text, known);
  };
  return parameter;
}

constexpr AccumulatorModel default_unit{};

// Which units read a parameter.

constexpr UnitCondition every{"", [](const Machine&, const AccumulatorModel&) { return true; }};

constexpr UnitCondition is_aligned{
    "accumulate.order=aligned",
    [](const Machine&, const AccumulatorModel& unit) { return unit.sum == BlockSum::aligned; }};

constexpr UnitCondition is_aligned_late{"accumulate.order=aligned and accumulate.c=late",
                                        [](const Machine&, const AccumulatorModel& unit) {
                                          return unit.sum == BlockSum::aligned &&
                                                 unit.addend == AddendPosition::late;
                                        }};

constexpr UnitCondition by_segments{"accumulate.order=segments or accumulate.c=after",
                                    [](const Machine&, const AccumulatorModel& unit) {
                                      return unit.sum == BlockSum::segments ||
                                             unit.addend == AddendPosition::after;
                                    }};

constexpr UnitCondition c_after{"accumulate.c=after",
                                [](const Machine&, const AccumulatorModel& unit) {
                                  return unit.addend == AddendPosition::after;
                                }};

/// Products of fp32 passes that fp32 holds are exact.
constexpr UnitCondition multiplies{
    "", [](const Machine& machine, const AccumulatorModel& unit) {
      return unit.operands != fp32 ||
             2 * fp32_passes(machine.fp32_matmul).operands.precision > fp32.precision;
    }};

constexpr UnitCondition rounds_products{
    "product=FORMAT", [](const Machine& machine, const AccumulatorModel& unit) {
      return multiplies.holds(machine, unit) && !unit.product.exact;
    }};

/// "16", "bf16, fp16: 16; tf32: 8", or `unread`.
std::string over_units(const Machine& machine, UnitCondition read,
                       const std::function<std::string(const AccumulatorModel&)>& text) {
  std::vector<std::pair<std::string, std::string>> classes;  // operands, value
  for (const AccumulatorModel& unit : machine.units) {
    if (!read.holds(machine, unit)) continue;
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
MachineParameter of_units(MachineParameter parameter, Access access, UnitCondition read = every) {
  using Value = std::remove_cvref_t<std::invoke_result_t<Access, AccumulatorModel&>>;
  parameter = completed<Value>(std::move(parameter), read);
  parameter.text = [=](const Machine& machine) {
    return over_units(machine, read, [&](const AccumulatorModel& unit) {
      return value_text(std::invoke(access, unit));
    });
  };
  parameter.set = [=, key = parameter.key, known = parameter.values.names](Machine& machine,
                                                                           std::string_view text) {
    for (AccumulatorModel& unit : machine.units)
      if (read.holds(machine, unit)) parse_value(std::invoke(access, unit), key, text, known);
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
      if (!multiplies.holds(machine, unit)) continue;
      unit.product.exact = text == "exact";
      unit.product.format = format;
    }
  };
  return parameter;
}

/// A flush that the machine or a unit asks for; set for all units at once.
MachineParameter flush(MachineParameter parameter, bool Machine::*of_all,
                       bool AccumulatorModel::*of_unit) {
  parameter = completed<bool>(std::move(parameter), every);
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

// The rows.

/// What no unit reads goes back to its default, so that machines which compute the same are equal.
void forget_unread_of_units(Machine& machine) {
  for (AccumulatorModel& unit : machine.units) {
    if (!multiplies.holds(machine, unit)) unit.product = {};
    if (unit.product.exact) unit.product = {};
    if (!by_segments.holds(machine, unit)) unit.segment = default_unit.segment;
    if (!c_after.holds(machine, unit)) unit.interleave = default_unit.interleave;
    if (!is_aligned.holds(machine, unit)) {
      unit.fraction_bits = default_unit.fraction_bits;
      unit.group = default_unit.group;
      unit.group_exponent = default_unit.group_exponent;
      unit.lowest_exponent = default_unit.lowest_exponent;
      unit.cut = default_unit.cut;
    }
    if (!is_aligned_late.holds(machine, unit)) {
      unit.late_fraction_bits = default_unit.late_fraction_bits;
      unit.sum_bits = default_unit.sum_bits;
      unit.lanes = default_unit.lanes;
      unit.c_reach = default_unit.c_reach;
      unit.late_cut = default_unit.late_cut;
    }
  }
}

const ParameterValues rne_rz = one_of({"rne", "rz"});

std::vector<MachineParameter> product_parameters() {
  return {
      product({"product",
               "what becomes of the exact product of two operands",
               {.names = {"exact"}, .any_format = true},
               "U"}),
      of_units({"product.rounding", "of products that round", rne_rz, "U"},
               inner(&AccumulatorModel::product, &ProductModel::rounding), rounds_products),
      of_units({"product.overflow", "products of 2^128 or more are infinite, as in fp32", {}, "U"},
               &AccumulatorModel::product_overflow),
  };
}

std::vector<MachineParameter> sum_parameters() {
  return {
      of_units({"accumulate.order", "in which the terms of a block meet", {}, "U"},
               &AccumulatorModel::sum),
      of_units({"accumulate.block", "products per block; blocks chain through c; 0: the column",
                between(0, 65536), "U"},
               &AccumulatorModel::block),
      of_units(
          {"accumulate.segment", "products per chain of a sum by segments, or before a c after",
           between(1, 65536), "U"},
          &AccumulatorModel::segment, by_segments),
      of_units({"accumulate.interleave", "products that segments take by turns; 0: no turns",
                between(0, 65536), "U"},
               &AccumulatorModel::interleave, c_after),
      of_units({"accumulate.c", "when the accumulator's old value joins a block", {}, "U"},
               &AccumulatorModel::addend),
      of_units({"accumulate.rounding", "of every addition, or of an exact or aligned sum",
                one_of({"rne", "rz", "odd"}), "U"},
               &AccumulatorModel::rounding),
      of_units({"accumulate.format", "of the accumulator inside the array", {}, "D"},
               &AccumulatorModel::format),
      of_units({"accumulate.overflow",
                "results beyond the top are infinite however they round",
                {},
                "U"},
               &AccumulatorModel::overflow_to_infinity),
      of_units({"accumulate.group", "products whose exact sum is one term", between(1, 65536), "U"},
               &AccumulatorModel::group, is_aligned),
      of_units({"accumulate.group_exponent", "whose exponent a group of products has", {}, "U"},
               &AccumulatorModel::group_exponent, is_aligned),
      of_units({"accumulate.lanes", "sums of every n-th product that align by themselves",
                between(1, 65536), "U"},
               &AccumulatorModel::lanes, is_aligned_late),
      of_units(
          {"accumulate.c_reach", "binades below the products where a late c is left out; 0: never",
           between(0, 100), "U"},
          &AccumulatorModel::c_reach, is_aligned_late),
      of_units(
          {"accumulate.fraction_bits", "bits kept below the largest exponent", between(1, 40), "U"},
          &AccumulatorModel::fraction_bits, is_aligned),
      of_units({"accumulate.late_fraction_bits", "the same of the sum that a late c joins",
                between(1, 40), "U"},
               &AccumulatorModel::late_fraction_bits, is_aligned_late),
      of_units({"accumulate.sum_bits", "significant bits kept of the sum with a late c; 0: all",
                between(0, 50), "U"},
               &AccumulatorModel::sum_bits, is_aligned_late),
      of_units(
          {"accumulate.lowest_exponent", "to which terms are aligned", between(-298, 127), "U"},
          &AccumulatorModel::lowest_exponent, is_aligned),
      of_units({"accumulate.cut", "of the bits that alignment shifts out", {}, "U"},
               &AccumulatorModel::cut, is_aligned),
      of_units({"accumulate.late_cut", "the same where a late c joins, and of its sum", {}, "U"},
               &AccumulatorModel::late_cut, is_aligned_late),
  };
}

std::vector<MachineParameter> flush_parameters() {
  return {
      flush({"flush.inputs", "subnormal operands of the tensor engine count as zero", {}, "U"},
            &Machine::flush_inputs, &AccumulatorModel::flush_inputs),
      flush({"flush.outputs", "subnormal results of the tensor engine become zero", {}, "U"},
            &Machine::flush_outputs, &AccumulatorModel::flush_outputs),
  };
}

constexpr MachineCondition is_stochastic{
    "casts=sr or psum.rounding=sr", [](const Machine& machine) {
      return machine.casts == Rounding::sr || machine.psum_rounding == Rounding::sr;
    }};

/// Sums are rounded to nearest as they are written.
constexpr MachineCondition narrows_psum{
    "a psum narrower than fp32 and a psum.rounding to nearest", [](const Machine& machine) {
      return machine.psum != fp32 && machine.psum_rounding != Rounding::sr;
    }};

/// What nothing reads goes back to its default, so that machines which compute the same are equal.
void forget_unread(Machine& machine) {
  forget_unread_of_units(machine);
  if (!narrows_psum.holds(machine)) machine.psum_via = fp32;
  if (!is_stochastic.holds(machine)) {
    machine.stochastic_bits = Machine{}.stochastic_bits;
    machine.stochastic_seed = Machine{}.stochastic_seed;
    machine.stochastic_variant = Machine{}.stochastic_variant;
  }
}

std::vector<MachineParameter> matmul_parameters() {
  return {
      of_machine({"fp32_matmul",
                  "how the tensor engine multiplies fp32 operands: passes",
                  {},
                  "I",
                  ShownBy::fp32_operands},
                 &Machine::fp32_matmul),
      of_machine({"fp64_matmul",
                  "matrices of fp64: by products and sums on the host, or by a unit's FMAs",
                  {},
                  "U",
                  ShownBy::nothing},
                 &Machine::fp64_matmul),
      of_machine({"fidelity",
                  "phases that multiply parts of operands: data of 7 and 4 bits, tables of 5 and 5",
                  {},
                  "D",
                  ShownBy::equal_operands},
                 &Machine::fidelity),
  };
}

std::vector<MachineParameter> memory_parameters() {
  const ParameterValues size = between(1, 65536);
  return {
      of_machine(
          {"tiles", "a tile is summed from zero, then added to PSUM, or starts from PSUM", {}, "U"},
          &Machine::across_tiles),
      of_machine({"k_tile", "contraction length of one matmul", size, "D"}, &Machine::k_tile),
      of_machine({"m_tile", "rows of a PSUM tile", size, "D", ShownBy::nothing}, &Machine::m_tile),
      of_machine({"n_tile", "columns of a PSUM tile", size, "D", ShownBy::nothing},
                 &Machine::n_tile),
      of_machine({"psum", "format of PSUM between matmuls", {}, "D"}, &Machine::psum),
      of_machine({"psum.rounding", "of writes to a PSUM narrower than fp32",
                  one_of({"rne", "rna", "sr"}), "D"},
                 &Machine::psum_rounding),
      of_machine({"psum.via", "to which a sum is rounded before it is to psum", {}, "D"},
                 &Machine::psum_via, narrows_psum),
      of_machine({"eviction", "format in which PSUM leaves", {}, "D"}, &Machine::eviction),
      of_machine({"casts", "rounding of casts to narrower formats",
                  one_of({"rne", "rna", "rz", "ru", "rd", "odd", "sr", "rnu"}), "D",
                  ShownBy::narrowed_results},
                 &Machine::casts),
      of_machine(
          {"sr.bits", "random bits of stochastic rounding", between(1, 53), "U", ShownBy::nothing},
          &Machine::stochastic_bits, is_stochastic),
      of_machine({"sr.seed", "seed of stochastic rounding",
                  between(0, std::numeric_limits<std::uint64_t>::max()), "D", ShownBy::nothing},
                 &Machine::stochastic_seed, is_stochastic),
      of_machine(
          {"sr.variant", "stochastic rounding as sr, sr:b or sr:c", {}, "D", ShownBy::nothing},
          &Machine::stochastic_variant, is_stochastic),
  };
}

std::vector<MachineParameter> shown_by_nothing(std::vector<MachineParameter> parameters) {
  for (MachineParameter& parameter : parameters) parameter.shown_by = ShownBy::nothing;
  return parameters;
}

std::vector<MachineParameter> vector_parameters() {
  return shown_by_nothing({
      of_machine({"vector.product_bits",
                  "significand bits that the vector engine's multiplier "
                  "delivers",
                  one_of({"24", "21", "20"}), "D"},
                 inner(&Machine::vector, &VectorEngine::product_bits)),
      of_machine({"vector.product_rounding", "of a multiplier that delivers fewer than 24 bits",
                  rne_rz, "D"},
                 inner(&Machine::vector, &VectorEngine::product_rounding)),
      of_machine({"vector.sum_rounding", "of the vector engine's additions", rne_rz, "D"},
                 inner(&Machine::vector, &VectorEngine::sum_rounding)),
      of_machine({"vector.fused", "an fp32 product and the sum that takes it round once", {}, "U"},
                 inner(&Machine::vector, &VectorEngine::fused)),
      of_machine({"vector.flush", "subnormals count as zero on the vector engine", {}, "U"},
                 inner(&Machine::vector, &VectorEngine::flush)),
  });
}

std::vector<MachineParameter> fixed_parameters() {
  return shown_by_nothing({
      of_machine({"fixed.overflow", "of fixed point beyond its range", {}, "D"},
                 &Machine::fixed_overflow),
      of_machine(
          {"fixed.rounds", "whether fixed point rounds sums of products or every product", {}, "D"},
          &Machine::fixed_rounds),
      of_machine({"fixed.accumulator",
                  "bits of fixed-point sums of products; 0: all that they need",
                  {.names = {"0"}, .range = WholeRange{8, 160}},
                  "D"},
                 &Machine::fixed_accumulator),
  });
}

std::vector<MachineParameter> integer_parameters() {
  return shown_by_nothing({
      of_machine({"integer.bits", "of an integer accumulator for 8-bit operands; 0: none",
                  one_of({"0", "32"}), "D"},
                 &Machine::integer_bits),
  });
}

// What validate() refuses.

constexpr std::size_t largest_tile = 65536;

void validate_units(const Machine& machine) {
  require(!machine.units.empty(), "a machine needs a unit");
  for (const AccumulatorModel& unit : machine.units) {
    const auto same = [&](const AccumulatorModel& other) {
      return other.operands == unit.operands;
    };
    require(std::count_if(machine.units.begin(), machine.units.end(), same) == 1,
            "there are two units for operands ", unit.operands);
    try {
      validate(unit);
    } catch (const InputError& error) {
      throw InputError("for operands " + to_string(unit.operands) + ": " + error.what());
    }
  }
}

void validate_fp32_matmul(const Machine& machine) {
  const Format needed = unit_operands(fp32_passes(machine.fp32_matmul).operands);
  require(std::any_of(machine.units.begin(), machine.units.end(),
                      [&](const AccumulatorModel& unit) { return unit.operands == needed; }),
          "fp32_matmul: its passes need a unit for ", needed, ", which the machine lacks");
}

void validate_tile(std::size_t size, std::string_view key) {
  require(size >= 1 && size <= largest_tile, key, "=", size, " is not in 1..", largest_tile);
}

void validate_narrow(const Format& format, std::string_view key) {
  validate(format);
  require(!format.is_fixed(), key, "=", format, " is fixed point, which no float is rounded to");
  require(fits<float>(format), key, "=", format, " is wider than fp32");
}

void validate_vector(const VectorEngine& vector) {
  const auto rounds = [](Rounding rounding) {
    return rounding == Rounding::rne || rounding == Rounding::rz;
  };
  const int bits = vector.product_bits;
  require(bits == 24 || bits == 21 || bits == 20, "vector.product_bits=", bits,
          " is not 24, 21 or 20");
  require(rounds(vector.product_rounding) && rounds(vector.sum_rounding),
          "the vector engine rounds by rne or rz");
  require(bits < 24 || vector.product_rounding == Rounding::rne,
          "vector.product_rounding is for products of fewer than 24 bits");
  require(!vector.fused || (bits == 24 && vector.sum_rounding == Rounding::rne),
          "vector.fused needs products of 24 bits and sums that round by rne");
  VectorEngine flushing{};
  flushing.flush = true;
  require(!vector.flush || vector == flushing,
          "vector.flush needs a vector engine that else has its defaults");
}

}  // namespace

std::string ParameterValues::text() const {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (const std::string& name : names) add(name);
  if (range)
    add(std::to_string(range->least) + ".." +
        (range->most == std::numeric_limits<std::uint64_t>::max() ? "2^64-1"
                                                                  : std::to_string(range->most)));
  if (any_format) add(text.empty() ? "a format" : "or a format");
  return text;
}

bool ParameterValues::holds_zero() const {
  return (range && range->least == 0) || std::find(names.begin(), names.end(), "0") != names.end();
}

const std::vector<MachineParameter>& machine_parameters() {
  static const std::vector<MachineParameter> parameters = [] {
    std::vector<MachineParameter> all;
    for (auto group : {matmul_parameters, product_parameters, sum_parameters, memory_parameters,
                       vector_parameters, flush_parameters, fixed_parameters, integer_parameters})
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

void validate(const Machine& machine) {
  validate_units(machine);
  validate_fp32_matmul(machine);
  validate_tile(machine.k_tile, "k_tile");
  validate_tile(machine.m_tile, "m_tile");
  validate_tile(machine.n_tile, "n_tile");
  validate_narrow(machine.psum, "psum");
  validate_narrow(machine.psum_via, "psum.via");
  validate_narrow(machine.eviction, "eviction");
  const Rounding writes = machine.psum_rounding;
  require(writes == Rounding::rne || writes == Rounding::rna || writes == Rounding::sr,
          "psum.rounding=", name_of(writes), " is not rne, rna or sr");
  require(machine.psum_via.precision >= machine.psum.precision, "psum.via=", machine.psum_via,
          " has fewer bits than psum");
  require(machine.stochastic_bits >= 1 && machine.stochastic_bits <= 53,
          "sr.bits=", machine.stochastic_bits, " is not in 1..53");
  require(machine.stochastic_bits <= 52 || machine.stochastic_variant == Stochastic::a,
          "sr.variant b and c take sr.bits up to 52");
  validate_vector(machine.vector);
  require(machine.integer_bits == 0 || machine.integer_bits == 32,
          "integer.bits=", machine.integer_bits, " is neither 0 nor 32");
  const int accumulator = machine.fixed_accumulator;
  require(accumulator == 0 || (accumulator >= 8 && accumulator <= 160),
          "fixed.accumulator=", accumulator, " is neither 0 nor in 8..160");
}

}  // namespace fftprec
