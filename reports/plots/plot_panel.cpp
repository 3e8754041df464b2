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
             "set output {}\nunset key\n"
             "set grid ytics lt 1 lw 0.8 lc '#e6e6e6', lt 1 lw 0 lc '#ffffff'\n",
             fftprec::quoted(name + ".dat"), size.width, size.height,
             fftprec::quoted(name + ".svg")) +
         plot_margins({left, size.width - right, bottom, size.height - top}, size.width,
                      size.height) +
         plot_frame();
}

std::string panel_labels(const std::string& x, const std::string& y, const PanelSize& size) {
  const double middle_x = (left + size.width - right) / 2.0;
  const double middle_y = (bottom + size.height - top) / 2.0;
  return label_at(x, middle_x, 11, size.width, size.height, "center noenhanced font ',11'") +
         label_at(y, 11, middle_y, size.width, size.height, "center rotate noenhanced font ',11'");
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
