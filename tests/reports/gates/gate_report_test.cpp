/// Verdicts as text: golden terminal, Markdown and JUnit output, the same under every locale.
#include "reports/gates/gate_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <locale>

#include "reports/gates/gate_file.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// One gate that passes, one that fails on two rows, one that matches nothing.
std::vector<Verdict> sample_verdicts() {
  const std::vector<Gate> gates = parse_gates(R"(
[[gate]]
name = "theory"
kind = "bound"
source = "a theorem"
[[gate]]
name = "budget"
kind = "max"
reason = "a < b & c | d"
metric = "err_l2_rel"
limit = 1e-7
where = "mode=bf16"
[[gate]]
name = "nothing"
kind = "bound"
source = "a theorem"
where = "mode=ozaki"
)",
                                              "gates.toml");
  const std::vector<Row> rows = {made_up({.mode = "bf16", .seed = 1, .error = 2e-7}),
                                 made_up({.mode = "bf16", .seed = 2, .error = 4e-7}),
                                 made_up({.mode = "bf16", .seed = 3, .error = 5e-8}),
                                 skipped_row({.n = 3}, "n is odd"),
                                 made_up({.seed = 4, .bound = std::nullopt})};
  return check_gates(gates, rows);
}

TEST(TerminalReport, AlignsTheTableAndNamesTheWorstCase) {
  EXPECT_EQ(terminal_report(sample_verdicts()),
            R"(gate     kind   checked  skipped  failed  worst  verdict
theory   bound        3        1       0    0.4  PASS
budget   max          3        0       2      4  FAIL
nothing  bound        0        0       0      -  FAIL
1 of 3 gates pass; worst = largest share of the limit
note theory: 1 measured rows have no bound: no theorem applies

FAIL budget: a < b & c | d
  2 of 3 failed, the worst at 4 of its limit: err_l2_rel = 4e-07, limit = 1e-07
  fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=bf16 -a machine=trn -a tables=exact -a n=64 -a batch=1 -a input=gaussian -a seed=2 --csv -
  -a transform=fft -a algorithm=radix2-dit -a mode=bf16 -a machine=trn -a tables=exact -a n=64 -a batch=1 -a input=gaussian -a seed=1: err_l2_rel = 2e-07, limit = 1e-07

FAIL nothing: a theorem
  no row matches mode=ozaki
)");
}

TEST(TerminalReport, ShowsFiveFailuresBesideTheWorstAndCountsTheRest) {
  const std::vector<Gate> gates = parse_gates(
      "[[gate]]\nname = 'g'\nkind = 'max'\nsource = 's'\nmetric = 'err_l2_rel'\nlimit = 0\n",
      "gates.toml");
  std::vector<Row> rows;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) rows.push_back(made_up({.seed = seed}));

  const std::string text = terminal_report(check_gates(gates, rows));

  EXPECT_THAT(text, HasSubstr("seed=6: "));
  EXPECT_THAT(text, Not(HasSubstr("seed=7: ")));
  EXPECT_THAT(text, HasSubstr("and 3 more\n"));
}

TEST(MarkdownReport, PutsFailuresFirstAndEscapesBars) {
  EXPECT_EQ(markdown_report(sample_verdicts()),
            R"(1 of 3 gates pass.

| verdict | gate | kind | checked | skipped | failed | worst | worst case |
|---|---|---|---:|---:|---:|---:|---|
| **FAIL** | budget | max | 3 | 0 | 2 | 4 | err_l2_rel = 4e-07, limit = 1e-07: `fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=bf16 -a machine=trn -a tables=exact -a n=64 -a batch=1 -a input=gaussian -a seed=2 --csv -` |
| **FAIL** | nothing | bound | 0 | 0 | 0 | - | no row matches mode=ozaki |
| pass | theory | bound | 3 | 1 | 0 | 0.4 | err_l2_rel = 4e-07, bound_l2_rel = 1e-06 (a theorem): `fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=bf16 -a machine=trn -a tables=exact -a n=64 -a batch=1 -a input=gaussian -a seed=2 --csv -` |

- theory: 1 measured rows have no bound: no theorem applies
)");
}

TEST(JunitReport, HoldsOneTestCasePerGateWithMarkupEscaped) {
  const std::string text = junit_report(sample_verdicts());

  EXPECT_THAT(
      text, HasSubstr("<testsuite name=\"fftprec gate\" tests=\"3\" failures=\"2\" skipped=\"0\">\n"
                      "  <testcase classname=\"bound\" name=\"theory\"/>\n"
                      "  <testcase classname=\"max\" name=\"budget\">\n"
                      "    <failure message=\"err_l2_rel = 4e-07, limit = 1e-07\">"
                      "FAIL budget: a &lt; b &amp; c | d\n"));
  EXPECT_THAT(text, HasSubstr("<failure message=\"no row matches mode=ozaki\">"));
}

/// A locale with a comma for the point and points between thousands.
class Commas : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\1"; }
};

TEST(GateReports, AreTheSameUnderEveryLocale) {
  const std::string terminal = terminal_report(sample_verdicts());
  const std::string markdown = markdown_report(sample_verdicts());
  const std::string junit = junit_report(sample_verdicts());

  const std::locale before = std::locale::global(std::locale(std::locale(), new Commas));
  const std::vector<Verdict> verdicts = sample_verdicts();

  EXPECT_EQ(terminal_report(verdicts), terminal);
  EXPECT_EQ(markdown_report(verdicts), markdown);
  EXPECT_EQ(junit_report(verdicts), junit);
  std::locale::global(before);
}

}  // namespace
}  // namespace fftprec
