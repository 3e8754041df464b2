#include "reports/plots/plot_panel.hpp"

#include <fmt/format.h>

#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_script.hpp"
#include "reports/plots/plot_settings.hpp"

namespace fftprec {

namespace {

constexpr int left = 70;
constexpr int right = 46;  ///< unit roundoffs
constexpr int top = 12;
constexpr int bottom = 48;

}  // namespace

std::string panel_header(const std::string& name, const PanelSize& size) {
  return fmt::format(
      "reset\nset encoding utf8\nset datafile missing '-'\ndata = {}\n"
      "set terminal svg size {},{} font 'sans-serif,12' fontscale 1.2 dashlength 0.6\n"
      "set output {}\n"
      "set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen {}\n"
      "set tmargin at screen {}\n"
      "set border 3 lw 1 lc '#666666'\nunset key\n"
      "set tics nomirror textcolor '#333333' font ',10.5'\nset tics scale 0.7,0.35\n"
      "set grid ytics lt 1 lw 0.8 lc '#e6e6e6', lt 1 lw 0 lc '#ffffff'\n",
      fftprec::quoted(name + ".dat"), size.width, size.height, fftprec::quoted(name + ".svg"),
      screen(left, size.width), screen(size.width - right, size.width), screen(bottom, size.height),
      screen(size.height - top, size.height));
}

std::string panel_labels(const std::string& x, const std::string& y, const PanelSize& size) {
  const double middle_x = (left + size.width - right) / 2.0;
  const double middle_y = (bottom + size.height - top) / 2.0;
  return fmt::format(
      "set label {} at screen {}, screen {} center noenhanced font ',11'\n"
      "set label {} at screen {}, screen {} center rotate noenhanced font ',11'\n",
      fftprec::quoted(x), screen(middle_x, size.width), screen(11, size.height), fftprec::quoted(y),
      screen(11, size.width), screen(middle_y, size.height));
}

Drawing panel_drawing(const std::string& name, const Figure& figure, std::size_t i,
                      const PanelSize& size) {
  const Figure shown{figure.request, {}, {}, {figure.panels[i]}, {}, 0};
  const YAxis y = y_axis(figure.request.own_y_range ? shown : figure);
  const XAxis x = x_axis(figure, static_cast<std::size_t>((size.width - left - right) / 56));
  std::string script = panel_header(name, size) + panel_labels(x.label, y.label, size);
  script += x_axis_settings(x) + y_axis_settings(y, true) + axis_marks(shown, y, true);
  std::size_t block = 0;
  script += plot_curves(figure.panels[i], block, true) + "\nunset output\n";
  return {name, plot_data(shown), script};
}

}  // namespace fftprec
