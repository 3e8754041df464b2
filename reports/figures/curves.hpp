/// The kind `lines`: one quantity against another, with ranges, bounds and expected values.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"
#include "reports/figures/figure.hpp"
#include "reports/figures/plot_kind.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec::figures {

/// The rows of one panel and series at one x.
struct Point {
  double x;
  double median;  ///< NaN if a value is NaN
  double low;     ///< smallest value that is finite and not zero; 0 if none is
  double high;    ///< largest finite value; 0 if none is
  std::size_t count;
  std::size_t zeros;                 ///< values that are exactly zero
  std::size_t not_finite = 0;        ///< values that are NaN or infinite
  std::optional<double> bound{};     ///< largest bound_l2_rel, if y is err_l2_rel
  std::optional<double> expected{};  ///< median of expected_l2_rel, if y is err_l2_rel
};

struct Series {
  std::string name;
  std::size_t style;            ///< see series_styles
  std::vector<Point> points{};  ///< by x
};

struct CurvePanel {
  std::string name;
  std::vector<Series> series;
};

struct Curves {
  FigureRequest request{};  ///< the request, completed
  std::string held{};       ///< "transform fft, machine trn, ..."
  std::string pooled{};     ///< "3 seeds"; empty if every point is one row
  std::string where{};      ///< all fixed or pooled axes, as in FixedAxes
  std::vector<CurvePanel> panels{};
  std::vector<Series> legend{};  ///< every series once, without points
  std::size_t not_finite = 0;    ///< rows whose y is NaN or infinite
  std::size_t not_drawn = 0;     ///< rows of an infinite level, which are exact, or of an x not
                                 ///< above 0
};

PlotKind lines_kind();

/// Throws InputError for an unknown column, and for a y or x that cannot be drawn. Without a row to
/// show there are no panels. With `x_of`, x is x_of(row), and the x of the request is only its
/// name.
Curves gather_curves(std::span<const Row> rows, const FigureRequest& asked,
                     const NameOrders& orders = {}, Plotted x_of = {});

/// Medians with marks. At a median that is not finite the line has a gap, and a cross in the colour
/// of failures is at the top of the panel. Ranges are bands, bounds dashed, expected values dotted.
/// Errors have a logarithmic axis with thin lines at unit roundoffs; zeros lie on a line "exact"
/// below. Parts: "median", "range", "bound", "expected", "exact", "failed". Requires: a panel.
Figure curves_figure(const Curves& curves);

}  // namespace fftprec::figures
