/// What a kind of plot is, and what the files of the kinds share.
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

/// A kind of plot: what it fills in of a request, and how rows become its figures.
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

/// Sets what is empty: y, and the panel, or none.
void complete(FigureRequest& request, const std::string& y, const std::string& panel);

/// Sets the name, after the title if there is one, and the title.
void complete_titles(FigureRequest& request, const std::string& name, const std::string& title);

/// Throws InputError if a series, a panel or a scale is given, or, without `has_axes`, an x or y.
void refuse_axes(const FigureRequest& request, bool has_axes);

/// The rows that `where` selects.
std::vector<Row> selected_rows(std::span<const Row> rows, const Selection& where);

/// Name and value of what a mark stands for, in the order in which its tip tells them: "mode fast",
/// "n 64". An axis without a name is left out.
std::string tip_line(std::initializer_list<std::pair<std::string, std::string>> axes);

/// "\nbound 1.2e-5, expected 3.4e-7"; empty without either.
std::string tip_models(const std::optional<double>& bound, const std::optional<double>& expected);

/// Lower-case letters, digits and - of `title`; everything else becomes one _.
std::string file_name(std::string_view title);

}  // namespace fftprec::figures
