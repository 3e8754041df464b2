/// `fftprec design`: words in, a table, a command that measures the answer, and exit codes out.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "experiments/support/names.hpp"
#include "reports/commands/commands.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {

using ::testing::StartsWith;

namespace {

Outcome design(Words words) {
  words.insert(words.begin(), "design");
  return run_line(std::move(words));
}

Outcome fixed(Words words) {
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
              holds("n = 16, batch 1, uniform, seed 1, scale stage:1/2, and 1 more\n"
                    "snr_db >= 40, ",
                    "data.bits  fixed.accumulator  sum  min_snr_db  judgement   message",
                    "  smallest\n", "  fails\n", "  no meaning  mode q1.", "least sum: data.bits=1")
                  .but_not("not monotone", "no difference"));
  EXPECT_THAT(found.err, holds("data.bits=14, fixed.accumulator=no limit: holds, min_snr_db "));
  const Outcome again = run_line(shown_command(found.out));
  ASSERT_EQ(again.code, 0) << again.err;
  const std::vector<Row> rows = results::parse_csv(again.out, "again");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_GE(std::min(*rows[0].snr_db, *rows[1].snr_db), 40);
  EXPECT_THAT(rows[0].where.machine(), StartsWith("trn{fixed.accumulator="));
}

TEST(DesignCommand, OfBlocksNeedsNoRangeOfWidths) {
  const Outcome found =
      design({"-a", "mode=q1.15", "-a", "scale=block", "-a", "n=16", "-a", "input=uniform", "--min",
              "snr_db=50", "--free", "data.bits,table.bits"});

  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.err, holds("data.bits=22, table.bits=22: holds"));
  EXPECT_THAT(found.out, holds("scale block", "least sum: data.bits=1"));
}

TEST(DesignCommand, WritesAllThatWasJudgedAsCsv) {
  const TemporaryDirectory directory;
  const std::string file = (directory / "widths.csv").string();
  const Words words = {"--min", "snr_db=40", "--free", "data.bits=6..14,table.bits", "--csv"};
  Words to_file = words;
  to_file.push_back(file);
  Words to_out = words;
  to_out.emplace_back("-");

  const Outcome kept = fixed(to_file);
  const Outcome shown = fixed(to_out);

  ASSERT_EQ(kept.code, 0) << kept.err;
  EXPECT_EQ(shown.out, text_of(file));
  EXPECT_THAT(shown.out, StartsWith("data.bits,table.bits,sum,min_snr_db,judgement,message\n"));
  EXPECT_THAT(shown.out, holds(",smallest,\n", ",fails,\n"));
  EXPECT_THAT(shown.err, holds("least sum: "));
  const auto lines = std::count(shown.out.begin(), shown.out.end(), '\n');
  EXPECT_THAT(kept.out, holds(", " + std::to_string(lines - 1) + " choices judged"));
}

TEST(DesignCommand, ExitsWithFourWhereTheLargestWidthsDoNotMeetTheGoal) {
  EXPECT_THAT(fixed({"--min", "snr_db=900", "--free", "data.bits=6..14"}),
              exits(4).out(holds("the largest widths do not meet the goal: "
                                 "data.bits=14 (min_snr_db ")
                               .but_not("least sum")));
  EXPECT_THAT(design({"-a", "algorithm=stockham-r4", "-a", "n=8", "--free", "psum.precision",
                      "--min", "snr_db=1"}),
              exits(4).err("4^k"));
  EXPECT_THAT(fixed({"--free", "data.bits,fixed.accumulator=8..40", "--min", "snr_db=9"}),
              exits(4).err(holds("the largest widths have no meaning: mode q1.49",
                                 "an accumulator of 40 bits does not hold data of 50",
                                 "--free NAME=A..B")));
}

TEST(DesignCommand, NamesWhatIsWrong) {
  const auto message = [](const Words& words) {
    const Outcome outcome = fixed(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  expect_each<Words>(
      message,
      {{{"--min", "snr_db=40"}, "design: --free is missing"},
       {{"--free", "data.bits"}, "design: no goal is given: --min"},
       {{"--free", "data.bits,data.bits", "--min", "snr_db=40"},
        "--free: data.bits is given twice"},
       {{"--free", "databits", "--min", "snr_db=40"}, "'data.bits'"},
       {{"--free", "sr.bits", "--min", "snr_db=40"}, "it needs casts=sr or psum.rounding=sr"},
       {{"--free", "data.bits", "--min", "snr=40"}, "'snr_db'"},
       {{"--free", "data.bits", "--min", "snr_db=40", "--csv", "/nowhere/a.csv"},
        holds("/nowhere/a.csv").but_not("holds")}});
}

TEST(DesignCommand, SaysWhereWidthsAreNotMonotoneOrMakeNoDifference) {
  const Outcome idle =
      design({"-a", "n=16", "--free", "psum.precision", "--max", "err_l2_rel=1.5x"});
  ASSERT_EQ(idle.code, 0) << idle.err;
  EXPECT_THAT(idle.out, holds("psum.precision makes no difference: "));
  const Outcome lucky = design({"-a", "mode=bf16", "-a", "n=16", "-a", "machine=trn{casts=sr}",
                                "--max", "err_l2_rel=1x", "--free", "sr.bits"});
  ASSERT_EQ(lucky.code, 0) << lucky.err;
  EXPECT_THAT(lucky.out, holds("not monotone: sr.bits=2 (max_err_l2_rel 4.919e-3) holds, yet "
                               "sr.bits=3 (max_err_l2_rel 5.6302e-3) fails; 1 such pair seen\n",
                               "least sum: sr.bits=2"));
}

}  // namespace fftprec::testing
