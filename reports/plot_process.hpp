/// Figures as files: data and script are written by us, images by gnuplot as a child process.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "reports/plot_figure.hpp"

namespace fftprec {

/// What to leave in the folder, beside the data file.
enum class PlotFormat {
  svg,
  png,
  gnuplot,  ///< no image: the script alone
};

/// Throws InputError for an unknown name.
PlotFormat plot_format_named(std::string_view name);

struct PlotFiles {
  std::vector<std::filesystem::path> written;  ///< images and scripts, in the order of the figures
  std::string problem;  ///< why images are missing, in a sentence; empty if none is
};

/// Writes NAME.dat, NAME.gp and the images of every figure that has a row to show. A gnuplot that
/// is missing or fails is no exception: `problem` says so, and the scripts stand ready.
/// Throws InputError if a file cannot be written.
PlotFiles write_figures(std::span<const Figure> figures, const std::filesystem::path& directory,
                        std::span<const PlotFormat> formats,
                        const std::string& program = "gnuplot");

}  // namespace fftprec
