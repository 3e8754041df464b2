/// All kinds of plots by name, and the default figures of a run. A new kind is a new file and two
/// lines in kinds.cpp.
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

/// The request, completed by its kind. Throws InputError for an unknown kind, with the place.
FigureRequest completed(const FigureRequest& request);

/// The figures of all requests, in order, with different names. A cost figure without an x becomes
/// one figure for each of default_costs().
std::vector<Figure> draw_all(std::span<const Row> rows, std::span<const FigureRequest> requests,
                             const NameOrders& orders);

/// The default figures: error against n per algorithm and mode; error over bound, as lines and as a
/// histogram; error against cost; correct bits by mode and n, if there are several of both; and for
/// each of the axes machine, tables and input with several values, a comparison of these values
/// within each mode, per algorithm. To add a figure, add its request here.
std::vector<FigureRequest> default_figures(std::span<const Row> rows);

}  // namespace fftprec::figures
