#include "reports/text/error_table.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::text {
namespace {

using ::testing::ElementsAre;
using testing::holds;
using ::testing::IsEmpty;
using ::testing::Optional;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Row on_machine(const std::string& machine, const MadeUp& what) {
  Row row = made_up(what);
  row.where.set(&Case::machine, machine);
  return row;
}

std::vector<std::string> names_of(const ErrorTable& table) {
  std::vector<std::string> names;
  for (const ErrorLine& line : table.lines) {
    std::string name;
    for (const std::string& part : line.names) name += (name.empty() ? "" : " ") + part;
    names.push_back(name);
  }
  return names;
}

TEST(ErrorTable, HasOneLinePerAlgorithmAndModeInTheOrderOfTheList) {
  const std::vector<Row> rows = {made_up({.mode = "other"}), made_up({.mode = "bf16"}),
                                 made_up({.algorithm = "dft-gemm", .mode = "fp32"}),
                                 made_up({.mode = "fp32"})};

  const ErrorTable table =
      error_table(rows, {{"mode", {"fp32", "bf16"}}, {"algorithm", {"radix2-dit"}}}, {.sizes = 5});

  EXPECT_THAT(table.titles, ElementsAre("algorithm", "mode"));
  EXPECT_THAT(names_of(table), ElementsAre("radix2-dit fp32", "radix2-dit bf16", "radix2-dit other",
                                           "dft-gemm fp32"));
}

TEST(ErrorTable, NamesAnotherAxisOnlyWhereItDiffers) {
  const std::vector<Row> rows = {on_machine("trn", {}), on_machine("ieee", {})};

  const ErrorTable table = error_table(rows, {{"machine", {"trn", "ieee"}}}, {.sizes = 5});

  EXPECT_THAT(table.titles, ElementsAre("algorithm", "mode", "machine"));
  EXPECT_THAT(names_of(table), ElementsAre("radix2-dit fp32 trn", "radix2-dit fp32 ieee"));
  EXPECT_EQ(table.caption, "err_l2_rel; transform fft, tables exact, input gaussian");
  EXPECT_EQ(table.left_out, "");
}

TEST(ErrorTable, HoldsTheOtherAxesWhereThereAreTooManyLines) {
  const std::vector<Row> rows = {on_machine("trn", {}), on_machine("ieee", {}),
                                 on_machine("trn-rz", {})};

  const ErrorTable table =
      error_table(rows, {{"machine", {"trn", "ieee"}}}, {.sizes = 5, .lines = 2});

  EXPECT_THAT(names_of(table), ElementsAre("radix2-dit fp32"));
  EXPECT_THAT(table.caption, holds("machine trn"));
  EXPECT_EQ(table.left_out, "machine ieee, trn-rz");
}

TEST(ErrorTable, SaysWhichLengthsItLeavesOut) {
  std::vector<Row> rows;
  for (std::uint64_t n = 2; n <= 256; n *= 2) rows.push_back(made_up({.n = n}));

  const ErrorTable table = error_table(rows, {}, {.sizes = 5});

  EXPECT_THAT(table.sizes, ElementsAre(4, 16, 64, 256));
  EXPECT_EQ(table.left_out, "n 2, 8, 32, 128");
}

TEST(ErrorTable, HoldsTheOtherAxesWhereLinesShareNoInput) {
  const std::vector<Row> rows = {on_machine("trn", {.input = "tone"}),
                                 on_machine("ieee", {.input = "gaussian"})};

  const ErrorTable table = error_table(rows, {}, {.sizes = 5});

  EXPECT_THAT(table.caption, holds("machine trn, tables exact, input tone"));
  EXPECT_EQ(table.left_out, "machine ieee");
}

TEST(ErrorTable, TakesMediansOfOneInputThatEveryLineHasAndCountsAllRows) {
  const std::vector<Row> rows = {made_up({.seed = 1, .error = 1}), made_up({.seed = 2, .error = 3}),
                                 made_up({.input = "tone", .error = 100}),
                                 made_up({.mode = "bf16", .error = 7})};

  const ErrorTable table = error_table(rows, {{"mode", {"fp32"}}}, {.sizes = 5});

  EXPECT_EQ(table.caption,
            "Median err_l2_rel over 2 seeds; transform fft, machine trn, tables exact, "
            "input gaussian");
  EXPECT_EQ(table.left_out, "input tone");
  EXPECT_THAT(table.lines.at(0).medians, ElementsAre(Optional(2.0)));
  EXPECT_EQ(table.lines.at(0).rows, 3u);
  EXPECT_THAT(table.lines.at(1).medians, ElementsAre(Optional(7.0)));
}

TEST(ErrorTable, ShowsEvenlySpreadSizesAndAlwaysTheLargest) {
  std::vector<Row> rows;
  for (std::uint64_t n = 8; n <= 4096; n *= 2) rows.push_back(made_up({.n = n}));

  EXPECT_THAT(error_table(rows, {}, {.sizes = 5}).sizes, ElementsAre(16, 64, 256, 1024, 4096));
  EXPECT_EQ(error_table(rows, {}, {.sizes = 10}).sizes.size(), 10u);
}

TEST(ErrorTable, ShowsOfManySizesNoneThatFewRowsHave) {
  std::vector<Row> rows;
  for (const char* mode : {"fp32", "bf16", "ozaki"})
    for (const std::uint64_t n : {8u, 16u, 32u}) rows.push_back(made_up({.mode = mode, .n = n}));
  for (const std::uint64_t n : {7u, 17u, 31u, 67u}) rows.push_back(made_up({.n = n}));

  EXPECT_THAT(error_table(rows, {}, {.sizes = 3}).sizes, ElementsAre(8, 16, 32));
  EXPECT_EQ(error_table(rows, {}, {.sizes = 7}).sizes.size(), 7u);
}

TEST(ErrorTable, HasNoLineWithoutAnErrorAndCountsThose) {
  std::vector<Row> rows;
  for (const char* mode : {"fp32", "bf16", "ozaki"})
    for (const std::uint64_t n : {8u, 16u, 32u}) rows.push_back(made_up({.mode = mode, .n = n}));
  rows.push_back(made_up({.algorithm = "rader", .n = 7}));

  const ErrorTable table = error_table(rows, {{"algorithm", {"rader"}}}, {.sizes = 3});

  EXPECT_EQ(table.lines.size(), 3u);
  EXPECT_EQ(table.left_out, "n 7; 1 line without an error at these lengths");
}

TEST(ErrorTable, LeavesACellEmptyWhereNothingWasMeasured) {
  const std::vector<Row> rows = {made_up({.mode = "fp32", .n = 8}),
                                 made_up({.mode = "bf16", .n = 16, .bound = std::nullopt}),
                                 skipped_row({.mode = "kahan"}, "no"), failed_row({}, "no")};

  const ErrorTable table = error_table(rows, {{"mode", {"fp32"}}}, {.sizes = 5});

  ASSERT_EQ(table.lines.size(), 2u);
  EXPECT_EQ(table.lines[0].medians.at(1), std::nullopt);
  EXPECT_EQ(table.lines[1].medians.at(0), std::nullopt);
  EXPECT_EQ(table.lines[1].worst, std::nullopt);
  EXPECT_THAT(error_table(std::vector{skipped_row({}, "no")}, {}, {.sizes = 5}).lines, IsEmpty());
}

TEST(ErrorTable, TakesNanOverItsBoundAsWorstOfAll) {
  const auto worst = [](std::vector<double> errors) {
    std::vector<Row> rows;
    for (const double error : errors)
      rows.push_back(made_up({.seed = rows.size(), .error = error, .bound = 2}));
    return error_table(rows, {}, {.sizes = 5}).lines.at(0).worst;
  };

  EXPECT_THAT(worst({1, 0.5}), Optional(0.5));
  EXPECT_THAT(worst({0, 0}), Optional(0.0));
  EXPECT_THAT(worst({nan, 1}), Optional(infinity));
  EXPECT_THAT(worst({1, nan}), Optional(infinity));
}

}  // namespace
}  // namespace fftprec::text
