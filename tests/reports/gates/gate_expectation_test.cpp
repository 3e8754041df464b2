/// expect_fail: which outcome it gives on which day, how it is written, and what reports say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arith/support/error.hpp"
#include "reports/gates/gate_file.hpp"
#include "reports/gates/gate_report.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using namespace std::chrono_literals;

constexpr std::chrono::sys_days last_day = 2026y / 12 / 31;

const std::string max_gate =
    "[[gate]]\nname = 'g'\nkind = 'max'\nsource = 's'\nmetric = 'err_l2_rel'\nlimit = 1e-6\n";
const std::string expected_gate =
    max_gate + "expect_fail = { reason = 'issue 12 & more', expires = 2026-12-31 }\n";

Verdict verdict_of(const std::string& text, const std::vector<Row>& rows,
                   std::chrono::sys_days today = last_day) {
  return check_gate(parse_gates(text, "g.toml").at(0), rows, {}, {.today = today});
}

const std::vector<Row> bad = {made_up({.error = 1e-5}), made_up({.seed = 2})};
const std::vector<Row> good = {made_up({.seed = 2})};

TEST(ExpectFail, ExcusesAFailureUpToItsLastDay) {
  EXPECT_EQ(verdict_of(expected_gate, bad, last_day - std::chrono::days(400)).outcome(),
            Outcome::expected_fail);
  EXPECT_EQ(verdict_of(expected_gate, bad, last_day).outcome(), Outcome::expected_fail);
  EXPECT_TRUE(verdict_of(expected_gate, bad, last_day).passed());
}

TEST(ExpectFail, ExpiresTheDayAfter) {
  const Verdict verdict = verdict_of(expected_gate, bad, last_day + std::chrono::days(1));

  EXPECT_EQ(verdict.outcome(), Outcome::fail);
  EXPECT_THAT(failure_details(verdict),
              HasSubstr("\n  expect_fail expired after 2026-12-31: issue 12 & more\n"));
}

TEST(ExpectFail, FailsAGateThatHolds) {
  const Verdict verdict = verdict_of(expected_gate, good);

  EXPECT_EQ(verdict.outcome(), Outcome::unexpected_pass);
  EXPECT_FALSE(verdict.passed());
  EXPECT_THAT(failure_text(verdict),
              HasSubstr("passes although it is expected to fail: remove expect_fail"));
}

TEST(ExpectFail, IsNoMoreThanANoteOnceItHasExpiredAndTheGateHolds) {
  const Verdict verdict = verdict_of(expected_gate, good, last_day + std::chrono::days(1));

  EXPECT_EQ(verdict.outcome(), Outcome::pass);
  EXPECT_THAT(terminal_report(std::vector{verdict}),
              HasSubstr("note g: expect_fail expired after 2026-12-31"));
}

TEST(ExpectFail, HasExpiredWhereNobodySaysWhichDayItIs) {
  EXPECT_EQ(check_gate(parse_gates(expected_gate, "g.toml").at(0), bad).outcome(), Outcome::fail);
}

TEST(ExpectFail, DoesNotExcuseAGateThatComparesNothing) {
  const Verdict verdict = verdict_of(expected_gate, {});

  EXPECT_EQ(verdict.outcome(), Outcome::fail);
  EXPECT_THAT(failure_details(verdict), AllOf(HasSubstr("no row matches all rows"),
                                              HasSubstr("does not cover a gate that cannot be")));
}

