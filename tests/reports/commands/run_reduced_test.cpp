/// `fftprec run --reduce seed`: one row for all seeds of a case, whatever becomes of the run.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <sstream>
#include <stdexcept>

#include "experiments/cases/seed_reduction.hpp"
#include "reports/commands/run_command.hpp"
#include "reports/results/csv.hpp"
#include "tests/reports/commands/run_words.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/read_csv.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/watched.hpp"

namespace fftprec::commands {
namespace {

using namespace testing;
namespace fs = std::filesystem;

constexpr const char* sweep = R"(name = "small"
[axes]
algorithm = "watched"
mode = ["fp32", "bf16", "q1.15"]
n = [8, 12, 64]
seed = "1..20"
rounding_points = ["op", "stage"]
)";

class RunReduced : public ::testing::Test {
 protected:
  RunReduced() { write_text(directory_ / "sweep.toml", sweep); }

  std::string path(const std::string& name) const { return directory_ / name; }
  std::string rows(const std::string& name) const { return text_of(path(name) + "/results.csv"); }

  Outcome run_plain(Words more) {
    more.insert(more.begin(), {path("sweep.toml"), "--no-times"});
    return run(more);
  }

  Outcome run_reduced(const std::string& name, Words more = {}) {
    more.insert(more.end(), {"--reduce", "seed", "-o", path(name)});
    return run_plain(more);
  }

  /// What all rows of an ordinary run give.
  std::string reduced_rows(const std::string& name) const {
    std::map<SharedCase, SeedReduction> cases;
    for (const Row& row : testing::read_csv(path(name) + "/results.csv")) {
      SharedCase where = row.where;
      where.set(&Case::seed, 0);
      cases.try_emplace(where, default_summarised_metrics()).first->second.add(row);
    }
    std::string text = results::csv_header(default_summarised_metrics());
    for (const auto& [where, reduction] : cases) text += results::to_csv(reduction.row());
    return text;
  }

