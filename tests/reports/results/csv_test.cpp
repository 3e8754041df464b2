#include "reports/results/csv.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <random>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_ids.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/seed_reduction.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/text_stream.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/first_columns.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/hostile_locale.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::results {
namespace {

using testing::error_text;
using testing::holds;
using ::testing::StartsWith;

const std::string header = csv_header();

Row measured_row() {
  Row row;
  row.err_l2_rel = 0.1;
  row.err_linf_rel = std::numeric_limits<double>::infinity();
  row.err_l1_rel = std::numeric_limits<double>::quiet_NaN();
  row.err_max_ulp = 1e300;
  row.time_ns = 1234567;
  row.bound_name = "a \"quoted\" name";
  row.message = "one, two";
  return row;
}

/// Every column as text: NaN equals NaN, and nothing is left out.
std::vector<std::string> cells(const Row& row) {
  std::vector<std::string> texts;
  for (const Column& column : columns()) texts.push_back(column.text(row));
  return texts;
}

TEST(Csv, WritesNamesAndCellsQuotedWhereTheyMustBe) {
  std::string names;
  std::string line;
  for (const Column& column : columns()) {
    const std::string comma = names.empty() ? "" : ",";
    names += comma + std::string(column.name);
    line += comma + (column.name == "bound_name" ? "\"a \"\"quoted\"\" name\""
                     : column.name == "message"  ? "\"one, two\""
                                                 : column.text(measured_row()));
  }

  EXPECT_EQ(csv_header(), names + "\n");
  EXPECT_EQ(to_csv(measured_row()), line + "\n");
  EXPECT_THAT(line, holds(case_id(Case{}) + ",fft,radix2-dit,fp32,trn,exact,1024,1,gaussian,1,",
                          ",0.1,inf,nan,", ",1e+300,", ",1234567,"));
}

TEST(Csv, ReadsBackWhatItWrote) {
  const std::vector<Row> rows = {Row{}, measured_row()};

  const std::vector<Row> copy = parse_csv(csv_text(rows), "text", Duplicates::keep);

  ASSERT_EQ(copy.size(), 2u);
  EXPECT_EQ(cells(copy[0]), cells(rows[0]));
  EXPECT_EQ(cells(copy[1]), cells(rows[1]));
}

/// A row over the seeds first .. last.
Row reduced_row(std::uint64_t first, std::uint64_t last, const std::string& mode = "bf16") {
  SeedReduction reduction(summarised_metrics({"err_l2_rel", "err_max_ulp"}));
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Row row =
        made_up({.mode = mode, .seed = seed, .error = 1e-7 + 1e-9 * double(seed * seed % 11)});
    row.err_max_ulp = 0.5;
    reduction.add(row);
  }
  return reduction.row();
}

std::string with(std::string text, const std::string& old, const std::string& now) {
  return text.replace(text.find(old), old.size(), now);
}

/// Two lines without quotes, with another cell in the second.
std::string with_cell(const std::string& text, std::string_view column, const std::string& cell) {
  const auto names_end = text.begin() + static_cast<std::ptrdiff_t>(text.find('\n'));
  const std::size_t place = text.find("," + std::string(column) + ",");
  auto begin = names_end;
  for (auto commas =
           std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place) + 1, ',');
       commas > 0; --commas)
    begin = std::find(begin + 1, text.end(), ',');
  const auto end = std::find(begin + 1, text.end(), ',');
  return std::string(text.begin(), begin + 1) + cell + std::string(end, text.end());
}

TEST(Csv, ReadsBackStatisticsOverSeeds) {
  const std::vector<Row> rows = {reduced_row(1, 40), reduced_row(7, 7, "fp32")};
  const std::string text = csv_text(rows);
  EXPECT_THAT(text, StartsWith(csv_header().substr(0, csv_header().size() - 1) +
                               ",seeds,err_l2_rel.count,err_l2_rel.mean,"));
  EXPECT_THAT(text, holds(",err_l2_rel.summary,err_max_ulp.count,", ",err_max_ulp.summary\n",
                          ",1..40,40,", ",7,1,"));
  EXPECT_EQ(csv_text(parse_csv(text, "text")), text);

  std::string least = csv_header(summarised_metrics(rows[0]), SeedColumns::least);
  EXPECT_THAT(least, holds(",message,seeds,err_l2_rel.summary,err_max_ulp.summary\n"));
  for (const Row& row : rows) least += to_csv(row, SeedColumns::least);
  EXPECT_EQ(csv_text(parse_csv(least, "text")), text);
}

