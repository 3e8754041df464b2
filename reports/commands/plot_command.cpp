#include "reports/commands/plot_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/support/split.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/commands/gate_command.hpp"
#include "reports/plots/plot_defaults.hpp"
#include "reports/plots/plot_draw.hpp"
#include "reports/results/held_axes.hpp"

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
  std::string kind;
  std::string scale = "shared";
};

/// True if every panel is to have its own scale.
bool own_scale_named(std::string_view name) {
  if (name == "shared") return false;
  if (name == "panel") return true;
  throw unknown_name("scale", name, {"shared", "panel"});
}

/// True if the options describe a figure.
bool asks_for_one(const PlotArguments& arguments) {
  return !(arguments.y.empty() && arguments.x.empty() && arguments.series.empty() &&
           arguments.panel.empty() && arguments.scale == PlotArguments{}.scale &&
           arguments.kind.empty());
}

/// Throws InputError for an option that a figure of this kind has no use for.
void refuse(const PlotArguments& arguments, bool has_axes) {
  const std::pair<const char*, bool> given[] = {
      {"--series", !arguments.series.empty()},
      {"--panel", !arguments.panel.empty()},
      {"--scale", arguments.scale != PlotArguments{}.scale},
      {"--x", !arguments.x.empty() && !has_axes},
      {"--y", !arguments.y.empty() && !has_axes}};
  for (const auto& [option, is_given] : given)
    if (is_given)
      throw InputError("--kind " + arguments.kind + " takes no " + option + "; -f selects rows");
}

/// Without --x one drawing for each of the usual costs.
FigureRequest costs_of(const PlotArguments& arguments) {
  refuse(arguments, true);
  FigureRequest request{.x = arguments.x, .kind = PlotKind::cost};
  if (!arguments.y.empty()) request.y = arguments.y;
  return request;
}

FigureRequest histogram_of(const PlotArguments& arguments) {
  refuse(arguments, false);
  return {.name = "error_over_bound_histogram",
          .title = "How the error spreads below its worst-case bound",
          .y = err_over_bound,
          .kind = PlotKind::histogram};
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
  request.kind = PlotKind::heatmap;
  request.own_y_range = own_scale_named(arguments.scale);
  request.name = "heatmap_" + request.y + "_" + request.series + "_by_" + request.x;
  request.title = request.y + " by " + request.series + " and " + request.x;
  return request;
}

std::vector<FigureRequest> requests_of(const PlotArguments& arguments, std::span<const Row> rows) {
  if (!asks_for_one(arguments)) return default_figures(rows);
  switch (arguments.kind.empty() ? PlotKind::lines : plot_kind_named(arguments.kind)) {
    case PlotKind::lines:
      return {lines_of(arguments)};
    case PlotKind::heatmap:
      return {heat_map_of(arguments)};
    case PlotKind::cost:
      return {costs_of(arguments)};
    case PlotKind::histogram:
      return {histogram_of(arguments)};
  }
  return {};
}

ExitCode run_plot(const PlotArguments& arguments, CommandContext& context) {
  std::vector<PlotFormat> formats;
  for (const std::string& name : split_list(arguments.formats))
    formats.push_back(plot_format_named(name));
  const Selection where = select_rows(arguments.filters);
  std::vector<Row> rows = read_run(arguments.run);
  std::erase_if(rows, [&where](const Row& row) { return !selects(where, row); });
  const std::vector<Drawing> drawings =
      draw_all(rows, requests_of(arguments, rows), registry_orders());
  if (drawings.empty()) {
    context.err << "fftprec plot: " << arguments.run << " holds no measured row"
                << (arguments.kind == "cost" || arguments.kind == "histogram"
                        ? " for a figure of kind " + arguments.kind
                        : "")
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
  if (!files.problem.empty()) context.err << "fftprec plot: " << files.problem << "\n";
  return files.missing ? ExitCode::usage : ExitCode::ok;
}

}  // namespace

PlotFiles write_run_plots(std::span<const Row> rows, std::span<const PlotSpec> sweep_plots,
                          const std::filesystem::path& directory,
                          std::span<const PlotFormat> formats) {
  std::vector<FigureRequest> requests = default_figures(rows);
  for (const PlotSpec& spec : sweep_plots) requests.push_back(figure_of(spec));
  const std::vector<Drawing> drawings = draw_all(rows, requests, registry_orders());
  return write_drawings(drawings, directory, formats);
}

void add_plot_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("plot", "Draw a run with gnuplot");
  command->footer(
      "Examples:\n"
      "  fftprec plot out/smoke                    the standard figures, to out/smoke/plots\n"
      "  fftprec plot out/smoke --y err_max_ulp --series machine -f mode=bf16\n"
      "  fftprec plot out/all --kind heatmap        algorithms down, n across, a panel per mode\n"
      "  fftprec plot out/all --kind cost -f n=1024 error against cost, with the Pareto front\n"
      "  fftprec plot rows.csv -o figures --format pdf,vega-lite");
  const auto arguments = std::make_shared<PlotArguments>();
  command->add_option("run", arguments->run, "A run's directory, or a CSV file")->required();
  command->add_option("-o,--output", arguments->directory, "Where to write; default DIR/plots");
  command->add_option("--format", arguments->formats,
                      "svg, png, pdf, gnuplot, vega-lite; default svg,png");
  command->add_option("-f,--filter", arguments->filters, "Draw only rows that match")->take_all();
  command->add_option("--y", arguments->y,
                      "A metric, err_over_bound, err_over_expected or published_us");
  command->add_option("--kind", arguments->kind, "lines, heatmap, cost, histogram; default lines");
  command->add_option("--x", arguments->x,
                      "A column of numbers, of a heat map any column; default n;\n"
                      "of a cost figure what things cost; default matmul_passes, mac_count\n"
                      "and published_us");
  command->add_option("--series", arguments->series,
                      "One line, or row of a heat map, per value of this column");
  command->add_option("--panel", arguments->panel, "One panel per value of this column, or none");
  command->add_option("--scale", arguments->scale,
                      "shared, panel: one for all panels, or each its own; default shared");
  command->callback(
      [arguments, &context] { context.exit_code = to_int(run_plot(*arguments, context)); });
}

}  // namespace fftprec
