/// Figures as files. This program writes SVG; rsvg-convert makes PNG and PDF from it, as a child
/// process that gets open files, but no names and no shell.
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

inline constexpr ImageFormat svg_and_png[] = {ImageFormat::svg, ImageFormat::png};

/// Throws InputError for an unknown name, listing the known ones.
ImageFormat image_format_named(std::string_view name);

struct ImageFiles {
  std::vector<std::filesystem::path> written;  ///< in the order of the figures, then of the formats
  std::string problem;  ///< why images are missing, as a sentence; empty if none is missing
  bool failed = false;  ///< rsvg-convert exists, but did not make an image
};

/// The path of the program of this name in a folder of PATH; empty if there is none. Relative
/// folders are ignored, so that no program in the folder of some rows is run.
std::string find_program(const std::string& name);

/// Writes NAME.svg for every figure, and NAME.png and NAME.pdf if `formats` has them. If `program`
/// is missing or makes no whole image, `problem` has the reason; the SVGs are written anyway.
/// Throws InputError if an SVG cannot be written.
ImageFiles write_images(std::span<const Figure> figures, const std::filesystem::path& directory,
                        std::span<const ImageFormat> formats = svg_and_png,
                        const std::string& program = "rsvg-convert");

/// Makes a PNG or a PDF from an SVG file, by the ending of `image`. Throws InputError if this
/// fails, and for any other ending.
void convert_image(const std::filesystem::path& svg, const std::filesystem::path& image);

/// Throws InputError unless the name ends in .svg or .png.
void check_image_file(const std::string& file);

/// Writes one figure to the file of --plot, an SVG or a PNG with its SVG beside it, and prints the
/// path on `err`. Throws InputError if this fails.
void write_image_file(const std::string& file, Figure figure, std::ostream& err);

}  // namespace fftprec::figures
