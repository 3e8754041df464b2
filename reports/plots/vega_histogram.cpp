#include <fmt/format.h>

#include <cmath>

#include "reports/plots/plot_histogram_figure.hpp"
#include "reports/plots/vega_figures.hpp"
#include "reports/plots/vega_spec.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

using vega::Json;

/// Bins by the ratio at which they begin and end.
std::vector<Json> rows_of(const Histogram& histogram, const HistogramPanel& panel) {
  std::vector<Json> rows;
  for (std::size_t bin = 0; bin < panel.counts.size(); ++bin) {
    const double begin = histogram.first_exponent + static_cast<double>(bin) * histogram_step;
    rows.push_back({{"begin", std::pow(10.0, begin)},
                    {"end", std::pow(10.0, begin + histogram_step)},
                    {"rows", panel.counts[bin]},
                    {"percent", bin_percent(panel, bin)},
                    {"zero", 0}});
  }
  return rows;
}

}  // namespace

std::string vega_histogram(const std::string& title, const Histogram& histogram) {
  const GridTexts texts = histogram_texts("", title, histogram);
  const Grid grid = grid_of(texts);
  const HistogramAxes axes = histogram_axes(histogram.panels, histogram);
  std::vector<Tic> tics;
  for (int k = static_cast<int>(axes.first); k <= std::floor(axes.last); ++k)
    tics.push_back({fmt::format("1e{}", k), std::to_string(k)});
  const Json x = vega::log_axis("begin", quantity_label(err_over_bound), std::pow(10.0, axes.first),
                                std::pow(10.0, axes.last), tics, 0, "");
  const Json y = vega::linear_axis("percent", histogram_y_label, 0, axes.percent);
  std::vector<Json> panels;
  for (std::size_t i = 0; i < histogram.panels.size(); ++i) {
    const HistogramPanel& panel = histogram.panels[i];
    std::vector<Json> layers = {
        {{"mark", {{"type", "rect"}, {"color", bar_colour(histogram, i)}, {"opacity", 0.85}}},
         {"encoding",
          {{"x", x},
           {"x2", {{"field", "end"}}},
           {"y", y},
           {"y2", {{"field", "zero"}}},
           {"tooltip",
            {{{"field", "begin"}},
             {{"field", "end"}},
             {{"field", "rows"}},
             {{"field", "percent"}}}}}}},
        {{"data", {{"values", {{{"begin", 1}, {"name", "bound"}}}}}},
         {"mark", {{"type", "rule"}, {"strokeWidth", 1.5}, {"color", "#222222"}}},
         {"encoding", {{"x", x}}}},
        {{"data", {{"values", {{{"begin", 1}, {"name", "bound"}}}}}},
         {"mark", {{"type", "text"}, {"align", "right"}, {"dx", -5}, {"y", 10}}},
         {"encoding", {{"x", x}, {"text", {{"field", "name"}}}}}}};
    std::string notes;
    for (const std::string& note : histogram_notes(panel))
      notes += (notes.empty() ? "" : ", ") + note;
    panels.push_back(vega::panel(texts.panels[i], notes, rows_of(histogram, panel),
                                 std::move(layers), grid.panel_width, grid.panel_height));
  }
  return vega::text_of(vega::figure(texts.title, texts.subtitle, std::move(panels), grid.columns));
}

}  // namespace fftprec
