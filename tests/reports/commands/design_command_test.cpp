/// `fftprec design`: words in, a table, a command that measures the answer, and exit codes out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/support/names.hpp"
#include "reports/commands/commands.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

namespace {

Outcome design(std::vector<std::string> words) {
  words.insert(words.begin(), "design");
  return run_line(std::move(words), commands::real_case_functions());
}

Outcome fixed(std::vector<std::string> words) {
  words.insert(words.begin(), {"-a", "mode=q1.15", "-a", "scale=stage:1/2", "-a", "n=16", "-a",
                               "input=uniform", "-a", "seed=1,2"});
  return design(std::move(words));
}

}  // namespace

TEST(DesignCommand, ShowsTheSmallestWidthsTheirNeighboursAndACommandThatMeasuresThem) {
  const Outcome found =
      fixed({"--min", "snr_db=40", "--free", "data.bits=6..14,fixed.accumulator"});

  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out,
              AllOf(HasSubstr("n = 16, batch 1, uniform, seed 1, scale stage:1/2, and 1 more\n"
                              "snr_db >= 40, "),
                    HasSubstr("data.bits  fixed.accumulator  sum  min_snr_db  judgement   message"),
                    HasSubstr("  smallest\n"), HasSubstr("  fails\n"),
                    HasSubstr("  no meaning  mode q1."), HasSubstr("least sum: data.bits=1"),
                    Not(HasSubstr("not monotone")), Not(HasSubstr("no difference"))));
  EXPECT_THAT(found.err, HasSubstr("data.bits=14, fixed.accumulator=no limit: holds, min_snr_db "));
  const Outcome again = run_line(shown_command(found.out), commands::real_case_functions());
  ASSERT_EQ(again.code, 0) << again.err;
  const std::vector<Row> rows = results::parse_csv(again.out, "again");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_GE(std::min(*rows[0].snr_db, *rows[1].snr_db), 40);
  EXPECT_THAT(rows[0].where.machine, StartsWith("trn{fixed.accumulator="));
}

TEST(DesignCommand, FindsTheFewestBitsOfASignificandAndACommandThatMeasuresThem) {
  const Outcome found = design({"-a", "mode=bf16", "-a", "n=16", "-a", "store=op,pass:2", "--min",
                                "snr_db=70", "--free", "data.bits"});
  ASSERT_EQ(found.code, 0) << found.err;
  const Outcome again = run_line(shown_command(found.out), commands::real_case_functions());
  ASSERT_EQ(again.code, 0) << again.err;
  const std::vector<Row> rows = results::parse_csv(again.out, "again");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_GE(std::min(*rows[0].snr_db, *rows[1].snr_db), 70);
  EXPECT_THAT(rows[0].where.mode, StartsWith("custom(p="));
}

TEST(DesignCommand, WritesAllThatWasJudgedAsCsv) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "widths.csv").string();
  const std::vector<std::string> words = {"--min", "snr_db=40", "--free",
                                          "data.bits=6..14,table.bits", "--csv"};
  std::vector<std::string> to_file = words;
  to_file.push_back(file);
  std::vector<std::string> to_out = words;
  to_out.emplace_back("-");

  const Outcome kept = fixed(to_file);
  const Outcome shown = fixed(to_out);

  ASSERT_EQ(kept.code, 0) << kept.err;
  EXPECT_EQ(shown.out, text_of(file));
  EXPECT_THAT(shown.out, StartsWith("data.bits,table.bits,sum,min_snr_db,judgement,message\n"));
  EXPECT_THAT(shown.out, AllOf(HasSubstr(",smallest,\n"), HasSubstr(",fails,\n")));
  EXPECT_THAT(shown.err, HasSubstr("least sum: "));
  const auto lines = std::count(shown.out.begin(), shown.out.end(), '\n');
  EXPECT_THAT(kept.out, HasSubstr(", " + std::to_string(lines - 1) + " choices judged"));
}

TEST(DesignCommand, ExitsWithFourWhereTheLargestWidthsDoNotMeetTheGoal) {
  const Outcome outcome = fixed({"--min", "snr_db=900", "--free", "data.bits=6..14"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("the largest widths do not meet the goal: "
                                           "data.bits=14 (min_snr_db "),
                                 Not(HasSubstr("least sum"))));
  const Outcome none = design({"-a", "algorithm=stockham-r4", "-a", "n=8", "--free",
                               "psum.precision", "--min", "snr_db=1"});
  EXPECT_EQ(none.code, 4);
  EXPECT_THAT(none.err, HasSubstr("4^k"));
  const Outcome narrow =
      fixed({"--free", "data.bits,fixed.accumulator=8..40", "--min", "snr_db=9"});
  EXPECT_EQ(narrow.code, 4);
  EXPECT_THAT(narrow.err, AllOf(HasSubstr("the largest widths have no meaning: mode q1.63"),
                                HasSubstr("an accumulator of 40 bits does not hold data of 64"),
                                HasSubstr("--free NAME=A..B")));
}

TEST(DesignCommand, NamesWhatIsWrong) {
  const auto message = [](const std::vector<std::string>& words) {
    const Outcome outcome = fixed(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_THAT(message({"--min", "snr_db=40"}), HasSubstr("design: --free is missing"));
  EXPECT_THAT(message({"--free", "data.bits"}), HasSubstr("design: no goal is given: --min"));
  EXPECT_THAT(message({"--free", "data.bits,data.bits", "--min", "snr_db=40"}),
              HasSubstr("--free: data.bits is given twice"));
  EXPECT_THAT(message({"--free", "databits", "--min", "snr_db=40"}), HasSubstr("'data.bits'"));
  EXPECT_THAT(message({"--free", "sr.bits", "--min", "snr_db=40"}),
              HasSubstr("it needs casts=sr or psum.rounding=sr"));
  EXPECT_THAT(message({"--free", "data.bits", "--min", "snr=40"}), HasSubstr("'snr_db'"));
  EXPECT_THAT(message({"--free", "data.bits", "--min", "snr_db=40", "--csv", "/nowhere/a.csv"}),
              AllOf(HasSubstr("/nowhere/a.csv"), Not(HasSubstr("holds"))));
}

TEST(DesignCommand, SaysWhereWidthsAreNotMonotoneOrMakeNoDifference) {
  const Outcome idle =
      design({"-a", "n=16", "--free", "psum.precision", "--max", "err_l2_rel=1.5x"});
  ASSERT_EQ(idle.code, 0) << idle.err;
  EXPECT_THAT(idle.out, HasSubstr("psum.precision makes no difference: "));
  const Outcome lucky = design({"-a", "mode=bf16", "-a", "n=16", "-a", "machine=trn{casts=sr}",
                                "--max", "err_l2_rel=1x", "--free", "sr.bits"});
  ASSERT_EQ(lucky.code, 0) << lucky.err;
  EXPECT_THAT(lucky.out,
              AllOf(HasSubstr("not monotone: sr.bits=2 (max_err_l2_rel 4.919e-3) holds, yet "
                              "sr.bits=3 (max_err_l2_rel 5.6302e-3) fails; 1 such pair seen\n"),
                    HasSubstr("least sum: sr.bits=2")));
}

}  // namespace fftprec::testing
