#include "experiments/cases/filter.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using testing::expect_each;

/// mode bf16, n = 64, seed 3, err_l2_rel = 0.25; bound_l2_rel not measured.
Row sample() {
  Row row;
  row.where.set(&Case::mode, "bf16");
  row.where.set(&Case::n, 64);
  row.where.set(&Case::seed, 3);
  row.where.set(&Case::input, "wide:phi=4");
  row.err_l2_rel = 0.25;
  return row;
}

bool selects(const std::string& filter, const Row& row = sample()) {
  return matches(parse_filter(filter), row);
}

TEST(Filter, ComparesNamesWithALot) {
  EXPECT_TRUE(selects("mode=bf16"));
  EXPECT_TRUE(selects("mode=fp32,bf16"));
  EXPECT_FALSE(selects("mode=fp32,bf1,bf16_refined"));
  EXPECT_FALSE(selects("mode!=fp32,bf16"));
  EXPECT_TRUE(selects("mode!=fp32"));
  EXPECT_TRUE(selects("input=wide:phi=4"));
  EXPECT_TRUE(selects("status=ok"));
}

TEST(Filter, TakesAFileWithAnyContentUnlessItNamesOne) {
  Row row = sample();
  row.where.set(&Case::input, "file:x.npy?offset=2&hash=0123456789abcdef");

  EXPECT_TRUE(selects("input=file:x.npy?offset=2", row));
  EXPECT_TRUE(selects("input=file:x.npy?offset=2&hash=0123456789abcdef", row));
  EXPECT_FALSE(selects("input=file:x.npy?offset=2&hash=fedcba9876543210", row));
  EXPECT_FALSE(selects("input=file:x.npy", row));
}

TEST(Filter, TakesEverySpellingOfAMachineOrMode) {
  Row row = sample();
  row.where.set(&Case::machine, "trn-rz");
  row.where.set(&Case::mode, "bf16x2:3");
  EXPECT_TRUE(selects("machine=trn{accumulate.rounding = rz}", row));
  EXPECT_FALSE(selects("machine=trn{accumulate.rounding=odd}", row));
  EXPECT_TRUE(selects("mode=bf16x2", row));
  row.where.set(&Case::machine, "a machine of another version");
  EXPECT_TRUE(selects("machine=a machine of another version", row));
}

TEST(Filter, ComparesNumbersAsNumbers) {
  EXPECT_TRUE(selects("n=64"));
  EXPECT_TRUE(selects("n=8,064.0"));
  EXPECT_FALSE(selects("n=6,4"));
  EXPECT_TRUE(selects("n=64..100"));
  EXPECT_TRUE(selects("n=1..64"));
  EXPECT_FALSE(selects("n=65..100,1..63"));
  EXPECT_TRUE(selects("n!=1..63"));
  EXPECT_TRUE(selects("err_l2_rel<=0.25"));
  EXPECT_TRUE(selects("err_l2_rel>=2.5e-1"));
  EXPECT_FALSE(selects("err_l2_rel<0.25"));
  EXPECT_FALSE(selects("err_l2_rel>0.25"));
  EXPECT_TRUE(selects("n<100"));
  EXPECT_TRUE(selects("n > 7"));
}

TEST(Filter, NeedsAllConditions) {
  EXPECT_TRUE(selects("mode=bf16 and n>=64 and seed=1..5"));
  EXPECT_FALSE(selects("mode=bf16 and n>=65"));
  EXPECT_FALSE(selects("n>=65 and mode=bf16"));
  EXPECT_TRUE(selects(""));
  EXPECT_TRUE(matches(parse_filters({"mode=bf16", "n=64"}), sample()));
  EXPECT_FALSE(matches(parse_filters({"mode=bf16", "n=65"}), sample()));
}

TEST(Filter, TellsNotMeasuredFromMeasured) {
  EXPECT_TRUE(selects("bound_l2_rel="));
  EXPECT_FALSE(selects("bound_l2_rel!="));
  EXPECT_FALSE(selects("err_l2_rel="));
  EXPECT_TRUE(selects("err_l2_rel!="));
  for (const char* comparison : {"<1", "<=1", ">1", ">=1", "=1"})
    EXPECT_FALSE(selects("bound_l2_rel" + std::string(comparison))) << comparison;
}

TEST(Filter, LetsNanSatisfyNothingButNan) {
  Row row = sample();
  row.err_l2_rel = std::numeric_limits<double>::quiet_NaN();
  for (const char* comparison : {"<1", "<=1", ">1", ">=1", "=1", "=-inf..inf", "="})
    EXPECT_FALSE(selects("err_l2_rel" + std::string(comparison), row)) << comparison;
  EXPECT_TRUE(selects("err_l2_rel=nan", row));
  EXPECT_TRUE(selects("err_l2_rel!=1", row));
  EXPECT_FALSE(selects("err_l2_rel=nan"));
}

TEST(Filter, KnowsWhetherTheCaseDecides) {
  EXPECT_TRUE(decided_by_case(parse_filter("mode=bf16 and seed<3")));
  EXPECT_TRUE(decided_by_case(parse_filter("case_id=0123456789abcdef")));
  EXPECT_TRUE(decided_by_case(parse_filter("")));
  EXPECT_FALSE(decided_by_case(parse_filter("mode=bf16 and err_l2_rel<1")));
  EXPECT_FALSE(decided_by_case(parse_filter("status=ok")));
}

TEST(Filter, RefusesWhatItCannotUnderstand) {
  expect_each([](const std::string& text) { return error_text([&] { parse_filter(text); }); },
              {{"mod=bf16", "did you mean 'mode'?"},
               {"mode", "'mode' is no condition"},
               {"mode!bf16", "is no condition"},
               {"mode<bf16", "needs a column of numbers"},
               {"n<1,2", "one number"},
               {"n<", "one number"},
               {"n<1..2", "one number"},
               {"n=many", "'many' is not one"},
               {"n=9..8", "'9..8' is empty"},
               {"status=okay", "known: ok"},
               {"n=1 and ", "is no condition"},
               {"mode=bf16 or mode=fp16,fp32 and n=8",
                "'or' is not known; did you mean 'mode=bf16,fp16,fp32'?; a column takes a list"},
               {"n=8 or n>64", "'or' is not known; a column takes a list"},
               {"n>8 or mode=bf16", "and several filters must all hold"}});
  EXPECT_NO_THROW(parse_filter("message=n = 12 or n + 1"));
}

}  // namespace
}  // namespace fftprec
