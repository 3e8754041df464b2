/// The error of each output adds up to the errors that rows state, and is drawn where it belongs.
#include "reports/figures/spectrum.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/cases/evaluate.hpp"
#include "reports/figures/kinds.hpp"

namespace fftprec::figures {
namespace {

using ::testing::ElementsAre;

std::vector<Row> rows_of(const std::vector<Case>& cases) {
  std::vector<Row> rows;
  for (const Case& where : cases) rows.push_back(evaluate(where));
  return rows;
}

/// An impulse has outputs of magnitude 1 alone, so that the 2-norm is the mean of the squares.
TEST(ErrorSpectrum, AddsUpToTheErrorsOfItsRows) {
  for (const std::uint64_t batch : {1u, 3u})
    for (const char* mode : {"bf16", "q2.14", "doubleword"}) {
      const std::vector<Row> rows =
          rows_of({{.mode = mode, .n = 64, .batch = batch, .input = "impulse", .seed = 5}});
      const Row& row = rows.front();
      ASSERT_EQ(row.status, Status::ok) << row.message;
      Session session;

      const std::vector<double> squares = error_spectrum(session, {&row});

      ASSERT_EQ(squares.size(), 64u);
      const double mean = std::accumulate(squares.begin(), squares.end(), 0.0) / 64;
      EXPECT_NEAR(std::sqrt(mean) / row.err_l2_rel.value(), 1, 1e-9) << mode << " " << batch;
      if (batch > 1) continue;
      const double largest = *std::max_element(squares.begin(), squares.end());
      EXPECT_NEAR(std::sqrt(largest) / row.err_linf_rel.value(), 1, 1e-9) << mode;
    }
}

TEST(ErrorSpectrum, IsTheMeanOverRows) {
  const std::vector<Row> rows =
      rows_of({{.mode = "bf16", .n = 16, .input = "gaussian", .seed = 1},
               {.mode = "bf16", .n = 16, .input = "gaussian", .seed = 2}});
  Session session;
  const std::vector<double> both = error_spectrum(session, {&rows[0], &rows[1]});
  const std::vector<double> first = error_spectrum(session, {&rows[0]});
  const std::vector<double> second = error_spectrum(session, {&rows[1]});
  for (std::size_t k = 0; k < 16; ++k) EXPECT_DOUBLE_EQ(both[k], (first[k] + second[k]) / 2) << k;
}

TEST(SpectrumFigure, HasACurveForEachSeriesInEachPanel) {
  std::vector<Case> cases;
  for (const char* algorithm : {"radix2-dit", "dft-gemm"})
    for (const char* mode : {"fp32", "bf16"})
      cases.push_back({.algorithm = algorithm, .mode = mode, .n = 32, .input = "gaussian"});
  const std::vector<Row> rows = rows_of(cases);
  const FigureRequest request = completed({.kind = "spectrum"});

  const std::vector<Figure> figures = draw_all(rows, {&request, 1}, {});

  ASSERT_EQ(figures.size(), 1u);
  std::vector<std::string> panels;
  for (const Panel& panel : figures[0].panels) {
    panels.push_back(panel.title);
    EXPECT_EQ(panel.layers.size(), 2u);
    for (const Layer& layer : panel.layers)
      for (const Spot& spot : layer.spots) EXPECT_LT(spot.y, layer.tip == "fp32" ? -100 : -20);
  }
  EXPECT_THAT(panels, ElementsAre("dft-gemm", "radix2-dit"));
}

}  // namespace
}  // namespace fftprec::figures
