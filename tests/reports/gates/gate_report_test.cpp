/// Verdicts as text: golden terminal, Markdown and JUnit output, the same under every locale; and
/// as GitHub Actions reads them.
#include "reports/gates/gate_report.hpp"

#include <gmock/gmock.h>

#include "experiments/gates/gate.hpp"
#include "reports/text/table.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/hostile_locale.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::gates {
namespace {

using testing::holds;
using ::testing::StartsWith;
using namespace std::chrono_literals;

/// A gate of the kind max on err_l2_rel.
std::string max_gate(const std::string& limit, const std::string& name = "g",
                     const std::string& source = "s") {
  return "[[gate]]\nname = '" + name + "'\nkind = 'max'\nsource = '" + source +
         "'\nmetric = 'err_l2_rel'\nlimit = " + limit + "\n";
}

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
note theory: 1 measured row has no bound: no theorem applies

FAIL budget: a < b & c | d
  2 of 3 failed, the worst at 4 of its limit: err_l2_rel = 4e-7, limit = 1e-7
  fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=bf16 -a machine=trn -a tables=exact -a n=64 -a batch=1 -a input=gaussian -a seed=2 --csv -
  seed=1: err_l2_rel = 2e-7, limit = 1e-7

FAIL nothing: a theorem
  no row matches mode=ozaki
)");
}

/// `run` knows no algorithm of another program.
TEST(TerminalReport, RepeatsNoResultOfAnotherProgram) {
  const std::vector<Gate> gates = parse_gates(max_gate("0"), "gates.toml");
  Row row = made_up({.seed = 1});
  row.where.set(&Case::algorithm, "numpy");
  EXPECT_THAT(terminal_report(check_gates(gates, std::vector<Row>{row})),
              holds("  # by another program: -a transform=fft -a algorithm=numpy -a "));
  EXPECT_THAT(text::reproduce_command(row.where, {"fftprec", "measure", "list.toml"}),
              StartsWith("fftprec measure list.toml  # -a transform=fft -a algorithm=numpy -a "));
  row.where = Case{.mode = "fp32-device"};
  EXPECT_THAT(terminal_report(check_gates(gates, std::vector<Row>{row})),
              holds("  # by another program: -a transform=fft -a algorithm=radix2-dit "))
      << "of which run knows all but the mode";
  EXPECT_THAT(terminal_report(check_gates(gates, std::vector<Row>{row}, {},
                                          {.made_by = {"fftprec", "measure", "a b.toml"}})),
              holds("\n  fftprec measure 'a b.toml'  # -a "));
  for (const char* name : {"bluestein:inner=dft-gemm", "gemm"})
    EXPECT_THAT(text::reproduce_command({.algorithm = name}), holds("fftprec run ", name));
}

TEST(TerminalReport, RepeatsWithTheProgramThatMadeTheRows) {
  const std::vector<std::string> run = {"build/my fft", "run", "-a", "n=8"};
  EXPECT_THAT(text::reproduce_command({.algorithm = "mine"}, run),
              StartsWith("'build/my fft' run -a transform=fft -a algorithm=mine "));
  EXPECT_THAT(text::reproduce_command({}, {"/usr/bin/fftprec", "run"}), StartsWith("fftprec run "));
  EXPECT_THAT(text::reproduce_command({.algorithm = "mine"}, {"my_fft", "gate", "rows.csv"}),
              StartsWith("# by another program: "))
      << "rows that this program does not know";

  const std::vector<Gate> gates = parse_gates(max_gate("0"), "gates.toml");
  Row row = made_up({});
  row.where.set(&Case::algorithm, "mine");
  const std::vector<Verdict> verdicts =
      check_gates(gates, std::vector<Row>{row}, {}, {.made_by = run});
  for (const std::string& report :
       {terminal_report(verdicts), markdown_report(verdicts), junit_report(verdicts)})
    EXPECT_THAT(report, holds("build/my fft", " run -a transform=fft -a algorithm=mine"));
}

