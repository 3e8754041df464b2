/// bf16 + - * / on a dense sample of operand pairs; tests/exhaustive takes all 2^32.
#include "tests/support/bf16_pairs.hpp"

#include <gtest/gtest.h>

#include "tests/support/same_value.hpp"

namespace fftprec::testing {
namespace {

class Bf16Pairs : public ::testing::TestWithParam<Operation> {};

TEST_P(Bf16Pairs, EveryOperandWithTwelveOthersIsRoundedAsMpfrSays) {
  static const Bf16Operands operands;
  Bf16PairCheck check(operands, GetParam());
  const std::uint32_t seed = 1;
  std::uint32_t state = seed;

  for (std::uint32_t a = 0; a < 1u << 16; ++a)
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525 + 1013904223;
      std::uint32_t b = state >> 16;
      if (i % 3 == 1) b = (a & 0x7f80u) ^ (b & 0x87ffu);  // exponents near: sums round, or cancel
      if (i % 3 == 2) b = (0x7f00u - (a & 0x7f80u)) ^ (b & 0x83ffu);  // product near 1
      b &= 0xffffu;

      ASSERT_TRUE(check.agree(a, b))
          << show(bf16_of(a).carrier()) << " " << name_of(GetParam()) << " "
          << show(bf16_of(b).carrier()) << ": "
          << same_value(check.actual(a, b), check.truth(a, b)).message() << ", seed " << seed;
    }
}

TEST_P(Bf16Pairs, SubnormalResultsAreRoundedOnce) {
  static const Bf16Operands operands;
  Bf16PairCheck check(operands, GetParam());
  constexpr int bias = 127;

  for (std::uint32_t a = 0; a < 1u << 15; a += 5)
    for (int result_exponent = -136; result_exponent < -124; ++result_exponent)
      for (std::uint32_t fraction = (a + 1) % 7; fraction < 128; fraction += 7) {
        const int exponent = static_cast<int>(a >> 7) - bias;
        const int other = GetParam() == Operation::multiply ? result_exponent - exponent
                          : GetParam() == Operation::divide ? exponent - result_exponent
                                                            : result_exponent;
        if (other + bias < 0 || other + bias > 254) continue;
        const std::uint32_t b = (static_cast<std::uint32_t>(other + bias) << 7) | fraction;

        ASSERT_TRUE(check.agree(a, b))
            << show(bf16_of(a).carrier()) << " " << name_of(GetParam()) << " "
            << show(bf16_of(b).carrier()) << ": "
            << same_value(check.actual(a, b), check.truth(a, b)).message();
      }
}

std::string operation_label(const ::testing::TestParamInfo<Operation>& info) {
  constexpr const char* labels[] = {"", "Add", "Subtract", "Multiply", "Divide"};
  return labels[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Operations, Bf16Pairs,
                         ::testing::Values(Operation::add, Operation::subtract, Operation::multiply,
                                           Operation::divide),
                         operation_label);

}  // namespace
}  // namespace fftprec::testing
