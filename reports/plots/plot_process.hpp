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
  pdf,
  gnuplot,    ///< no image: the script alone
  vega_lite,  ///< no image: NAME.vl.json
};

/// Throws InputError for an unknown name.
PlotFormat plot_format_named(std::string_view name);

/// A plot as text.
struct Drawing {
  std::string name;        ///< of its files, without ending
  std::string data;        ///< what `script` reads from NAME.dat
  std::string script;      ///< for `gnuplot -c NAME.gp ENDING`
  std::string vega = {};   ///< the same as a Vega-Lite specification
  std::string plain = {};  ///< the same as an SVG, drawn plainly, for where gnuplot is missing
};

struct PlotFiles {
  std::vector<std::filesystem::path> written;  ///< images and scripts, in the order of the drawings
  std::string problem;   ///< why images are missing or plain, in a sentence; empty if none is
  bool missing = false;  ///< an image that was asked for is not there
};

/// Writes the images of every drawing, with NAME.dat and NAME.gp beside them, and NAME.vl.json
/// where that is asked for. A gnuplot that is missing or fails is no exception: `problem` says so,
/// the scripts stand ready, and the SVGs are those that are drawn plainly. Throws InputError if a
/// file cannot be written.
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
