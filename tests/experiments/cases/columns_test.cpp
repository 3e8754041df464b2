#include "experiments/cases/columns.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using testing::holds;

/// A row in which every column holds something of its own.
Row full_row() {
  Row row;
  row.where = Case{"ifft", "dft-gemm", "bf16", "trn-rz", "fp32-angle", 64,
                   3,      "tone",     7,      "stage",  "input:2^-1"};
  double value = 0.5;
  for (auto field :
       {&Row::err_l2_rel, &Row::err_linf_rel, &Row::err_l1_rel, &Row::err_linf_abs,
        &Row::err_mean_rel, &Row::snr_no_gain_db, &Row::err_re_max_rel, &Row::err_im_max_rel,
        &Row::err_max_ulp, &Row::err_rms_ulp, &Row::err_roundtrip_l2_rel, &Row::bits_l2,
        &Row::snr_db, &Row::gain, &Row::bound_l2_rel, &Row::bound_prob_l2_rel,
        &Row::expected_l2_rel, &Row::expected_gain})
    row.*field = value /= 2;
  std::uint64_t count = 100;
  for (auto field : {&Row::truth_bits, &Row::matmul_passes, &Row::mac_count, &Row::time_ns,
                     &Row::overflows, &Row::underflows})
    row.*field = ++count;
  row.bound_name = "theorem";
  row.truth_tier = truth::Tier::double_double;
  row.output_hash = "00ff";
  row.status = Status::skipped;
  row.message = "why";
  return row;
}

TEST(Columns, StandInTheirFixedOrder) {
  std::string names;
  for (const Column& column : columns()) names += std::string(column.name) + " ";

  EXPECT_EQ(
      names,
      "case_id transform algorithm mode machine tables n batch input seed store scale "
      "err_l2_rel err_linf_rel err_l1_rel err_linf_abs err_mean_rel err_re_max_rel err_im_max_rel "
      "err_max_ulp err_rms_ulp err_roundtrip_l2_rel bits_l2 snr_db snr_no_gain_db gain "
      "bound_l2_rel bound_name "
      "bound_prob_l2_rel expected_l2_rel expected_gain overflows underflows truth_bits truth_tier "
      "matmul_passes mac_count time_ns "
      "output_hash status message ");
}

TEST(Columns, CarryEveryFieldThroughTextAndBack) {
  const Row row = full_row();
  Row copy;
  for (const Column& column : columns()) column.parse(copy, column.text(row));

  for (const Column& column : columns()) {
    EXPECT_EQ(column.text(copy), column.text(row)) << column.name;
    EXPECT_NE(column.text(row), column.text(Row{})) << column.name;
  }
  EXPECT_EQ(copy.where, row.where);
}

TEST(Columns, DifferFromEachOther) {
  const Row row = full_row();
  for (const Column& a : columns())
    for (const Column& b : columns())
      if (&a != &b) {
        EXPECT_NE(a.text(row), b.text(row)) << a.name << ", " << b.name;
      }
}

TEST(Columns, GiveNumbersWhereTheyHoldNumbers) {
  const Row row = full_row();
  for (const Column& column : columns()) {
    const std::optional<double> number = column.number(row);
    if (column.metric) {
      EXPECT_TRUE(number) << column.name;
    }
    if (number) {
      EXPECT_EQ(*number, std::stod(column.text(row))) << column.name;
    }
    if (column.metric) {
      EXPECT_FALSE(column.number(Row{})) << column.name;
    }
    if (column.metric) {
      EXPECT_EQ(column.text(Row{}), "") << column.name;
    }
  }
  EXPECT_EQ(column_named("n").number(row), 64.0);
  EXPECT_FALSE(column_named("mode").number(row));
}

TEST(Columns, KeepZeroInfinityAndNanApartFromNotMeasured) {
  const Column& column = column_named("err_l2_rel");
  Row row;
  for (const char* text : {"0", "-0", "inf", "-inf", "nan", ""}) {
    column.parse(row, text);
    EXPECT_EQ(column.text(row), text);
    EXPECT_EQ(row.err_l2_rel.has_value(), *text != '\0') << text;
  }
}

TEST(Columns, RefuseTextThatTheyCannotHold) {
  Row row;
  EXPECT_EQ(error_text([&] { column_named("err_l2_rel").parse(row, "small"); }),
            "'small' is not a number");
  EXPECT_EQ(error_text([&] { column_named("n").parse(row, "-4"); }),
            "'-4' is not an unsigned integer");
  EXPECT_EQ(error_text([&] { column_named("n").parse(row, ""); }), "'' is not an unsigned integer");
  EXPECT_EQ(error_text([&] { column_named("time_ns").parse(row, "1.5"); }),
            "'1.5' is not an unsigned integer");
  EXPECT_EQ(error_text([&] { column_named("mode").parse(row, ""); }), "'' is not a name");
  EXPECT_EQ(error_text([&] { column_named("mode").parse(row, "a\nb"); }), "'a\nb' is not a name");
  for (const char* column : {"n", "batch"})
    EXPECT_EQ(error_text([&] { column_named(column).parse(row, "0"); }),
              "'0' is not a number from 1 on");
  EXPECT_EQ(error_text([&] { column_named("seed").parse(row, "0"); }), "no error");
  EXPECT_THAT(error_text([&] { column_named("status").parse(row, "okay"); }),
              holds("known: ok, skipped, failed"));
  EXPECT_THAT(error_text([&] { column_named("truth_tier").parse(row, "ddd"); }),
              holds("unknown tier of truth 'ddd'; known: mpfr, dd"));
}

TEST(Columns, DifferUnlessALaterOneIsEmpty) {
  const Row row = full_row();
  Row other = row;
  other.snr_db.reset();
  other.gain = 0.25;
  EXPECT_FALSE(differ(column_named("snr_db"), row, other));
  EXPECT_FALSE(differ(column_named("snr_db"), other, row));
  EXPECT_TRUE(differ(column_named("gain"), row, other));
  other.bits_l2.reset();
  EXPECT_TRUE(differ(column_named("bits_l2"), row, other));
}

TEST(Columns, NameEitherTierOfTheTruthOrNone) {
  const Column& column = column_named("truth_tier");
  Row row;
  for (const char* text : {"mpfr", "dd", ""}) {
    column.parse(row, text);
    EXPECT_EQ(column.text(row), text);
  }
  EXPECT_FALSE(row.truth_tier);
}

TEST(Columns, SuggestTheNearestForAnUnknownName) {
  EXPECT_THAT(error_text([] { column_named("err_l2_rle"); }),
              holds("unknown column 'err_l2_rle'", "did you mean 'err_l2_rel'?"));
}

}  // namespace
}  // namespace fftprec
