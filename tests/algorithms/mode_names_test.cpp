/// Names of modes: every spelling, the one name that each stands for, and what is refused.
#include <gmock/gmock.h>

#include <set>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/number_families.hpp"

namespace fftprec::testing {

namespace {

struct Spelling {
  const char* text;
  const char* name;
};

constexpr Spelling spellings[] = {
    {"fp32", "fp32"},
    {"Float32", "fp32"},
    {"single", "fp32"},
    {"FP64", "fp64"},
    {"float64", "fp64"},
    {"float16", "fp16"},
    {"half", "fp16"},
    {"bfloat16", "bf16"},
    {"BF16", "bf16"},
    {"bf16x2", "bf16x2:3"},
    {"bf16x3", "bf16x3:6"},
    {"fp16x2", "fp16x2:3"},
    {"tf32x2", "tf32x2:3"},
    {"tf32x3", "tf32x3:6"},
    {"slices", "slices:3x3"},
    {"slices:1x12", "slices:1x12"},
    {"slices:2x3:7", "slices:2x3:7"},
    {"slices:2x3:fp32:7", "slices:2x3:7:fp32"},
    {"slices:2x3:fp16:11", "slices:2x3:11:fp16"},
    {"slices:5x5:check:tiles:pair:8", "slices:5x5:8:pair:tiles:check"},
    {"slices:5x5:check:tiles:fp32:fp16:8", "slices:5x5:8:fp16:fp32:tiles:check"},
    {"ozaki2", "ozaki2:14"},
    {"refined_fp32", "refined_fp32:1"},
    {"custom(p=8, emin=-126, emax=127)", "bf16"},
    {"custom(p=24,emin=-126,emax=127)", "fp32"},
    {"custom(p=53,emin=-1022,emax=1023)", "fp64"},
    {"custom(p=12,emin=-126,emax=127)",
     "custom(p=12,emin=-126,emax=127,subnormals=true,overflow=infinity)"},
    {"custom(p=4,emin=-7,emax=7,overflow=saturate)", "fp8_e4m3fnuz"},
    {"block(element=e2m1,size=16,scale=e4m3)", "nvfp4"},
    {"block(element=e2m1,size=16,scale=ue4m3)", "nvfp4:ue4m3"},
    {"block(size=32, element=e4m3fn, scale=ocp, along=transform)", "mxfp8_e4m3fn:ocp"},
    {"block(element=int:8,size=8,scale=ocp)", "bfp16"},
    {"block(element=int:12,size=line)",
     "block(element=int:12,size=line,scale=headroom,along=transform)"},
    {"block(element=e3m2,size=array,scale=ocp,along=batch)",
     "block(element=e3m2,size=array,scale=ocp,along=batch)"},
    {"bfloat16:table=custom(p=11,emin=-14,emax=15)", "bf16:table=fp16"},
    {"fp8_e5m2:table=fp8_e5m2", "fp8_e5m2"},
    {"q4.12:table=q1.15", "q4.12:table=q1.15"},
    {"q18.0:table=q2.16", "q18.0:table=q2.16"},
    {"Q1.11", "q1.11"},
    {"int16", "q1.15"},
    {"sfix18_en17:table=Int12", "q1.17:table=q1.11"},
    {"posit32:quire", "posit32:quire"},
    {"takum12", "takum12"},
    {"p3109(k=8,p=4,domain=finite)", "binary8p4sf"},
    {"binary8p4se:saturate", "binary8p4se:saturate"},
    {"posit8:table=bf16", "posit8:table=bf16"},
    {"refined_fp32:8", "refined_fp32:8"},
};

std::string refusal(const std::string& text) {
  return error_text([text] { mode_named(text); });
}

}  // namespace

TEST(ModeNames, EverySpellingHasOneCanonicalName) {
  for (const Spelling& spelling : spellings) {
    EXPECT_EQ(mode_named(spelling.text).name, spelling.name) << spelling.text;
    EXPECT_EQ(mode_named(spelling.name).name, spelling.name) << "canonical is not stable";
  }
}

TEST(ModeNames, OfEveryFamilyOfSystemsAreTheirOwn) {
  for (const std::string& name : systems_for_ffts()) {
    const std::string in_quire = name + ":quire";
    EXPECT_EQ(mode_named(name).name, name);
    EXPECT_FALSE(mode_named(name).as<PlainScheme>()->quire) << name;
    if (family_of(*number_system_named(name))->has_quire) {
      EXPECT_EQ(mode_named(in_quire).name, in_quire);
      EXPECT_TRUE(mode_named(in_quire).as<PlainScheme>()->quire) << name;
    } else {
      EXPECT_NE(refusal(in_quire), "no error") << name;
    }
  }
}

/// What the canonical name alone does not show: that the parts of a name took effect.
TEST(ModeNames, PartsOfANameSetTheMode) {
  const Mode mode = mode_named("slices:5x4:check:tiles:fp32:fp16:8");
  const auto* slices = mode.as<SlicedScheme>();
  ASSERT_NE(slices, nullptr);
  EXPECT_EQ(slices->factor_slices, 5u);
  EXPECT_EQ(slices->data_slices, 4u);
  EXPECT_EQ(slices->bits, 8);
  EXPECT_EQ(slices->word, fp16);
  EXPECT_EQ(slices->sum, TermSum::in_fp32);
  EXPECT_TRUE(slices->evict_tiles);
  EXPECT_TRUE(slices->checked);
  EXPECT_EQ(storage_format(mode), fp64);

  EXPECT_EQ(storage_format(mode_named("slices:2x2:pair")), fp32_pair);
  EXPECT_EQ(mode_named("ozaki2:9").as<ResidueScheme>()->moduli, 9u);
  EXPECT_EQ(mode_named("refined_fp32:3").refinement->steps, 3);
  EXPECT_TRUE(mode_named("refined_fp32:3").refinement->accurate_residual);
  EXPECT_FALSE(mode_named("bf16_refined").refinement->accurate_residual);
  EXPECT_TRUE(mode_named("doubleword:fp32").as<DoubleWordScheme>()->rounds_result);
  EXPECT_FALSE(mode_named("doubleword").as<DoubleWordScheme>()->rounds_result);
  EXPECT_EQ(mode_named("fp16:in=fp64").as<HostScheme>()->storage, fp16);
  EXPECT_EQ(storage_format(mode_named("fp32:in=fp64")), fp32);
  EXPECT_TRUE(on_host(mode_named("fp32:in=fp64")));
  EXPECT_EQ(mode_named("fp16x2").as<SplitScheme>()->split.scale, 11);
  EXPECT_EQ(mode_named("tf32x2").as<SplitScheme>()->split.scale, 0);
  EXPECT_EQ(mode_named("bf16x3:9").as<SplitScheme>()->split.count, 9u);
  EXPECT_EQ(storage_format(mode_named("tf32")), tf32);
  EXPECT_EQ(mode_named("mxfp8_e5m2").as<BlockScheme>()->block.element, fp8_e5m2);
}

TEST(ModeNames, ListShowsOneModeOfEachKindUnderItsOwnName) {
  std::set<std::string> names;
  for (const Mode& mode : modes()) {
    EXPECT_TRUE(names.insert(mode.name).second) << mode.name << " stands twice";
    EXPECT_EQ(mode_named(mode.name).name, mode.name);
    EXPECT_EQ(mode_named(mode.name).summary, mode.summary);
  }
}

TEST(ModeNames, ParametersOutOfRangeAreRefusedWithTheRange) {
  expect_each(refusal, {{"slices:0x3", "'0' is no number of slices of the table, 1..12"},
                        {"slices:3x13", "'13' is no number of slices of the data, 1..12"},
                        {"slices:3x-1", "'-1' is no number"},
                        {"slices:3x3:0", "'0' is no number of bits of a slice"},
                        {"slices:3x3:12:fp16", "1..11"},
                        {"slices:3x3:9", "9 bits do not fit a word of 8"},
                        {"ozaki2:16", "'16' is no number of moduli, 1..15"},
                        {"ozaki2:0", "moduli"},
                        {"bf16x2:5", "'5' is no number of products, 1..4"},
                        {"bf16x3:7", "keeps 6 or 9 products, not 7"},
                        {"tf32x2:2", "keeps 3 or 4 products, not 2"},
                        {"fp64:in=fp64", "mode fp64:in=fp64: data are floats narrower than fp64"},
                        {"posit16:in=fp64", "data are floats narrower than fp64"},
                        {"refined_fp32:9", "'9' is no number of steps, 1..8"},
                        {"refined_fp32:99999999999999999999", "1..8"}});
}

TEST(ModeNames, OfFixedPointWithoutASignAreRefusedBecauseOfIt) {
  expect_each(refusal, {{"u1.15", "mode 'u1.15': u1.15 has no sign"},
                        {"ufix16_en15", "mode 'ufix16_en15': u1.15 has no sign"},
                        {"uint16", "u0.16 has no sign, and the results of an FFT have signs: qI.F"},
                        {"q1.15:table=ufix16_en15", "tables are qI.F"}});
}

TEST(ModeNames, ContradictoryPartsAreRefused) {
  expect_each(refusal, {{"slices:3x3:pair:fp32", "two kinds of sums"},
                        {"slices:3x3:fp32:pair", "two kinds of sums"},
                        {"slices:3x3:7:8", "bits twice"}});
}

TEST(ModeNames, MalformedNamesAreRefused) {
  expect_each(refusal, {{"slices:3", "expected slices:SxT"},
                        {"slices:", "expected slices:SxT"},
                        {"slices:3x", "'' is no number"},
                        {"slices:3x3x3", "'3x3' is no number"},
                        {"slices:3x3:8b", "'8b' is no number"}});
  EXPECT_THAT(refusal("slices:3x3:bf16"), holds("'bf16'", "tiles, check"));
  expect_each(refusal, {{"ozaki2:3:4", "expected ozaki2:M"},
                        {"ozaki2:", "'' is no number"},
                        {"doubleword:fp64", "expected doubleword or doubleword:fp32"},
                        {"refined_fp32:1:1", "expected refined_fp32:S"},
                        {"bf16x2:3:3", "nothing follows"}});
}

TEST(ModeNames, FormatsThatNoFloatHoldsAreRefused) {
  for (const char* text : {"custom(p=25,emin=-126,emax=127)", "custom(p=9,emin=-127,emax=127)",
                           "custom(p=9,emin=-14,emax=128)", "custom(p=9,emin=104,emax=104)"})
    EXPECT_THAT(refusal(text), holds(text, "held as fp32: p <= 24, "));
  expect_each(refusal, {{"custom(p=1,emin=-126,emax=127)", "precision is not in 2..50"},
                        {"custom(p=9)", "'emin' is missing"},
                        {"custom", "unknown mode"}});
}

TEST(ModeNames, MalformedBlocksAreRefused) {
  expect_each(refusal, {{"block(element=e2m1,size=16", "closing parenthesis is missing"},
                        {"block(element=e2m1)", "'size' is missing; the form is block("},
                        {"block(size=4)", "'element' is missing"},
                        {"block()", "'' is not key=value"},
                        {"block(element=e2m1,size=16,)", "nothing follows the last comma"},
                        {"block(element=e2m1,size=16,size=8)", "'size' is given twice"},
                        {"block(element=e2m1,size=16,rule=ocp)", "scale, along"},
                        {"block(element=e2m1,size=16,scale=e5m2)", "ocp, e4m3, ue4m3"},
                        {"block(element=e2m1,size=16,along=line)", "transform, batch"},
                        {"block(element=fp16,size=16)", "e5m2, int:B"},
                        {"block(element=int:25,size=16)", "no number of bits, 2..24"},
                        {"block(element=int:1,size=16)", "no number of bits, 2..24"},
                        {"block(element=int:8,size=0)", "'0' is no number of values"},
                        {"block(element=int:8,size=2097152)", "1..1048576"}});
}

/// What is stored alone is no operand, and says why.
TEST(ModeNames, BlocksWithoutAMatrixProductSayWhy) {
  const auto reason = [](const char* mode, const char* machine) -> std::string {
    const ArithmeticSpec spec = resolve(mode_named(mode), machine_named(machine));
    const auto* none = spec.gemm().as<NoMatrices>();
    return none ? none->reason : "";
  };
  for (const char* name :
       {"nvfp4", "block(element=e2m1,size=line)", "block(element=e2m1,size=32,along=batch)"})
    EXPECT_THAT(reason(name, "nv-blackwell"), holds("multiplies no matrices")) << name;
  for (const std::string name : {"mxint8", "bfp16", "mxfp6_e2m3"})
    EXPECT_THAT(reason(name.c_str(), "nv-volta"),
                holds("machine nv-volta multiplies no matrices of " + name + "; it takes fp16"));
  EXPECT_EQ(reason("block(element=e2m1,size=64)", "nv-blackwell"), "");
  // A scale with digits needs a unit that aligns by it, and no group in two blocks or tiles.
  EXPECT_EQ(reason("nvfp4:ue4m3", "nv-blackwell"), "");
  for (const auto& [mode, machine] :
       {std::pair{"nvfp4:ue4m3", "trn3-bf16psum"},
        std::pair{"nvfp4:ue4m3", "nv-blackwell{k_tile=24}"},
        std::pair{"block(element=e2m1,size=32,scale=ue4m3)", "nv-blackwell"},
        std::pair{"block(element=e4m3fn,size=16,scale=ue4m3)", "nv-blackwell"}})
    EXPECT_THAT(reason(mode, machine), holds("elements and a scale of e4m3")) << mode;
}

TEST(ModeNames, OfUnknownNamesTheNearestAreShownAndWhereAllAre) {
  for (const char* text : {"bf17", "", "bf16x4", "fp16x3", "bf16:3", "ozaki:3", "FAST", "fp31"})
    EXPECT_THAT(refusal(text), holds("unknown mode", "; all: fftprec list modes")) << text;
  for (const auto& [text, meant] : {std::pair{"bf16x4", "bf16x2"},
                                    {"FAST", "fast"},
                                    {"float", "fp32"},
                                    {"Posit16", "posit16"},
                                    {"Takum12", "takum12"}})
    EXPECT_THAT(refusal(text), holds(std::string("did you mean '") + meant + "'?")) << text;
}

}  // namespace fftprec::testing