TEST(Csv, RefusesStatisticsThatDoNotFollowFromTheirSummary) {
  const Row row = reduced_row(1, 40);
  const std::string text = csv_text(std::vector{row});
  const auto refusal = [](const std::string& changed) {
    return error_text([&] { parse_csv(changed, "text"); });
  };
  for (const char* name : {"err_l2_rel.p99", "err_l2_rel.count", "err_max_ulp.max_seed"})
    for (const char* wrong : {"", "17"})
      EXPECT_THAT(
          refusal(with_cell(text, name, wrong)),
          holds("text:2: column '" + std::string(name) + "': '" + wrong +
                "' is not what the summary of the row gives: " + column_named(name).text(row)));
  EXPECT_THAT(refusal(with_cell(text, "err_l2_rel.p99", "x")), holds("'x' is not a number"));
  EXPECT_THAT(refusal(with_cell(text, "err_l2_rel.summary", "")), holds("summary': is empty"));
  EXPECT_THAT(refusal(with(text, ",seeds,", ",message,")), holds("'message' appears twice"));
  EXPECT_THAT(refusal(with(text, ",err_max_ulp.summary\n", "\n")),
              holds("text:1: column 'err_max_ulp.summary' is missing"));
  EXPECT_THAT(refusal(with(text, "err_l2_rel.p99,", "err_l2_rel.p98,")),
              holds("text:1: unknown statistic of err_l2_rel 'p98'"));
  EXPECT_THAT(refusal(with(text, ",1..40,", ",,")), holds("text:2: column 'seeds': is empty"));
  EXPECT_THAT(refusal(with(text, ",1..40,", ",1..39,")),
              holds("column 'seeds': its seeds are not"));
  EXPECT_THAT(refusal(with(text, ",1..40,", ",101..140,")), holds("column 'seeds': its seeds are"));
  EXPECT_THAT(refusal(with(text, "count=40", "count=41")), holds("'err_l2_rel.summary': "));

  EXPECT_THAT(refusal(csv_text(std::vector{row, reduced_row(41, 50)})),
              holds("text:3: repeats the case of line 2"));
  EXPECT_THAT(error_text([&] {
                csv_text(std::vector{row, Row{}});
              }),
              holds("different statistics over seeds"));
}

TEST(Csv, FindsARepeatedCaseOfStatisticsInAnyOrder) {
  const std::string text = csv_text(
      std::vector{reduced_row(1, 4, "fp32"), reduced_row(1, 4), reduced_row(8, 9, "fp32")});
  EXPECT_THAT(error_text([&] { parse_csv(text, "text"); }),
              holds("text:4: repeats the case of line 2"));
}

/// Cases that differ in each axis from the one before, or in none.
TEST(RowWriter, WritesTheLineOfEachRow) {
  std::vector<Row> rows(3, measured_row());
  for (const Column& axis : axis_columns()) {
    for (const char* value : {"7", "8", "8"}) {
      Row row = rows.back();
      axis.parse(row, value);
      rows.push_back(row);
      row.where.set(&Case::seed, rows.size());
      rows.push_back(row);
    }
  }
  RowWriter writer;
  for (const Row& row : rows) {
    std::string line = "before ";
    writer.append(line, row);
    EXPECT_EQ(line, "before " + to_csv(row));
  }
}

TEST(Csv, ReadsBackAnyTextInACell) {
  std::mt19937 generator(1);
  const std::string letters = "ab,\"\n\r '\t;\xc3\xa9";
  for (int i = 0; i < 2000; ++i) {
    Row row;
    for (std::uint32_t length = generator() % 8; length > 0; --length)
      row.message += letters[generator() % letters.size()];
    row.bound_name = std::string(row.message.rbegin(), row.message.rend());

    const std::vector<Row> copy =
        parse_csv(csv_text(std::vector<Row>{row, Row{}}), "text", Duplicates::keep);

    ASSERT_EQ(copy.size(), 2u) << to_csv(row);
    EXPECT_EQ(cells(copy[0]), cells(row)) << to_csv(row);
  }
}

TEST(Csv, IsTheSameUnderAHostileLocale) {
  const std::vector<Row> rows = {measured_row()};
  const std::string expected = csv_text(rows);

  const testing::HostileLocale hostile;
  const std::vector<Row> copy = parse_csv(expected, "text");

  EXPECT_EQ(csv_text(rows), expected);
  EXPECT_EQ(cells(copy.at(0)), cells(rows[0]));
}