  TemporaryDirectory directory_;
};

TEST_F(RunReduced, GivesWhatAllRowsGiveByAnyNumberOfThreads) {
  ASSERT_THAT(run_plain({"-o", path("plain")}), exits(0));
  for (const char* threads : {"1", "2", "5"}) {
    const std::string name = std::string("of") + threads;
    EXPECT_THAT(run_reduced(name, {"-j", threads}), exits(0).out("rows: "));
    EXPECT_EQ(rows(name), reduced_rows("plain")) << threads;
  }
  EXPECT_THAT(rows("of1"), holds(",seeds,err_l2_rel.count,", ",1..20,20,"));
  EXPECT_THAT(text_of(path("of1") + "/manifest.json"),
              holds("\"seeds\": \"1..20\"", "\"axis\": \"seed\"", "\"err_linf_rel\""));
  EXPECT_FALSE(fs::exists(path("of1") + "/results.csv.part"));
  EXPECT_TRUE(fs::exists(path("of1") + "/summary.md"));
  EXPECT_THAT(run_reduced("of1"), exits(0).err("360 of 360 cases finished already"));
  EXPECT_EQ(rows("of1"), reduced_rows("plain"));
}

TEST_F(RunReduced, RepeatsTheLargestErrorByItsCase) {
  ASSERT_THAT(run_reduced("run"), exits(0));
  for (const Row& row : testing::read_csv(path("run") + "/results.csv")) {
    if (row.status != Status::ok) continue;
    EXPECT_EQ(column_named("err_l2_rel.max").number(row), row.err_l2_rel);
    EXPECT_EQ(column_named("err_l2_rel.max_seed").text(row), std::to_string(row.where.seed()));
  }
}

TEST_F(RunReduced, GoesOnAfterInterruptsWithTheSameBytes) {
  ASSERT_THAT(run_reduced("undisturbed"), exits(0));
  for (const int every : {40, 101}) {
    const std::string name = "every" + std::to_string(every);
    int interrupts = 0;
    for (int code = 130; code == 130; ++interrupts) {
      std::atomic<int> begun = 0;
      const Watch watch([&](std::size_t) {
        if (++begun == every) std::raise(SIGINT);
      });
      code = run_reduced(name).code;
      ASSERT_LT(interrupts, 100);
    }
    EXPECT_GT(interrupts, 1);
    EXPECT_EQ(rows(name), rows("undisturbed"));
  }
}

TEST_F(RunReduced, RunsFailedSeedsAgainWhenAsked) {
  ASSERT_THAT(run_reduced("undisturbed"), exits(0));
  {
    std::atomic<int> begun = 0;
    const Watch watch([&](std::size_t n) {
      if (n == 64 && ++begun % 30 == 0) throw std::runtime_error("no luck");
    });
    EXPECT_THAT(run_reduced("run"), exits(3).out("no luck"));
  }
  EXPECT_THAT(run_reduced("run"), exits(3).err("360 of 360 cases finished already"));
  {  // interrupted after some of them
    std::atomic<int> begun = 0;
    const Watch watch([&](std::size_t) {
      if (++begun == 5) std::raise(SIGINT);
    });
    EXPECT_THAT(run_reduced("run", {"--rerun", "failed"}), exits(130));
  }
  EXPECT_THAT(run_reduced("run"), exits(3));  // what did not run again is as it was
  EXPECT_THAT(run_reduced("run", {"--rerun", "failed"}), exits(0));
  EXPECT_EQ(rows("run"), rows("undisturbed"));
}

TEST_F(RunReduced, GoesOnFromAKillBetweenResultsAndJournal) {
  ASSERT_THAT(run_reduced("undisturbed"), exits(0));
  {
    std::atomic<int> begun = 0;
    const Watch watch([&](std::size_t) {
      if (++begun == 100) std::raise(SIGINT);
    });
    ASSERT_THAT(run_reduced("run"), exits(130));
  }
  const std::string journal = text_of(path("run") + "/results.csv.part");
  ASSERT_THAT(run_reduced("run"), exits(0));
  write_text(path("run") + "/results.csv.part", journal);
  EXPECT_THAT(run_reduced("run"), exits(0).err("360 of 360 cases finished already"));
  EXPECT_EQ(rows("run"), rows("undisturbed"));
}

TEST_F(RunReduced, ExtendsARunByFurtherSeeds) {
  const Words axes = {"-a", "n=8", "-a", "mode=fp32,bf16", "--no-times", "--reduce", "seed", "-o"};
  const auto run_seeds = [&](const std::string& seeds, const std::string& name) {
    Words words = axes;
    words.push_back(path(name));
    words.insert(words.end(), {"-a", "seed=" + seeds});
    return run(words);
  };
  ASSERT_THAT(run_seeds("4..9,100", "run"), exits(0));
  EXPECT_THAT(run_seeds("1..30,100", "run"), exits(0).err("14 of 62 cases finished already"));
  ASSERT_THAT(run_seeds("1..30,100", "once"), exits(0));
  EXPECT_EQ(rows("run"), rows("once"));
  EXPECT_THAT(run_seeds("1..30", "run"), exits(2).err("seed=100"));
}

TEST_F(RunReduced, RefusesDirectoriesOfOtherRuns) {
  ASSERT_THAT(run_plain({"-o", path("plain")}), exits(0));
  ASSERT_THAT(run_reduced("reduced"), exits(0));
  EXPECT_THAT(run_reduced("plain"),
              exits(2).err(holds("a row for each case is kept there, this run keeps statistics "
                                 "over seeds of err_l2_rel, err_linf_rel, err_max_ulp")));
  EXPECT_THAT(run_plain({"-o", path("reduced")}),
              exits(2).err("is kept there, this run keeps a row for each case"));
  EXPECT_THAT(run_reduced("reduced", {"--metrics", "err_l2_rel"}),
              exits(2).err("this run keeps statistics over seeds of err_l2_rel;"));
  EXPECT_THAT(run_reduced("reduced", {"--metrics", "err_l2_rel", "--rerun", "all"}), exits(0));
  EXPECT_THAT(rows("reduced"), holds(",err_l2_rel.summary\n").but_not("err_max_ulp.p99"));
}

TEST_F(RunReduced, RefusesUnknownAxesAndMetrics) {
  EXPECT_THAT(run({"-a", "n=8", "--reduce", "batch"}),
              exits(2).err(holds("value of --reduce 'batch'; known: seed")));
  EXPECT_THAT(run({"-a", "n=8", "--metrics", "err_l2_rel"}),
              exits(2).err("--metrics needs --reduce seed"));
  EXPECT_THAT(run({"-a", "n=8", "--reduce", "seed", "--metrics", "gain"}),
              exits(2).err(holds("unknown error to summarise 'gain'; known: err_l2_rel")));
}

TEST_F(RunReduced, WritesItsRowsWithoutADirectory) {
  ASSERT_THAT(run_reduced("run"), exits(0));
  EXPECT_THAT(run_plain({"--reduce", "seed", "--csv", path("rows.csv")}), exits(0));
  EXPECT_EQ(text_of(path("rows.csv")), rows("run"));
}

TEST_F(RunReduced, GivesColumnsThatEveryReaderTakes) {
  ASSERT_THAT(run_reduced("a"), exits(0).out("err_l2_rel of the worst seed; transform fft"));
  ASSERT_THAT(run_reduced("b", {"-a", "seed=1..40"}), exits(0));
  EXPECT_THAT(text_of(path("a") + "/summary.md"), holds("| seed | 1..20 |"));

  const auto gate = [&](const std::string& limit) {
    write_text(path("gates.toml"),
               "[[gate]]\nname = \"tail\"\nkind = \"max\"\nsource = \"a test\"\n"
               "where = \"mode=bf16 and err_l2_rel.count>=20\"\n"
               "metric = \"err_l2_rel.p99\"\nlimit = " +
                   limit + "\n");
    return run_line({"gate", path("a"), "-g", path("gates.toml")});
  };
  EXPECT_THAT(gate("1e-2"), exits(0).out("1 of 1"));
  EXPECT_THAT(gate("1e-3"), exits(1).out(holds("err_l2_rel.p99", "6 of 6")));

  write_text(path("order.toml"),
             "[[gate]]\nname = \"order\"\nkind = \"order\"\nsource = \"a test\"\n"
             "left = \"mode=fp32\"\nright = \"mode=bf16\"\nwhere = \"rounding_points=op\"\n");
  EXPECT_THAT(run_line({"gate", path("a"), "-g", path("order.toml")}), exits(0).out("1 of 1"));

  write_text(path("kept.toml"),
             "[[gate]]\nname = \"kept\"\nkind = \"baseline\"\nsource = \"a test\"\n"
             "metric = \"err_l2_rel.p99\"\nbaseline = \"kept.csv\"\nworse = 2\nbetter = 2\n");
  ASSERT_THAT(run_line({"gate", path("a"), "-g", path("kept.toml"), "--update-baseline"}),
              exits(0).out("18 added"));
  EXPECT_THAT(run_line({"gate", path("b"), "-g", path("kept.toml"), "--require-baseline"}),
              exits(0).out("1 of 1"));

  EXPECT_THAT(run_line({"compare", path("a"), path("b"), "--metric", "err_l2_rel.p99"}),
              exits(0).out(holds("18 cases in both runs", "0 missing, 0 new",
                                 "err_l2_rel.count: 15", "err_l2_rel.p99 after / before")));
  EXPECT_THAT(run_line({"compare", path("a"), path("a"), "--exit-code"}), exits(0));
  EXPECT_THAT(run_line({"history", path("a"), path("b"), "--metric", "err_l2_rel.max"}),
              exits(0).out("in every run, 0 not"));
  EXPECT_THAT(run_line({"plot", path("a"), "--y", "err_l2_rel.p99", "--format", "svg", "-o",
                        path("plots")}),
              exits(0));
  for (const auto& file : fs::directory_iterator(path("plots")))
    EXPECT_THAT(text_of(file.path()),
                holds("relative error, 2-norm, p99", "one row for all seeds"));
  EXPECT_THAT(run_line({"plot", path("a"), "--y", "err_l2_rel.p98", "-o", path("plots")}),
              exits(2).err(holds("unknown statistic of err_l2_rel 'p98'", "known: count")));
  ASSERT_THAT(run_line({"report", path("a"), "-o", path("page.html")}), exits(0));
  EXPECT_THAT(text_of(path("page.html")),
              holds("err_l2_rel.p999_high").but_not("err_l2_rel.summary"));
}

TEST_F(RunReduced, MergesShardsInAnyOrderToTheBytesOfOneRun) {
  ASSERT_THAT(run_reduced("one"), exits(0));
  for (const char* shard : {"1", "2", "3"})
    ASSERT_THAT(run_reduced(shard, {"--shard", std::string(shard) + "/3"}), exits(0));
  for (const Words& order : {Words{"1", "2", "3"}, Words{"3", "1", "2"}}) {
    Words words = {"merge"};
    for (const std::string& shard : order) words.push_back(path(shard));
    words.insert(words.end(), {"-o", path("merged" + order[0])});
    EXPECT_THAT(run_line(words), exits(0));
    EXPECT_EQ(rows("merged" + order[0]), rows("one"));
    EXPECT_THAT(text_of(path("merged" + order[0]) + "/manifest.json"),
                holds("\"seeds\": \"1..20\"", "\"cases\": 360"));
  }
  EXPECT_THAT(run_reduced("merged1"), exits(0).err("360 of 360 cases finished already"));

  const auto merge = [&](const Words& names) {
    Words words = {"merge"};
    for (const std::string& name : names) words.push_back(path(name));
    words.insert(words.end(), {"-o", path("refused")});
    return run_line(words);
  };
  EXPECT_THAT(merge({"1", "3"}), exits(2).err(holds("of 360 cases without a row, the first -a ",
                                                    "; no directory is shard 2/3")));
  EXPECT_THAT(merge({"1", "2", "3", "one"}), exits(2).err("count a case twice: -a "));
  ASSERT_THAT(run_plain({"-o", path("plain")}), exits(0));
  EXPECT_THAT(merge({"1", "2", "3", "plain"}), exits(2).err("differ in reduce"));
  ASSERT_THAT(run_reduced("other", {"--metrics", "err_l2_rel"}), exits(0));
  EXPECT_THAT(merge({"1", "2", "3", "other"}), exits(2).err("differ in reduce"));
}

/// One after the other, as mpirun would start them.
TEST_F(RunReduced, OfSeveralProcessesGivesTheBytesOfOne) {
  ASSERT_THAT(run_reduced("one"), exits(0));
  RunRequest request;
  request.cases.sweep = path("sweep.toml");
  request.no_times = true;
  request.summarised = default_summarised_metrics();
  request.directory = path("joint");
  for (const int count : {2, 3}) {  // the second takes over what the first has finished
    for (int own = count - 1; own >= 0; --own) {
      std::ostringstream out, err;
      Context context{out, err, {"fftprec", "run"}};
      const auto allgather = [count](int) {
        return std::vector<int>(static_cast<std::size_t>(count), to_int(ExitCode::ok));
      };
      EXPECT_EQ(run_command(request, context, {own, count, allgather}), ExitCode::ok) << err.str();
    }
    EXPECT_EQ(rows("joint"), rows("one"));
    request.rerun = results::Rerun::none;
  }
}

}  // namespace
}  // namespace fftprec::commands
