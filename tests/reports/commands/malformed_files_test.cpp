/// Files that are not what they should be, of every kind, given to every command that reads them:
/// an exit code that says so, a message with place and value, and nothing lost: every file that was
/// there keeps its bytes.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <random>

#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/malformations.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using testing::holds;
using testing::Malformation;
using testing::Outcome;
using testing::run_line;
using testing::TemporaryDirectory;
using testing::text_of;
using testing::Words;
using testing::write_text;

using Files = std::map<std::string, std::string>;

class MalformedFiles : public ::testing::Test {
 protected:
  MalformedFiles() {
    write_text(directory_ / "sweep.toml", testing::good_sweep);
    write_text(directory_ / "gates.toml", testing::good_gates);
    EXPECT_EQ(line({"run", "@sweep.toml", "-o", "@run"}).code, 0);
    std::filesystem::remove_all(directory_ / "run/plots");
    EXPECT_EQ(line({"run", "@sweep.toml", "-o", "@other"}).code, 0);
    std::filesystem::remove_all(directory_ / "other/plots");
    std::filesystem::create_directory(directory_ / "alone");
    std::filesystem::copy(directory_ / "run/results.csv", directory_ / "alone");
  }

  /// "@" stands for the directory.
  Outcome line(Words words) {
    for (std::string& word : words)
      if (word.starts_with('@')) word = directory_ / word.substr(1);
    return run_line(words);
  }

  Files files() const {
    Files texts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_.path()))
      if (entry.is_regular_file())
        texts[std::filesystem::relative(entry.path(), directory_.path())] = text_of(entry.path());
    return texts;
  }

  /// Gives each malformation of `file` to each command. A command that reads it says so and loses
  /// nothing; what is no mistake is read.
  void expect_refused(const std::string& file, const std::vector<Malformation>& malformations,
                      const std::vector<Words>& commands) {
    const std::string good = text_of(directory_ / file);
    for (const Malformation& malformation : malformations)
      for (const Words& command : commands) {
        SCOPED_TRACE(file + ", " + malformation.name + ", fftprec " + command[0]);
        write_text(directory_ / file, malformation.of(good));
        const Files before = files();

        const Outcome outcome = line(command);

        EXPECT_EQ(outcome.code, malformation.code) << outcome.err;
        if (malformation.code == 0) {
          std::filesystem::remove_all(directory_ / "made");
          continue;
        }
        EXPECT_THAT(outcome.err, holds(malformation.message));
        EXPECT_EQ(files(), before);
      }
    write_text(directory_ / file, good);
  }

  TemporaryDirectory directory_;
};

TEST_F(MalformedFiles, SweepsAreRefusedWithTheirPlace) {
  expect_refused("sweep.toml", testing::of_sweeps(),
                 {{"run", "@sweep.toml", "-n"}, {"list", "cases", "@sweep.toml"}});
}

TEST_F(MalformedFiles, GatesAreRefusedWithTheirPlace) {
  expect_refused("gates.toml", testing::of_gates(),
                 {{"gate", "@run", "-g", "@gates.toml"},
                  {"report", "@run", "-g", "@gates.toml", "-o", "@made"}});
}

TEST_F(MalformedFiles, RowsAreRefusedWithTheirPlaceByAllThatReadThem) {
  expect_refused("alone/results.csv", testing::of_rows(),
                 {{"gate", "@alone", "-g", "@gates.toml"},
                  {"report", "@alone", "-o", "@made"},
                  {"plot", "@alone", "--format", "svg", "-o", "@made"},
                  {"compare", "@alone", "@other"},
                  {"compare", "@other", "@alone"}});
}

