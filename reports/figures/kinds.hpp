/// Every kind of plot by its name, and the figures that a run is drawn as. A new kind is a file of
/// its own and two lines in kinds.cpp.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/sweeps/sweep.hpp"
#include "reports/figures/figure.hpp"
#include "reports/results/held_axes.hpp"

namespace fftprec::figures {

/// A kind of plot: its defaults for a request, and how it draws rows.
struct PlotKind {
  std::string_view name;  ///< as `--kind` and a sweep's [[plot]] say it
  /// Fills in what is empty; a panel "none" becomes empty. Throws InputError for what this kind has
  /// no use for.
  FigureRequest (*completed)(FigureRequest request);
  /// Of a request as it was asked. No figure if there is no row to show. Throws InputError for
  /// columns that can not be drawn.
  std::vector<Figure> (*draw)(std::span<const Row> rows, const FigureRequest& request,
                              const NameOrders& orders);
};

/// Throws InputError for an unknown name, listing the known ones; the message begins with `place`.
const PlotKind& plot_kind_named(std::string_view name, const std::string& place = {});

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

// For the files of the kinds.

/// Sets empty fields: y, and the panel, or none.
void complete(FigureRequest& request, const std::string& y, const std::string& panel);

/// Sets the name, after the title if there is one, and the title.
void complete_titles(FigureRequest& request, const std::string& name, const std::string& title);

/// Throws InputError if a series, a panel or a scale is given, or, without `has_axes`, an x or y.
void refuse_axes(const FigureRequest& request, bool has_axes);

/// The rows that `where` selects.
std::vector<Row> selected_rows(std::span<const Row> rows, const Selection& where);

/// Names and values of a mark, in the order in which its tip lists them: "mode fast", "n 64". An
/// axis without a name is left out.
std::string tip_line(std::initializer_list<std::pair<std::string, std::string>> axes);

/// "\nbound 1.2e-5, expected 3.4e-7"; empty without either.
std::string tip_models(const std::optional<double>& bound, const std::optional<double>& expected);

}  // namespace fftprec::figures
