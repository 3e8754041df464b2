/// The canvas that every plot begins with: terminal, files, fonts, title.
#pragma once

#include <string>

namespace fftprec {

/// `pixels` as a share of `size`: a coordinate of gnuplot's system `screen`.
std::string screen(double pixels, int size);

/// Comment, data file, terminal and output of the script `name`.gp: an SVG, or a PNG if the script
/// is called with the argument png. Sizes in pixels.
std::string canvas_header(const std::string& name, int width, int height);

/// Title and the smaller line below it, `left` pixels from the edge.
std::string canvas_title(const std::string& title, const std::string& subtitle, int left, int width,
                         int height);

}  // namespace fftprec
