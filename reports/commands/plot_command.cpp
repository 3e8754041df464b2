#include "reports/commands/plot_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "arith/error.hpp"
#include "experiments/split.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/commands/gate_command.hpp"
#include "reports/plots/plot_defaults.hpp"
#include "reports/plots/plot_heatmap.hpp"
#include "reports/plots/plot_heatmap_script.hpp"
#include "reports/plots/plot_orders.hpp"
#include "reports/plots/plot_script.hpp"

namespace fftprec {

namespace {

struct PlotArguments {
  std::string run;
  std::string directory;
  std::string formats = "svg,png";
  std::vector<std::string> filters;
  std::string y;
  std::string x;
  std::string series;
  std::string panel;
  std::string kind = "lines";
  std::string scale = "shared";
};

enum class PlotKind { lines, heatmap };

PlotKind plot_kind_named(std::string_view name) {
  if (name == "lines") return PlotKind::lines;
  if (name == "heatmap") return PlotKind::heatmap;
  throw unknown_name("plot kind", name, {"lines", "heatmap"});
}

/// True if every panel is to have its own scale.
bool own_scale_named(std::string_view name) {
  if (name == "shared") return false;
  if (name == "panel") return true;
  throw unknown_name("scale", name, {"shared", "panel"});
}

/// True if the options describe a figure.
bool asks_for_one(const PlotArguments& arguments) {
  return !(arguments.y.empty() && arguments.x.empty() && arguments.series.empty() &&
           arguments.panel.empty() && arguments.scale == PlotArguments{}.scale);
}

/// What the options leave open is as in error_vs_n.
FigureRequest lines_of(const PlotArguments& arguments) {
  FigureRequest request;
  if (!arguments.y.empty()) request.y = arguments.y;
  if (!arguments.x.empty()) request.x = arguments.x;
  if (!arguments.series.empty()) request.series = arguments.series;
  if (request.series == "algorithm") request.panel = "mode";
  if (!arguments.panel.empty()) request.panel = arguments.panel == "none" ? "" : arguments.panel;
  request.own_y_range = own_scale_named(arguments.scale);
  request.name = request.y + "_vs_" + request.x + "_by_" + request.series;
  request.title = request.y + " against " + request.x + ", by " + request.series;
  return request;
}

/// What the options leave open: algorithms down; n across and modes as panels, or the other way
/// round where modes go across.
FigureRequest heat_map_of(const PlotArguments& arguments) {
  FigureRequest request;
  if (!arguments.y.empty()) request.y = arguments.y;
  if (!arguments.x.empty()) request.x = arguments.x;
  request.series = arguments.series.empty() ? "algorithm" : arguments.series;
  request.panel = "mode";
  if (request.x == "mode") request.panel = "n";
  if (request.series == "mode") request.panel = "algorithm";
  if (!arguments.panel.empty()) request.panel = arguments.panel == "none" ? "" : arguments.panel;
  request.own_y_range = own_scale_named(arguments.scale);
  request.name = "heatmap_" + request.y + "_" + request.series + "_by_" + request.x;
  request.title = request.y + " by " + request.series + " and " + request.x;
  return request;
}

/// The drawings of the requests for which there is a row to show.
std::vector<Drawing> draw_lines(std::span<const Row> rows,
                                const std::vector<FigureRequest>& requests) {
  const NameOrders orders = registry_orders();
  std::vector<Drawing> drawings;
  for (const FigureRequest& request : requests) {
    const Figure figure = gather(rows, request, orders);
    if (!figure.panels.empty())
      drawings.push_back({request.name, plot_data(figure), plot_script(figure)});
  }
  return drawings;
}

std::vector<Drawing> draw_heat_map(std::span<const Row> rows, const FigureRequest& request) {
  const HeatMap map = gather_heat_map(rows, request, registry_orders());
  if (map.panels.empty()) return {};
  return {{request.name, heat_map_data(map), heat_map_script(map)}};
}

std::vector<Drawing> draw(std::span<const Row> rows, const PlotArguments& arguments) {
  if (plot_kind_named(arguments.kind) == PlotKind::heatmap)
    return draw_heat_map(rows, heat_map_of(arguments));
  return draw_lines(
      rows, asks_for_one(arguments) ? std::vector{lines_of(arguments)} : default_figures(rows));
}

ExitCode run_plot(const PlotArguments& arguments, CommandContext& context) {
  std::vector<PlotFormat> formats;
  for (const std::string& name : split_list(arguments.formats))
    formats.push_back(plot_format_named(name));
  const Selection where = select_rows(arguments.filters);
  std::vector<Row> rows = read_run(arguments.run);
  std::erase_if(rows, [&where](const Row& row) { return !selects(where, row); });
  const std::vector<Drawing> drawings = draw(rows, arguments);
  if (drawings.empty()) {
    context.err << "fftprec plot: " << arguments.run << " holds no measured row"
                << (arguments.filters.empty() ? "" : " that matches " + text_of(where)) << "\n";
    return ExitCode::nothing_matched;
  }
  std::filesystem::path directory = arguments.directory;
  if (directory.empty()) {
    const std::filesystem::path run = arguments.run;
    directory = (std::filesystem::is_directory(run) ? run : run.parent_path()) / "plots";
  }
  const PlotFiles files = write_drawings(drawings, directory, formats);
  for (const std::filesystem::path& path : files.written) context.out << path.string() << "\n";
  if (files.problem.empty()) return ExitCode::ok;
  context.err << "fftprec plot: " << files.problem << "\n";
  return ExitCode::usage;
}

}  // namespace

PlotFiles write_run_plots(std::span<const Row> rows, std::span<const PlotSpec> sweep_plots,
                          const std::filesystem::path& directory,
                          std::span<const PlotFormat> formats) {
  std::vector<Drawing> drawings = draw_lines(rows, default_figures(rows));
  for (const PlotSpec& spec : sweep_plots) {
    const FigureRequest request = figure_of(spec);
    auto drawn =
        spec.kind == "heatmap" ? draw_heat_map(rows, request) : draw_lines(rows, {request});
    std::move(drawn.begin(), drawn.end(), std::back_inserter(drawings));
  }
  return write_drawings(drawings, directory, formats);
}

void add_plot_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("plot", "Draw a run with gnuplot");
  command->footer(
      "Examples:\n"
      "  fftprec plot out/smoke                    the standard figures, to out/smoke/plots\n"
      "  fftprec plot out/smoke --y err_max_ulp --series machine -f mode=bf16\n"
      "  fftprec plot out/all --kind heatmap        algorithms down, n across, a panel per mode\n"
      "  fftprec plot rows.csv -o figures --format png");
  const auto arguments = std::make_shared<PlotArguments>();
  command->add_option("run", arguments->run, "A run's directory, or a CSV file")->required();
  command->add_option("-o,--output", arguments->directory, "Where to write; default DIR/plots");
  command->add_option("--format", arguments->formats, "svg, png, gnuplot; default svg,png");
  command->add_option("-f,--filter", arguments->filters, "Draw only rows that match")->take_all();
  command->add_option("--y", arguments->y, "A metric, err_over_bound or err_over_expected");
  command->add_option("--kind", arguments->kind, "lines, heatmap; default lines");
  command->add_option("--x", arguments->x,
                      "A column of numbers, of a heat map any column; default n");
  command->add_option("--series", arguments->series,
                      "One line, or row of a heat map, per value of this column");
  command->add_option("--panel", arguments->panel, "One panel per value of this column, or none");
  command->add_option("--scale", arguments->scale,
                      "shared, panel: one for all panels, or each its own; default shared");
  command->callback(
      [arguments, &context] { context.exit_code = to_int(run_plot(*arguments, context)); });
}

}  // namespace fftprec
