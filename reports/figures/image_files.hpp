/// Figures as files: SVG is written by us, PNG and PDF are made of it by rsvg-convert as a child
/// process.
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
};

/// Writes NAME.svg of every figure, and NAME.png and NAME.pdf where they are asked for. Where
/// `program` is missing or fails, `problem` says so, and the SVGs are there all the same. Throws
/// InputError if a file cannot be written.
ImageFiles write_images(std::span<const Figure> figures, const std::filesystem::path& directory,
                        std::span<const ImageFormat> formats,
                        const std::string& program = "rsvg-convert");

/// Throws InputError unless the name ends in .svg or .png.
void check_image_file(const std::string& file);

/// Writes one figure as the file that --plot names, an SVG or, with its SVG beside it, a PNG, and
/// tells the path on `err`. Throws InputError where that cannot be done.
void write_image_file(const std::string& file, Figure figure, std::ostream& err);

}  // namespace fftprec::figures
