/// The figures that a run leaves beside its rows.
#pragma once

#include <filesystem>
#include <span>

#include "experiments/sweeps/sweep.hpp"
#include "reports/figures/image_files.hpp"

namespace fftprec::commands {

/// The default figures of `rows` and those that its sweep asks for: for use after a run, which a
/// missing rsvg-convert must not spoil (see ImageFiles::problem). Throws InputError if a file
/// cannot be written.
figures::ImageFiles write_run_plots(std::span<const Row> rows,
                                    std::span<const PlotSpec> sweep_plots,
                                    const std::filesystem::path& directory,
                                    std::span<const figures::ImageFormat> formats);

}  // namespace fftprec::commands
