/// The type of a kind of plot, and functions that the kinds share.
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
#include "reports/results/fixed_axes.hpp"

namespace fftprec::figures {

/// A kind of plot: how it completes a request, and how it draws rows.
struct PlotKind {
  std::string_view name;  ///< in `--kind` and in a [[plot]] of a sweep
  /// Fills empty fields; a panel "none" becomes empty. Throws InputError for fields that this kind
  /// does not use.
  FigureRequest (*completed)(FigureRequest request);
  /// The figures of a request that is not yet completed; none if there is no row to show. Throws
  /// InputError for columns that cannot be drawn.
  std::vector<Figure> (*draw)(std::span<const Row> rows, const FigureRequest& request,
                              const NameOrders& orders);
};

/// Sets y and panel if they are empty; a panel "none" becomes empty.
void complete(FigureRequest& request, const std::string& y, const std::string& panel);

/// Sets name and title if they are empty; the name follows from the title if there is one.
void complete_titles(FigureRequest& request, const std::string& name, const std::string& title);

/// Throws InputError if a series, a panel or a scale is given, or, without `has_axes`, an x or y.
void refuse_axes(const FigureRequest& request, bool has_axes);

/// The rows that `where` selects.
std::vector<Row> selected_rows(std::span<const Row> rows, const Selection& where);

/// The first line of a mark's tip, from names and values in order: "mode fp32", "n 64". An axis
/// without a name is omitted.
std::string tip_line(std::initializer_list<std::pair<std::string, std::string>> axes);

/// "\nbound 1.2e-5, expected 3.4e-7"; empty without either.
std::string tip_models(const std::optional<double>& bound, const std::optional<double>& expected);

/// `title` in lower case; every run of characters other than letters, digits and - becomes one _.
std::string file_name(std::string_view title);

}  // namespace fftprec::figures
