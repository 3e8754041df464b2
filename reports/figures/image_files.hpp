/// Figures as files: SVG is written by us, PNG and PDF are made of it by rsvg-convert, a child
/// process that gets files to read and to write, but no names and no shell.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/figures/figure.hpp"

namespace fftprec::figures {

enum class ImageFormat { svg, png, pdf };

/// Throws InputError for an unknown name, listing the known ones.
ImageFormat image_format_named(std::string_view name);

struct ImageFiles {
  std::vector<std::filesystem::path> written;  ///< in the order of the figures, then of the formats
  std::string problem;  ///< why images are missing, in a sentence; empty if none is
  bool failed = false;  ///< the program is there, but an image is not
};

/// The path of the program of this name in a folder of PATH; empty if there is none. Folders that
/// are not named from the root are passed over: what lies in the folder of some rows is not to be
/// run.
std::string find_program(const std::string& name);

/// Writes NAME.svg of every figure, and NAME.png and NAME.pdf where they are asked for. Where
/// `program` is missing or makes no whole image, `problem` says so, and the SVGs are there all the
/// same. Throws InputError if an SVG cannot be written.
ImageFiles write_images(std::span<const Figure> figures, const std::filesystem::path& directory,
                        std::span<const ImageFormat> formats,
                        const std::string& program = "rsvg-convert");

/// Makes a PNG or a PDF, as the name of `image` ends, of a file of SVG. Throws InputError where
/// that cannot be done, and for any other name.
void convert_image(const std::filesystem::path& svg, const std::filesystem::path& image);

/// Throws InputError unless the name ends in .svg or .png.
void check_image_file(const std::string& file);

/// Writes one figure as the file that --plot names, an SVG or, with its SVG beside it, a PNG, and
/// tells the path on `err`. Throws InputError where that cannot be done.
void write_image_file(const std::string& file, Figure figure, std::ostream& err);

}  // namespace fftprec::figures