TEST(TerminalReport, ShowsFiveFailuresBesideTheWorstAndCountsTheRest) {
  const std::vector<Gate> gates = parse_gates(max_gate("0"), "gates.toml");
  std::vector<Row> rows;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) rows.push_back(made_up({.seed = seed}));

  const std::string text = terminal_report(check_gates(gates, rows));

  EXPECT_THAT(text, holds("seed=6: ", "and 3 more\n").but_not("seed=7: "));
}

TEST(TerminalReport, ListsTheWorstFirstByTheAxesInWhichTheyDiffer) {
  const std::vector<Gate> gates = parse_gates(max_gate("1e-9"), "gates.toml");
  const std::vector<Row> rows = {made_up({.n = 8, .seed = 1, .error = 2e-9}),
                                 made_up({.n = 8, .seed = 2, .error = 4e-9}),
                                 made_up({.n = 16, .seed = 1, .error = 8e-9})};

  EXPECT_THAT(terminal_report(check_gates(gates, rows)),
              holds("-a seed=1 --csv -\n"
                    "  n=8 seed=2: err_l2_rel = 4e-9, limit = 1e-9\n"
                    "  n=8 seed=1: err_l2_rel = 2e-9, limit = 1e-9\n"));
}

TEST(MarkdownReport, PutsFailuresFirstAndEscapesBars) {
  EXPECT_EQ(markdown_report(sample_verdicts()),
            R"(1 of 3 gates pass.

| verdict | gate | kind | checked | skipped | failed | worst | worst case |
|---|---|---|---:|---:|---:|---:|---|
| **FAIL** | budget | max | 3 | 0 | 2 | 4 | err_l2_rel = 4e-7, limit = 1e-7: `fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=bf16 -a machine=trn -a tables=exact -a n=64 -a batch=1 -a input=gaussian -a seed=2 --csv -` |
| **FAIL** | nothing | bound | 0 | 0 | 0 | - | no row matches mode=ozaki |
| pass | theory | bound | 3 | 1 | 0 | 0.4 | err_l2_rel = 4e-7, bound_l2_rel = 1e-6 (a theorem): `fftprec run -a transform=fft -a algorithm=radix2-dit -a mode=bf16 -a machine=trn -a tables=exact -a n=64 -a batch=1 -a input=gaussian -a seed=2 --csv -` |

- theory: 1 measured row has no bound: no theorem applies
)");
}

TEST(JunitReport, HoldsOneTestCasePerGateWithMarkupEscaped) {
  const std::string text = junit_report(sample_verdicts());

  EXPECT_THAT(text,
              holds("<testsuite name=\"fftprec gate\" tests=\"3\" failures=\"2\" skipped=\"0\">\n"
                    "  <testcase classname=\"bound\" name=\"theory\"/>\n"
                    "  <testcase classname=\"max\" name=\"budget\">\n"
                    "    <failure message=\"err_l2_rel = 4e-7, limit = 1e-7\">"
                    "FAIL budget: a &lt; b &amp; c | d\n"));
  EXPECT_THAT(text, holds("<failure message=\"no row matches mode=ozaki\">"));
}

TEST(GateReports, AreTheSameUnderEveryLocale) {
  const std::string terminal = terminal_report(sample_verdicts());
  const std::string markdown = markdown_report(sample_verdicts());
  const std::string junit = junit_report(sample_verdicts());

  const testing::HostileLocale hostile;
  const std::vector<Verdict> verdicts = sample_verdicts();

  EXPECT_EQ(terminal_report(verdicts), terminal);
  EXPECT_EQ(markdown_report(verdicts), markdown);
  EXPECT_EQ(junit_report(verdicts), junit);
}

// expect_fail.

/// A gate that fails on `bad` and holds on `good`, with or without expect_fail.
Verdict judged(bool expected, const std::vector<Row>& rows, int days_after = 0) {
  const std::string text = max_gate("1e-6");
  const std::string excuse = "expect_fail = { reason = 'issue 12 & more', expires = 2026-12-31 }\n";
  return check_gate(
      parse_gates(expected ? text + excuse : text, "g.toml").at(0), rows, {},
      {.today = std::chrono::sys_days(2026y / 12 / 31) + std::chrono::days(days_after)});
}

