/// What somebody who means harm, or has bad luck, puts into names, files and options: no command
/// runs it, hangs on it, loses a file to it, or shows it raw.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <ctime>
#include <filesystem>
#include <limits>

#include "reports/results/csv.hpp"
#include "tests/support/figure_rows.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/one_command.hpp"
#include "tests/support/sample_rows.hpp"
#include "tests/support/table_files.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::FullDisk;
using testing::holds;
using testing::lacks;
using testing::text_of;
using testing::Words;
namespace fs = std::filesystem;

constexpr const char* hostile_message = "\x1b]0;x\x07 a\n::error::X\r<script>`|=cmd";

class HostileInput : public testing::OneCommand {
 protected:
  /// Neither output moves a cursor or begins a line with a command of GitHub.
  void expect_harmless(const std::string& text) {
    EXPECT_THAT(text, lacks("\x1b", "\r"));
    EXPECT_THAT("\n" + text, lacks("\n::error"));
    EXPECT_THAT(text, lacks("<script>"));
  }

  void expect_code(int code, const Words& words) {
    EXPECT_THAT(run(words), exits(code)) << words[0];
    expect_harmless(out_);
    expect_harmless(err_);
  }
};

TEST_F(HostileInput, MessagesAndNamesAreShownEscaped) {
  write_rows("rows.csv", {failed_row({}, hostile_message), made_up({.seed = 2})});
  write("g.toml",
        "[[gate]]\nname = '::error::g <script>'\nkind = 'max'\nsource = '<script>'\n"
        "metric = 'err_l2_rel'\nlimit = 0\n");

  for (const Words& words :
       std::vector<Words>{{"gate", path("rows.csv"), "-g", path("g.toml"), "--md", path("md"),
                           "--junit", path("xml")},
                          {"gate", path("rows.csv"), "-g", path("g.toml"), "--github"}}) {
    EXPECT_THAT(run(words), exits(1).out(lacks("\x1b")));
  }
  expect_harmless(text_of(directory_ / "md"));
  expect_harmless(text_of(directory_ / "xml"));
  EXPECT_EQ(testing::markup_problem(
                text_of(directory_ / "xml").substr(text_of(directory_ / "xml").find("<testsuite"))),
            "");
  expect_code(0, {"report", path("rows.csv"), "-o", path("page"), "--markdown", path("md"),
                  "--latex", path("tex")});
  expect_harmless(text_of(directory_ / "md"));
  EXPECT_THAT(text_of(directory_ / "page"), lacks("\x1b"));
  EXPECT_EQ(testing::markup_problem(text_of(directory_ / "page")), "");
  write_rows("b.csv", {failed_row({}, "other"), made_up({.seed = 2})});
  expect_code(0, {"compare", path("rows.csv"), path("b.csv")});
}

TEST_F(HostileInput, FilesThatAreNoTablesAreRefusedByFileAndPlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const testing::Entries circle{1, {0, -1}, -1, {0, 1}};
  const std::string good = testing::vector_bytes(circle);
  const std::vector<std::pair<std::string, std::string>> files = {
      {"", "is empty"},
      {good.substr(0, 40), "is cut short"},
      {good.substr(0, good.size() - 1), "is cut short: shape 4 takes more than the 3 values"},
      {good + "x", "has 1 bytes after its array"},
      {"not a table", "is neither a .npy nor a WAV file"},
      {testing::vector_bytes({1, {0, nan}, -1, {0, 1}}), "value 1 is infinite or not a number"},
      {testing::table_bytes({1}, "<c8", "()"), "has shape ()"},
      {testing::table_bytes({}, "<c8", "(0,)"), "holds no values"},
      {testing::npy_file(testing::npy_header("<f8", "(3,)"),
                         testing::little_all<double>({1, 0.3, -2})),
       "holds 3 real numbers, which are no pairs"},
      {testing::vector_bytes({1, 0.5, {0, 1e300}, {0, 1}}, "<c16"),
       "is no table of roots of unity: 2 of 4 entries"},
      {testing::wav_file({}, testing::little(7, 2)), "is a recording"},
  };
  for (const auto& [bytes, message] : files) {
    write("t.npy", bytes);
    const std::string file = path("t.npy");
    for (const Words& words : std::vector<Words>{
             {"tables", "error", file},
             {"run", "-a", "n=4", "-a", "tables=file:" + file},
             {"show", "-a", "n=4", "-a", "tables=file:" + file},
             {"compute", "-a", "n=4", "-a", "tables=file:" + file, "-o", path("y.npy")},
             {"attribute", "-a", "n=4", "-a", "tables=file:" + file},
             {"recommend", "--n", "4", "--max", "err_l2_rel=1", "--tables", "file:" + file}}) {
      expect_code(2, words);
      EXPECT_THAT(err_, holds(message)) << words[0];
      EXPECT_THAT(err_, holds(".npy: ")) << words[0];
    }
  }
}

