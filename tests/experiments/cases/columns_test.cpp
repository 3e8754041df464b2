#include "experiments/cases/columns.hpp"

#include <gmock/gmock.h>

#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using testing::holds;

/// A text that the column can hold, another one than that of every other column with a field of its
/// own kind.
std::string some_text(const Column& column) {
  const std::string digits = std::to_string(100 + (&column - columns().data()));
  for (const std::string& text :
       {"0." + digits + "5", digits, std::string("skipped"), std::string("dd")})
    if (Row row; error_text([&] { column.parse(row, text); }) == "no error") return text;
  return {};
}

/// A row in which every column holds something of its own.
Row full_row() {
  Row row;
  for (const Column& column : columns()) column.parse(row, some_text(column));
  return row;
}

TEST(Columns, HoldTheirTextInAFieldOfTheirOwn) {
  const Row row = full_row();
  for (const Column& column : columns()) {
    if (column.name == "case_id") continue;  // follows from the others
    EXPECT_EQ(column.text(row), some_text(column)) << column.name;
    EXPECT_NE(column.text(row), column.text(Row{})) << column.name;
  }
}

TEST(Columns, AnswerToTheirNameAndTheirFormerNames) {
  Column column = column_named("rounding_points");
  column.aliases = {"when"};

  EXPECT_TRUE(is_called(column, "rounding_points"));
  EXPECT_TRUE(is_called(column, "when"));
  EXPECT_FALSE(is_called(column, ""));
  EXPECT_FALSE(is_called(column, "scale"));
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
              holds("unknown tier of truth 'ddd'; known: mpfr, dd, gmp"));
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

}  // namespace
}  // namespace fftprec
