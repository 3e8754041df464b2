/// The figures of a report: numbers gathered from rows, and their images.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "reports/page/report_stages.hpp"
#include "reports/plots/plot_cost.hpp"
#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_heatmap.hpp"
#include "reports/plots/plot_histogram.hpp"
#include "reports/plots/plot_process.hpp"

namespace fftprec {

/// One large figure: the modes of an algorithm, or the algorithms of a mode.
struct View {
  std::string id;    ///< "view-0": of the figure in the page, and of its files
  std::string axis;  ///< algorithm or mode
  std::string name;  ///< its value
  Figure figure;     ///< one panel
  std::string note;  ///< what is left out of it
};

struct ReportFigures {
  std::vector<View> views;
  std::vector<std::string> views_left_out;
  Figure by_algorithm;  ///< a panel per algorithm, on the same axes
  std::string by_algorithm_note;
  Figure by_input;  ///< a panel per input
  std::string by_input_note;
  HeatMap bits;                   ///< modes down, n across, a panel per algorithm
  std::vector<CostFigure> costs;  ///< those of default_costs, for each of some lengths
  Histogram histogram;
  ReportStages stages{};  ///< see trace_for_report
};

/// The names of the images of `stages`: its errors, and their sources.
inline constexpr std::string_view stages_image = "stages";
inline constexpr std::string_view budget_image = "budget";

ReportFigures gather_report_figures(std::span<const Row> rows, const NameOrders& orders);

/// Names of the images of by_algorithm, by_input, costs and histogram: "algorithm-0" and so on.
std::string image_name(std::string_view figure, std::size_t i);

/// What gnuplot is to draw.
std::vector<Drawing> report_drawings(const ReportFigures& figures);

/// Images by name as elements of a page. Without gnuplot they are drawn plainly.
struct Images {
  std::map<std::string, std::string> svg;
  std::string problem;  ///< why gnuplot drew nothing; empty if it did
};

Images draw_images(const ReportFigures& figures, const std::string& program = "gnuplot");

}  // namespace fftprec