TEST_F(HostileInput, RowsAreRefusedWithoutRunningWhatTheySay) {
  std::string csv = results::csv_header() + results::to_csv(made_up({}));
  csv.replace(csv.find(",ok,"), 4, ",\"bad\n::error::X\x1b\",");
  write("rows.csv", csv);
  write("g.toml", "[[gate]]\nname = 'g'\nkind = 'bound'\nsource = 's'\n");

  expect_code(2, {"gate", path("rows.csv"), "-g", path("g.toml"), "--github"});

  EXPECT_THAT(err_, holds("unknown status 'bad\\n::error::X\\x1b'"));
}

TEST_F(HostileInput, LabelsAreData) {
  std::vector<Row> rows = testing::figure_rows();
  const char* const names[] = {"100 % 's", "''", "\"a", "  ", "$(touch x) `b` \\", "<&>]]>"};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].where.set(&Case::mode, names[i % 6]);
  write_rows(rows);

  expect_code(0, {"plot", directory_.path().string()});

  std::size_t images = 0;
  for (const auto& entry : fs::directory_iterator(directory_ / "plots"))
    images += entry.path().extension() == ".png" && fs::file_size(entry) > 1000;
  EXPECT_GE(images, 4u);
  EXPECT_FALSE(fs::exists("x"));
}

TEST_F(HostileInput, PlotsOfOneTitleAreSeveralFiles) {
  write("s.toml",
        "name = \"s\"\n[axes]\nn = [8, 16]\n[[plot]]\ntitle = \"A B\"\n[[plot]]\n"
        "title = \"a-b\"\n[[plot]]\ntitle = \"a  b\"\n[[plot]]\ntitle = \"" +
            std::string(3000, 'x') + "\"\n");

  expect_code(0, {"run", path("s.toml"), "-o", path("out")});

  for (const std::string name : {"a_b", "a-b", "a_b_2", "xxxxxxxx"}) {
    bool found = false;
    for (const auto& entry : fs::directory_iterator(directory_ / "out/plots"))
      found = found || entry.path().filename().string().starts_with(
                           name == "xxxxxxxx" ? name : name + ".svg");
    EXPECT_TRUE(found) << name;
  }
}

