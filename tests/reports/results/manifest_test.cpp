#include "reports/results/manifest.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "experiments/support/hash.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::results {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using testing::error_text;
using testing::holds;

Manifest sample() {
  Manifest manifest;
  manifest.environment = {.version = "1.2.3",
                          .git_hash = "abc",
                          .numerics_version = 4,
                          .compiler = "C 1",
                          .flags = "-O3",
                          .build_type = "Release",
                          .libraries = {{"MPFR", "4.2.0"}},
                          .system = "S",
                          .cpu = "P",
                          .cores = 2,
                          .isas = {"baseline", "avx2"},
                          .floating_point_problems = {}};
  manifest.argv = {"fftprec", "run", "x \xff.toml"};
  manifest.sweep_name = "x";
  manifest.sweep_text = "name = \"x\"\n";
  manifest.axes = {"n=8"};
  manifest.filters = {"n<9"};
  manifest.shard = "2/4";
  manifest.times = false;
  manifest.isa = "avx2";
  manifest.threads = 2;
  manifest.truth = {.tier = "auto", .needed_bits = 64, .precision_bits = 128, .rows = {}};
  manifest.started = "2025-01-01T00:00:00Z";
  manifest.ended = "2025-01-01T00:00:01Z";
  return manifest;
}

TEST(Manifest, IsTheKeptText) {
  Manifest manifest = sample();
  std::vector<Row> rows(3);
  rows[1].where.set(&Case::seed, 9);
  rows[0].truth_tier = truth::Tier::double_double;
  rows[1].truth_tier = truth::Tier::double_double;
  rows[2].status = Status::failed;
  describe_cases(manifest, std::vector<SharedCase>{rows[1].where, rows[0].where});
  describe_results(manifest, rows, "text");

  EXPECT_EQ(manifest_json(manifest), R"({
  "version": "1.2.3",
  "numerics_version": 4,
  "argv": [
    "fftprec",
    "run",
    ")"
                                     "x \xef\xbf\xbd"
                                     R"(.toml"
  ],
  "sweep": "x",
  "axes": [
    "n=8"
  ],
  "filters": [
    "n<9"
  ],
  "seeds": [
    1,
    9
  ],
  "shard": "2/4",
  "times": false,
  "isa": "avx2",
  "threads": 2,
  "processes": 1,
  "truth": {
    "tier": "auto",
    "needed_bits": 64,
    "precision_bits": 128,
    "rows": {
      "dd": 2
    }
  },
  "started": "2025-01-01T00:00:00Z",
  "ended": "2025-01-01T00:00:01Z",
  "cases": 2,
  "rows": 3,
  "status_counts": {
    "failed": 1,
    "ok": 2,
    "skipped": 0
  },
  "results_hash": ")" + text_hash("text") +
                                         R"(",
  "environment": {
    "version": "1.2.3",
    "git_hash": "abc",
    "numerics_version": 4,
    "compiler": "C 1",
    "flags": "-O3",
    "build_type": "Release",
    "libraries": {
      "MPFR": "4.2.0"
    },
    "system": "S",
    "cpu": "P",
    "cores": 2,
    "isas": [
      "baseline",
      "avx2"
    ],
    "floating_point_problems": []
  },
  "sweep_text": "name = \"x\"\n",
  "manifest_hash": "33f9d868c55dd148"
}
)");
}

TEST(Manifest, IsRefusedWithAnyBitFlipped) {
  const std::string good = manifest_json(sample());
  std::mt19937 random(1);
  for (int flip = 0; flip < 200; ++flip) {
    std::string text = good;
    text[random() % text.size()] ^= static_cast<char>(1 << random() % 8);
    const std::string said = error_text([&] { manifest_object(text, "m.json"); });
    // Where the name of the hash itself is hit, everything else is as it was.
    const bool unnamed = text.find("\"manifest_hash\": \"") == std::string::npos;
    EXPECT_THAT(said, AnyOf(unnamed ? "no error" : "an error", holds("is no manifest: "),
                            holds("m.json: was changed after it was written")))
        << text;
  }
}

TEST(Manifest, CountsTheRowsOfEachTierAnew) {
  Manifest manifest = sample();
  std::vector<Row> rows(3);
  rows[0].truth_tier = truth::Tier::double_double;
  rows[1].truth_tier = truth::Tier::mpfr;
  rows[2].truth_tier = truth::Tier::mpfr;
  for (int times = 0; times < 2; ++times) describe_results(manifest, rows, "text");

  EXPECT_THAT(manifest.truth.rows, ElementsAre(std::pair{"dd", 1u}, std::pair{"mpfr", 2u}));
}

TEST(Environment, KnowsTheBuildAndTheLibraries) {
  const Environment here = environment();
  for (const auto& [name, version] : here.libraries)
    EXPECT_TRUE(std::regex_match(version, std::regex("[0-9]+\\.[0-9]+.*"))) << name << version;
  EXPECT_THAT(here.flags, holds("-ffp-contract=off"));
  EXPECT_THAT(here.floating_point_problems, ElementsAre());
  EXPECT_EQ(here.isas.at(0), "baseline");
  EXPECT_GE(here.cores, 1u);
  EXPECT_EQ(own_version(), (ManifestVersion{here.version, here.numerics_version}));
}

TEST(UtcNow, IsAnIsoDate) {
  EXPECT_TRUE(
      std::regex_match(utc_now(), std::regex("20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ")));
}

}  // namespace
}  // namespace fftprec::results