TEST(Csv, TakesColumnsInAnyOrderAndForeignLineEnds) {
  std::string text = csv_text(std::vector<Row>{measured_row()});
  text.replace(text.find("\n"), 1, "\r\n");
  text.replace(text.rfind("\n"), 1, "\r\n");

  EXPECT_EQ(cells(parse_csv("\xEF\xBB\xBF" + text, "text").at(0)), cells(measured_row()));

  std::string swapped = csv_text(std::vector<Row>{Row{}});
  swapped.replace(swapped.find("seed"), 4, "n___");
  swapped.replace(swapped.find(",n,"), 3, ",seed,");
  swapped.replace(swapped.find("n___"), 4, "n");
  swapped.replace(swapped.find(",1024,"), 6, ",1,");
  swapped.replace(swapped.find("gaussian,1"), 10, "gaussian,1024");
  EXPECT_EQ(cells(parse_csv(swapped, "text").at(0)), cells(Row{}));
}

TEST(Csv, RefusesASecondRowOfACaseUnlessItIsAskedToKeepThem) {
  const std::string text = csv_text(std::vector<Row>{Row{}, measured_row()});

  EXPECT_EQ(error_text([&text] { parse_csv(text, "f.csv"); }),
            "f.csv:3: repeats the case of line 2: " + command_of(Case{}));
  EXPECT_EQ(parse_csv(text, "f.csv", Duplicates::keep).size(), 2u);
}

TEST(Csv, NamesFileLineAndColumnOfAnError) {
  const std::string good = header + to_csv(Row{});
  const auto replaced = [&good](const std::string& old, const std::string& text) {
    std::string changed = good;
    return changed.replace(changed.find(old), old.size(), text);
  };
  std::string comma = header + to_csv(measured_row());
  comma.replace(comma.find(",0.1,"), 5, ",0,1,");
  const std::size_t count = columns().size();
  const std::string expected = " cells; expected " + std::to_string(count);
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "f.csv:1: the file is empty"},
           {replaced("err_l2_rel", "err_l2_rle"), "f.csv:1: unknown column 'err_l2_rle'; did you"},
           {replaced("seed,", ""), "f.csv:1: column 'seed' is missing"},
           {replaced("truth_tier,", ""), "f.csv:1: column 'truth_tier' is missing"},
           {replaced("seed", "n"), "f.csv:1: column 'n' appears twice"},
           {replaced("1024", "x"), "f.csv:2: column 'n': 'x' is not an unsigned integer"},
           {replaced("1024", "512"), "f.csv:2: column 'case_id': '"},
           {replaced(",ok,", ",fine,"), "f.csv:2: column 'status': unknown status 'fine'"},
           {replaced(",ok,", ",ok"), "f.csv:2: " + std::to_string(count - 1) + expected},
           {good + "1,2\n", "f.csv:3: 2" + expected},
           {good.substr(0, good.size() - 1), "f.csv:2: the last line has no end"},
           {good + "\"open\n\n", "f.csv:3: the last line has no end"},
           {replaced("fp32", "\"fp32\"x"), "f.csv:2: text after a closing quote"},
           {replaced("fp32", "fp\"32"), "f.csv:2: a quote within an unquoted cell"},
           {comma, "f.csv:2: " + std::to_string(count + 1) + expected}})
    EXPECT_THAT(error_text([&csv = text] { parse_csv(csv, "f.csv"); }), StartsWith(message))
        << text;
}

TEST(Csv, TakesFilesOfBeforeTheLaterColumns) {
  const std::string old =
      testing::first_names() + "\n" + testing::first_cells(measured_row()) + "\n";

  EXPECT_EQ(cells(parse_csv(old, "f.csv").at(0)), cells(measured_row()));
}

TEST(Csv, TakesTheIdsOfOldFilesWhichHaveNoLetter) {
  std::string row = to_csv(Row{});
  ASSERT_TRUE(row.starts_with("x"));

  EXPECT_EQ(parse_csv(header + row.substr(1), "f.csv").at(0).where, Case{});
  EXPECT_THAT(error_text([&] { parse_csv(header + row.substr(2), "f.csv"); }),
              StartsWith("f.csv:2: column 'case_id': '"));
}

TEST(Csv, CountsTheLinesWithinQuotedCells) {
  Row row;
  row.message = "two\nlines";
  EXPECT_THAT(error_text([&] { parse_csv(header + to_csv(row) + "x\n", "f.csv"); }),
              StartsWith("f.csv:4: 1 cells"));
}

/// Rows of seeds from 1 on, with cells that need quotes in every third.
std::vector<Row> seeds(std::uint64_t count) {
  std::vector<Row> rows(count, measured_row());
  for (std::uint64_t i = 0; i < count; ++i) {
    rows[i].where.set(&Case::seed, i + 1);
    if (i % 3 != 0) rows[i].message = rows[i].bound_name = "plain";
  }
  return rows;
}

