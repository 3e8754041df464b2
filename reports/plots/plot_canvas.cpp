#include "reports/plots/plot_canvas.hpp"

#include <fmt/format.h>

#include "reports/plots/plot_curves.hpp"

namespace fftprec {

std::string screen(double pixels, int size) { return fmt::format("{:.5f}", pixels / size); }

std::string canvas_header(const std::string& name, int width, int height) {
  return fmt::format(
             "# {0}: in this folder, `gnuplot {0}.gp` draws {0}.svg, `gnuplot -c {0}.gp png` "
             "draws {0}.png\n",
             name) +
         fmt::format("data = {}\n", quoted(name + ".dat")) +
         fmt::format(
             "if (exists('ARG1') && ARG1 eq 'png') {{\n"
             "  set terminal pngcairo size {0},{1} font 'sans,12' pointscale 1.4 background "
             "'#ffffff'\n"
             "  set output {2}\n"
             "}} else {{\n"
             "  set terminal svg size {0},{1} font 'sans-serif,12' fontscale 1.25 dashlength 0.6 "
             "background '#ffffff'\n"
             "  set output {3}\n"
             "}}\n",
             width, height, quoted(name + ".png"), quoted(name + ".svg")) +
         "set encoding utf8\n"
         "set datafile missing '-'\n";
}

std::string canvas_title(const std::string& title, const std::string& subtitle, int left, int width,
                         int height) {
  return fmt::format("set label {} at screen {}, screen {} left noenhanced font ',15'\n",
                     quoted(title), screen(left, width), screen(height - 26, height)) +
         fmt::format(
             "set label {} at screen {}, screen {} left noenhanced font ',10.5' textcolor "
             "'#666666'\n",
             quoted(subtitle), screen(left, width), screen(height - 50, height));
}

}  // namespace fftprec
