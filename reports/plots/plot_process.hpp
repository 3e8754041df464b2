/// Figures as files: data and script are written by us, images by gnuplot as a child process.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace fftprec {

/// What to leave in the folder, beside the data file.
enum class PlotFormat {
  svg,
  png,
  gnuplot,  ///< no image: the script alone
};

/// Throws InputError for an unknown name.
PlotFormat plot_format_named(std::string_view name);

/// A plot as text.
struct Drawing {
  std::string name;    ///< of its files, without ending
  std::string data;    ///< what `script` reads from NAME.dat
  std::string script;  ///< for `gnuplot -c NAME.gp ENDING`
};

struct PlotFiles {
  std::vector<std::filesystem::path> written;  ///< images and scripts, in the order of the drawings
  std::string problem;  ///< why images are missing, in a sentence; empty if none is
};

/// Writes NAME.dat, NAME.gp and the images of every drawing. A gnuplot that is missing or fails is
/// no exception: `problem` says so, and the scripts stand ready. Throws InputError if a file cannot
/// be written.
PlotFiles write_drawings(std::span<const Drawing> drawings, const std::filesystem::path& directory,
                         std::span<const PlotFormat> formats,
                         const std::string& program = "gnuplot");

/// What draw_svgs gives.
struct SvgTexts {
  std::vector<std::string> texts;  ///< as many as there are drawings, or none
  std::string problem;             ///< why there is none; empty otherwise
};

/// The images as texts, drawn by one process for all. Their scripts write NAME.svg without being
/// asked. Nothing is left behind. A gnuplot that is missing or fails is no exception.
SvgTexts draw_svgs(std::span<const Drawing> drawings, const std::string& program = "gnuplot");

}  // namespace fftprec
