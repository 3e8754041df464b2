/// The kind `heatmap`: a coloured cell with a number for each case.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/row.hpp"
#include "reports/figures/figure.hpp"
#include "reports/figures/plot_kind.hpp"

namespace fftprec::figures {

enum class CellKind {
  value,       ///< a positive number, or any finite number if y is bits_l2
  exact,       ///< an error of zero
  not_finite,  ///< NaN or infinite
  no_value,    ///< measured, but without a y: no theorem applies, or y < 0
  skipped,     ///< the combination has no meaning
  failed,      ///< at least one of its rows failed
};

/// The rows of one panel, column and row of the map.
struct HeatCell {
  std::size_t column;
  std::size_t row;
  CellKind kind;
  double value;       ///< the median over inputs and seeds; 0 unless kind is value or not_finite
  std::size_t count;  ///< rows in it
  std::optional<double> bound{};  ///< largest bound_l2_rel
};

/// The text of a cell: two significant digits ("3.1e-7", "0.42"), bits with one decimal; "exact",
/// "inf", "nan", "–" without a value, "s" if skipped, "x" if failed.
std::string cell_text(const HeatCell& cell, const std::string& y);

struct HeatPanel {
  std::string name;
  std::vector<HeatCell> cells;  ///< by row, then column; none if no case was run
};

struct HeatMap {
  FigureRequest request{};  ///< cells across per value of x, cells down per value of series
  std::string held{};       ///< as in Curves
  std::string pooled{};
  std::string where{};
  std::vector<std::string> columns{};  ///< of every panel
  std::vector<std::string> rows{};
  std::vector<HeatPanel> panels{};
};

PlotKind heat_map_kind();

/// A cell is failed if one of its rows failed; else it shows the median of its measured rows;
/// without measured rows it is skipped. Axes are fixed and pooled as in gather_curves, by the
/// measured rows; rows that are skipped or failed count with any seed. Columns, rows and panels are
/// in the order of `orders`, numbers by size. Throws InputError for an unknown column, a y that is
/// no column of numbers, and an axis that is given twice. Without a measured row that has a y there
/// are no panels.
HeatMap gather_heat_map(std::span<const Row> rows, const FigureRequest& asked,
                        const NameOrders& orders = {});

/// The colours of one or all panels: viridis, dark for large errors and few bits. It has even steps
/// of lightness for all kinds of colour vision. Source: van der Walt and Smith, matplotlib (2015).
struct ColourScale {
  bool logarithmic;
  double low;  ///< low < high
  double high;

  /// The position of `value` between the worst, 0, and the best, 1.
  double shade(double value) const;
};

/// From the smallest to the largest value of the cells, at least a factor of 2 apart (bits: 1), so
/// that a small difference does not look large. Without a value: 1 to 2.
ColourScale colour_scale(std::span<const HeatPanel> panels, const std::string& y);

/// "#21918c": the colour of a shade from 0 to 1.
std::string palette_colour(double shade);

/// Below this shade white text reads better than black.
inline constexpr double dark_shade = 0.43;

/// Removes the names of rows and columns that have no cell.
void drop_empty_lines(Panel& panel);

/// Cells as wide as the longest text in them, a colour bar, a legend of the cells without a number.
/// Requires: a panel.
Figure heat_map_figure(const HeatMap& map);

}  // namespace fftprec::figures
