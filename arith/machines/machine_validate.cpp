#include <algorithm>

#include "arith/formats/round_grid.hpp"
#include "arith/machines/fp32_passes.hpp"
#include "arith/machines/machine_parameters.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

namespace {

constexpr std::size_t largest_tile = 65536;

void validate_units(const Machine& machine) {
  require(!machine.units.empty(), "a machine needs a unit");
  for (const AccumulatorModel& unit : machine.units) {
    const auto same = [&](const AccumulatorModel& other) {
      return other.operands == unit.operands;
    };
    require(std::count_if(machine.units.begin(), machine.units.end(), same) == 1,
            "there are two units for operands " + to_string(unit.operands));
    try {
      validate(unit);
    } catch (const InputError& error) {
      throw InputError("for operands " + to_string(unit.operands) + ": " + error.what());
    }
  }
}

void validate_fp32_matmul(const Machine& machine) {
  const Format operands = fp32_passes(machine.fp32_matmul).operands;
  const Format needed = operands == half_fp32 ? fp32 : operands;
  require(
      std::any_of(machine.units.begin(), machine.units.end(),
                  [&](const AccumulatorModel& unit) { return unit.operands == needed; }),
      "fp32_matmul: its passes need a unit for " + to_string(needed) + ", which the machine lacks");
}

void validate_tile(std::size_t size, const std::string& key) {
  require(size >= 1 && size <= largest_tile,
          key + "=" + std::to_string(size) + " is not in 1.." + std::to_string(largest_tile));
}

void validate_narrowing(const Format& format, Rounding rounding, const std::string& key,
                        const std::string& rounding_key) {
  validate(format);
  require(fits<float>(format), key + "=" + to_string(format) + " is wider than fp32");
  require(rounding == Rounding::rne || rounding == Rounding::sr,
          rounding_key + "=" + std::string(name_of(rounding)) + " is neither rne nor sr");
}

void validate_vector(const VectorEngine& vector) {
  const auto rounds = [](Rounding rounding) {
    return rounding == Rounding::rne || rounding == Rounding::rz;
  };
  const int bits = vector.product_bits;
  require(bits == 24 || bits == 21 || bits == 20,
          "vector.product_bits=" + std::to_string(bits) + " is not 24, 21 or 20");
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

void validate(const Machine& machine) {
  validate_units(machine);
  validate_fp32_matmul(machine);
  validate_tile(machine.k_tile, "k_tile");
  validate_tile(machine.m_tile, "m_tile");
  validate_tile(machine.n_tile, "n_tile");
  validate_narrowing(machine.psum, machine.psum_rounding, "psum", "psum.rounding");
  validate_narrowing(machine.eviction, machine.casts, "eviction", "casts");
  require(machine.stochastic_bits >= 1 && machine.stochastic_bits <= 53,
          "sr.bits=" + std::to_string(machine.stochastic_bits) + " is not in 1..53");
  validate_vector(machine.vector);
  require(machine.integer_bits == 0 || machine.integer_bits == 32,
          "integer.bits=" + std::to_string(machine.integer_bits) + " is neither 0 nor 32");
}

}  // namespace fftprec
