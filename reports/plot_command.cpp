#include "reports/plot_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "arith/error.hpp"
#include "experiments/split.hpp"
#include "reports/exit_code.hpp"
#include "reports/gate_command.hpp"
#include "reports/plot_defaults.hpp"
#include "reports/plot_orders.hpp"

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

  bool asks_for_one() const { return !(y.empty() && x.empty() && series.empty() && panel.empty()); }
};

/// The one figure that the options describe; what they leave open is as in error_vs_n.
FigureRequest request_of(const PlotArguments& arguments) {
  FigureRequest request;
  if (!arguments.y.empty()) request.y = arguments.y;
  if (!arguments.x.empty()) request.x = arguments.x;
  if (!arguments.series.empty()) request.series = arguments.series;
  if (request.series == "algorithm") request.panel = "mode";
  if (!arguments.panel.empty()) request.panel = arguments.panel == "none" ? "" : arguments.panel;
  request.name = request.y + "_vs_" + request.x + "_by_" + request.series;
  request.title = request.y + " against " + request.x + ", by " + request.series;
  return request;
}

std::vector<Figure> gather_all(std::span<const Row> rows,
                               const std::vector<FigureRequest>& requests) {
  const NameOrders orders = registry_orders();
  std::vector<Figure> figures;
  for (const FigureRequest& request : requests) {
    Figure figure = gather(rows, request, orders);
    if (!figure.panels.empty()) figures.push_back(std::move(figure));
  }
  return figures;
}

ExitCode run_plot(const PlotArguments& arguments, CommandContext& context) {
  std::vector<PlotFormat> formats;
  for (const std::string& name : split_list(arguments.formats))
    formats.push_back(plot_format_named(name));
  const Selection where = select_rows(arguments.filters);
  std::vector<Row> rows = read_run(arguments.run);
  std::erase_if(rows, [&where](const Row& row) { return !selects(where, row); });
  const std::vector<Figure> figures = gather_all(
      rows, arguments.asks_for_one() ? std::vector{request_of(arguments)} : default_figures(rows));
  if (figures.empty()) {
    context.err << "fftprec plot: " << arguments.run << " holds no measured row"
                << (arguments.filters.empty() ? "" : " that matches " + text_of(where)) << "\n";
    return ExitCode::nothing_matched;
  }
  std::filesystem::path directory = arguments.directory;
  if (directory.empty()) {
    const std::filesystem::path run = arguments.run;
    directory = (std::filesystem::is_directory(run) ? run : run.parent_path()) / "plots";
  }
  const PlotFiles files = write_figures(figures, directory, formats);
  for (const std::filesystem::path& path : files.written) context.out << path.string() << "\n";
  if (files.problem.empty()) return ExitCode::ok;
  context.err << "fftprec plot: " << files.problem << "\n";
  return ExitCode::usage;
}

}  // namespace

PlotFiles write_run_plots(std::span<const Row> rows, std::span<const PlotSpec> sweep_plots,
                          const std::filesystem::path& directory,
                          std::span<const PlotFormat> formats) {
  std::vector<FigureRequest> requests = default_figures(rows);
  for (const PlotSpec& spec : sweep_plots) requests.push_back(figure_of(spec));
  return write_figures(gather_all(rows, requests), directory, formats);
}

void add_plot_command(CLI::App& app, CommandContext& context) {
  CLI::App* command = app.add_subcommand("plot", "Draw a run with gnuplot");
  command->footer(
      "Examples:\n"
      "  fftprec plot out/smoke                    the standard figures, to out/smoke/plots\n"
      "  fftprec plot out/smoke --y err_max_ulp --series machine -f mode=bf16\n"
      "  fftprec plot rows.csv -o figures --format png");
  const auto arguments = std::make_shared<PlotArguments>();
  command->add_option("run", arguments->run, "A run's directory, or a CSV file")->required();
  command->add_option("-o,--output", arguments->directory, "Where to write; default DIR/plots");
  command->add_option("--format", arguments->formats, "svg, png, gnuplot; default svg,png");
  command->add_option("-f,--filter", arguments->filters, "Draw only rows that match")->take_all();
  command->add_option("--y", arguments->y, "A metric, or err_over_bound");
  command->add_option("--x", arguments->x, "A column of numbers; default n");
  command->add_option("--series", arguments->series, "One line per value of this column");
  command->add_option("--panel", arguments->panel, "One panel per value of this column, or none");
  command->callback(
      [arguments, &context] { context.exit_code = to_int(run_plot(*arguments, context)); });
}

}  // namespace fftprec
