/// The page of a report: whole, self-contained, and with the numbers of the CSV.
#include "reports/page/page.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include "experiments/cases/filter.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/text/table.hpp"
#include "tests/support/figure_rows.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/many_rows.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::page {
namespace {

using testing::holds;
using testing::lacks;

std::string page_of(const ReportData& data) {
  return report_page(data, gather_report_figures(data.rows, {}), {});
}

ReportData data_of(std::vector<Row> rows) {
  ReportData data;
  data.source = "out/run";
  data.rows = std::move(rows);
  return data;
}

gates::Gate max_gate(const std::string& name, double limit) {
  gates::Gate gate;
  gate.name = name;
  gate.kind = "max";
  gate.source = "a budget";
  gate.limit = limit;
  return gate;
}

/// Part of the page from one heading to the next section.
std::string section_of(const std::string& page, const std::string& id) {
  const std::size_t begin = page.find("<section id=\"" + id + "\"");
  return begin == std::string::npos ? ""
                                    : page.substr(begin, page.find("</section>", begin) - begin);
}

TEST(ReportPage, IsWellFormedAndHasEverySection) {
  ReportData data = data_of(testing::many_rows(testing::many_rows_grid));
  data.verdicts = check_gates(std::vector<gates::Gate>{max_gate("g", 1e9)}, data.rows);
  const std::string page = page_of(data);

  EXPECT_EQ(testing::markup_problem(page), "");
  std::size_t last = 0;
  for (const char* id : {"gates", "curves", "heat-map", "multiples", "cost", "histogram", "errors",
                         "table", "manifest"}) {
    EXPECT_NE(section_of(page, id), "") << id;
    EXPECT_THAT(page, holds(std::string("href=\"#") + id + "\""));
    const std::size_t place = page.find(std::string("<section id=\"") + id);
    EXPECT_GT(place, last) << id << ": figures come before numbers";
    last = place;
  }
  for (const char* empty : {"own", "stages"}) {
    EXPECT_EQ(section_of(page, empty), "");
    EXPECT_THAT(page, lacks(std::string("href=\"#") + empty + "\""));
  }
}

TEST(ReportPage, AsksForNothingFromOutside) {
  const std::string page = page_of(data_of(testing::many_rows(testing::many_rows_grid)));

  for (const char* outside : {"http:", "https:", "src=", "@import", "<link", "<iframe", "fetch(",
                              "XMLHttpRequest", "eval("})
    EXPECT_THAT(page, lacks(outside));
  EXPECT_FALSE(std::regex_search(page, std::regex("url\\((?!#)")));
  const std::regex reference("href=[\"']([^#\"'][^\"']*)");
  EXPECT_FALSE(std::regex_search(page, reference)) << "links stay within the page";
}

TEST(ReportPage, NamesNoIdTwice) {
  const std::string page = page_of(data_of(testing::many_rows(testing::many_rows_grid)));
  std::set<std::string> ids;
  const std::regex id(" id=[\"']([^\"']+)");
  for (auto i = std::sregex_iterator(page.begin(), page.end(), id); i != std::sregex_iterator();
       ++i)
    EXPECT_TRUE(ids.insert((*i)[1]).second) << (*i)[1];
  EXPECT_GT(ids.size(), 20u);
}

TEST(ReportPage, EscapesNamesThatLookLikeMarkup) {
  const std::string odd = "<script>alert('x')</script>&\"\xff";
  std::vector<Row> rows = {made_up({.algorithm = odd, .mode = odd, .input = odd}),
                           made_up({.algorithm = odd, .mode = "fp32", .input = odd}),
                           failed_row({.mode = odd, .seed = 2}, odd)};
  for (Row& row : rows) {
    row.where.set(&Case::machine, odd);
    row.bound_name = odd;
    row.real_multiplications = 5;
  }
  ReportData data = data_of(rows);
  data.source = odd;
  data.gates_note = odd;
  data.has_manifest = true;
  data.manifest.sweep_name = odd;
  data.manifest.sweep_text = odd;
  data.manifest.question = odd;
  data.manifest.argv = {odd};
  data.manifest.entries = {{odd, odd}};
  data.verdicts = check_gates(std::vector<gates::Gate>{max_gate(odd, 1e-9)}, rows);

  const std::string page = page_of(data);

  EXPECT_EQ(testing::markup_problem(page), "");
  EXPECT_THAT(page, lacks("<script>alert"));
  EXPECT_EQ(page.find('\xff'), std::string::npos);
}

TEST(ReportPage, ShowsTheNumbersOfTheRows) {
  const std::vector<Row> rows = testing::many_rows(testing::many_rows_grid);
  const std::string page = page_of(data_of(rows));
  const std::string headline = section_of(page, "headline");
  const std::string numbers = section_of(page, "errors");

  std::size_t measured = 0;
  double worst = 0;
  for (const Row& row : rows) {
    if (row.status != Status::ok) continue;
    ++measured;
    worst = std::max(worst, *row.err_l2_rel / *row.bound_l2_rel);
  }
  EXPECT_THAT(headline, holds(std::to_string(measured) + " of " + std::to_string(rows.size())));
  std::ostringstream three;
  three.precision(3);
  three << worst;
  EXPECT_THAT(headline, holds("class=\"value\">" + three.str() + "<"));
  std::vector<double> errors;  // of one cell, from the rows
  for (const Row& row : rows)
    if (row.status == Status::ok && row.where.algorithm() == "bluestein" &&
        row.where.mode() == "ozaki" && row.where.machine() == "trn" && row.where.n() == 4096 &&
        row.where.input() == "gaussian")
      errors.push_back(*row.err_l2_rel);
  ASSERT_FALSE(errors.empty());
  const std::size_t line =
      numbers.find("<th scope=\"row\">bluestein</th><th scope=\"row\">ozaki</th>");
  ASSERT_NE(line, std::string::npos);
  EXPECT_THAT(numbers.substr(line, 900), holds(">" + short_number(median(errors)) + "<"));
}

TEST(ReportPage, SaysAtWhichStoreItsHeadlinesAndFiguresAreIfThereAreSeveral) {
  std::vector<Row> rows = testing::figure_rows();
  EXPECT_THAT(page_of(data_of(rows)), lacks("rounding_points op"));
  for (const Row& row : testing::figure_rows()) {
    rows.push_back(row);
    rows.back().where.set(&Case::rounding_points, "pass:3");
    *rows.back().err_l2_rel *= 2;
  }

  const std::string page = page_of(data_of(rows));
  EXPECT_THAT(section_of(page, "headline"), holds("gaussian, rounding_points pass:3"));
  EXPECT_THAT(section_of(page, "curves"), holds("rounding_points op"));
}

TEST(ReportPage, ShowsFailedGatesWithTheirCommandsAndFoldsTheOthers) {
  const std::vector<Row> rows = {made_up({}), made_up({.seed = 2, .error = 1e-3})};
  ReportData data = data_of(rows);
  data.verdicts =
      check_gates(std::vector<gates::Gate>{max_gate("loose", 1), max_gate("tight", 1e-5)}, rows);

  const std::string gates = section_of(page_of(data), "gates");

  EXPECT_LT(gates.find("tight"),
            gates.find("<details><summary>1 more pass, or fail as expected.</summary>"));
  EXPECT_LT(gates.find("<details><summary>1 more"), gates.find("loose"));
  EXPECT_THAT(gates, holds("1 of 2 gates pass", "<span class=\"verdict\">FAIL</span>"));
  std::string text;  // without the elements that hold the words of the command
  for (bool inside = false; const char c : gates) {
    inside = inside || c == '<';
    if (!inside) text += c;
    inside = inside && c != '>';
  }
  EXPECT_THAT(text, holds(text::reproduce_command(rows[1].where)));
}

TEST(ReportPage, ShowsWhatAFailedBaselineMovedFromAndTo) {
  gates::Gate gate;
  gate.name = "kept";
  gate.kind = "baseline";
  gate.source = "s";
  gate.baseline = "kept.csv";
  const gates::KeptRows kept = {{"kept.csv", {made_up({.n = 64, .error = 1e-7})}}};
  ReportData data = data_of({made_up({.n = 64, .error = 4e-7})});
  data.verdicts = {check_gate(gate, data.rows, kept)};
  data.verdicts[0].cause = {"likely cause: a < b"};

  const std::string page = page_of(data);

  EXPECT_EQ(testing::markup_problem(page), "");
  EXPECT_THAT(section_of(page, "gates"),
              holds("likely cause: a &lt; b", ">before</th>", ">after</th>", ">1e-7</td>",
                    ">4e-7</td>", "<code class=\"command\">"));
}

TEST(ReportPage, SaysTheUnitRoundoffOfEachMode) {
  Row foreign = made_up({.mode = "fp32-device"});
  EXPECT_THAT(page_of(data_of({made_up({.mode = "bf16"}), made_up({}), foreign})),
              holds("data-units=\"bf16\t0.00390625\nfp32\t5.960464477539063e-08\">"));
}

TEST(ReportPage, ListsWhyRowsWereNotMeasured) {
  const std::string page =
      page_of(data_of({made_up({}), skipped_row({.n = 12}, "needs a power of 2"),
                       failed_row({.n = 32}, "out of memory")}));

  const std::string numbers = section_of(page, "errors");
  EXPECT_THAT(section_of(page, "headline"), holds("1 skipped, 1 failed"));
  EXPECT_LT(numbers.find("out of memory"), numbers.find("needs a power of 2"));
}

TEST(ReportPage, ShowsARunWithoutAnyMeasuredRow) {
  const std::string page =
      page_of(data_of({skipped_row({.n = 12}, "no meaning"), failed_row({}, "thrown")}));

  EXPECT_EQ(testing::markup_problem(page), "");
  EXPECT_THAT(section_of(page, "headline"), holds("0 of 2"));
  for (const char* empty :
       {"gates", "curves", "heat-map", "multiples", "cost", "histogram", "stages"})
    EXPECT_EQ(section_of(page, empty), "") << "nothing to show, no section";
  EXPECT_THAT(section_of(page, "errors"), holds("No row was measured"));
}

TEST(ReportPage, SaysWhereNothingIsDoneOnATensorEngine) {
  std::vector<Row> rows = {made_up({}), made_up({.mode = "bf16", .error = 1e-3})};
  for (Row& row : rows) {
    row.real_multiplications = 7;
    row.matmul_passes = 0;
  }

  const ReportFigures gathered = gather_report_figures(rows, {});

  EXPECT_FALSE(figures::has_cost(gathered.costs[0]));
  EXPECT_TRUE(figures::has_cost(gathered.costs[1]));
  EXPECT_THAT(section_of(page_of(data_of(rows)), "cost"),
              holds("No tensor-engine passes at this length."));
}

TEST(ReportPage, ComparesErrorsWithPublishedTimesAndCountsWhatHasNone) {
  std::vector<Row> rows = {made_up({.algorithm = "dft-gemm"}),
                           made_up({.algorithm = "dft-gemm", .mode = "bf16"}),
                           made_up({.mode = "fp64"})};
  for (Row& row : rows) row.real_multiplications = 7;

  const std::string cost = section_of(page_of(data_of(rows)), "cost");

  EXPECT_THAT(cost, holds("Error against published time on trn1", "data-kind=\"cost\"",
                          "1 row without published_us, not drawn.",
                          "No tensor-engine passes at this length.")
                        .but_not("without real_multiplications"));
}

TEST(ReportPage, ShowsNumbersThatAreNotFinite) {
  std::vector<Row> rows = {made_up({.error = std::numeric_limits<double>::quiet_NaN()}),
                           made_up({.seed = 2, .error = std::numeric_limits<double>::infinity()}),
                           made_up({.mode = "bf16", .error = 0}), made_up({.n = 128, .bound = {}})};
  for (Row& row : rows) row.real_multiplications = 7;
  rows[0].bits_l2 = rows[0].err_l2_rel;
  rows[1].bits_l2 = -*rows[1].err_l2_rel;
  rows[2].bits_l2 = rows[1].err_l2_rel;

  const std::string page = page_of(data_of(rows));

  EXPECT_EQ(testing::markup_problem(page), "");
  EXPECT_THAT(page, holds("; 2 rows not finite", "class=\"curve failed bad\"", ">not finite<"));
  EXPECT_THAT(section_of(page, "headline"),
              holds("<div class=\"card bad\" data-card=\"rows\"><h3>Rows measured</h3>",
                    "<div class=\"card bad\" data-card=\"bound\"><h3>Largest error",
                    "<div class=\"card bad\" data-card=\"bits\"><h3>Bits correct</h3>"));
  EXPECT_THAT(section_of(page, "headline"), holds(" to exact"));
  EXPECT_THAT(section_of(page, "headline"), holds("; 2 not finite"));
}

TEST(ReportPage, WarnsOfRowsWithoutAManifest) {
  EXPECT_THAT(page_of(data_of({made_up({})})), holds("There is no manifest.json"));
}

TEST(ReportPage, DrawsEveryFigureAndTellsOfItsMarks) {
  const std::vector<Row> rows = testing::many_rows(testing::many_rows_grid);
  const std::string page = page_of(data_of(rows));
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  const ReportFigures gathered = gather_report_figures(rows, {});

  EXPECT_EQ(count(section_of(page, "curves"), "<svg viewBox=\"0 0 920 470\""), 21u);
  EXPECT_EQ(count(section_of(page, "curves"), "<svg viewBox=\"0 0 460 370\""), 21u);
  EXPECT_EQ(count(section_of(page, "multiples"), "<svg viewBox=\"0 0 360 270\""), 14u + 4u);
  EXPECT_EQ(count(section_of(page, "cost"), "<svg viewBox=\"0 0 400 340\""),
            static_cast<std::size_t>(std::count_if(
                gathered.costs.begin(), gathered.costs.end(),
                [](const figures::Costs& costs) { return figures::has_cost(costs); })));
  EXPECT_EQ(count(section_of(page, "histogram"), "<svg viewBox="), 9u) << "the first twice";
  const std::string curves = section_of(page, "curves");
  EXPECT_THAT(curves, holds("class=\"curve bound c0\""));
  EXPECT_THAT(curves, holds("mode fp32, n 64\ntransform fft, machine trn"));
  EXPECT_THAT(section_of(page, "cost"), holds("class=\"curve all soft\""));
  EXPECT_THAT(section_of(page, "histogram"), holds(">bound</text>"));
  EXPECT_THAT(section_of(page, "heat-map"), holds("<title>algorithm "));
}

TEST(ReportPage, SaysOfEveryMarkWhichRowsItStandsFor) {
  const std::string page = page_of(data_of({made_up({}), made_up({.mode = "bf16", .n = 128})}));

  const std::string curves = section_of(page, "curves");
  EXPECT_THAT(curves, holds("data-kind=\"lines\"", "data-where=\"algorithm=radix2-dit\"",
                            "machine=trn\n", "data-where=\"mode=fp32\"", "data-where=\"n=128\""));
  EXPECT_THAT(page, lacks("data-where=\"\""));
}

TEST(ReportPage, ShowsWhatTheSweepAsksForFirst) {
  const std::vector<Row> rows = {made_up({}), made_up({.n = 128})};
  const std::vector<FigureRequest> asked = {
      {.title = "My own question"},
      {.title = "My own map", .kind = "heatmap"},
      {.title = "Nothing", .where = select_rows({"mode=ozaki"})}};

  const ReportFigures gathered = gather_report_figures(rows, {}, asked);
  const std::string page = report_page(data_of(rows), gathered, {});

  const std::string own = section_of(page, "own");
  EXPECT_LT(page.find("<section id=\"own\""), page.find("<section id=\"curves\""));
  EXPECT_THAT(own, holds("<h3>My own question</h3>"));
  EXPECT_THAT(own, holds("<svg viewBox=\"0 0 920 470\""));
  EXPECT_THAT(own, holds(" data-kind=\"heat\""));
  EXPECT_THAT(own, holds("Not drawn: no row to draw."));
  EXPECT_EQ(testing::markup_problem(page), "");
}

TEST(ReportPage, HasALegendEntryForEveryCurveOfEveryView) {
  const std::vector<Row> rows = testing::many_rows(testing::many_rows_grid);
  const ReportFigures gathered = gather_report_figures(rows, {});
  const std::string curves = section_of(page_of(data_of(rows)), "curves");

  EXPECT_EQ(gathered.views.size(), 14u + 7u);
  for (const ComparisonView& view : gathered.views) {
    const std::size_t begin = curves.find("id=\"" + view.id + "\"");
    ASSERT_NE(begin, std::string::npos) << view.id;
    const std::string figure =
        curves.substr(begin, curves.find("<div class=\"view", begin) - begin);
    for (const figures::Series& series : view.curves.legend) {
      const std::string style = "data-series=\"" + std::to_string(series.style) + "\"";
      EXPECT_THAT(figure,
                  holds("<li " + style, "class=\"curve median " +
                                            figures::series_class(series.style) + "\" " + style));
    }
  }
}

TEST(ReportFigures, LeaveOutBoundsThatSayNothing) {
  const std::vector<Row> rows = {made_up({.bound = 1e40}), made_up({.n = 128})};

  const ReportFigures gathered = gather_report_figures(rows, {});

  const std::vector<figures::Point>& points = gathered.views[0].curves.panels[0].series[0].points;
  EXPECT_FALSE(points[0].bound);
  EXPECT_TRUE(points[1].bound);
  EXPECT_EQ(gathered.views[0].note, " Bounds and expected values above 10 are not drawn.");
}

}  // namespace
}  // namespace fftprec::page