TEST(ExpectFail, IsSaidInEveryReport) {
  const std::vector<Verdict> verdicts = {verdict_of(max_gate, bad), verdict_of(max_gate, good),
                                         verdict_of(expected_gate, bad),
                                         verdict_of(expected_gate, good)};

  EXPECT_EQ(headline(verdicts), "1 of 4 gates pass, 1 fails as expected");
  EXPECT_THAT(
      terminal_report(verdicts),
      AllOf(HasSubstr("10  EXPECTED FAILURE\n"), HasSubstr("1  UNEXPECTED PASS\n"),
            HasSubstr("EXPECTED FAILURE g: s\n  expected failure until 2026-12-31: issue 12 & "
                      "more\n  1 of 2 failed"),
            HasSubstr("UNEXPECTED PASS g: s\n  passes although it is expected to fail")));
  EXPECT_THAT(markdown_report(verdicts),
              AllOf(HasSubstr("| expected failure | g |"), HasSubstr("| **UNEXPECTED PASS** | g |"),
                    HasSubstr("expected failure until 2026-12-31: issue 12 & more; err_l2_rel")));
  EXPECT_THAT(
      junit_report(verdicts),
      AllOf(HasSubstr("tests=\"4\" failures=\"2\" skipped=\"1\""),
            HasSubstr(
                "<skipped message=\"expected failure until 2026-12-31: issue 12 &amp; more\"/>"),
            HasSubstr("<failure message=\"passes although it is expected to fail")));
}

TEST(ExpectFail, StandsBetweenFailuresAndPasses) {
  const std::vector<Verdict> verdicts = {verdict_of(max_gate, good), verdict_of(expected_gate, bad),
                                         verdict_of(expected_gate, good)};

  const std::vector<const Verdict*> order = failures_first(verdicts);

  EXPECT_EQ(order.at(0), &verdicts[2]);
  EXPECT_EQ(order.at(1), &verdicts[1]);
  EXPECT_EQ(order.at(2), &verdicts[0]);
}

std::string mistake_in(const std::string& value) {
  return testing::error_text([&] { parse_gates(max_gate + "expect_fail = " + value, "g.toml"); });
}

TEST(ExpectFail, NeedsAReasonAndADay) {
  EXPECT_THAT(mistake_in("{ reason = 'r' }"),
              AllOf(StartsWith("g.toml:7:15: expect_fail: "), HasSubstr("'expires' is missing")));
  EXPECT_THAT(mistake_in("{ expires = 2026-12-31 }"), HasSubstr("'reason' is missing"));
  EXPECT_THAT(mistake_in("{ reason = '', expires = 2026-12-31 }"), HasSubstr("not empty"));
  EXPECT_THAT(mistake_in("{ reason = 'r', expires = '2026-12-31' }"),
              HasSubstr("a date without quotes"));
  EXPECT_THAT(mistake_in("{ reason = 'r', expires = 2026-12-31T00:00:00 }"),
              HasSubstr("a date without quotes"));
  EXPECT_THAT(mistake_in("{ reason = 'r', expires = 2026-02-30 }"), Not(IsEmpty()));
  EXPECT_THAT(mistake_in("true"), HasSubstr("{ reason = \"...\", expires = 2026-12-31 }"));
  EXPECT_THAT(mistake_in("{ reason = 'r', expire = 2026-12-31 }"),
              HasSubstr("did you mean 'expires'?"));
}

TEST(ExpectFail, MayStandOnAGateOfEveryKind) {
  const Gate gate = parse_gates(
                        "[[gate]]\nname = 'g'\nkind = 'bound'\nsource = 's'\n"
                        "[gate.expect_fail]\nreason = 'r'\nexpires = 2026-12-31\n",
                        "g.toml")
                        .at(0);

  ASSERT_TRUE(gate.expect_fail);
  EXPECT_EQ(gate.expect_fail->reason, "r");
  EXPECT_EQ(gate.expect_fail->expires, last_day);
}

TEST(GateFile, KnowsTheLineOfEveryGate) {
  const std::vector<Gate> gates = parse_gates(
      "\n# rules\n" + max_gate + "\n[[gate]]\nkind = 'bound'\nname = 'h'\nsource = 's'\n",
      "a/g.toml");

  EXPECT_EQ(gates.at(0).line, 3u);
  EXPECT_EQ(gates.at(1).line, 10u);
  EXPECT_EQ(gates.at(1).file, "a/g.toml");
}

}  // namespace
}  // namespace fftprec
