/// Every name that has two: fp32 and fast, fp64 and double, rounding_points and store,
/// real_multiplications and mac_count. Files and commands in either make the same cases, with ids
/// that were kept before a name changed.
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/modes.hpp"
#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_list.hpp"
#include "experiments/cases/filter.hpp"
#include "experiments/devices/latencies.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/hypotheses/measured.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/quantity.hpp"
#include "reports/results/result_manifest.hpp"
#include "reports/text/compare.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::results {
namespace {

using ::testing::ElementsAre;
using testing::error_text;
using testing::holds;

/// The names of two versions.
struct Names {
  std::string fp32, fp64, rounding_points, real_multiplications;
};

const std::vector<Names>& versions() {
  static const std::vector<Names> all = {
      {"fast", "double", "store", "mac_count"},
      {"fp32", "fp64", "rounding_points", "real_multiplications"}};
  return all;
}

std::string replaced(std::string text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// `text` with $32, $64, $points and $count as this version calls them.
std::string in_names(std::string text, const Names& names) {
  text = replaced(std::move(text), "$32", names.fp32);
  text = replaced(std::move(text), "$64", names.fp64);
  text = replaced(std::move(text), "$points", names.rounding_points);
  return replaced(std::move(text), "$count", names.real_multiplications);
}

/// What `read` makes of the text in the names of every version.
template <class Read>
auto in_every_version(const std::string& text, Read read) {
  std::vector<decltype(read(text))> all;
  for (const Names& names : versions()) all.push_back(read(in_names(text, names)));
  return all;
}

Case case_of(const std::vector<std::string>& assignments, const Names& names) {
  Axes axes;
  for (const std::string& assignment : assignments)
    set_axis(axes, in_names(assignment, names), [](const Case&) {});
  return expand(axes).at(0);
}

/// The header of every column, and a row of each mode, as rows of `results.csv` have them.
std::string table_of(const Names& names) {
  return in_names(
      "case_id,transform,algorithm,mode,machine,tables,n,batch,input,seed,$points,scale,"
      "err_l2_rel,err_linf_rel,err_l1_rel,err_re_max_rel,err_im_max_rel,err_max_ulp,err_rms_ulp,"
      "err_roundtrip_l2_rel,bits_l2,bound_l2_rel,bound_name,expected_l2_rel,truth_bits,truth_tier,"
      "matmul_passes,$count,time_ns,output_hash,status,message\n"
      "x14059eb222dea0e5,fft,auto,$64,trn,exact,60,1,gaussian,1,op,none,"
      "1e-16,,,,,,,,,,,,,,0,12,5,aa,ok,\n"
      "x6bcb9826600264b9,fft,auto,$32,trn,exact,60,1,gaussian,1,op,none,"
      "1e-7,,,,,,,,,,,,,,0,12,5,bb,ok,\n"
      "x2483059a768d125d,fft,radix2-dit,bf16,ieee,exact,8,1,gaussian,1,stage,none,"
      "1e-3,,,,,,,,,,,,,,0,7,5,cc,ok,\n",
      names);
}

TEST(Aliases, KeepTheIdsOfCases) {
  for (const Names& names : versions()) {
    SCOPED_TRACE(names.fp32);
    EXPECT_EQ(case_id(case_of({"mode=$64", "algorithm=auto", "n=60"}, names)), "x14059eb222dea0e5");
    EXPECT_EQ(case_id(case_of({"mode=$32", "algorithm=auto", "n=60"}, names)), "x6bcb9826600264b9");
    EXPECT_EQ(case_id(case_of({"mode=bf16", "machine=ieee", "n=8", "$points=stage"}, names)),
              "x2483059a768d125d");
    EXPECT_EQ(case_id({.algorithm = "auto", .mode = names.fp64, .n = 60}), "x14059eb222dea0e5");
  }
}

TEST(Aliases, AreOneModeOfOneName) {
  for (const auto& [alias, name] : {std::pair("fast", "fp32"), std::pair("double", "fp64")}) {
    EXPECT_EQ(mode_named(alias).name, mode_named(name).name);
    EXPECT_EQ(mode_named(alias).name, shown_mode(name));
    EXPECT_EQ(storage_format(mode_named(alias)), format_named(name));
    EXPECT_EQ(trnfft_mode(name), alias);
  }
  EXPECT_EQ(shown_mode("bf16"), "bf16");
}

TEST(Aliases, MakeRowsOfEveryVersionTheSameCases) {
  const std::vector<Row> before = parse_csv(table_of(versions()[0]), "before.csv");
  const std::vector<Row> after = parse_csv(table_of(versions()[1]), "after.csv");

  const text::RunComparison result = text::compare_runs(before, after, column_named("err_l2_rel"));

  EXPECT_TRUE(result.same());
  EXPECT_EQ(result.cases, 3u);
  EXPECT_EQ(csv_text(before), csv_text(after));
  EXPECT_EQ(before[2].where.rounding_points(), "stage");
  EXPECT_EQ(column_named("real_multiplications").number(after[2]), 7);
}

TEST(Aliases, AreNoTwoColumnsOfOneFile) {
  std::string text = table_of(versions()[0]);
  text = replaced(text, "scale,err_l2_rel", "rounding_points,err_l2_rel");
  EXPECT_THAT(error_text([&] { parse_csv(text, "rows.csv"); }),
              holds("rounding_points", "appears twice"));
}

TEST(Aliases, SelectRowsOfEveryVersion) {
  for (const Names& names : versions()) {
    const std::vector<Row> rows = parse_csv(table_of(names), "rows.csv");
    const auto counts = [&rows](const std::string& text) {
      return in_every_version(text, [&rows](const std::string& filter) {
        return std::count_if(
            rows.begin(), rows.end(),
            [read = parse_filter(filter)](const Row& row) { return matches(read, row); });
      });
    };
    EXPECT_THAT(counts("mode=$32"), ElementsAre(1, 1));
    EXPECT_THAT(counts("mode!=$64 and $points=stage"), ElementsAre(1, 1));
    EXPECT_THAT(counts("$count>=12"), ElementsAre(2, 2));
  }
}

TEST(Aliases, StandInSweeps) {
  const auto sweeps = in_every_version(
      R"(
[defaults]
$points = "ends"
[axes]
mode = ["$32", "$64", "bf16"]
[[exclude]]
mode = "$64"
[[plot]]
series = "$points"
y = "$count"
)",
      [](const std::string& text) { return parse_sweep(text, "sweep.toml", [](const Case&) {}); });
  EXPECT_EQ(cases_of(sweeps[0]).size(), 2u);
  EXPECT_EQ(cases_of(sweeps[0]), cases_of(sweeps[1]));
  EXPECT_EQ(sweeps[0].plots.at(0).series, sweeps[1].plots.at(0).series);
  EXPECT_EQ(sweeps[0].plots.at(0).y, sweeps[1].plots.at(0).y);
}

TEST(Aliases, AreNoTwoAxesOfOneSweep) {
  EXPECT_THAT(error_text([] {
                parse_sweep("[axes]\nstore = \"op\"\nrounding_points = \"stage\"\n", "sweep.toml",
                            [](const Case&) {});
              }),
              holds("sweep.toml:", "unknown key"));
}

TEST(Aliases, StandInGates) {
  const auto read = in_every_version(
      R"(
[[gate]]
name = "order"
kind = "order"
source = "theory"
metric = "$count"
left = "mode=$64"
right = "mode=$32"
over = ["$points", "seed"]
)",
      [](const std::string& text) { return gates::parse_gates(text, "gates.toml").at(0); });
  EXPECT_EQ(read[0].metric, read[1].metric);
  EXPECT_EQ(read[0].over, read[1].over);
}

