/// The fuzzer's check on rows, on a manifest, and on mutations of them that are the same every
/// time.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "reports/page/page.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/manifest.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::testing {
namespace {

Row row_with_everything() {
  Row row = made_up({});
  row.err_linf_rel = 1e-300;
  row.bound_name = "a \"quoted\" name, and\r\na second line";
  row.truth_tier = truth::Tier::double_double;
  row.time_ns = 18446744073709551615u;
  row.message = "\xc3\xa9";
  return row;
}

const std::vector<std::string>& corpus() {
  static const std::vector<std::string> files{
      results::csv_header() + results::to_csv(row_with_everything()) +
          results::to_csv(made_up({.seed = 2})),
      "\xEF\xBB\xBF" + results::csv_header(),
      results::manifest_json({.environment = results::environment(),
                              .argv = {"fftprec", "run", "x.toml"},
                              .sweep_text = "question = \"Why?\"\ngates = \"g.toml\"\n",
                              .axes = {"n=64"},
                              .seeds = {1, 2}}),
      R"({"version": "0.1.0", "numerics_version": 1, "a": {"b": [[1e999], null, "\u00e9\ud83d\ude00"]}})",
  };
  return files;
}

TEST(CsvFuzz, TheCorpusHoldsAndIsRead) {
  for (const std::string& text : corpus()) fuzz_once(text);
  EXPECT_EQ(results::parse_csv(corpus()[0], "x.csv").size(), 2u);
  EXPECT_EQ(results::parse_manifest_version(corpus()[2], "x.json"), results::own_version());
  EXPECT_EQ(page::parse_manifest(corpus()[2], "x.json").gates, "g.toml");
}

TEST(CsvFuzz, EveryTruncationOfTheCorpusHolds) { fuzz_truncations(corpus()); }

TEST(CsvFuzz, TwentyThousandMutationsHold) {
  fuzz_mutations(corpus(), ",\"\r\n0123456789.eE-+naif{}[]:\\u\xef\xbb\xbf", 20000);
}

}  // namespace
}  // namespace fftprec::testing
