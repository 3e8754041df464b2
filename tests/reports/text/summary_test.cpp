/// The Markdown summary of a run: golden text, and what it must hold.
#include "reports/text/summary.hpp"

#include <gmock/gmock.h>

#include "experiments/gates/gate.hpp"
#include "reports/gates/gate_report.hpp"
#include "reports/text/table.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::text {
namespace {

using testing::holds;
using testing::lacks;

std::string summary(const std::vector<Row>& rows, const std::vector<std::string>& plots = {}) {
  return markdown_summary(rows, {}, plots);
}

TEST(MarkdownSummary, OfFixedPointShowsTheSpreadOverSeeds) {
  std::vector<Row> rows;
  for (const auto& [seed, snr] : {std::pair{1u, 60.0}, std::pair{2u, 62.0}, std::pair{3u, 61.0}}) {
    rows.push_back(made_up({.mode = "q1.15", .n = 64, .seed = seed, .error = 1e-3}));
    rows.back().snr_db = snr;
    rows.push_back(made_up({.mode = "bf16", .n = 64, .seed = seed, .error = 1e-3}));
    rows.back().snr_db = snr;
  }

  const std::string text = summary(rows);

  EXPECT_THAT(text,
              holds("## SNR over seeds", "| radix2-dit | q1.15 | 3 | 61.00 | 1.00 | 60.00 | 1 |"));
  EXPECT_THAT(text, lacks("| radix2-dit | bf16 | 3 |"));
  rows.resize(1);
  EXPECT_THAT(summary(rows), lacks("SNR over seeds"));
}

TEST(MarkdownSummary, IsTheGoldenText) {
  const std::vector<Row> rows = {
      made_up({.n = 64, .error = 2e-7}),
      made_up({.n = 64, .seed = 2, .error = 4e-7}),
      made_up({.n = 128, .error = 0}),
      made_up({.mode = "bf16", .n = 128, .error = 3e-3, .bound = 0.1}),
      made_up({.mode = "bf16", .n = 128, .seed = 2, .error = 3e-3, .bound = 0.1}),
      skipped_row({.n = 3}, "n is no power of two"),
      skipped_row({.n = 5}, "n is no power of two"),
      failed_row({.n = 7}, "out|of memory")};
  const std::vector<gates::Gate> gates = gates::parse_gates(
      "[[gate]]\nname = 'theory'\nkind = 'bound'\nsource = 's'\nwhere = 'n=64'\n", "g");

  EXPECT_EQ(markdown_summary(rows, markdown_report(check_gates(gates, rows)),
                             std::vector<std::string>{"plots/a.svg", "plots/a.png", "plots/b.svg"}),
            R"md(# Summary of a run of fftprec

8 rows: 5 ok, 2 skipped, 1 failed.

| axis | values |
|---|---|
| transform | fft |
| algorithm | radix2-dit |
| mode | bf16, fp32 |
| machine | trn |
| tables | exact |
| n | 3, 5, 7, 64, 128 |
| batch | 1 |
| input | gaussian |
| seed | 1, 2 |

## Error

Median err_l2_rel over 2 seeds; transform fft, machine trn, tables exact, input gaussian.

| algorithm | mode | n = 64 | n = 128 | worst err/bound | rows |
|---|---|---:|---:|---:|---:|
| radix2-dit | bf16 | | 3e-3 | 0.03 | 2 |
| radix2-dit | fp32 | 3e-7 | exact | 0.4 | 3 |

## Worst-case bounds

5 rows have a bound. The largest err_l2_rel / bound_l2_rel is 0.4 (4e-7 / 1e-6, a theorem):

    fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=fp32 -a machine=trn -a tables=exact -a n=64 -a batch=1 -a input=gaussian -a seed=2 --csv -

## Gates

1 of 1 gates pass.

| verdict | gate | kind | checked | skipped | failed | worst | worst case |
|---|---|---|---:|---:|---:|---:|---|
| pass | theory | bound | 2 | 0 | 0 | 0.4 | err_l2_rel = 4e-7, bound_l2_rel = 1e-6 (a theorem): `fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=fp32 -a machine=trn -a tables=exact -a n=64 -a batch=1 -a input=gaussian -a seed=2 --csv -` |

## Not measured

| status | rows | reason | first case |
|---|---:|---|---|
| failed | 1 | out\|of memory | `-a transform=fft -a algorithm=radix2-dit -a mode=fp32 -a machine=trn -a tables=exact -a n=7 -a batch=1 -a input=gaussian -a seed=1` |
| skipped | 2 | n is no power of two | `-a transform=fft -a algorithm=radix2-dit -a mode=fp32 -a machine=trn -a tables=exact -a n=3 -a batch=1 -a input=gaussian -a seed=1` |

## Plots

![a](<plots/a.png>)

[a.svg](<plots/a.svg>), [a.png](<plots/a.png>)

[b.svg](<plots/b.svg>)
)md");
}

TEST(MarkdownSummary, CutsLongListsOfValuesInTheMiddle) {
  std::vector<Row> rows;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) rows.push_back(made_up({.seed = seed}));

  EXPECT_THAT(summary(rows),
              holds("| seed | 1, 2, 3, 4, 5, 6, ..., 15, 16, 17, 18, 19, 20 (20 values) |"));
}

TEST(MarkdownSummary, ShowsHowErrorsGrowWhereThereAreFourLengths) {
  std::vector<Row> rows;
  for (std::uint64_t n = 8; n <= 64; n *= 2)
    rows.push_back(made_up({.n = n, .error = 1e-8 * static_cast<double>(n), .bound = 1e-3}));

  EXPECT_THAT(summary(rows), holds("\n## Scaling\n"));
  EXPECT_THAT(summary(rows), holds("| radix2-dit | fp32 | 8..64 | 4 | 1.000 | | 0.000 |"));
}

TEST(MarkdownSummary, NamesNanAsWorstOverBound) {
  const std::vector<Row> rows = {
      made_up({.seed = 1, .error = 1}),
      made_up({.seed = 2, .error = std::numeric_limits<double>::quiet_NaN()})};

  EXPECT_THAT(summary(rows), holds("input=gaussian -a seed=2 --csv -"));
}

TEST(MarkdownSummary, SaysThatNoRowHasABound) {
  EXPECT_THAT(summary({made_up({.bound = std::nullopt})}), holds("No row has a bound."));
}

TEST(MarkdownSummary, HasNoSectionForWhatIsNotThere) {
  const std::string text = summary({made_up({})});

  EXPECT_THAT(text, lacks("## Gates", "## Plots", "## Scaling", "## Not measured"));
}

TEST(MarkdownCell, StaysOneCell) { EXPECT_EQ(markdown_cell("a|b\nc"), "a\\|b c"); }

}  // namespace
}  // namespace fftprec::text
