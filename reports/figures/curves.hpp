/// The kind `lines`: a quantity against another, with ranges, bounds and expected values.
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
  double median;  ///< NaN if a value is
  double low;     ///< smallest value that is finite and not zero; 0 if none is
  double high;    ///< largest finite value; 0 if none is
  std::size_t count;
  std::size_t zeros;                 ///< values that are exactly zero
  std::size_t not_finite = 0;        ///< values that are NaN or infinite
  std::optional<double> bound{};     ///< largest bound_l2_rel, where y is err_l2_rel
  std::optional<double> expected{};  ///< median of expected_l2_rel, likewise
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
  FigureRequest request{};  ///< as it was completed
  std::string held{};       ///< "transform fft, machine trn, ..."
  std::string pooled{};     ///< "3 seeds"; empty if every point is one row
  std::string where{};      ///< of all axes that are held or pooled, as in FixedAxes
  std::vector<CurvePanel> panels{};
  std::vector<Series> legend{};  ///< every series once, without points
  std::size_t not_finite = 0;    ///< rows whose y is NaN or infinite
  std::size_t not_drawn = 0;     ///< rows of an infinite level, which are exact, or of an x not
                                 ///< above 0
};

PlotKind lines_kind();

/// Throws InputError for an unknown column, and for a y or x that can not be drawn. Without a row
/// to show there are no panels. With `x_of`, x is what it gives of each of these rows, and
/// the x that was asked its name alone.
Curves gather_curves(std::span<const Row> rows, const FigureRequest& asked,
                     const NameOrders& orders = {}, Plotted x_of = {});

/// Medians with marks; where a median is not finite, the line has a gap and a cross stands at the
/// top of the panel, in the colour of failures. Ranges as bands, bounds dashed, expected values
/// dotted. Errors stand on a logarithmic axis over thin lines at unit roundoffs; zeros on a line
/// "exact" below. Parts: "median", "range", "bound", "expected", "exact", "failed". Requires: a
/// panel.
Figure curves_figure(const Curves& curves);

}  // namespace fftprec::figures