std::string compressed(const std::string& text, Compression compression) {
  std::string bytes;
  Compressor compressor(compression, [&bytes](std::string_view piece) { bytes += piece; });
  compressor.write(text);
  compressor.finish();
  return bytes;
}

TEST(RowReader, GivesTheRowsOfAFileOfManyPieces) {
  const std::vector<Row> rows = seeds(3000);
  const std::string text = csv_text(rows);
  for (const Compression compression : {Compression::none, Compression::gzip, Compression::zstd}) {
    const std::string bytes = compressed(text, compression);
    RowReader reader(bytes, "x.csv");
    std::size_t count = 0;
    for (const Row* row = reader.next(); row != nullptr; row = reader.next(), ++count)
      ASSERT_EQ(cells(*row), cells(rows.at(count)));

    EXPECT_EQ(count, rows.size());
    EXPECT_EQ(reader.next(), nullptr);
    EXPECT_EQ(reader.hash(), text_hash(text));
  }
}

TEST(RowReader, HashesWhatItDoesNotRead) {
  const std::string text = csv_text(seeds(3000));
  RowReader reader(text, "x.csv");
  reader.next();

  EXPECT_EQ(reader.hash(), text_hash(text));
}

TEST(RowReader, FindsASecondRowOfACaseInAnyOrder) {
  std::vector<Row> rows = seeds(1000);
  std::ranges::reverse(rows);
  EXPECT_EQ(parse_csv(csv_text(rows), "f.csv").size(), 1000u);
  std::swap(rows[500], rows[700]);
  rows.push_back(rows[300]);

  EXPECT_EQ(error_text([&] { parse_csv(csv_text(rows), "f.csv"); }),
            "f.csv:1002: repeats the case of line 302: " + command_of(rows[300].where));
  std::ranges::reverse(rows);
  EXPECT_EQ(error_text([&] { parse_csv(csv_text(rows), "f.csv"); }),
            "f.csv:702: repeats the case of line 2: " + command_of(rows[0].where));
}

TEST(RowReader, TellsDamagedCompressionFromMalformedRows) {
  const std::vector<Row> rows = seeds(40);
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    const std::string good = compressed(csv_text(rows), compression);
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i) {
      std::string bytes = good;
      bytes[4 + random() % (bytes.size() - 4)] ^= static_cast<char>(1 << random() % 8);
      std::vector<Row> read;
      const std::string error = error_text([&] { read = parse_csv(bytes, "f.csv"); });
      if (error == "no error")
        EXPECT_EQ(csv_text(read), csv_text(rows));
      else
        EXPECT_THAT(error, StartsWith("f.csv: the "));
    }
    EXPECT_THAT(error_text([&] { parse_csv(good.substr(0, good.size() / 2), "f.csv"); }),
                holds("f.csv: the ", "data are cut off after byte "));
  }
}

TEST(RowReader, RefusesARecordWithoutEnd) {
  const std::string text = header + "\"" + std::string(std::size_t{1} << 25, '\n');
  EXPECT_THAT(error_text([&] { parse_csv(text, "f.csv"); }),
              StartsWith("f.csv:2: a record of more than"));
}

TEST(CaseIds, AreThoseOfTheCases) {
  CaseIds ids;
  std::mt19937 random(4);
  SharedCase where;
  for (int i = 0; i < 300; ++i) {
    if (random() % 4 == 0) where.set(&Case::batch, random() % 2);
    if (random() % 4 == 0) where.set(&Case::mode, random() % 2 == 0 ? "fp32" : "-a seed=1");
    if (random() % 4 == 0) where.set(&Case::scale, random() % 2 == 0 ? "none" : "x -a seed=2");
    if (random() % 8 == 0) where = SharedCase();
    where.set(&Case::seed, random() % 3);
    ASSERT_EQ(ids.id_of(where), case_id(where));
  }
}

TEST(CsvCell, IsNoFormula) {
  for (const char* text : {"=cmd()", "+1+cmd()", "-1+cmd()", "@x", "\tx"})
    EXPECT_EQ(csv_cell(text), "'" + std::string(text));
  for (const char* text : {"-", "-1.5e-3", "+", "a=b", "", "-inf"}) EXPECT_EQ(csv_cell(text), text);
  EXPECT_EQ(csv_cell("=a,\"b\""), "\"'=a,\"\"b\"\"\"");
}

}  // namespace
}  // namespace fftprec::results
