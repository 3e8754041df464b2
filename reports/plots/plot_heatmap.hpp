/// What a heat map shows: rows gathered into panels and cells. A pure function.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "reports/plots/plot_figure.hpp"

namespace fftprec {

enum class CellKind {
  value,       ///< a positive number, or any finite one where y is bits_l2
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
};

/// What a cell says: two significant digits ("3.1e-7", "0.42"), bits with one decimal; "exact",
/// "inf", "nan", "-" without a value, "s" if skipped, "x" if failed.
std::string cell_text(const HeatCell& cell, const std::string& y);

struct HeatPanel {
  std::string name;
  std::vector<HeatCell> cells;  ///< by row, then column; where no case was run there is none
};

struct HeatMap {
  FigureRequest request;  ///< cells across per value of x, cells down per value of series
  std::string held;       ///< as in Figure
  std::string pooled;
  std::vector<std::string> columns;  ///< the same in every panel
  std::vector<std::string> rows;
  std::vector<HeatPanel> panels;
};

/// A cell is failed if one of its rows is; else it is the median of its measured rows; else it is
/// skipped. Axes are held and pooled as in gather, judged by the measured rows, but a row that is
/// skipped or failed counts whatever its seed. Columns, rows and panels stand as listed in
/// `orders`, numbers by size. Throws InputError for an unknown column, a y that is no column of
/// numbers, and an axis asked for twice. Without a measured row that has a y there are no panels.
HeatMap gather_heat_map(std::span<const Row> rows, const FigureRequest& request,
                        const NameOrders& orders = {});

}  // namespace fftprec