TEST_F(MalformedFiles, NumbersThatAreNotFiniteAreReadAndFailGates) {
  const std::string good = text_of(directory_ / "run/results.csv");
  for (const char* value : {"inf", "-inf", "nan"}) {
    write_text(directory_ / "alone/results.csv",
               testing::replaced(good, ",0.0035707190510256156,", "," + std::string(value) + ","));
    EXPECT_EQ(line({"gate", "@alone", "-g", "@gates.toml"}).code, 1) << value;
    EXPECT_EQ(line({"report", "@alone", "-o", "@made"}).code, 0) << value;
    EXPECT_EQ(line({"plot", "@alone", "--format", "svg", "-o", "@plots"}).code, 0) << value;
    EXPECT_EQ(line({"compare", "@alone", "@other", "--exit-code"}).code, 1) << value;
  }
}

TEST_F(MalformedFiles, RowsAreRefusedByARunThatWouldGoOnFromThem) {
  std::vector<Malformation> wrong = testing::of_rows();
  std::erase_if(wrong, [](const Malformation& each) { return each.code == 0; });
  expect_refused("run/results.csv", wrong, {{"run", "@sweep.toml", "-o", "@run"}});
}

TEST_F(MalformedFiles, RowsThatAreNotThoseOfTheirManifestAreTakenByNobody) {
  std::vector<Malformation> changed = testing::of_rows();
  for (Malformation& each : changed) {
    each.message = "results.csv: is not the file that manifest.json beside it describes";
    each.code = 2;
  }
  changed.push_back(testing::replacing("one digit", ",0.0035707190510256156,",
                                       ",0.0035807190510256156,", changed.front().message));
  expect_refused("run/results.csv", changed,
                 {{"merge", "@run", "-o", "@made"},
                  {"gate", "@run", "-g", "@gates.toml"},
                  {"gate", "@run/results.csv", "-g", "@gates.toml"},
                  {"report", "@run", "-o", "@made"},
                  {"plot", "@run", "--format", "svg", "-o", "@made"},
                  {"show", "0", "--run", "@run"},
                  {"compare", "@other", "@run"}});
  expect_refused("run/results.csv", {changed.back()}, {{"run", "@sweep.toml", "-o", "@run"}});
}

/// Whether `text` holds the rows of `good`: a flipped last digit may leave a number as it is.
bool same_rows(const std::string& text, const std::string& good) {
  try {
    return results::csv_text(results::parse_csv(text, "text")) == good;
  } catch (const std::exception&) {
    return false;
  }
}

TEST_F(MalformedFiles, EveryFlippedBitOfRowsIsSeenByWhoGoesOnFromThem) {
  const std::string good = text_of(directory_ / "run/results.csv");
  std::mt19937 random(1);
  for (int flip = 0; flip < 200; ++flip) {
    std::string text = good;
    text[random() % text.size()] ^= static_cast<char>(1 << random() % 8);
    if (same_rows(text, good)) continue;
    write_text(directory_ / "run/results.csv", text);

    EXPECT_EQ(line({"run", "@sweep.toml", "-o", "@run"}).code, 2) << text;
    EXPECT_EQ(line({"gate", "@run", "-g", "@gates.toml"}).code, 2) << text;
  }
}

TEST_F(MalformedFiles, BaselinesAreRefusedWithCode5) {
  write_text(directory_ / "kept.toml",
             "[[gate]]\nname = \"k\"\nkind = \"baseline\"\nsource = \"s\"\n"
             "metric = \"err_l2_rel\"\nbaseline = \"other/results.csv\"\n");
  std::vector<Malformation> wrong = testing::of_rows();
  std::erase_if(wrong, [](const Malformation& each) { return each.code == 0; });
  for (Malformation& each : wrong) each.code = 5;
  expect_refused("other/results.csv", wrong,
                 {{"gate", "@run", "-g", "@kept.toml"},
                  {"gate", "@run", "-g", "@kept.toml", "--update-baseline"}});
}

