/// `fftprec plot DIR|CSV`: draws a run with gnuplot.
#pragma once

#include <filesystem>
#include <span>

#include "experiments/sweeps/sweep.hpp"
#include "reports/commands/command.hpp"
#include "reports/plots/plot_process.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Without options, the default figures. Exit codes: 0, 2 usage, or an image that only gnuplot can
/// draw is missing, 4 no row to draw.
void add_plot_command(CLI::App& app, CommandContext& context);

/// The default figures of `rows` and those that its sweep asks for: for use after a run, which a
/// missing gnuplot must not spoil (see PlotFiles::problem). Throws InputError if a file cannot be
/// written.
PlotFiles write_run_plots(std::span<const Row> rows, std::span<const PlotSpec> sweep_plots,
                          const std::filesystem::path& directory,
                          std::span<const PlotFormat> formats);

}  // namespace fftprec
