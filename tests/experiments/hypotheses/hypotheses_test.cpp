/// Hypotheses as data: variants, dispatches, combinations, and what is refused.
#include "experiments/hypotheses/hypotheses.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "experiments/cases/evaluate.hpp"
#include "experiments/faults/faulty_machine.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::hypotheses {
namespace {

using fftprec::testing::error_text;
using ::testing::ElementsAre;
using testing::holds;

HypothesisSet hypotheses_of(const std::string& text) {
  return parse_hypotheses(text, "h.toml", check_names);
}

constexpr const char* two = R"(
tables = ["exact", "fp32-angle"]
[[dispatch]]
name = "as named"
[[dispatch]]
name = "other"
[[dispatch.replace]]
when = "algorithm=radix2-dit and mode=fp32"
algorithm = "stockham-mixed"
[[hypothesis]]
id = "A"
statement = "sums are cut"
[[hypothesis.machines]]
set = { "accumulate.rounding" = "rz" }
[[hypothesis]]
id = "B"
statement = "narrow"
[[hypothesis.machines]]
base = ["trn", "trn-rz"]
set = { psum = ["bf16", "tf32"], demote = "sum" }
)";

TEST(Hypotheses, SpanEveryCombinationOfTheirValues) {
  const HypothesisSet set = hypotheses_of(two);

  EXPECT_THAT(set.hypotheses[0].machines, ElementsAre("trn-rz"));
  EXPECT_THAT(set.hypotheses[1].machines,
              ElementsAre("trn{psum=bf16,demote=sum}", "trn{psum=tf32,demote=sum}",
                          "trn-rz{psum=bf16,demote=sum}", "trn-rz{psum=tf32,demote=sum}"));
  const std::vector<Variant> variants = variants_of(set);
  EXPECT_EQ(variants.size(), (1u + 4u) * 2 * 2);
  const double total =
      std::accumulate(variants.begin(), variants.end(), 0.0,
                      [](double sum, const Variant& each) { return sum + each.prior; });
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_DOUBLE_EQ(variants[0].prior, 0.5 / 4);
  EXPECT_DOUBLE_EQ(variants.back().prior, 0.5 / 16);
}

TEST(Hypotheses, MayHaveTablesOfTheirOwn) {
  const std::string third = std::string(two) + R"(
[[hypothesis]]
id = "C"
statement = "tables"
tables = )";
  const auto tables_of_c = [&](const std::string& list) {
    std::vector<std::string> tables;
    for (const Variant& each :
         variants_of(hypotheses_of(third + list + "\n[[hypothesis.machines]]\n")))
      if (each.id == "C" && each.dispatch.name == "other") tables.push_back(each.tables);
    return tables;
  };

  EXPECT_THAT(tables_of_c("[\"recurrence\", \"fp64-angle\"]"),
              ElementsAre("recurrence", "fp64-angle"));
  const std::vector<std::string> others = tables_of_c("\"others\"");
  EXPECT_EQ(others.size() + 2, table_candidates().size());
  EXPECT_THAT(others, ::testing::Contains("recurrence:by=numerical-recipes:in=fp16"));
  EXPECT_THAT(others, ::testing::Not(::testing::Contains("exact")));
  HypothesisSet set = hypotheses_of(third + "[\"recurrence\"]\n[[hypothesis.machines]]\n");
  combine(set, {"A", "C"});
  EXPECT_THAT(set.hypotheses.back().tables, ElementsAre("recurrence"));
  EXPECT_THAT(error_text([&] { tables_of_c("\"other\""); }), holds("h.toml:", "other"));
}

TEST(Hypotheses, SayWhichCaseRan) {
  const HypothesisSet set = hypotheses_of(two);
  MeasuredRow row;
  row.where.algorithm = "radix2-dit";
  row.where.mode = "fp32";
  Variant variant{"A", "trn-rz", "fp32-angle", set.dispatches[1], 1};

  EXPECT_EQ(case_under(variant, row).algorithm, "stockham-mixed");
  EXPECT_EQ(case_under(variant, row).machine, "trn-rz");
  EXPECT_EQ(case_under(variant, row).tables, "fp32-angle");
  row.where.mode = "kahan";
  row.tables_known = true;
  EXPECT_EQ(case_under(variant, row).algorithm, "radix2-dit");
  EXPECT_EQ(case_under(variant, row).tables, "exact");
}

TEST(Hypotheses, CombineIntoMachinesThatAreBoth) {
  HypothesisSet set = hypotheses_of(two);

  combine(set, {"A", "B"});

  EXPECT_EQ(set.hypotheses.back().id, "A+B");
  EXPECT_THAT(set.hypotheses.back().machines,
              ElementsAre("trn-rz{psum=bf16,demote=sum}", "trn-rz{psum=tf32,demote=sum}"));
  EXPECT_THAT(error_text([&] { combine(set, {"A", "C"}); }), holds("known: A, B"));
  EXPECT_THAT(error_text([&] { combine(set, {"A"}); }), holds("needs two"));
}

TEST(Hypotheses, LeaveOutPairsThatContradictEachOther) {
  HypothesisSet set = hypotheses_of(R"(
[[hypothesis]]
id = "A"
statement = "a"
[[hypothesis.machines]]
set = { demote = "sum" }
[[hypothesis]]
id = "B"
statement = "b"
[[hypothesis.machines]]
set = { demote = "terms" }
)");

  EXPECT_THAT(error_text([&] { combine(set, {"A", "B"}); }), holds("no machine can be both"));
}

TEST(Hypotheses, AreRefusedWithTheirPlace) {
  const std::string head =
      "[[hypothesis]]\nid = \"A\"\nstatement = \"a\"\n[[hypothesis.machines]]\n";
  struct Mistake {
    std::string text;
    std::string says;
  };
  for (const Mistake& mistake : std::vector<Mistake>{
           {head + "set = { psmu = \"bf16\" }\n", "h.toml:5:"},
           {head + "set = { psmu = \"bf16\" }\n", "psum"},
           {head + "base = \"trn-clam\"\n", "mean 'trn-claim'"},
           {head + head, "stands twice"},
           {"tables = [\"exat\"]\n" + head, "exact"},
           {"tables = [\"exact\"]\n", "no hypothesis"},
           {"[[dispatch]]\nname = \"x\"\n[[dispatch.replace]]\nwhen = \"err_l2_rel>1\"\n"
            "mode = \"bf16\"\n" +
                head,
            "by axes only"}})
    EXPECT_THAT(error_text([&] { hypotheses_of(mistake.text); }), holds(mistake.says))
        << mistake.text;
}

TEST(BuiltinHypotheses, AreKeptById) {
  HypothesisSet set = parse_hypotheses(builtin_hypotheses(), "hypotheses.toml", check_names);

  const std::size_t built_in = set.hypotheses.size();
  add_presets(set);
  EXPECT_EQ(set.hypotheses.size(), built_in + faulty_machines().presets().size());
  keep(set, {"H5", "H0"});
  ASSERT_EQ(set.hypotheses.size(), 2u);
  EXPECT_EQ(set.hypotheses[0].id, "H5");
  EXPECT_THAT(error_text([&] { keep(set, {"H7"}); }), holds("known: H5, H0"));
}

}  // namespace
}  // namespace fftprec::hypotheses