TEST_F(MalformedFiles, ManifestsAreRefusedByAllThatReadThem) {
  std::vector<Malformation> wrong = testing::of_manifests();
  std::erase_if(wrong, [](const Malformation& each) { return each.code == 0; });
  expect_refused("run/manifest.json", wrong,
                 {{"report", "@run", "-o", "@made"},
                  {"run", "@sweep.toml", "-o", "@run"},
                  {"merge", "@run", "-o", "@made"},
                  {"compare", "@run", "@other"}});
  std::filesystem::remove(directory_ / "run/results.csv");
  expect_refused("run/manifest.json", wrong, {{"run", "@sweep.toml", "-o", "@run"}});
}

TEST_F(MalformedFiles, VersionsAreCheckedByAllThatGoOnFromRows) {
  expect_refused("run/manifest.json", testing::of_versions(),
                 {{"run", "@sweep.toml", "-o", "@run"}, {"merge", "@run", "-o", "@made"}});
}

TEST_F(MalformedFiles, ManifestsOfOtherSystemsAreRead) {
  std::vector<Malformation> harmless = testing::of_manifests();
  std::erase_if(harmless, [](const Malformation& each) { return each.code != 0; });
  expect_refused("run/manifest.json", harmless,
                 {{"report", "@run", "-o", "@made"},
                  {"merge", "@run", "-o", "@made"},
                  {"compare", "@run", "@other"}});
}

TEST_F(MalformedFiles, AJournalIsRefusedWithItsPlace) {
  const std::string csv = text_of(directory_ / "run/results.csv");
  std::filesystem::rename(directory_ / "run/results.csv", directory_ / "run/results.csv.part");
  std::vector<Malformation> wrong;
  for (Malformation& each : testing::of_rows()) {
    // A last line without its end is dropped, and its case is run again.
    if (each.code == 0 || each.name == "cut off" || each.name == "empty" ||
        each.name == "duplicate row")
      continue;
    each.message = testing::replaced(each.message, "results.csv:", "results.csv.part:");
    wrong.push_back(each);
  }
  expect_refused("run/results.csv.part", wrong, {{"run", "@sweep.toml", "-o", "@run"}});
  EXPECT_EQ(line({"run", "@sweep.toml", "-o", "@run"}).code, 0);
  EXPECT_EQ(text_of(directory_ / "run/results.csv"), csv);
}

TEST_F(MalformedFiles, WhatIsNoFileIsRefused) {
  std::filesystem::create_directory(directory_ / "folder.toml");
  for (const Words& command : std::vector<Words>{{"run", "@folder.toml", "-n"},
                                                 {"run", "@none.toml", "-n"},
                                                 {"gate", "@run", "-g", "@folder.toml"},
                                                 {"gate", "@run", "-g", "@none.toml"},
                                                 {"gate", "@none", "-g", "@gates.toml"},
                                                 {"report", "@none"},
                                                 {"plot", "@none"},
                                                 {"compare", "@run", "@none"},
                                                 {"merge", "@none", "-o", "@made"},
                                                 {"show", "machine:none"}}) {
    const Files before = files();

    const Outcome outcome = line(command);

    EXPECT_EQ(outcome.code, 2) << command[0];
    EXPECT_THAT(outcome.err, holds(command[0] == "show" ? "unknown machine" : "cannot be read"))
        << command[0];
    EXPECT_EQ(files(), before);
  }
}

TEST_F(MalformedFiles, AHundredMegabytesAreRefusedInTime) {
  std::string text = testing::good_sweep;
  text.resize(100'000'000, '#');
  write_text(directory_ / "sweep.toml", text + "\n[axes]\n");  // twice: found at the very end
  EXPECT_THAT(line({"run", "@sweep.toml", "-n"}).err, holds("sweep.toml:6:1: "));

  std::string csv = text_of(directory_ / "alone/results.csv");
  csv.resize(100'000'000, 'x');
  write_text(directory_ / "alone/results.csv", csv);
  EXPECT_THAT(line({"gate", "@alone", "-g", "@gates.toml"}).err,
              holds("results.csv:8: a record of more than 16777216 bytes"));
}

}  // namespace
}  // namespace fftprec::commands