const std::vector<Row> bad = {made_up({.error = 1e-5}), made_up({.seed = 2})};
const std::vector<Row> good = {made_up({.seed = 2})};

TEST(ExpectFail, IsSaidInEveryReport) {
  const std::vector<Verdict> all = {judged(false, bad), judged(false, good), judged(true, bad),
                                    judged(true, good)};
  const std::vector<Verdict> held = {judged(true, good, 1)};
  EXPECT_EQ(headline(all), "1 of 4 gates pass, 1 fails as expected");
  struct Said {
    std::string report;
    std::string fragment;
  };
  for (const Said& said : std::vector<Said>{
           {failure_details(judged(true, bad, 1)),
            "\n  expect_fail expired after 2026-12-31: issue 12 & more\n"},
           {failure_details(judged(true, {})), "there is no row"},
           {failure_details(judged(true, {})), "does not cover a gate that cannot be"},
           {failure_text(judged(true, good)),
            "passes although it is expected to fail: remove expect_fail"},
           {terminal_report(held), "note g: expect_fail expired after 2026-12-31"},
           {terminal_report(all), "10  EXPECTED FAILURE\n"},
           {terminal_report(all), "1  UNEXPECTED PASS\n"},
           {terminal_report(all),
            "\ng: expected failure until 2026-12-31: issue 12 & more; 1 of 2 failed, the worst at "
            "10 "
            "of its limit: err_l2_rel = 1e-5, limit = 1e-6\n"},
           {terminal_report(all), "UNEXPECTED PASS g: s\n  passes although it is expected to fail"},
           {markdown_report(all), "| expected failure | g |"},
           {markdown_report(all), "| **UNEXPECTED PASS** | g |"},
           {markdown_report(all), "expected failure until 2026-12-31: issue 12 & more; err_l2_rel"},
           {junit_report(all), "tests=\"4\" failures=\"2\" skipped=\"1\""},
           {junit_report(all),
            "<skipped message=\"expected failure until 2026-12-31: issue 12 &amp; more\"/>"},
           {junit_report(all), "<failure message=\"passes although it is expected to fail"}})
    EXPECT_THAT(said.report, holds(said.fragment));
}

TEST(ExpectFail, StandsBetweenFailuresAndPasses) {
  const std::vector<Verdict> verdicts = {judged(false, good), judged(true, bad),
                                         judged(true, good)};

  EXPECT_THAT(failures_first(verdicts),
              ::testing::ElementsAre(&verdicts[2], &verdicts[1], &verdicts[0]));
}

// GitHub Actions: escaping, what is shown first, and what does not fit.

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// The annotations: what follows the group.
std::vector<std::string> annotations_in(const std::string& log) {
  const std::string end = "::endgroup::\n";
  return lines_of(log.substr(log.find(end) + end.size()));
}

/// `count` gates that fail, then one that passes with a note.
std::vector<Verdict> failing(std::size_t count) {
  std::string text;
  for (std::size_t i = 1; i <= count; ++i)
    text += max_gate("0", "g" + std::to_string(i), "100 %: a, b");
  text += "[[gate]]\nname = 'theory'\nkind = 'bound'\nsource = 's'\n";
  return check_gates(parse_gates(text, "rules/g.toml"),
                     std::vector<Row>{made_up({}), made_up({.seed = 2, .bound = std::nullopt})});
}

TEST(Junit, EscapesQuotesAndMarkup) {
  const std::vector<Verdict> verdicts = check_gates(
      parse_gates("[[gate]]\nname = 'a \"<&>'\nkind = 'bound'\nsource = 's'\n", "g.toml"),
      std::vector<Row>{made_up({})});
  EXPECT_THAT(junit_report(verdicts), holds("name=\"a &quot;&lt;&amp;&gt;\"/>"));
}

TEST(Github, EscapesWhatACommandWouldTakeForItsOwn) {
  EXPECT_EQ(escaped_data("50%\r\na:b,c"), "50%25%0D%0Aa:b,c");
  EXPECT_EQ(escaped_property("50%\r\na:b,c"), "50%25%0D%0Aa%3Ab%2Cc");
}

