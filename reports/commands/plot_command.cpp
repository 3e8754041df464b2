/// `fftprec plot DIR|CSV`: a run as figures.
#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/figures/image_files.hpp"
#include "reports/figures/kinds.hpp"
#include "reports/results/fixed_axes.hpp"
#include "reports/results/row_sample.hpp"

namespace fftprec::commands {

namespace {

struct PlotArguments {
  std::string run;
  std::string directory;
  std::string formats = "svg,png";
  std::vector<std::string> filters;
  std::string scale;
  FigureRequest figure{.kind = ""};
};

std::vector<FigureRequest> requests_of(const PlotArguments& arguments, std::span<const Row> rows) {
  FigureRequest figure = in_shown_names(arguments.figure);
  if ((figure.kind + figure.x + figure.y + figure.series + figure.panel + arguments.scale).empty())
    return figures::default_figures(rows);
  if (figure.kind.empty()) figure.kind = "lines";
  figure.own_y_range = !arguments.scale.empty() && own_scale_named(arguments.scale);
  figures::completed(figure);  // or it throws
  return {figure};
}

ExitCode run_plot(const PlotArguments& arguments, Context& context) {
  std::vector<figures::ImageFormat> formats;
  for (const std::string& name : split_list(arguments.formats))
    formats.push_back(figures::image_format_named(name));
  const Selection where = select_rows(arguments.filters);
  const auto [rows, note] = results::read_shown_rows(
      arguments.run, [&where](const Row& row) { return selects(where, row); });
  std::vector<figures::Figure> drawn =
      figures::draw_all(rows, requests_of(arguments, rows), registry_orders());
  if (!note.empty()) {
    context.err << "fftprec plot: " << note << "\n";
    for (figures::Figure& figure : drawn) figure.subtitle += "; aggregated, not of all rows";
  }
  if (drawn.empty()) {
    const std::string& kind = arguments.figure.kind;
    context.err << "fftprec plot: " << arguments.run << " holds no measured row"
                << (kind == "cost" || kind == "histogram" ? " for a figure of kind " + kind : "")
                << (arguments.filters.empty() ? "" : " that matches " + text_of(where)) << "\n";
    return ExitCode::nothing_matched;
  }
  std::filesystem::path directory = arguments.directory;
  if (directory.empty()) {
    const std::filesystem::path run = arguments.run;
    directory = (std::filesystem::is_directory(run) ? run : run.parent_path()) / "plots";
  }
  const figures::ImageFiles files = write_images(drawn, directory, formats);
  for (const std::filesystem::path& path : files.written) context.out << path.string() << "\n";
  if (!files.problem.empty()) context.err << "fftprec plot: " << printable(files.problem) << "\n";
  return files.problem.empty() ? ExitCode::ok : ExitCode::usage;
}

}  // namespace

/// Draws a run: the default figures, or the one that the options describe. Exit codes: 0, 2 usage,
/// or a PNG or PDF is missing because rsvg-convert is, 4 no row to draw.
void add_plot_command(CLI::App& app, Context& context) {
  Command command(
      app, "plot", "Draw a run",
      "Examples:\n"
      "  fftprec plot out/smoke                    the standard figures, to out/smoke/plots\n"
      "  fftprec plot out/smoke --y err_max_ulp --series machine -f mode=bf16\n"
      "  fftprec plot out/all --kind heatmap        algorithms down, n across, a panel per mode\n"
      "  fftprec plot out/all --kind cost -f n=1024 error against cost, with the Pareto front\n"
      "  fftprec plot rows.csv -o figures --format pdf");
  const auto arguments = std::make_shared<PlotArguments>();
  command.add("run", arguments->run, "A run's directory, or a CSV file").required();
  command.add("-o,--output", arguments->directory, "Folder to write to; default DIR/plots");
  command.add("--format svg|png|pdf", arguments->formats, "One or several; default svg,png");
  command.add("-f,--filter", arguments->filters, "Draw only rows that match");
  command.add("--y METRIC", arguments->figure.y,
              "A metric, err_over_bound, err_over_expected or published_us");
  command.add(fmt::format("--kind {}", fmt::join(figures::plot_kind_names(), "|")),
              arguments->figure.kind, "Default lines");
  command.add("--x COLUMN", arguments->figure.x,
              "A column of numbers, or input_scale, the 2^K of scale=input:2^K;\n"
              "for a heat map any column; default n. For a cost figure the kind of\n"
              "cost; default matmul_passes, real_multiplications and published_us");
  command.add("--series AXIS", arguments->figure.series,
              "One line, or row of a heat map, per value of this column");
  command.add("--panel AXIS", arguments->figure.panel,
              "One panel per value of this column, or none");
  command.add("--scale shared|panel", arguments->scale,
              "One scale for all panels, or one per panel; default shared");
  command.run(context, [arguments, &context] { return run_plot(*arguments, context); });
}

}  // namespace fftprec::commands
