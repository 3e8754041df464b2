#include "reports/plots/plot_heatmap_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "experiments/support/decimal.hpp"
#include "reports/plots/plot_axes.hpp"
#include "reports/plots/plot_canvas.hpp"
#include "reports/plots/plot_colours.hpp"
#include "reports/plots/plot_curves.hpp"
#include "reports/plots/plot_heatmap_layout.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

std::string_view name_of(CellKind kind) {
  const auto looks = cell_looks();
  const auto look = std::find_if(looks.begin(), looks.end(),
                                 [kind](const CellLook& each) { return each.kind == kind; });
  return look == looks.end() ? "value" : look->name;
}

bool has_kind(const HeatPanel& panel, CellKind kind) {
  return std::any_of(panel.cells.begin(), panel.cells.end(),
                     [kind](const HeatCell& cell) { return cell.kind == kind; });
}

/// `unset ytics` forgets it, so it is repeated.
constexpr std::string_view tics_look = " textcolor '#333333' font ',10.5'";

std::string header(const HeatMap& map, const HeatMapLayout& layout) {
  return canvas_header(map.request.name, layout.width, layout.height) + palette() +
         "set border 0 lc '#ffffff'\n" + fmt::format("set tics scale 0{}\n", tics_look) +
         "unset key\n"
         "is(name) = strcol(3) eq name\n"
         "# white on the dark half of the scale, where it reads better than black\n" +
         fmt::format("ink(value) = shade(value) < {} ? 0xffffff : 0x111111\n", dark_shade);
}

std::string name_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", quoted(names[i]), i);
  return "(" + text + ")";
}

std::string axes(const HeatMap& map, const HeatMapLayout& layout) {
  return fmt::format("set xrange [-0.5:{}]\nset yrange [{}:-0.5]\n",
                     shortest(static_cast<double>(map.columns.size()) - 0.5),
                     shortest(static_cast<double>(map.rows.size()) - 0.5)) +
         fmt::format("set xtics {} noenhanced{}\n", name_list(map.columns),
                     layout.slanted ? " rotate by 35 right" : "");
}

/// The colour bar at the right of panel i.
std::string colour_bar(const ColourScale& scale, std::size_t i, const HeatMapLayout& layout) {
  const int height = std::min(layout.panel_height, 260);
  return fmt::format(
      "set colorbox vertical user origin screen {}, screen {} size screen {}, screen {} noborder\n"
      "set cbtics {} offset -0.6,0\n",
      screen(layout.left_of(i) + layout.panel_width + 8, layout.width),
      screen(layout.top_of(i) - height, layout.height), screen(11, layout.width),
      screen(height, layout.height), colour_tics(scale, static_cast<std::size_t>(height / 21)));
}

/// Two lines below the title: what number and colour are, and the cells without a number.
std::string legend(const HeatMap& map, const HeatMapLayout& layout) {
  double x = HeatMapLayout::margin;
  const int first = layout.height - layout.top + HeatMapLayout::legend_height;
  const double y = first - 26;
  const auto at = [&layout](double right, double up) {
    return fmt::format("screen {}, screen {}", screen(right, layout.width),
                       screen(up, layout.height));
  };
  std::string text =
      fmt::format("set label {} at {} left noenhanced font ',10.5' textcolor '#666666'\n",
                  quoted("number and colour: " + quantity_label(map.request.y)), at(x, first));
  for (const CellLook& look : cell_looks()) {
    if (std::none_of(map.panels.begin(), map.panels.end(),
                     [&look](const HeatPanel& panel) { return has_kind(panel, look.kind); }))
      continue;
    const HeatCell sample{0, 0, look.kind, std::numeric_limits<double>::infinity(), 1};
    const auto box = [&](std::string_view fill) {
      text += fmt::format("set object rectangle from {} to {} front {}\n", at(x, y - 9),
                          at(x + 40, y + 9), fill);
    };
    box(fmt::format("fs solid 1 border lc '#999999' fc '{}'", look.fill));
    if (look.hatched) box("fs transparent pattern 4 border lc '#999999' fc '#c4c4c4'");
    text += fmt::format(
        "set label '{}' at {} center front noenhanced textcolor '{}' font ',9'\n"
        "set label '{}' at {} left noenhanced font ',10.5'\n",
        cell_text(sample, map.request.y), at(x + 20, y), look.ink, look.legend, at(x + 47, y));
    x += 47 + 6.6 * static_cast<double>(look.legend.size()) + 22;
  }
  const std::size_t places = map.rows.size() * map.columns.size();
  if (std::any_of(map.panels.begin(), map.panels.end(),
                  [places](const HeatPanel& panel) { return panel.cells.size() < places; }))
    text +=
        fmt::format("set label 'blank: not run' at {} left noenhanced font ',10.5'\n", at(x, y));
  return text;
}

