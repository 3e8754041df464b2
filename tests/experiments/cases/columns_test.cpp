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
  int place = 100;
  for (const Column& column : columns()) {
    const std::string number = std::to_string(++place);
    if (column.name == "status")
      column.parse(row, "skipped");
    else if (column.name == "truth_tier")
      column.parse(row, "dd");
    else if (column.name != "case_id")  // follows from the others
      column.parse(row, column.metric || column.number(Row{}) ? number : "x" + number);
  }
  return row;
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
  EXPECT_TRUE(column_named("n").number(row));
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
