/// What an accumulator model may say, and the list of published ones.
#include <gtest/gtest.h>

#include "arith/accumulators/model.hpp"
#include "arith/support/error.hpp"
#include "tests/support/published_units.hpp"

namespace fftprec::testing {

namespace {

/// The message with which `change` makes nv_hopper_bf16 (or `base`) unacceptable.
template <class Change>
std::string refusal(Change change, AccumulatorModel base = nv_hopper_bf16) {
  change(base);
  try {
    validate(base);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' lacks '" << part << "'";
}

}  // namespace

TEST(AccumulatorModels, PublishedOnesAreValid) {
  for (const AccumulatorModel& model : published_accumulators())
    EXPECT_NO_THROW(validate(model)) << model.name;
  EXPECT_EQ(published_accumulators().size(), 35u);
}

TEST(AccumulatorModels, RefusesWhatIsOutOfRange) {
  EXPECT_TRUE(contains(refusal([](auto& m) { m.fraction_bits = 41; }), "41 fraction bits"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.fraction_bits = 0; }), "fraction bits"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.lowest_exponent = 128; }), "lowest exponent 128"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.lowest_exponent = -299; }), "lowest exponent"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.rounding = Rounding::sr; }), "sr is not among"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.rounding = Rounding::ru; }), "ru is not among"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.format = fp64; }), "wider than fp32"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.operands = fp64; }), "wider than fp32"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.format.precision = 1; }), "precision"));
  const auto long_block = [](auto& m) {
    m.fraction_bits = 40;
    m.block = 2048;
  };
  EXPECT_TRUE(contains(refusal(long_block), "do not fit a sum of 53 bits"));
}

TEST(AccumulatorModels, RefusesWhatContradictsItself) {
  EXPECT_TRUE(contains(refusal([](auto& m) { m.block = 0; }), "needs a block length"));
  EXPECT_TRUE(
      contains(refusal([](auto& m) { m.product = {.exact = false}; }), "takes exact products"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.late_fraction_bits = 30; }), "for a late c"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.late_cut = Cut::toward_zero; }), "for a late c"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.late_fraction_bits = 23; }, amd_cdna3_bf16),
                       "below fraction_bits"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.segment = 4; }), "`segment` is for"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.segment = 0; }, trn_segments), "at least one"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.cut = Cut::floor; }, trn_tree), "aligned sums"));
  EXPECT_TRUE(contains(refusal([](auto& m) { m.fraction_bits = 25; }, trn_exact), "aligned sums"));
  EXPECT_TRUE(
      contains(refusal([](auto& m) { m.format.overflow = Overflow::saturate; }), "no infinity"));
}

TEST(AccumulatorModels, AcceptsTheLimits) {
  const auto accepted = [](auto change) { return refusal(change); };
  EXPECT_EQ(accepted([](auto& m) { m.fraction_bits = 40; }), "accepted");
  EXPECT_EQ(accepted([](auto& m) { m.fraction_bits = 1; }), "accepted");
  EXPECT_EQ(accepted([](auto& m) { m.lowest_exponent = -298; }), "accepted");
  EXPECT_EQ(accepted([](auto& m) { m.operands = fp32; }), "accepted");
}

}  // namespace fftprec::testing
