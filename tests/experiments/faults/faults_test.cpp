/// Software faults: what they do to words, and how machines with them are named. Their products are
/// held against products by hand in tests/algorithms/machine_gemm_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "algorithms/arithmetic/arithmetic_spec.hpp"
#include "arith/support/error.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "tests/algorithms/complex_product.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {

namespace {

ArithmeticSpec on_trn_with(const char* mode, const Faults& faults) {
  const Machine trn = machine_named("trn");
  return resolve(mode_named(mode), trn, {}, {}, decorator_of(faults, trn));
}

std::string name_of_faulty(const char* text) { return faulty_machine_named(text).name; }

}  // namespace

/// 0, x0, 0, x1, ... along k.
TEST(Faults, MisreadDataAreTheirFirstHalfBetweenZeros) {
  for (const std::size_t depth : {1u, 4u, 5u})
    for (const bool k_major : {true, false}) {
      constexpr std::size_t lines = 3, words = 2;
      const WordShape shape =
          k_major ? WordShape{depth, lines, lines, 1} : WordShape{depth, lines, 1, depth};
      const ComplexArray<float> given = scattered<float>(words * depth * lines, fp32, 3);

      const ComplexArray<float> misread = misread_words(given, shape);

      ASSERT_EQ(misread.size(), given.size());
      for (std::size_t word = 0; word < words; ++word)
        for (std::size_t line = 0; line < lines; ++line) {
          const std::size_t first = word * shape.size() + line * shape.free_step;
          std::vector<float> seen, expected;
          for (std::size_t k = 0; k < depth; ++k) {
            seen.push_back(misread.im[first + k * shape.k_step]);
            if (expected.size() < depth) expected.push_back(0);
            if (expected.size() < depth) expected.push_back(given.im[first + k * shape.k_step]);
          }
          EXPECT_EQ(seen, expected) << "depth " << depth << ", word " << word;
        }
    }
}

TEST(Faults, EachSideLosesItsOwnResiduals) {
  for (const Elision elided : {Elision::none, Elision::data, Elision::table, Elision::both}) {
    const ArithmeticSpec spec = on_trn_with("ozaki_hq", {.elided = elided});
    const bool data = elided == Elision::data || elided == Elision::both;
    const bool table = elided == Elision::table || elided == Elision::both;
    for (const GemmScheme& words : {spec.matrices(), element_words(spec)}) {
      EXPECT_EQ(words.data().count, data ? 1u : 3u);
      EXPECT_EQ(words.data().total(), 3u);
      EXPECT_EQ(words.factor().count, table ? 1u : 2u);
      EXPECT_EQ(words.factor().total(), 2u);
    }
  }
}

TEST(Faults, DecorateSplitProductsAlone) {
  const Faults all{Elision::both, Demotion::sum, true};
  for (const char* mode : {"bf16", "kahan", "fp64", "slices:3x3", "q1.15"})
    EXPECT_EQ(on_trn_with(mode, all).decorator(), nullptr) << mode;
  const ArithmeticSpec split = on_trn_with("ozaki", all);
  ASSERT_NE(split.decorator(), nullptr);
  EXPECT_EQ(split.in_wide_format().decorator(), nullptr);
  EXPECT_EQ(split.in_mode(mode_named("ozaki_hq")).decorator(), split.decorator());
  EXPECT_EQ(on_trn_with("ozaki", {}).decorator(), nullptr);
}

TEST(FaultyMachine, ThatOfAPresetIsItself) {
  for (const FaultyMachine& machine : faulty_machines().presets()) {
    EXPECT_EQ(faulty_machine_named(machine.name), machine);
    EXPECT_EQ(faulty_machines().canonical_name(machine), machine.name);
  }
  EXPECT_EQ(faulty_machine_named("trn-elided").faults, Faults{.elided = Elision::both});
  EXPECT_EQ(faulty_machine_named("trn-misread").faults, Faults{.misread = true});
  EXPECT_EQ(faulty_machine_named("trn-misread").units, machine_named("trn").units);
}

TEST(FaultyMachine, HasOneNameWithItsFaultsLast) {
  EXPECT_EQ(name_of_faulty("trn{elide=both}"), "trn-elided");
  EXPECT_EQ(name_of_faulty("trn{misread=on}"), "trn-misread");
  EXPECT_EQ(name_of_faulty(" trn { demote = sum , psum = bf16 } "), "trn{psum=bf16,demote=sum}");
  EXPECT_EQ(name_of_faulty("trn{elide=both,psum=bf16,misread=on}"),
            "trn-elided{psum=bf16,misread=on}");
  EXPECT_EQ(name_of_faulty("trn-elided{elide=none}"), "trn");
  EXPECT_EQ(name_of_faulty("trn-elided{elide=data}"), "trn{elide=data}");
  EXPECT_EQ(name_of_faulty("trn{accumulate.rounding=rz,demote=terms}"), "trn-rz{demote=terms}");
  EXPECT_EQ(name_of_faulty("trn{casts=sr,psum.rounding=sr,elide=both}"), "trn-sr{elide=both}");
  EXPECT_EQ(name_of_faulty("nv-hopper{demote=leading}"), "nv-hopper{demote=leading}");
}

TEST(FaultyMachine, OfAFaultThatIsUnknownIsRefused) {
  expect_each<const char*>(
      [](const char* text) { return error_text([&] { faulty_machine_named(text); }); },
      {{"trn{misread=yes}", holds("machine 'trn{misread=yes}'", "known: off, on")},
       {"trn{demote=some}", "known: none, sum, terms, leading"},
       {"trn{demoted=sum}", "did you mean 'demote'?"},
       {"trn-elide", "trn-elided"},
       {"trn{demote=sum,k_tile=0}", "k_tile=0 is not in 1..65536"}});
}

TEST(FaultyMachine, IsDescribedByItsHardwareThenItsFaults) {
  const std::vector<MachineRow> rows =
      faulty_machines().describe(faulty_machine_named("trn-misread{psum=bf16}"));

  ASSERT_EQ(rows.size(), machine_parameters().size() + 3);
  EXPECT_EQ(rows.back().key, "misread");
  EXPECT_EQ(rows.back().value, "on");
  EXPECT_FALSE(rows.back().as_trn);
  EXPECT_EQ(rows[rows.size() - 2].value, "none");
  EXPECT_TRUE(rows[rows.size() - 2].as_trn);
}

}  // namespace fftprec::testing