TEST(Github, PutsTheReportIntoAGroupWhereNothingIsACommand) {
  const std::string log = github_log(failing(1), "::error::not one of ours\n");

  const std::vector<std::string> lines = lines_of(log);
  EXPECT_EQ(lines.at(0), "::group::1 of 2 gates pass");
  EXPECT_THAT(lines.at(1), StartsWith("::stop-commands::report-"));
  EXPECT_EQ(lines.at(2), "::error::not one of ours");
  EXPECT_EQ(lines.at(3), "::" + lines.at(1).substr(17) + "::");
  EXPECT_EQ(lines.at(4), "::endgroup::");
}

TEST(Github, NamesFileAndLineOfAGateThatFails) {
  const std::vector<std::string> lines = annotations_in(github_log(failing(2), ""));

  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[1], StartsWith("::error file=rules/g.toml,line=7,title=gate g2 fails::FAIL g2: "
                                   "100 %25: a, b%0A  2 of 2 failed"));
  EXPECT_THAT(lines[1], holds("%0A  fftprec run -a transform=fft"));
  EXPECT_THAT(lines[2], StartsWith("::notice file=rules/g.toml,line=13,title=gate theory::1 "
                                   "measured row has no bound"));
}

TEST(Github, ShowsTenAnnotationsAndCountsTheRest) {
  EXPECT_EQ(annotations_in(github_log(failing(9), "")).size(), 10u);
  EXPECT_THAT(annotations_in(github_log(failing(9), "")).back(), StartsWith("::notice file="));

  const std::vector<std::string> lines = annotations_in(github_log(failing(20), ""));

  ASSERT_EQ(lines.size(), 10u);
  EXPECT_THAT(lines[8], StartsWith("::error file=rules/g.toml,line=49,title=gate g9 fails"));
  EXPECT_EQ(lines[9],
            "::error title=and 12 more::12 of 21 annotations are not shown; the log of this step "
            "has them all");
}

TEST(Github, WarnsOfAnExpectedFailureAfterTheErrors) {
  const std::vector<Gate> gates = parse_gates(
      max_gate("0", "known") + "expect_fail = { reason = 'r', expires = 2026-12-31 }\n" +
          max_gate("0", "new") +
          "[[gate]]\nname = 'mended'\nkind = 'bound'\nsource = 's'\n"
          "expect_fail = { reason = 'r', expires = 2026-12-31 }\n",
      "g.toml");

  const std::vector<std::string> lines = annotations_in(github_log(
      check_gates(gates, std::vector<Row>{made_up({})}, {}, {.today = 2026y / 12 / 31}), ""));

  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], StartsWith("::error file=g.toml,line=8,title=gate new fails::"));
  EXPECT_THAT(lines[1], StartsWith("::error file=g.toml,line=14,title=gate mended passes "
                                   "unexpectedly::UNEXPECTED PASS"));
  EXPECT_EQ(lines[2],
            "::warning file=g.toml,line=1,title=gate known fails as expected::expected failure "
            "until 2026-12-31: r");
}

TEST(GithubSummary, IsTheMarkdownOfTheVerdicts) {
  const std::vector<Verdict> verdicts = failing(2);

  EXPECT_EQ(github_summary(verdicts, most_summary_bytes),
            "## fftprec gate\n\n" + markdown_report(verdicts) + "\n");
}

TEST(GithubSummary, FitsIntoWhatRoomThereIs) {
  const std::vector<Verdict> verdicts = failing(20);
  const std::string whole = github_summary(verdicts, most_summary_bytes);
  const auto lines = lines_of(whole).size();

  for (std::size_t room = 100; room < whole.size(); room += 7) {
    const std::string cut = github_summary(verdicts, room);

    EXPECT_LE(cut.size(), room);
    EXPECT_GT(cut.size() + 600, std::min(room, whole.size())) << "no more is cut than must be";
    const std::size_t left_out = lines - (lines_of(cut).size() - 2);
    EXPECT_THAT(cut, holds("\n" + std::to_string(left_out) + " lines are left out"));
  }
  EXPECT_EQ(github_summary(verdicts, 20), "");
}

}  // namespace
}  // namespace fftprec::gates
