/// What a plot shows, as numbers: rows gathered into panels, series and points. A pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/rows/columns.hpp"
#include "experiments/rows/selection.hpp"
#include "reports/plots/plot_kind.hpp"
#include "reports/results/held_axes.hpp"

namespace fftprec {

/// What to draw. The axes named in x, series and panel spread the rows out; the others are pooled
/// or held (see hold_axes).
struct FigureRequest {
  std::string name{};  ///< of the files, without ending
  std::string title{};
  std::string y = "err_l2_rel";  ///< a column of numbers, or a computed quantity
  std::string x = "n";           ///< likewise
  std::string series = "mode";
  std::string panel = "algorithm";  ///< empty: one panel
  Selection where = {};
  PlotKind kind = PlotKind::lines;
  bool own_y_range = false;  ///< of each panel, so that small differences within one can be seen
};

/// The rows of one panel and series at one x.
struct Point {
  double x;
  double median;
  double low;   ///< smallest value that is not zero; 0 if all are
  double high;  ///< largest value
  std::size_t count;
  std::size_t zeros;               ///< values that are exactly zero
  std::optional<double> bound;     ///< largest bound_l2_rel, where y is err_l2_rel
  std::optional<double> expected;  ///< median of expected_l2_rel, likewise
};

struct Series {
  std::string name;
  std::size_t style;          ///< colour and shape: the same name has the same in every figure
  std::vector<Point> points;  ///< by x
};

struct Panel {
  std::string name;
  std::vector<Series> series;
};

struct Figure {
  FigureRequest request;
  std::string held;    ///< "transform fft, machine trn, ..."
  std::string pooled;  ///< "2 inputs and 3 seeds"; empty if every point is one row
  std::vector<Panel> panels;
  std::vector<Series> legend;  ///< every series once, without points
  std::size_t not_drawn = 0;   ///< rows whose y is NaN or infinite, or whose x is not above 0
};

/// Throws InputError for an unknown column, and for a y or x that can not be drawn.
/// A figure without a row to show has no panels.
Figure gather(std::span<const Row> rows, const FigureRequest& request,
              const NameOrders& orders = {});

}  // namespace fftprec
