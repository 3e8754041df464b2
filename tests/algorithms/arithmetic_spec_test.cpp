/// What an arithmetic is put together from, and what has no meaning.
#include "algorithms/arithmetic/arithmetic_spec.hpp"

#include <gtest/gtest.h>

#include "arith/support/error.hpp"

namespace fftprec::testing {

namespace {

std::variant<ArithmeticSpec, Refusal> made(const char* mode, const char* store,
                                           const char* scale = "none") {
  return ArithmeticSpec::make(mode_named(mode), machine_named("trn"), rounding_points_named(store),
                              scale_policy_named(scale));
}

ArithmeticSpec spec(const char* mode, const char* store = "op", const char* scale = "none") {
  return std::get<ArithmeticSpec>(made(mode, store, scale));
}

}  // namespace

TEST(ArithmeticSpec, RefusesWhatHasNoMeaningInASentence) {
  struct Refused {
    const char* mode;
    const char* store;
    const char* scale;
    const char* reason;
  };
  for (const auto& [mode, store, scale, reason] : {
           Refused{"fp32", "stage", "none",
                   "mode fp32 computes in the format that it keeps its data in, fp32: "
                   "rounding_points=stage "
                   "has nothing to round"},
           Refused{"mxfp8_e5m2", "ends", "block",
                   "mode mxfp8_e5m2 keeps data in blocks that have scales of their own"},
           Refused{"fp64", "op", "block",
                   "scale=block is for data that a float holds; those of mode fp64 are wider"},
           Refused{"doubleword", "op", "stage:1/2",
                   "scale=stage:1/2 is for data that a float holds; those of mode doubleword are "
                   "wider"},
           Refused{"fp16", "op", "block",
                   "scale=block gives data an exponent where they are stored, and mode fp16 stores "
                   "them after every operation: rounding_points=stage, pass:K or ends"},
           Refused{"bf16", "stage", "block",
                   "scale=block gives data an exponent, and bf16 has the range of fp32"},
           Refused{"bf16_refined", "op", "stage:1/2",
                   "mode bf16_refined adds up transforms, which scale=stage:1/2 leaves at other "
                   "scales"},
       }) {
    const auto result = made(mode, store, scale);
    ASSERT_TRUE(std::holds_alternative<Refusal>(result)) << reason;
    EXPECT_EQ(std::get<Refusal>(result).reason, reason);
  }
  const Machine machine = machine_named("trn");
  EXPECT_THROW(resolve(mode_named("fp32"), machine, rounding_points_named("stage")), NotApplicable);
}

TEST(ArithmeticSpec, DataStoredInPassesAreInTheTypesOwnFormatBetweenThem) {
  for (const auto& [mode, stored, wide] :
       {std::tuple{"bf16", bf16, fp32}, std::tuple{"q1.15", fixed_format(1, 15), fp32},
        std::tuple{"q1.31", fixed_format(1, 31), fp64}}) {
    const ArithmeticSpec every = spec(mode);
    EXPECT_EQ(every.operation_format(), stored) << mode;
    const ArithmeticSpec passes = spec(mode, "stage");
    EXPECT_EQ(passes.storage_format(), stored) << mode;
    for (const Format& format :
         {passes.operation_format(), passes.table_format(), passes.wide(), passes.wide_table()})
      EXPECT_EQ(format, wide) << mode;
    EXPECT_FALSE(passes.on_integers()) << mode;
    EXPECT_EQ(passes.counts_overflows(), every.counts_overflows()) << mode;
  }
  EXPECT_TRUE(spec("q1.15").on_integers());
  EXPECT_EQ(spec("q1.15:table=q1.7").wide_table(), fixed_format(1, 7));
}

TEST(ArithmeticSpec, BlocksAndQuiresBelongToOneWayOfStoring) {
  EXPECT_TRUE(std::holds_alternative<FloatStorage>(spec("mxfp8_e5m2").storage()));
  ASSERT_NE(spec("mxfp8_e5m2", "stage").block_format(), nullptr);
  EXPECT_EQ(spec("mxfp8_e5m2", "stage").storage_format(), fp32);
  EXPECT_TRUE(spec("posit16:quire").gemm().as<VectorProducts>()->quire);
  EXPECT_FALSE(spec("posit16:quire", "stage").gemm().as<VectorProducts>()->quire);
}

TEST(ArithmeticSpec, AnExponentIsSharedByStoresOrByOperations) {
  EXPECT_EQ(spec("fp16").shared_exponent(), SharedExponent::none);
  EXPECT_EQ(spec("fp16", "stage", "block").shared_exponent(), SharedExponent::of_stores);
  EXPECT_EQ(spec("q1.15", "stage", "block").shared_exponent(), SharedExponent::of_stores);
  EXPECT_EQ(spec("q1.15", "op", "block").shared_exponent(), SharedExponent::of_operations);
}

TEST(ArithmeticSpec, WordsBelongToSplitProductsAndToTheTensorEngine) {
  const ArithmeticSpec split = spec("bf16x2:3");
  EXPECT_EQ(*split.product().words(), ozaki_split);
  EXPECT_EQ(split.gemm().engine(), Engine::tensor);
  EXPECT_TRUE(split.gemm().evict_each());
  EXPECT_EQ(split.in_wide_format().product(), ProductScheme::plain);
  EXPECT_EQ(spec("kahan").product().words(), nullptr);
  EXPECT_EQ(spec("kahan").gemm().engine(), Engine::vector);
  EXPECT_EQ(spec("fp64").gemm().words().data.format, fp64) << "a host multiplies whole values";
}

}  // namespace fftprec::testing
