/// What a report reads of a run: rows, manifest, and the rules that the rows are judged by.
#include <gmock/gmock.h>

#include <fstream>

#include "arith/support/error.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/sweeps/sweep.hpp"
#include "reports/page/page.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/manifest.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::page {
namespace {

using ::testing::Contains;
using testing::holds;
using ::testing::Pair;

class ReportDataOf : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
  }
  void write_rows(const std::vector<Row>& rows) const {
    std::ofstream stream(directory_ / "results.csv", std::ios::binary);
    stream << results::csv_text(rows);
  }
  void write_manifest(const results::Manifest& manifest) const {
    write("manifest.json", results::manifest_json(manifest));
  }
  ReportData read(const std::vector<std::string>& gates = {}) const {
    return read_report_data(directory_.path().string(), gates);
  }

  testing::TemporaryDirectory directory_;
};

constexpr const char* gate_text =
    "[[gate]]\nname = \"budget\"\nkind = \"max\"\nmetric = \"err_l2_rel\"\nsource = \"a "
    "budget\"\nlimit = 1e-5\n";

TEST_F(ReportDataOf, ReadsRowsAndManifest) {
  write_rows({made_up({}), made_up({.seed = 2})});
  results::Manifest manifest;
  manifest.argv = {"fftprec", "run", "x.toml"};
  manifest.sweep_name = "own";
  manifest.sweep_text = "question = \"Why?\"\n";
  manifest.environment.cpu = "a processor";
  manifest.seeds = {1, 2};
  manifest.results_hash = text_hash(testing::text_of(directory_ / "results.csv"));
  write_manifest(manifest);

  const ReportData data = read();

  EXPECT_EQ(data.rows.size(), 2u);
  EXPECT_TRUE(data.has_manifest);
  EXPECT_EQ(data.manifest.argv, manifest.argv);
  EXPECT_EQ(data.manifest.sweep_name, "own");
  EXPECT_EQ(data.manifest.question, "Why?");
  EXPECT_THAT(data.manifest.entries, Contains(Pair("environment.cpu", "a processor")));
  EXPECT_THAT(data.manifest.entries, Contains(Pair("seeds", "1, 2")));
  EXPECT_EQ(data.gates_note, "The sweep names no gates.");
}

TEST_F(ReportDataOf, JudgesARunOfABuiltInSweepByItsOwnGates) {
  write_rows({made_up({})});
  results::Manifest manifest;
  manifest.sweep_text = builtin_sweep("smoke").toml;
  write_manifest(manifest);

  const ReportData data = read();

  EXPECT_FALSE(data.verdicts.empty());
  EXPECT_EQ(data.gates_note, "By the built-in gates of smoke.");
}

TEST_F(ReportDataOf, DoesNotJudgeARunWhoseCasesWereChanged) {
  write_rows({made_up({})});
  results::Manifest manifest;
  manifest.sweep_text = builtin_sweep("smoke").toml;
  manifest.filters = {"n=64"};
  write_manifest(manifest);

  const ReportData data = read();

  EXPECT_TRUE(data.verdicts.empty());
  EXPECT_THAT(data.gates_note, holds("-a or -f has changed what the sweep runs"));
}

TEST_F(ReportDataOf, FindsTheGatesOfASweepFileThatIsStillTheSame) {
  write_rows({made_up({})});
  const std::string sweep = "name = \"own\"\ngates = \"rules.toml\"\n[axes]\nn = 64\n";
  write("own.toml", sweep);
  write("rules.toml", gate_text);
  results::Manifest manifest;
  manifest.sweep_text = sweep;
  manifest.argv = {"fftprec", "run", (directory_ / "own.toml").string(), "-o", "x"};
  write_manifest(manifest);

  EXPECT_EQ(read().verdicts.size(), 1u);

  write("own.toml", sweep + "\n");
  const ReportData changed = read();
  EXPECT_TRUE(changed.verdicts.empty());
  EXPECT_THAT(changed.gates_note, holds("has changed; -g names them"));
}

TEST_F(ReportDataOf, RefusesWhatItCannotRead) {
  EXPECT_THROW(read(), InputError) << "no results.csv";
  write("results.csv.part", "x");
  EXPECT_THAT(testing::error_text([this] { read(); }), holds("the run is not complete"));
  write_rows({made_up({})});
  write("manifest.json", "{\"argv\": 3, \"sweep_text\": [1], \"seeds\": {\"a\": null}}");
  EXPECT_NO_THROW(read()) << "fields of another type are shown, not trusted";
}

}  // namespace
}  // namespace fftprec::page
