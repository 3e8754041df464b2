#include "experiments/cases/axes.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "arith/machines/machine.hpp"
#include "experiments/cases/case_list.hpp"
#include "experiments/support/names.hpp"
#include "tests/experiments/cases/few_names.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using testing::error_text;
using testing::expect_each;
using testing::holds;
using testing::known_names_only;

Axes axes_from(const std::vector<std::string>& assignments) {
  Axes axes;
  for (const std::string& assignment : assignments) set_axis(axes, assignment, known_names_only);
  return axes;
}

std::vector<std::string> values(const std::string& assignment) {
  const Axes axes = axes_from({assignment});
  for (const auto& list : axes.values)
    if (!list.empty()) return list;
  return {};
}

std::string error_of(const std::string& assignment) {
  return error_text([&] { axes_from({assignment}); });
}

TEST(Axes, TakeLists) {
  EXPECT_THAT(values("n=64,128,256"), ElementsAre("64", "128", "256"));
  EXPECT_THAT(values("mode=bf16, ozaki"), ElementsAre("bf16", "ozaki"));
}

TEST(Axes, DoNotSplitAtCommasWithinBrackets) {
  EXPECT_THAT(values("input=tones(1,2),gaussian"), ElementsAre("tones(1,2)", "gaussian"));
  EXPECT_THAT(split_list("a{1,2},b[3,(4,5)],c"), ElementsAre("a{1,2}", "b[3,(4,5)]", "c"));
}

TEST(Axes, KeepMachinesAndModesByTheirCanonicalNames) {
  EXPECT_THAT(values("machine=trn,trn{accumulate.rounding=rz, psum=bf16}"),
              ElementsAre("trn", "trn-rz{psum=bf16}"));
  EXPECT_THAT(values("machine=trn{product = bf16}"), ElementsAre("trn-claim"));
  EXPECT_THAT(values("mode=slices:3x3,fp32"), ElementsAre("slices:3x3", "fp32"));
  EXPECT_EQ(expand(axes_from({"machine=trn-rz,trn{accumulate.rounding=rz}"})).size(), 1u);
  EXPECT_EQ(expand(axes_from({"machine=trn{k_tile=064}"})).at(0).machine, "trn{k_tile=64}");
}