/// The rectangle of panel i, and its name above it.
std::string place(const HeatMap& map, std::size_t i, const HeatMapLayout& layout) {
  const std::string name = panel_title(map, i);
  const int left = layout.left_of(i);
  const int top = layout.top_of(i);
  std::string text = plot_margins({left, left + layout.panel_width, top - layout.panel_height, top},
                                  layout.width, layout.height);
  if (!name.empty())
    text += fmt::format(
        "set label {} at graph 0, graph 1 left offset 0.2,0.8 noenhanced textcolor '#222222'\n",
        quoted(name));
  return text;
}

std::string plot_cells(const HeatPanel& panel, std::size_t block) {
  const std::string box = "(0.48):(0.46)";
  const auto where = [block](std::string_view kind) {
    return fmt::format("data index {} using (is('{}') ? $1 : NaN):2", block, kind);
  };
  std::string text;
  const auto add = [&text](const std::string& layer) {
    text += (text.empty() ? "plot \\\n  " : ", \\\n  ") + layer;
  };
  if (has_kind(panel, CellKind::value)) {
    add(where("value") + ":" + box + ":4 with boxxyerror fs solid 1 noborder lc palette");
    add(where("value") + ":6:(ink($4)) with labels noenhanced font ',9' textcolor rgb variable");
  } else {  // without a use of the palette there is no colour bar
    add(fmt::format("data index {} using (-9):(-9):(0):(0):(1) with boxxyerror lc palette", block));
  }
  for (const CellLook& look : cell_looks()) {
    if (!has_kind(panel, look.kind)) continue;
    add(fmt::format("{}:{} with boxxyerror fs solid 1 border lc '#bbbbbb' fc '{}'",
                    where(look.name), box, look.fill));
    if (look.hatched)
      add(where(look.name) + ":" + box +
          " with boxxyerror fs transparent pattern 4 noborder lc '#cfcfcf'");
    add(fmt::format("{}:6 with labels noenhanced font ',9' textcolor '{}'", where(look.name),
                    look.ink));
  }
  return text + "\n";
}

}  // namespace

std::string heat_map_data(const HeatMap& map) {
  const FigureRequest& request = map.request;
  std::string text =
      fmt::format("# {}: {}\n# {} and {} by number from 0, kind, median, rows, label\n", request.y,
                  one_line(heat_map_subtitle(map)), request.x, request.series);
  for (std::size_t i = 0; i < map.panels.size(); ++i) {
    const HeatPanel& panel = map.panels[i];
    if (i > 0) text += "\n\n";
    text += fmt::format("# {}\n",
                        request.panel.empty() ? "all" : request.panel + "=" + one_line(panel.name));
    for (const HeatCell& cell : panel.cells)
      text += fmt::format("{} {} {} {} {} {}\n", cell.column, cell.row, name_of(cell.kind),
                          cell.kind == CellKind::value ? shortest(cell.value) : "-", cell.count,
                          cell_text(cell, request.y));
  }
  return text;
}

std::string heat_map_script(const HeatMap& map) {
  const HeatMapLayout layout = heat_map_layout(map);
  const FigureRequest& request = map.request;
  std::string text = header(map, layout) + axes(map, layout) + "set multiplot\n";
  for (std::size_t i = 0; i < map.panels.size(); ++i) {
    const HeatPanel& panel = map.panels[i];
    const bool own = request.own_y_range;
    const ColourScale scale =
        own ? colour_scale({&panel, 1}, request.y) : colour_scale(map.panels, request.y);
    const bool first_in_row = i % layout.across == 0;
    const bool last_in_row = (i + 1) % layout.across == 0 || i + 1 == map.panels.size();
    text += fmt::format("\n# {}\nunset label\nunset object\n",
                        panel.name.empty() ? request.name : one_line(panel.name));
    if (i == 0) {
      text += canvas_title(request.title, heat_map_subtitle(map), HeatMapLayout::margin,
                           layout.width, layout.height);
      text += legend(map, layout);
    }
    text += place(map, i, layout) + colour_settings(scale);
    text += own || last_in_row ? colour_bar(scale, i, layout) : "unset colorbox\n";
    text += first_in_row
                ? fmt::format("set ytics {} noenhanced{}\n", name_list(map.rows), tics_look)
                : "unset ytics\n";
    text += plot_cells(panel, i);
  }
  return text + "unset multiplot\nunset output\n";
}

}  // namespace fftprec