TEST(Aliases, StandInTablesOfMeasuredErrors) {
  const auto rows = in_every_version(
      R"(
[defaults]
$points = "stage"
[[row]]
algorithm = "dft-gemm"
mode = "$32"
n = 64
input = "gaussian"
metric = "err_l2_rel"
value = "1e-7"
)",
      [](const std::string& text) {
        return hypotheses::parse_measured(text, "m.toml", [](const Case&) {}).rows.at(0).where;
      });
  EXPECT_EQ(rows[0].rounding_points, "stage");
  EXPECT_EQ(rows[0], rows[1]);
}

TEST(Aliases, StandInListsOfResults) {
  const auto results = in_every_version(
      R"(
[[result]]
output = "y.npy"
input = "gaussian"
n = 64
mode = "$64"
$points = "stage"
)",
      [](const std::string& text) { return parse_result_list(text, "list.toml").at(0).where; });
  EXPECT_EQ(results[0].rounding_points, "stage");
  EXPECT_EQ(results[0], results[1]);
}

TEST(Aliases, StandInPublishedTimes) {
  const auto times =
      in_every_version("hardware,algorithm,mode,n,batch,time_us,note\ntrn1,auto,$32,64,1,5,\n",
                       [](const std::string& text) {
                         return devices::parse_latencies(text, "times.csv").at(0).mode;
                       });
  EXPECT_EQ(times[0], times[1]);
}

TEST(Aliases, StandInSubjectsOfLists) {
  const auto lists = in_every_version("$points", [](std::string axis) {
    if (!axis.ends_with('s')) axis += "s";
    return testing::run_line({"list", axis}).out;
  });
  EXPECT_THAT(lists[0], holds("stage", "ends"));
  EXPECT_EQ(lists[0], lists[1]);
}

TEST(Aliases, AreDrawn) {
  for (const Names& names : versions()) {
    EXPECT_NO_THROW(check_plotted(names.real_multiplications));
    EXPECT_EQ(in_shown_names({.y = names.real_multiplications, .series = names.rounding_points}).y,
              in_shown_names({.y = "mac_count"}).y);
  }
}

}  // namespace
}  // namespace fftprec::results
