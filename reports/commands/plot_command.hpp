/// `fftprec plot DIR|CSV`: draws a run.
#pragma once

#include <filesystem>
#include <span>

#include "experiments/sweeps/sweep.hpp"
#include "reports/commands/command.hpp"
#include "reports/figures/image_files.hpp"

namespace CLI {
class App;
}

namespace fftprec {

/// Without options, the default figures. Exit codes: 0, 2 usage, or a PNG or PDF is missing because
/// rsvg-convert is, 4 no row to draw.
void add_plot_command(CLI::App& app, CommandContext& context);

/// The default figures of `rows` and those that its sweep asks for: for use after a run, which a
/// missing rsvg-convert must not spoil (see ImageFiles::problem). Throws InputError if a file
/// cannot be written.
figures::ImageFiles write_run_plots(std::span<const Row> rows,
                                    std::span<const PlotSpec> sweep_plots,
                                    const std::filesystem::path& directory,
                                    std::span<const figures::ImageFormat> formats);

}  // namespace fftprec
