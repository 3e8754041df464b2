/// The kind `cost`: error against cost, one point per algorithm and mode, with the Pareto front.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/figures/curves.hpp"

namespace fftprec::figures {

PlotKind cost_kind();

/// The costs that are drawn by default.
std::span<const std::string_view> default_costs();

/// An algorithm in a mode at one length.
struct CostPoint {
  std::string algorithm;
  std::string mode;
  std::size_t style;              ///< of the mode
  double cost;                    ///< median
  double error;                   ///< median
  std::size_t count;              ///< rows
  std::optional<double> bound{};  ///< largest bound_l2_rel, if the error is err_l2_rel
  bool on_front = false;          ///< has a cost, and no other point with a cost is as good in both
  bool on_mode_front = false;     ///< on the front among the points of its mode
};

struct Costs {
  std::string
      cost{};  ///< a quantity that can be drawn: matmul_passes, real_multiplications, published_us
  std::string error{};  ///< a metric that is 0 if nothing is wrong
  std::uint64_t n = 0;
  std::string held{};               ///< as in Curves
  std::string pooled{};             ///< as in Curves
  std::string where{};              ///< as in Curves
  std::vector<CostPoint> points{};  ///< by cost, then error
  std::vector<Series> modes{};      ///< for the legend, without points
  std::size_t not_drawn = 0;        ///< rows of points whose median error or cost is not finite
  std::size_t without_cost = 0;     ///< rows with an error but without this cost; not drawn
};

/// Throws InputError for a cost or an error that cannot be drawn, and for bits, which grow as
/// errors fall. There are no points if no row at this length has both error and cost.
Costs gather_costs(std::span<const Row> rows, const std::string& cost, std::uint64_t n,
                   const NameOrders& orders = {}, const std::string& error = "err_l2_rel");

/// Costs at the lengths with several algorithms or modes, ascending. If there are more than `most`,
/// at evenly spread ones, including the largest.
std::vector<Costs> gather_comparable_costs(std::span<const Row> rows, const std::string& cost,
                                           std::size_t most, const NameOrders& orders = {},
                                           const std::string& error = "err_l2_rel");

/// "3 rows not finite, not drawn; 12 rows without published_us, not drawn", or an empty text.
std::string left_out(std::span<const Costs> all);

/// Whether any point has a cost.
bool has_cost(const Costs& costs);

/// The lengths of measured rows, ascending.
std::vector<std::uint64_t> measured_lengths(std::span<const Row> rows);

/// At most `most` evenly spread lengths, including the largest.
std::vector<std::uint64_t> spread_lengths(const std::vector<std::uint64_t>& all, std::size_t most);

/// The axis of costs: from 1, 2 or 5 times a power of ten to another, over at least two decades.
/// Costs of 0 lie on a line "none".
Axis cost_axis(std::span<const double> costs, const std::string& label);

/// A panel per length, with common logarithmic axes. Costs of 0 lie on a line "none", errors of 0
/// on a line "exact". The front is a dotted line of steps through numbered points, which are listed
/// below. The front of a mode is a thin line in its colour. Points that nearly coincide share a
/// number: "3-5". Parts: "all", "front", "median". Requires: not empty, each with a cost.
Figure cost_figure(const std::string& name, const std::string& title, std::span<const Costs> all);

}  // namespace fftprec::figures
