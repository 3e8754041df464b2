/// One drawing as the file that a command line names.
#pragma once

#include <iosfwd>
#include <string>

#include "reports/plots/plot_process.hpp"

namespace fftprec {

/// Throws InputError unless the name ends in .svg or .png.
void check_plot_file(const std::string& file);

/// What a drawing for that file must be called.
std::string plot_file_name(const std::string& file);

/// Writes the image, with its data and script beside it, and tells the path on `err`. Throws
/// InputError where it cannot be drawn.
void write_plot_file(const std::string& file, const Drawing& drawing, std::ostream& err);

}  // namespace fftprec
