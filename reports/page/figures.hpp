/// The numbers that the figures of a report show, gathered from its rows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/figures/cost.hpp"
#include "reports/figures/curves.hpp"
#include "reports/figures/heatmap.hpp"
#include "reports/figures/histogram.hpp"
#include "reports/figures/kinds.hpp"
#include "reports/figures/stages.hpp"
#include "reports/page/stages.hpp"

namespace fftprec::page {

/// One large figure: the modes of an algorithm, or the algorithms of a mode.
struct View {
  std::string id;          ///< "view-0": of the figure in the page
  std::string axis;        ///< algorithm or mode
  std::string name;        ///< its value
  figures::Curves curves;  ///< one panel
  std::string note;        ///< what is left out of it
};

/// A figure that the sweep asks for.
struct OwnPlot {
  figures::FigureRequest request;
  figures::HeatMap map{};                ///< of a heat map
  std::vector<figures::Figure> drawn{};  ///< else
  std::string problem{};                 ///< why it is not drawn
};

struct ReportFigures {
  std::vector<OwnPlot> own;
  std::vector<View> views;
  std::vector<std::string> views_left_out;
  figures::Curves by_algorithm;  ///< a panel per algorithm, on the same axes
  std::string by_algorithm_note;
  figures::Curves by_input;  ///< a panel per input
  std::string by_input_note;
  figures::HeatMap bits;              ///< modes down, n across, a panel per algorithm
  std::vector<figures::Costs> costs;  ///< those of default_costs, for each of some lengths
  figures::Histogram histogram;
  ReportStages stages{};  ///< see trace_for_report
};

ReportFigures gather_report_figures(std::span<const Row> rows, const NameOrders& orders,
                                    std::span<const PlotSpec> plots = {});

}  // namespace fftprec::page
