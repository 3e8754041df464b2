/// Verdicts as GitHub Actions reads them: escaping, what is shown first, and what does not fit.
#include "reports/gates/gate_github.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/gates/gate_file.hpp"
#include "reports/gates/gate_report.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace std::chrono_literals;

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
    text += "[[gate]]\nname = 'g" + std::to_string(i) +
            "'\nkind = 'max'\nsource = '100 %: a, b'\nmetric = 'err_l2_rel'\nlimit = 0\n";
  text += "[[gate]]\nname = 'theory'\nkind = 'bound'\nsource = 's'\n";
  return check_gates(parse_gates(text, "rules/g.toml"),
                     std::vector<Row>{made_up({}), made_up({.seed = 2, .bound = std::nullopt})});
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
  EXPECT_THAT(lines[1], HasSubstr("%0A  fftprec run -a transform=fft"));
  EXPECT_THAT(lines[2], StartsWith("::notice file=rules/g.toml,line=13,title=gate theory::1 "
                                   "measured rows have no bound"));
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
      "[[gate]]\nname = 'known'\nkind = 'max'\nsource = 's'\nmetric = 'err_l2_rel'\nlimit = 0\n"
      "expect_fail = { reason = 'r', expires = 2026-12-31 }\n"
      "[[gate]]\nname = 'new'\nkind = 'max'\nsource = 's'\nmetric = 'err_l2_rel'\nlimit = 0\n"
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
    EXPECT_THAT(cut, HasSubstr("\n" + std::to_string(left_out) + " lines are left out"));
  }
  EXPECT_EQ(github_summary(verdicts, 20), "");
}

}  // namespace
}  // namespace fftprec