TEST(Axes, TakeRanges) {
  EXPECT_THAT(values("seed=1..4"), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(values("seed=0..10..5"), ElementsAre("0", "5", "10"));
  EXPECT_THAT(values("seed=0..9..5,7"), ElementsAre("0", "5", "7"));
  EXPECT_THAT(values("n=[6:8]"), ElementsAre("6", "7", "8"));
  EXPECT_THAT(values("n=[6:10:2]"), ElementsAre("6", "8", "10"));
  EXPECT_THAT(values("seed=18446744073709551615..18446744073709551615"),
              ElementsAre("18446744073709551615"));
}

TEST(Axes, TakePowersOfTwo) {
  EXPECT_THAT(values("n[pow2]=[3:6]"), ElementsAre("8", "16", "32", "64"));
  EXPECT_THAT(values("n[pow2]=0,5..6,63"), ElementsAre("1", "32", "64", "9223372036854775808"));
}

TEST(Axes, TakeSmoothLengthsAndPrimes) {
  EXPECT_THAT(values("n[smooth]=[60:72]"), ElementsAre("60", "63", "64", "70", "72"));
  EXPECT_THAT(values("n[smooth]=10..12,49"), ElementsAre("10", "12", "49"));
  EXPECT_THAT(values("n[primes]=[2:13]"), ElementsAre("2", "3", "5", "7", "11", "13"));
  EXPECT_THAT(values("seed[primes]=97,100..103"), ElementsAre("97", "101", "103"));
}

TEST(Axes, RefuseUnknownNamesWithTheNearest) {
  expect_each(error_of, {{"mod=fp32", "unknown axis 'mod'; did you mean 'mode'?"},
                         {"mode=fp32,bf61", "unknown mode 'bf61'"},
                         {"n[pow3]=1", "known: pow2, smooth, primes"},
                         {"err_l2_rel=1", "unknown axis 'err_l2_rel'"}});
}

TEST(Axes, RefuseMalformedValues) {
  for (const auto& [assignment, message] : std::vector<std::pair<std::string, std::string>>{
           {"n", "expected AXIS=VALUES"},
           {"n[pow2=3", "expected AXIS or AXIS[MODIFIER]"},
           {"n[]=3", "expected AXIS or AXIS[MODIFIER]"},
           {"n[smooth]=11", "holds no 7-smooth number"},
           {"n[primes]=24..28", "holds no prime"},
           {"n[primes]=3..9..2", "smooth and primes take none"},
           {"n[primes]=4294967291..4294967296", "goes beyond 2^32"},
           {"n[primes]=1..1000001", "more than 1000000 values"},
           {"n=", "is no value"},
           {"n=64,,128", "is no value"},
           {"n=0", "contains 0"},
           {"n=0..3", "contains 0"},
           {"batch=0", "contains 0"},
           {"n=-8", "is not an integer"},
           {"n=1e-3", "is not an integer"},
           {"n=18446744073709551616", "is not an integer"},
           {"n=8..4", "is an empty range"},
           {"n=1..8..0", "has step 0"},
           {"n=1..2..3..4", "has more parts"},
           {"n=1..1000001", "more than 1000000 values"},
           {"n[pow2]=64", "exponent beyond 63"},
           {"mode[pow2]=fp32", "modifier of integer axes"},
           {"mode=custom(8", "brackets do not pair"},
           {"mode=custom(8]", "brackets do not pair"}})
    EXPECT_THAT(error_of(assignment), holds(message)) << assignment;
  EXPECT_THAT(values("seed=0"), ElementsAre("0"));
}

TEST(Axes, TheLawOfAnInputHasOneSpelling) {
  for (const auto& [spelling, canonical] :
       {std::pair{"uniform:high=1.0:low=-1", "uniform"},
        {"uniform:low=0.0", "uniform:low=0"},
        {"uniform:high=255:low=-0", "uniform:low=0:high=255"},
        {"gaussian:deviation=1:mean=0.10", "gaussian:mean=0.1"},
        {"jitter:k=2:inner=uniform:low=0e3", "jitter:k=2:inner=uniform:low=0"},
        {"rounded:inner=gaussian:mean=0", "rounded:inner=gaussian"},
        {"wide:phi=4", "wide:phi=4"},
        {"uniform:lov=0", "uniform:lov=0"},
        {"file:a:low=0.0", "file:a:low=0.0"}})
    EXPECT_EQ(canonical_value(axis_index("input"), spelling), canonical) << spelling;
}

TEST(Axes, HaveADefaultInItsOneSpellingAmongTheirNames) {
  for (std::size_t axis = 0; axis < axis_columns().size(); ++axis) {
    const Column& column = axis_columns()[axis];
    ASSERT_TRUE(column.axis) << column.name;
    const std::string usual = column.text(Row{});
    EXPECT_EQ(canonical_value(axis, usual), usual) << column.name;
    EXPECT_EQ(column.axis->list == nullptr, column.number(Row{}).has_value()) << column.name;
    if (column.axis->list == nullptr) continue;
    const std::vector<Named> names = column.axis->list();
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const Named& each) {
      return each.name == usual;
    })) << column.name;
  }
}

TEST(Axes, ALaterAssignmentReplacesAnEarlierOne) {
  const auto cases = expand(axes_from({"n=64,128", "n=32"}));

  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].n, 32u);
}

TEST(Expand, GivesEveryCombinationOnceInTheOrderOfTheCsv) {
  const auto cases = expand(axes_from({"seed=2,1,2", "n=128,64", "mode=ozaki,bf16"}));

  std::vector<std::string> order;
  for (const Case& where : cases)
    order.push_back(where.mode + " " + std::to_string(where.n) + " " + std::to_string(where.seed));
  EXPECT_THAT(order, ElementsAre("bf16 64 1", "bf16 64 2", "bf16 128 1", "bf16 128 2", "ozaki 64 1",
                                 "ozaki 64 2", "ozaki 128 1", "ozaki 128 2"));
  EXPECT_EQ(cases[0].algorithm, Case{}.algorithm);
}

TEST(Expand, RefusesMoreCasesThanMemoryHolds) {
  const Axes many = axes_from({"seed=1..1000000", "batch=1..5"});
  const Axes more = axes_from({"n=1..1000000", "seed=1..1000000", "batch=1..1000000"});

  EXPECT_THAT(error_text([&] { expand(many); }), holds("more than 4000000 cases"));
  EXPECT_THAT(error_text([&] { expand(more); }), holds("more than 1073741824 cases"));
}

TEST(Expand, WithoutAxesIsTheDefaultCase) { EXPECT_THAT(expand({}), ElementsAre(Case{})); }

}  // namespace
}  // namespace fftprec
