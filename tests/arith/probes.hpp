/// How a test asks a matrix unit: one column of products and c, through TensorUnit on every
/// instruction set.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "arith/accumulators/tensor_unit.hpp"
#include "arith/machines/machine.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {

/// c + sum a b by one of a machine's units, the same on every instruction set.
inline float answer(const Machine& machine, const AccumulatorModel& unit, float c,
                    const std::vector<float>& a, const std::vector<float>& b) {
  float result = 0;
  for (const Isa isa : available_isas()) {
    float psum = c;
    Matmul<float> call{};
    call.stationary = a.data();
    call.stationary_k = call.stationary_m = 1;
    call.moving = b.data();
    call.moving_stride = 1;
    call.psum = &psum;
    call.psum_stride = call.m = call.n = 1;
    call.k = a.size();
    call.accumulate = c != 0;
    tensor_unit(machine, unit, isa).matmul(call);
    if (isa == Isa::baseline) result = psum;
    EXPECT_TRUE(same_value(static_cast<double>(psum), static_cast<double>(result)))
        << machine.name << " " << name_of(isa);
  }
  return result;
}

/// c + sum a b by the unit of a machine for `operands`.
inline float answer(const Machine& machine, const Format& operands, float c,
                    const std::vector<float>& a, const std::vector<float>& b) {
  return answer(machine, accumulator_for(machine, operands), c, a, b);
}

/// The sum of terms, each times 1, from zero. Terms may be anything that the operands hold.
inline float sum_of(const Machine& machine, const Format& operands,
                    const std::vector<float>& terms) {
  return answer(machine, operands, 0, terms, std::vector<float>(terms.size(), 1.0f));
}

/// The sum of signed powers of two, each as the product of two halves, so that narrow exponent
/// ranges hold them.
struct Power {
  int exponent;
  int sign = 1;
};
inline float sum_of_powers(const Machine& machine, const Format& operands, float c,
                           const std::vector<Power>& powers) {
  std::vector<float> a, b;
  for (const Power& p : powers) {
    const int half = p.exponent / 2;
    a.push_back(static_cast<float>(p.sign) * std::ldexp(1.0f, half));
    b.push_back(std::ldexp(1.0f, p.exponent - half));
  }
  return answer(machine, operands, c, a, b);
}

inline Machine preset(const std::string& name) { return machine_named(name); }

inline bool takes(const Machine& machine, const Format& operands) {
  for (const AccumulatorModel& unit : machine.units)
    if (unit.operands == operands) return true;
  return false;
}

/// bf16, or fp16 where no unit takes bf16.
inline Format sixteen_bits(const Machine& machine) { return takes(machine, bf16) ? bf16 : fp16; }

}  // namespace fftprec::testing
