/// What a figure of rows is to show, and what a kind of plot is.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/cases/columns.hpp"
#include "experiments/cases/filter.hpp"
#include "reports/figures/figure.hpp"
#include "reports/results/held_axes.hpp"

namespace fftprec::figures {

/// The axes named in x, series and panel spread the rows out; the others are pooled or held (see
/// hold_axes).
struct FigureRequest {
  std::string name{};  ///< of the files, without ending
  std::string title{};
  std::string y = "err_l2_rel";  ///< a column of numbers, or a computed quantity
  std::string x = "n";           ///< likewise
  std::string series = "mode";
  std::string panel = "algorithm";  ///< empty: one panel
  Selection where = {};
  std::string kind = "lines";  ///< see kinds.hpp
  bool own_y_range = false;    ///< of each panel, so that small differences within one can be seen
};

/// A figure as a command line asks for it; an empty text leaves open what the kind decides.
struct PlotOptions {
  std::string kind{};
  std::string y{};
  std::string x{};
  std::string series{};
  std::string panel{};  ///< "none": one panel
  std::string scale = "shared";

  bool operator==(const PlotOptions&) const = default;
};

/// A kind of plot: how options become a request, and rows a figure.
struct PlotKind {
  std::string_view name;  ///< as `--kind` and a sweep's [[plot]] say it
  /// Throws InputError for an option that this kind has no use for.
  FigureRequest (*request)(const PlotOptions& options);
  /// No figure if there is no row to show. Throws InputError for columns that can not be drawn.
  std::vector<Figure> (*draw)(std::span<const Row> rows, const FigureRequest& request,
                              const NameOrders& orders);
  std::string_view x = "n";  ///< of a [[plot]] that names none
  std::string_view series = "mode";
};

/// Whether every panel is to have its own scale: "shared" or "panel".
bool own_scale_named(std::string_view name);

/// Throws InputError if --series, --panel or --scale is given, or, without `has_axes`, --x or --y.
void refuse_axes(const PlotOptions& options, bool has_axes);

/// The panel that is asked for, or `usual`.
std::string panel_of(const PlotOptions& options, const std::string& usual);

/// The rows that `where` selects.
std::vector<Row> selected_rows(std::span<const Row> rows, const Selection& where);

/// Name and value of what a mark stands for, in the order in which its tip tells them: "mode fast",
/// "n 64". An axis without a name is left out.
std::string tip_line(std::initializer_list<std::pair<std::string, std::string>> axes);

/// "\nbound 1.2e-05, expected 3.4e-07"; empty without either.
std::string tip_models(const std::optional<double>& bound, const std::optional<double>& expected);

}  // namespace fftprec::figures
