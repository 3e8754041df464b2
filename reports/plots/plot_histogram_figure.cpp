#include "reports/plots/plot_histogram_figure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

std::vector<std::string> histogram_notes(const HistogramPanel& panel) {
  std::string first = fmt::format("{} row{}", panel.rows, panel.rows == 1 ? "" : "s");
  if (panel.exact > 0) first += fmt::format(", {} exact", panel.exact);
  if (panel.not_finite > 0) first += fmt::format(", {} not finite", panel.not_finite);
  return {first, fmt::format("median {:.2g}", panel.median),
          fmt::format("largest {:.2g}", panel.largest)};
}

GridTexts histogram_texts(const std::string& name, const std::string& title,
                          const Histogram& histogram) {
  GridTexts texts{.name = name,
                  .title = title,
                  .subtitle =
                      "every measured row that has a bound; exact and not finite ones "
                      "stand in no bar; above 1 a theorem or the arithmetic is wrong",
                  .panels = {},
                  .legend = {}};
  texts.x_label = quantity_label(err_over_bound);
  for (const HistogramPanel& panel : histogram.panels) texts.panels.push_back(panel.name);
  return texts;
}

Drawing histograms_drawing(const std::string& name, const std::string& title,
                           const Histogram& histogram) {
  const GridTexts texts = histogram_texts(name, title, histogram);
  const Grid grid = grid_of(texts);
  const HistogramAxes axes = histogram_axes(histogram.panels, histogram);
  std::string data = "# log10 of where the bin begins and ends, rows, percent\n";
  std::string script = grid_header(texts, grid) + "unset key\nset multiplot\n";
  for (std::size_t i = 0; i < histogram.panels.size(); ++i) {
    data += fmt::format("{}# {}\n", i == 0 ? "" : "\n\n", one_line(texts.panels[i])) +
            histogram_data(histogram, i);
    script += fmt::format("\n# {}\nunset label\nunset arrow\n", one_line(texts.panels[i])) +
              grid_panel(texts, grid, i) + histogram_settings(axes);
    if (!grid.first_in_row(i))
      script += "set format y ''\n";
    else
      script += "set format y\n";
    script += grid.lowest_in_column(i) ? fmt::format("set xlabel {} offset 0,0.2 noenhanced\n",
                                                     fftprec::quoted(texts.x_label))
                                       : "unset xlabel\n";
    if (grid.first_in_row(i)) script += grid_y_label(grid, i, histogram_y_label);
    double line = 0.95;
    for (const std::string& note : histogram_notes(histogram.panels[i])) {
      script += fmt::format(
          "set label '{}' at graph 0.03, graph {:g} left front noenhanced font ',9.5' textcolor "
          "'#444444'\n",
          note, line);
      line -= 17.0 / grid.panel_height;
    }
    script += "plot " + histogram_bars(histogram, i, i) + " notitle\n";
  }
  script += "unset multiplot\nunset output\n";
  return {.name = name, .data = std::move(data), .script = std::move(script)};
}

}  // namespace fftprec
