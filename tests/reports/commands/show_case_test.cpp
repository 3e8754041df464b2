/// `fftprec show CASE`, with the real measuring functions at small lengths.
#include <gmock/gmock.h>

#include "experiments/attribution/worst_output.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::holds;
using testing::Words;

testing::Outcome show(Words words) {
  words.insert(words.begin(), "show");
  return testing::run_line(std::move(words));
}

Row measured(const Case& where) { return evaluate(where); }

TEST(ShowCase, PrintsColumnsTheoryStagesWorstOutputAndCommand) {
  const Case where{.mode = "bf16", .n = 8};
  const Row row = measured(where);

  const testing::Outcome outcome = show({"-a", "mode=bf16", "-a", "n=8"});

  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const Column& column : columns()) {
    if (column.name == "time_ns" || read_text(column, row).empty()) continue;
    EXPECT_THAT(outcome.out, holds(std::string(column.name), read_text(column, row),
                                   std::string(column.meaning)));
  }
  EXPECT_THAT(outcome.out, holds("| expected ", "| bound ", "butterflies, stage 3",
                                 "largest error (err_linf_rel): item 0, index ",
                                 "fftprec run " + command_of(where) + " --csv -\n"));
}

TEST(ShowCase, SaysWhyACaseHasNoStages) {
  EXPECT_THAT(
      show({"-a", "mode=fp64", "-a", "n=8", "-a", "transform=irfft"}).out,
      holds(
          "No errors after stages: the transform takes real and imaginary parts of its data apart",
          "largest error"));
  EXPECT_THAT(
      show({"-a", "algorithm=radix2-dit", "-a", "n=12"}),
      exits(0).out(
          holds("skipped", "got 12; what takes n = 12: dft-gemm").but_not("largest error")));
}

TEST(ShowCase, ChecksAStoredRow) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "rows.csv";
  Row row = measured({.mode = "bf16", .n = 8});
  const auto shown = [&] {
    testing::write_text(path, results::csv_header() + results::to_csv(row));
    return show({case_id(row.where).substr(0, 6), "--run", path}).out;
  };

  EXPECT_THAT(shown(), holds("the stored row agrees"));
  row.output_hash = "0000000000000000";
  row.err_l2_rel = 0.25;
  EXPECT_THAT(shown(), holds("the stored row differs: err_l2_rel ", ", stored 0.25",
                             "stored 0000000000000000"));
}

TEST(ShowCase, RefusesWhatIsNotOneCase) {
  EXPECT_THAT(show({"-a", "n=8", "--plot", "x.pdf"}).err, holds("must end in .svg or .png"));
  EXPECT_THAT(
      show({"-a", "n=8", "-a", "mode=fp64", "-a", "transform=irfft", "--plot", "x.svg"}).err,
      holds("parts of its data apart"));
}

TEST(ShowCase, NoDifferenceIsMadeByTimesAndTruths) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "rows.csv";
  Row row = measured({.mode = "fp32", .n = 4});
  const auto shown = [&] {
    testing::write_text(path, results::csv_header() + results::to_csv(row));
    return show({"--run", path}).out;
  };
  row.time_ns = 1;
  row.truth_bits = 60;
  EXPECT_THAT(shown(), holds("the stored row agrees"));
  row.bits_l2 = std::nullopt;
  EXPECT_THAT(shown(), holds("stored empty"));
}

/// The worst index is that of a fault put in.
TEST(WorstOutputs, FindAFaultWhereItIs) {
  const Case where{.mode = "fp32", .n = 16, .batch = 3};
  const Problem problem = make_problem(problem_key(where));
  Output output{.values = problem.truth.hi,
                .rest = {},
                .round_trip = {},
                .input_rounded = false,
                .time_ns = 0};
  output.values.re[2 * 16 + 5] += 1;
  output.values.im[16 + 7] *= 1.5;
  const double true_im = problem.truth.hi.im[16 + 7];

  const attribution::WorstOutputs worst = attribution::worst_outputs(output, problem.truth, fp32);

  const bool first_is_larger = std::abs(true_im) < 2;
  const attribution::WorstOutput& by_magnitude = worst.by_magnitude;
  EXPECT_EQ(by_magnitude.item, first_is_larger ? 2u : 1u);
  EXPECT_EQ(by_magnitude.index, first_is_larger ? 5u : 7u);
  EXPECT_NEAR(by_magnitude.error.real() + by_magnitude.error.imag(),
              first_is_larger ? 1 : 0.5 * true_im, 1e-12);
  EXPECT_GE(worst.by_part.part_rel, 0.5);
}

}  // namespace
}  // namespace fftprec::commands