TEST_F(HostileInput, ImagesThatAreNotWholeAreErrors) {
  write_rows(testing::figure_rows());
  {
    const FullDisk disk(12'000);  // enough for one SVG or none, for no PNG
    expect_code(2, {"plot", directory_.path().string()});
  }
  EXPECT_THAT(err_, holds("cannot be written: File too large"));
  for (const auto& entry : fs::directory_iterator(directory_ / "plots"))
    EXPECT_EQ(entry.path().extension(), ".svg") << "whole, or not there";
}

TEST_F(HostileInput, NoProgramOfTheCurrentFolderIsRun) {
  write_rows(testing::figure_rows());
  write("rsvg-convert", "#!/bin/sh\ntouch ran\nexec /usr/bin/rsvg-convert \"$@\"\n");
  fs::permissions(directory_ / "rsvg-convert", fs::perms::owner_all);
  const std::string before = std::getenv("PATH");
  const fs::path here = fs::current_path();
  fs::current_path(directory_.path());
  for (const std::string folder : {".", "", "./."}) {
    ::setenv("PATH", (folder + ":" + before).c_str(), 1);
    expect_code(0, {"plot", "results.csv"});
  }
  ::setenv("PATH", before.c_str(), 1);
  fs::current_path(here);
  EXPECT_FALSE(fs::exists(directory_ / "ran"));
}

TEST_F(HostileInput, ExtremeNumbersAreDrawnInTime) {
  const double values[] = {5e-324, 1e-310, 1.7976931348623157e308, 0, -1};
  for (const double value : values) {
    std::vector<Row> rows = testing::figure_rows();
    for (std::size_t i = 0; i < rows.size(); i += 2) rows[i].err_l2_rel = value;
    rows[0].where.set(&Case::n, std::uint64_t{1} << 63);
    write_rows(rows);
    for (const char* kind : {"lines", "cost", "heatmap", "histogram"}) {
      expect_code(0, {"plot", directory_.path().string(), "--format", "svg", "--kind", kind});
      for (const auto& entry : fs::directory_iterator(directory_ / "plots"))
        EXPECT_LT(fs::file_size(entry), 3'000'000u) << value << kind;
    }
  }
}

TEST_F(HostileInput, TwentyThousandUnknownNamesAreDrawnInTime) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < 20'000; ++i)
    rows.push_back(made_up({.mode = "made" + std::to_string(i)}));
  write_rows(rows);
  const std::clock_t start = std::clock();  // of the processor: other processes may run beside

  expect_code(0, {"plot", directory_.path().string(), "--format", "svg", "--kind", "lines"});
  expect_code(0, {"report", directory_.path().string()});

  EXPECT_LT(std::clock() - start, 20 * CLOCKS_PER_SEC);
}

TEST_F(HostileInput, OptionsThatAreNoNumbersAreRefusedInOurWords) {
  write("s.toml", "name = \"s\"\n[axes]\nn = 8\n");
  const std::vector<std::pair<Words, std::string>> lines = {
      {{"run", path("s.toml"), "--timeout"}, "duration"},
      {{"recommend", "--n", "64", "--max", "1e-3", "--patience"}, "duration"},
      {{"explain", "trn1", "--spread"}, "number"},
      {{"explain", "trn1", "--level"}, "number"}};
  for (auto [words, kind] : lines)
    for (const char* value : {"nan", "NaN", "-nan", "inf", "", "1x", "0x1p3", " 1", "1e999"}) {
      words.push_back(value);
      expect_code(2, words);
      EXPECT_THAT(err_, holds("'" + std::string(value) + "' is no " + kind)) << words[0];
      words.pop_back();
    }
  for (const char* value : {"-1", "1.5", "nan", "18446744073709551616"}) {
    expect_code(2, {"run", path("s.toml"), "-j", value});
    EXPECT_THAT(err_, holds("'" + std::string(value) + "' is no whole number"));
  }
}

TEST_F(HostileInput, NamesThatNoFileSystemTakesAreRefusedInOurWords) {
  write_rows(testing::figure_rows());
  write("g.toml", "[[gate]]\nname = 'g'\nkind = 'bound'\nsource = 's'\n");
  const std::string name(300, 'a');
  const std::vector<Words> lines = {{"run", "-a", "n=8", "-o", path(name)},
                                    {"run", "-a", "n=8", "--csv", path(name)},
                                    {"plot", path("results.csv"), "-o", path(name)},
                                    {"report", path("results.csv"), "-o", path(name)},
                                    {"claims", "C11", "-o", path(name)},
                                    {"merge", path(name), "-o", path("b")},
                                    {"gate", path(name), "-g", path("g.toml")}};
  for (const Words& words : lines) {
    expect_code(2, words);
    EXPECT_THAT(err_, holds("File name too long")) << words[0];
    EXPECT_THAT(err_, lacks("filesystem error")) << words[0];
  }
}

}  // namespace
}  // namespace fftprec::commands
