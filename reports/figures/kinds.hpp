/// Every kind of plot by its name, and the figures that a run is drawn as. A new kind is a file of
/// its own and two lines in kinds.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/figures/plot_kind.hpp"

namespace fftprec::figures {

/// Throws InputError for an unknown name, listing the known ones; the message begins with `place`.
const PlotKind& plot_kind_named(std::string_view name, const std::string& place = {});

/// "lines", "heatmap", ...
std::vector<std::string> plot_kind_names();

/// As its kind completes it. Throws InputError for an unknown kind, naming the place.
FigureRequest completed(const FigureRequest& request);

/// The figures of all requests, in their order, with different names. Of a cost figure without an
/// x, one for each of default_costs().
std::vector<Figure> draw_all(std::span<const Row> rows, std::span<const FigureRequest> requests,
                             const NameOrders& orders);

/// Error against n per algorithm and mode; error over bound, as lines and as a histogram; error
/// against cost; bits correct by mode and n, if there are several of both; and for each of the axes
/// machine, tables and input with several values, per algorithm, those values compared within each
/// mode. To add a figure, add its request here.
std::vector<FigureRequest> default_figures(std::span<const Row> rows);

}  // namespace fftprec::figures
