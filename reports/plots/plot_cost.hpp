/// Error against cost: one point per algorithm and mode, and those that no other beats. Pure
/// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/plots/plot_figure.hpp"
#include "reports/plots/plot_panel.hpp"
#include "reports/plots/plot_process.hpp"

namespace fftprec {

/// What costs are drawn if nobody asks for a certain one.
std::span<const std::string_view> default_costs();

/// An algorithm in a mode at one length.
struct CostPoint {
  std::string algorithm;
  std::string mode;
  std::size_t style;   ///< of the mode
  double cost;         ///< median
  double error;        ///< median
  std::size_t count;   ///< rows
  bool on_front;       ///< costs something, and no other such costs and errs as little or less
  bool on_mode_front;  ///< the same among the points of its mode
};

struct CostFigure {
  std::string cost;   ///< a quantity that can be drawn: matmul_passes, mac_count, published_us
  std::string error;  ///< a metric that is 0 if nothing is wrong
  std::uint64_t n;
  std::string held;               ///< as in Figure
  std::string pooled;             ///< as in Figure
  std::vector<CostPoint> points;  ///< by cost, then error
  std::vector<Series> modes;      ///< for the legend, without points
  std::size_t not_drawn;          ///< rows whose error or cost is NaN or infinite
  std::size_t without_cost;       ///< rows with an error, but none of this cost; not drawn either
};

/// Throws InputError for a cost or an error that can not be drawn, and for the bits, which grow as
/// errors fall. Without a row that has error and cost at this length there are no points.
CostFigure gather_costs(std::span<const Row> rows, const std::string& cost, std::uint64_t n,
                        const NameOrders& orders = {}, const std::string& error = "err_l2_rel");

/// The figures at lengths where two algorithms or modes compare, ascending: of many lengths evenly
/// spread ones, the largest among them.
std::vector<CostFigure> gather_cost_figures(std::span<const Row> rows, const std::string& cost,
                                            std::size_t most, const NameOrders& orders = {},
                                            const std::string& error = "err_l2_rel");

/// "3 rows not finite, not drawn; 12 rows without published_us, not drawn", or an empty text.
std::string left_out(std::span<const CostFigure> figures);

/// Whether any point costs something.
bool has_cost(const CostFigure& figure);

/// The lengths at which there are measured rows, ascending.
std::vector<std::uint64_t> measured_lengths(std::span<const Row> rows);

/// Of many lengths `most` evenly spread ones, the largest among them.
std::vector<std::uint64_t> spread_lengths(const std::vector<std::uint64_t>& all, std::size_t most);

/// Logarithmic axes; costs and errors of 0 on lines of their own, "none" and "exact". The front is
/// a line of steps through numbered points; that of each mode a thin line of its colour. Titled
/// curves: "3 median" is mode 3, "3 front" its front, "0 all" the front of all.
/// Requires: has_cost(figure).
Drawing cost_drawing(const std::string& name, const CostFigure& figure, const PanelSize& size);

}  // namespace fftprec
