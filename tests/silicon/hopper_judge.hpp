/// What a Hopper tensor core should give, in MPFR: the judge of hopper_model.hpp.
///
/// It shares the table of instructions with the model and no code: operands become doubles by a
/// multiplication, alignment and rounding are MPFR's, and nothing is an integer significand.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <limits>

#include "tests/silicon/hopper_vectors.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

inline double power(int exponent) { return std::ldexp(1.0, exponent); }

/// The value of an encoding whose fraction ends at bit 23 - moved of an fp32 word: the field is
/// read with fp32's bias and corrected by one exact product, which subnormals survive too.
inline double read_moved(std::uint32_t magnitude, int moved, int bias_difference, bool negative) {
  const auto word = static_cast<std::uint32_t>(magnitude << moved);
  const double value =
      static_cast<double>(__builtin_bit_cast(float, word)) * power(bias_difference);
  return negative ? -value : value;
}

inline double value_of(const hopper::Operand& format, std::uint32_t bits) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (format.name == "fp32") return static_cast<double>(__builtin_bit_cast(float, bits));
  if (format.name == "bf16") return static_cast<double>(__builtin_bit_cast(float, bits << 16));
  if (format.name == "tf32")
    return static_cast<double>(__builtin_bit_cast(float, bits & 0xffffe000u));
  if (format.name == "e4m3")
    return (bits & 0x7fu) == 0x7fu ? nan : read_moved(bits & 0x7fu, 20, 120, bits >> 7 != 0);
  const std::uint32_t half = format.name == "e5m2" ? bits << 8 : bits;
  if ((half & 0x7fffu) > 0x7c00u) return nan;
  if ((half & 0x7fffu) == 0x7c00u) return half >> 15 != 0 ? -infinity : infinity;
  return read_moved(half & 0x7fffu, 13, 112, half >> 15 != 0);
}

inline std::uint32_t bits_of(const hopper::Operand& accumulator, double value) {
  const bool half = accumulator.name == "fp16";
  if (std::isnan(value)) return half ? 0x7fffu : 0x7fffffffu;
  if (!half) return __builtin_bit_cast(std::uint32_t, static_cast<float>(value));
  const std::uint32_t sign = std::signbit(value) ? 0x8000u : 0u;
  if (std::isinf(value)) return sign | 0x7c00u;
  const auto moved = static_cast<float>(std::abs(value) * power(-112));
  return sign | (__builtin_bit_cast(std::uint32_t, moved) >> 13);
}

struct Term {
  double value;
  int exponent;  ///< of the alignment; of no use for a zero
};

inline int exponent_of(double value, int smallest) { return std::max(std::ilogb(value), smallest); }

/// The sum of the terms, each cut to `fraction_bits` below the largest exponent, converted once.
inline double judge_block(const hopper::Block& block, const hopper::Operand& accumulator,
                          const std::vector<Term>& terms) {
  double special = 0;
  int largest = block.lowest_exponent;
  for (const Term& term : terms) {
    if (!std::isfinite(term.value)) special += term.value;
    if (std::isfinite(term.value) && term.value != 0) largest = std::max(largest, term.exponent);
  }
  if (special != 0) return special;  // NaN compares unequal to 0 too

  constexpr mpfr_prec_t precision = 700;
  const int grid = largest - block.fraction_bits;
  Wide sum(precision);
  for (const Term& term : terms) {
    Wide part(precision, term.value);
    mpfr_mul_2si(part.get(), part.get(), -grid, MPFR_RNDN);
    mpfr_rint_trunc(part.get(), part.get(), MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), part.get(), MPFR_RNDN);
  }
  if (mpfr_zero_p(sum.get()) != 0) return 0;
  mpfr_mul_2si(sum.get(), sum.get(), grid, MPFR_RNDN);

  const int exponent =
      std::max(static_cast<int>(mpfr_get_exp(sum.get())) - 1, accumulator.smallest_exponent());
  const int place = exponent - block.output_fraction_bits;
  mpfr_mul_2si(sum.get(), sum.get(), -place, MPFR_RNDN);
  if (accumulator.name == "fp16")
    mpfr_rint_roundeven(sum.get(), sum.get(), MPFR_RNDN);
  else
    mpfr_rint_trunc(sum.get(), sum.get(), MPFR_RNDN);
  mpfr_mul_2si(sum.get(), sum.get(), place, MPFR_RNDN);
  const double result = mpfr_get_d(sum.get(), MPFR_RNDN) + 0.0;  // what underflows is +0
  const double limit = accumulator.name == "fp16" ? power(16) : power(128);
  return std::abs(result) >= limit ? std::copysign(std::numeric_limits<double>::infinity(), result)
                                   : result;
}

inline Term product_term(const hopper::Operand& of_a, const hopper::Operand& of_b, double a,
                         double b) {
  const double value = a * b;
  if (!std::isfinite(value) || value == 0) return {value, 0};
  return {value,
          exponent_of(a, of_a.smallest_exponent()) + exponent_of(b, of_b.smallest_exponent())};
}

inline Term c_term(const hopper::Operand& accumulator, double c) {
  if (!std::isfinite(c) || c == 0) return {c, 0};
  return {c, exponent_of(c, accumulator.smallest_exponent())};
}

/// One instruction, or several chained, on one vector.
inline std::uint32_t judge(const hopper::Instruction& instruction, const hopper::Vector& vector) {
  const auto k = static_cast<std::size_t>(instruction.k);
  const auto length = static_cast<std::size_t>(instruction.block.products);
  double d = value_of(instruction.accumulator, vector.c);
  const auto a = [&](std::size_t index) { return value_of(instruction.a, vector.a[index]); };
  const auto b = [&](std::size_t index) { return value_of(instruction.b, vector.b[index]); };
  for (std::size_t first = 0; first < vector.a.size(); first += k) {
    if (instruction.fp16_halves_then_add) {
      double sum = 0;
      for (const std::size_t half : {0u, 2u}) {
        std::vector<Term> terms{c_term(instruction.accumulator, sum)};
        for (std::size_t four = first; four < first + k; four += 4)
          for (const std::size_t i : {four + half, four + half + 1})
            terms.push_back(product_term(hopper::fp16, hopper::fp16, a(i), b(i)));
        sum = judge_block(instruction.block, instruction.accumulator, terms);
      }
      // Two fp32 numbers add in double without harm: 53 >= 2 * 24 + 2. Two fp16 numbers are a block
      // that cuts nothing.
      const hopper::Operand& to = instruction.accumulator;
      d = to.name == "fp16" ? judge_block({2, 60, -133, 10}, to, {c_term(to, d), c_term(to, sum)})
                            : static_cast<double>(static_cast<float>(d + sum));
      continue;
    }
    for (std::size_t start = first; start < first + k; start += length) {
      std::vector<Term> terms{c_term(instruction.accumulator, d)};
      for (std::size_t i = start; i < std::min(start + length, first + k); ++i)
        terms.push_back(product_term(instruction.a, instruction.b, a(i), b(i)));
      d = judge_block(instruction.block, instruction.accumulator, terms);
    }
  }
  return bits_of(instruction.accumulator, d);
}

}  // namespace fftprec::testing
