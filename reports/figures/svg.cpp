#include "reports/figures/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "reports/figures/text.hpp"
#include "reports/text/table.hpp"

namespace fftprec::figures {

using text::element;
using text::markup_text;

namespace {

/// Font sizes, in pixels.
constexpr double title_size = 19;
constexpr double panel_title_size = 15;
constexpr double label_size = 14;
constexpr double tick_size = 13;
constexpr double small_size = 12;

constexpr double gap_x = 22;         ///< between panels, beside what stands there
constexpr double legend_line = 22;   ///< from entry to entry
constexpr double below_line = 16;    ///< of the lines under a panel
constexpr double tick_height = 24;   ///< under a panel, for the labels of ticks
constexpr double name_line = 17;     ///< of names of several lines
constexpr double label_height = 24;  ///< and for the name of the axis
constexpr double sample_width = 30;
constexpr double bar_width = 11;
constexpr double label_inset = 18;  ///< of the name of a vertical axis
constexpr double margin = 24;
constexpr double slant = 35;  ///< degrees, of names that do not fit side by side
constexpr double slant_sine = 0.574;
constexpr double slant_cosine = 0.819;

struct Colour {
  std::string_view name;
  std::string_view light;
  std::string_view dark;
};

constexpr std::array<Colour, 8> series_shades = {{{"c0", "#0072B2", "#3d9be0"},
                                                  {"c1", "#56B4E9", "#8fd0f7"},
                                                  {"c2", "#000000", "#f2f4f7"},
                                                  {"c3", "#D55E00", "#f0722a"},
                                                  {"c4", "#E69F00", "#f0b429"},
                                                  {"c5", "#CC79A7", "#e29cc5"},
                                                  {"c6", "#009E73", "#2fc79b"},
                                                  {"c7", "#882255", "#c9588a"}}};
static_assert(series_shades.size() == series_colours);
constexpr std::array<Colour, 5> greys = {{{"ink", "#1d2126", "#e7eaee"},
                                          {"soft", "#5a626c", "#a3acb7"},
                                          {"line", "#aab1ba", "#5c6670"},
                                          {"grid", "#e4e7eb", "#2d343c"},
                                          {"paper", "#ffffff", "#14171b"}}};

constexpr Colour failure = {"bad", "#b23c00", "#ff9457"};

constexpr std::string_view text_rule = "svg text{fill:currentColor}";

bool shows_failures(const Figure& figure) {
  return std::ranges::any_of(
      figure.legend, [](const LegendEntry& entry) { return entry.sample.colour == failure.name; });
}

/// The classes with their colours written out, for a file that stands alone.
std::string document_style(const Figure& figure) {
  std::string light;
  std::string dark;
  const auto add = [&](const Colour& colour) {
    light += fmt::format(".{}{{color:{}}}", colour.name, colour.light);
    dark += fmt::format(".{}{{color:{}}}", colour.name, colour.dark);
  };
  for (const Colour& colour : series_shades) add(colour);
  for (const Colour& colour : greys) add(colour);
  if (shows_failures(figure)) add(failure);
  return fmt::format("<style>{}{}\n@media (prefers-color-scheme:dark){{{}}}</style>\n", text_rule,
                     light, dark);
}

constexpr std::string_view hatching =
    "<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><path d=\"M0,0V6\" stroke=\"#c4c4c4\" stroke-width=\"2\"/>"
    "</pattern>";

std::string shapes() {
  struct Shape {
    Mark mark;
    bool filled;
    std::string_view outline;
  };
  constexpr std::string_view disc = "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z";
  constexpr std::string_view square = "M-3.6,-3.6H3.6V3.6H-3.6z";
  constexpr std::string_view up = "M0,-5L-4.7,3.2H4.7z";
  constexpr std::array<Shape, 11> all = {
      {{Mark::disc, true, disc},
       {Mark::circle, false, disc},
       {Mark::square, true, square},
       {Mark::up, true, up},
       {Mark::open_up, false, up},
       {Mark::diamond, true, "M0,-5L5,0L0,5L-5,0z"},
       {Mark::down, true, "M0,5L-4.7,-3.2H4.7z"},
       {Mark::pentagon, true, "M0,-4.8L4.6,-1.5L2.8,3.9H-2.8L-4.6,-1.5z"},
       {Mark::open_square, false, square},
       {Mark::dot, true, "M-2.4,0a2.4,2.4 0 1,0 4.8,0a2.4,2.4 0 1,0 -4.8,0z"},
       {Mark::cross, false, "M-4,-4L4,4M-4,4L4,-4"}}};
  std::string text;
  for (const Shape& shape : all)
    text += fmt::format("<path id=\"m{}\" d=\"{}\" stroke=\"currentColor\" fill=\"{}\"/>\n",
                        static_cast<int>(shape.mark), shape.outline,
                        shape.filled ? "currentColor" : "none");
  return text;
}

/// Two decimals at most: the last bits of a logarithm do not show.
std::string px(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string text_at(double x, double y, std::string_view anchor, double size,
                    std::string_view colour, const std::string& markup,
                    const std::string& more = {}) {
  return fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-size=\"{}\" class=\"{}\"{}>{}</text>\n",
      px(x), px(y), anchor, px(size), colour, more, markup);
}

std::string markup_of(const Label& label, double size) {
  std::string markup = markup_text(label.text);
  const auto add = [&](const std::string& text, double down) {
    if (!text.empty())
      markup += fmt::format("<tspan dy=\"{}\" font-size=\"{}\">{}</tspan>", px(down),
                            px(index_share * size), markup_text(text));
  };
  add(label.superscript, -0.38 * size);
  add(label.subscript, 0.25 * size);
  return markup;
}

bool is_empty(const Label& label) { return label.text.empty(); }

/// `size`, or smaller if the text would not fit.
double fitting(double size, std::string_view text, double room) {
  return std::min(size, size * room / std::max(text_width(text, size), 1.0));
}

std::string title_element(const std::string& tip) {
  return tip.empty() ? std::string() : element("title", tip);
}

/// Empty for an empty text.
std::string data_attribute(std::string_view name, const std::string& text) {
  return text.empty() ? text : fmt::format(" data-{}=\"{}\"", name, markup_text(text));
}

/// The rules of a panel, for a script that draws other axes: a line each, with axis, value,
/// strength, text and subscript between tabs.
std::string rules_attribute(const Panel& panel) {
  std::string text;
  const auto add = [&text](std::string_view axis, const std::vector<Rule>& rules) {
    for (const Rule& rule : rules)
      text += fmt::format("{}{}\t{:.9g}\t{:d}\t{}\t{}", text.empty() ? "" : "\n", axis, rule.at,
                          rule.strong, rule.label.text, rule.label.subscript);
  };
  add("x", panel.x.rules);
  add("y", panel.y.rules);
  return data_attribute("rules", text);
}

/// The frame of a panel, from its upper left corner.
struct Frame {
  double left;
  double top;
  double width;
  double height;

  double right() const { return left + width; }
  double base() const { return top + height; }
};

bool in_range(double share) { return share > -1e-3 && share < 1 + 1e-3; }

/// A tick that is drawn, and whether its label is.
struct ShownTick {
  const Tick* tick;
  double share;
  bool labelled;
};

/// Room that a label needs along its axis.
double extent(const Tick& tick, bool vertical) {
  return vertical ? 15 : label_width(tick.label, tick_size);
}

/// Every tick within the axis; labels as many as fit, evenly: on a vertical axis counted from the
/// upper end. Where labels are left out, or stand close, ticks between them are too.
std::vector<ShownTick> shown_ticks(const Axis& axis, double length, bool vertical) {
  constexpr double apart = 10;
  std::vector<ShownTick> shown;
  std::vector<std::size_t> major;
  for (const Tick& tick : axis.ticks) {
    const double share = axis.share(tick.at);
    if (!in_range(share)) continue;
    if (!is_empty(tick.label) && !tick.always) major.push_back(shown.size());
    shown.push_back({&tick, share, tick.always});
  }
  if (vertical) std::reverse(major.begin(), major.end());
  const auto fits = [&](std::size_t a, std::size_t b) {
    return std::abs(shown[a].share - shown[b].share) * length >=
           (extent(*shown[a].tick, vertical) + extent(*shown[b].tick, vertical)) / 2 + apart;
  };
  std::size_t step = 1;
  for (bool all = false; !all; step += all ? 0 : 1) {
    all = true;
    for (std::size_t i = 0; all && i + step < major.size(); i += step)
      all = fits(major[i], major[i + step]);
  }
  for (std::size_t i = 0; i < major.size(); i += step) {
    shown[major[i]].labelled = true;
    for (const ShownTick& other : shown)
      if (other.tick->always && !fits(major[i], static_cast<std::size_t>(&other - shown.data())))
        shown[major[i]].labelled = false;
  }
  const bool roomy =
      major.size() < 2 || std::abs(shown[major[1]].share - shown[major[0]].share) * length >= 16;
  if (step > 1 || !roomy)
    std::erase_if(shown, [](const ShownTick& each) { return is_empty(each.tick->label); });
  return shown;
}

/// The lines of a name.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

double widest_tick(const Axis& axis) {
  double most = 0;
  for (const Tick& tick : axis.ticks)
    for (const std::string& line : lines_of(tick.label.text))
      most = std::max(most,
                      label_width({line, tick.label.superscript, tick.label.subscript}, tick_size));
  return most;
}

bool is_slanted(const Panel& panel, double width) {
  if (!panel.x.names || panel.x.ticks.size() < 2) return false;
  return widest_tick(panel.x) + 6 > width / static_cast<double>(panel.x.ticks.size());
}

bool is_framed(const Panel& panel) { return !(panel.x.names && panel.y.names); }

/// Pixels left of the frame for the labels of ticks, and the name of the axis.
double left_of(const Panel& panel) {
  return widest_tick(panel.y) + 12 + (panel.y.label.empty() ? 12 : label_inset + 10);
}

/// Right of the frame for the labels of rules, or the colour bar.
double right_of(const Panel& panel, bool rules) {
  double most = 8;
  for (const Tick& tick : panel.x.ticks)
    if (!panel.x.names && panel.x.share(tick.at) > 0.8)
      most = std::max(most, label_width(tick.label, tick_size) / 2 + 4);
  if (rules)
    for (const Rule& rule : panel.y.rules)
      most = std::max(most, text_width(rule.label.text + rule.label.subscript, small_size) + 8);
  if (panel.bar) most = 8 + bar_width + 6 + widest_tick(panel.bar->axis) + 8;
  return most;
}

double ticks_height(const Panel& panel, double width) {
  if (is_slanted(panel, width)) return 16 + slant_sine * widest_tick(panel.x);
  std::size_t lines = 1;
  for (const Tick& tick : panel.x.ticks) lines = std::max(lines, lines_of(tick.label.text).size());
  return tick_height + name_line * static_cast<double>(lines - 1);
}

/// Draws the panels, once it is known where each stands.
class Painter {
 public:
  explicit Painter(std::string& out) : out_(out) {}

  struct Parts {
    bool y_ticks = true;  ///< their labels, and the name of the axis
    bool x_label = true;
    bool rule_labels = true;
    bool bar = true;
    bool wheres = false;      ///< marks say which rows they stand for
    double y_label_left = 0;  ///< where the name of the vertical axis stands
    double canvas_width = 0;
    double canvas_height = 0;
  };

  void panel(const Panel& panel, const Frame& frame, const Parts& parts) {
    panel_ = &panel;
    frame_ = frame;
    wheres_ = parts.wheres;
    const auto x_ticks = shown_ticks(panel.x, frame.width, false);
    const auto y_ticks = shown_ticks(panel.y, frame.height, true);
    if (wheres_) out_ += "<g class=\"under\"" + rules_attribute(panel) + ">\n";
    grid(x_ticks, y_ticks);
    rules(parts.rule_labels);
    if (wheres_) out_ += "</g>\n";
    for (const Layer& layer : panel.layers) draw(layer);
    if (wheres_) out_ += "<g class=\"over\">\n";
    if (is_framed(panel)) axes(x_ticks, y_ticks);
    tick_labels(x_ticks, y_ticks, parts.y_ticks);
    if (wheres_) out_ += "</g>\n";
    names(parts);
    double down = frame.top + 15;
    for (const std::string& note : panel.notes) {
      out_ += text_at(frame.left + 8, down, "start", small_size, "soft", markup_text(note));
      down += below_line;
    }
    if (panel.bar && parts.bar) bar(*panel.bar);
    down = frame.base() + ticks_height(panel, frame.width) + label_height + below_line;
    for (const std::string& line : panel.below) {
      out_ += text_at(frame.left, down, "start", small_size, "ink", markup_text(line));
      down += below_line;
    }
  }

 private:
  /// Beyond the frame by two pixels at most, whatever the value.
  double across(double x) const {
    const double beyond = 2 / frame_.width;
    return frame_.left + std::clamp(panel_->x.share(x), -beyond, 1 + beyond) * frame_.width;
  }
  double down(double y) const {
    const double beyond = 2 / frame_.height;
    return frame_.base() - std::clamp(panel_->y.share(y), -beyond, 1 + beyond) * frame_.height;
  }
  bool is_shown(const Spot& spot) const {
    return in_range(panel_->x.share(spot.x)) && in_range(panel_->y.share(spot.y));
  }

  void path(const std::string& way, std::string_view colour, double width = 1,
            std::string_view dashes = "") {
    out_ +=
        fmt::format("<path d=\"{}\" class=\"{}\" stroke=\"currentColor\" fill=\"none\"{}{}/>\n",
                    way, colour, width == 1 ? "" : fmt::format(" stroke-width=\"{}\"", px(width)),
                    dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
  }

  void grid(const std::vector<ShownTick>& x_ticks, const std::vector<ShownTick>& y_ticks) {
    std::string way;
    if (panel_->x.grid)
      for (const ShownTick& each : x_ticks)
        if (each.labelled && each.tick->at != panel_->x.zero)
          way += fmt::format("M{},{}v{}", px(frame_.left + each.share * frame_.width),
                             px(frame_.top), px(frame_.height));
    if (panel_->y.grid)
      for (const ShownTick& each : y_ticks)
        if (each.labelled && each.tick->at != panel_->y.zero)
          way += fmt::format("M{},{}h{}", px(frame_.left),
                             px(frame_.base() - each.share * frame_.height), px(frame_.width));
    if (!way.empty()) path(way, "grid");
  }

  void rules(bool labels) {
    for (const Rule& rule : panel_->x.rules) {
      const double at = across(rule.at);
      path(fmt::format("M{},{}V{}", px(at), px(frame_.base()), px(frame_.top)),
           rule.strong ? "ink" : "line", rule.strong ? 1.5 : 1);
      if (!is_empty(rule.label))
        out_ += text_at(at - 5, frame_.top + 15, "end", tick_size, "ink",
                        markup_of(rule.label, tick_size));
    }
    std::map<double, std::pair<const Rule*, double>> downwards;  // with the places of labels
    for (const Rule& rule : panel_->y.rules) downwards[down(rule.at)] = {&rule, down(rule.at)};
    double next = frame_.top;  // below the label above, and above the one below
    for (auto& [at, label] : downwards)
      if (!is_empty(label.first->label)) next = (label.second = std::max(at, next)) + small_size;
    next = frame_.base();
    for (auto each = downwards.rbegin(); each != downwards.rend(); ++each)
      if (auto& [rule, place] = each->second; !is_empty(rule->label))
        next = (place = std::min(place, next)) - small_size;
    for (const auto& [at, label] : downwards) {
      const auto& [rule, place] = label;
      path(fmt::format("M{},{}H{}", px(frame_.left), px(at), px(frame_.right())),
           rule->strong ? "ink" : "line");
      if (labels && !is_empty(rule->label))
        out_ += text_at(frame_.right() + 7, place + 4, "start", small_size, "soft",
                        markup_of(rule->label, small_size));
    }
  }

  void axes(const std::vector<ShownTick>& x_ticks, const std::vector<ShownTick>& y_ticks) {
    std::string way = fmt::format("M{},{}V{}H{}", px(frame_.left), px(frame_.top),
                                  px(frame_.base()), px(frame_.right()));
    for (const ShownTick& each : x_ticks)
      way += fmt::format("M{},{}v{}", px(frame_.left + each.share * frame_.width),
                         px(frame_.base()), each.labelled ? "5" : "3");
    for (const ShownTick& each : y_ticks)
      way +=
          fmt::format("M{},{}h{}", px(frame_.left), px(frame_.base() - each.share * frame_.height),
                      each.labelled ? "-5" : "-3");
    path(way, "soft");
  }

  void tick_labels(const std::vector<ShownTick>& x_ticks, const std::vector<ShownTick>& y_ticks,
                   bool y_labels) {
    const bool slanted = is_slanted(*panel_, frame_.width);
    for (const ShownTick& each : x_ticks) {
      if (!each.labelled) continue;
      const double at = frame_.left + each.share * frame_.width;
      double y = frame_.base() + 20;
      const std::string turned =
          slanted ? fmt::format(" transform=\"rotate(-{} {} {})\"", px(slant), px(at), px(y))
                  : std::string();
      Label label = each.tick->label;
      for (const std::string& line : lines_of(each.tick->label.text)) {
        label.text = line;
        out_ += text_at(at, y, slanted ? "end" : "middle", tick_size, "ink",
                        markup_of(label, tick_size), turned);
        y += name_line;
      }
    }
    if (!y_labels) return;
    for (const ShownTick& each : y_ticks)
      if (each.labelled)
        out_ += text_at(frame_.left - 8, frame_.base() - each.share * frame_.height + 4.5, "end",
                        tick_size, "ink", markup_of(each.tick->label, tick_size));
  }

  void names(const Parts& parts) {
    const Axis& x = panel_->x;
    const Axis& y = panel_->y;
    if (!panel_->title.empty())
      out_ += text_at(frame_.left + 2, frame_.top - 9, "start", panel_title_size, "ink",
                      markup_text(panel_->title));
    if (parts.x_label && !x.label.empty()) {
      const double size = fitting(label_size, x.label, parts.canvas_width - 8);
      const double half = text_width(x.label, size) / 2 + 4;
      const double middle = std::clamp(frame_.left + frame_.width / 2, half,
                                       std::max(half, parts.canvas_width - half));
      out_ +=
          text_at(middle, frame_.base() + ticks_height(*panel_, frame_.width) + label_height - 7,
                  "middle", size, "ink", markup_text(x.label));
    }
    if (parts.y_ticks && !y.label.empty()) {
      const double size = fitting(label_size, y.label, parts.canvas_height - 8);
      const double half = text_width(y.label, size) / 2 + 4;
      const double middle = std::clamp(frame_.top + frame_.height / 2, half,
                                       std::max(half, parts.canvas_height - half));
      out_ += text_at(
          parts.y_label_left, middle, "middle", size, "ink", markup_text(y.label),
          fmt::format(" transform=\"rotate(-90 {} {})\"", px(parts.y_label_left), px(middle)));
    }
  }

  void bar(const ColourBar& bar) {
    const double height = std::min(frame_.height, 260.0);
    const double left = frame_.right() + 8;
    const double each = height / static_cast<double>(bar.colours.size());
    double base = frame_.top + height;
    for (const std::string& colour : bar.colours) {
      base -= each;
      out_ += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
          "shape-rendering=\"crispEdges\"/>\n",
          px(left), px(base), px(bar_width), px(each + 0.5), colour);
    }
    for (const ShownTick& tick : shown_ticks(bar.axis, height, true))
      if (tick.labelled)
        out_ += text_at(left + bar_width + 5, base + (1 - tick.share) * height + 4.5, "start",
                        tick_size, "ink", markup_of(tick.tick->label, tick_size));
  }

  void draw(const Layer& layer) {
    if (layer.spots.empty()) return;
    out_ += fmt::format("<g class=\"curve {} {}\" data-series=\"{}\"{}>{}", layer.part,
                        layer.colour, layer.style, where(layer.where), title_element(layer.tip));
    constexpr void (Painter::*forms[])(const Layer&) = {
        &Painter::line,  &Painter::steps,    &Painter::marks, &Painter::band,
        &Painter::boxes, &Painter::whiskers, &Painter::words};
    (this->*forms[static_cast<std::size_t>(layer.form)])(layer);
    out_ += "</g>\n";
  }

  void line(const Layer& layer) {
    std::string way;
    bool begins = true;  // also behind a value that is not finite
    for (const Spot& spot : layer.spots) {
      if (std::isfinite(spot.y))
        way += fmt::format("{}{},{}", begins ? "M" : "L", px(across(spot.x)), px(down(spot.y)));
      begins = !std::isfinite(spot.y);
    }
    if (!way.empty()) stroke(layer, way);
    marks(layer);
  }

  void steps(const Layer& layer) {
    std::string way;
    for (const Spot& spot : layer.spots)
      way += (way.empty() ? "M" : "H") + px(across(spot.x)) + (way.empty() ? "," : "V") +
             px(down(spot.y));
    stroke(layer, way);
  }

  void stroke(const Layer& layer, const std::string& way) {
    out_ += fmt::format(
        "<path d=\"{}\" stroke=\"currentColor\" fill=\"none\" stroke-width=\"{}\"{}/>", way,
        px(layer.width),
        layer.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", layer.dashes));
  }

  void marks(const Layer& layer) {
    if (layer.mark == Mark::none) return;
    for (const Spot& spot : layer.spots)
      if (is_shown(spot))
        out_ += fmt::format("<use href=\"#m{}\" x=\"{}\" y=\"{}\"{}>{}</use>",
                            static_cast<int>(layer.mark), px(across(spot.x)), px(down(spot.y)),
                            where(spot.where), title_element(spot.tip));
  }

  void band(const Layer& layer) {
    std::string upper;
    std::string lower;
    for (const Spot& spot : layer.spots) {
      const std::string at = px(across(spot.x));
      upper += fmt::format("{}{},{}", upper.empty() ? "M" : "L", at, px(down(spot.y2)));
      lower = fmt::format("L{},{}", at, px(down(spot.y))) + lower;
    }
    out_ += fmt::format("<path d=\"{}{}Z\" fill=\"currentColor\" opacity=\"{}\"/>", upper, lower,
                        px(layer.opacity));
  }

  void boxes(const Layer& layer) {
    for (const Spot& spot : layer.spots) {
      const double x = std::min(across(spot.x), across(spot.x2));
      const double y = std::min(down(spot.y), down(spot.y2));
      const double width = std::abs(across(spot.x2) - across(spot.x));
      const double height = std::abs(down(spot.y2) - down(spot.y));
      const std::string tip = title_element(spot.tip);
      const auto rect = [&](std::string_view fill, const std::string& inside) {
        out_ += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}{}>{}</rect>", px(x),
            px(y), px(width), px(height), fill,
            layer.opacity == 1 ? "" : fmt::format(" opacity=\"{}\"", px(layer.opacity)),
            where(spot.where), inside);
      };
      rect(spot.fill.empty() ? "currentColor" : spot.fill, tip);
      if (spot.hatched) rect("url(#hatch)", tip);
      if (!spot.text.empty())
        out_ += fmt::format(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"{}\" "
            "style=\"fill:{}\" pointer-events=\"none\">{}</text>\n",
            px(x + width / 2), px(y + height / 2 + 4.5), px(small_size), spot.ink,
            markup_text(spot.text));
    }
  }

  void whiskers(const Layer& layer) {
    std::string way;
    for (const Spot& spot : layer.spots) {
      const double at = across(spot.x);
      way += fmt::format("M{0},{1}V{2}M{3},{1}h8M{3},{2}h8", px(at), px(down(spot.y)),
                         px(down(spot.y2)), px(at - 4));
    }
    stroke(layer, way);
  }

  void words(const Layer& layer) {
    for (const Spot& spot : layer.spots)
      if (is_shown(spot))
        out_ +=
            text_at(across(spot.x) + (layer.left ? -9 : 9), down(spot.y) + (layer.left ? 4 : -4),
                    layer.left ? "end" : "start", tick_size, layer.colour, markup_text(spot.text));
  }

  std::string where(const std::string& lines) const {
    return wheres_ ? data_attribute("where", lines) : std::string();
  }

  std::string& out_;
  const Panel* panel_ = nullptr;
  Frame frame_{};
  bool wheres_ = false;
};

/// The sample of a legend in a box of 30 by 12 pixels; wider and higher if it holds a text.
std::string sample_of(const Layer& sample) {
  const Spot spot = sample.spots.empty() ? Spot{} : sample.spots.front();
  std::string text;
  switch (sample.form) {
    case Form::boxes:
    case Form::band:
      if (!spot.text.empty()) {
        text = fmt::format(
            "<rect x=\"-5\" y=\"-3\" width=\"40\" height=\"18\" fill=\"{}\" "
            "stroke=\"#999999\"/>",
            spot.fill);
        if (spot.hatched)
          text += "<rect x=\"-5\" y=\"-3\" width=\"40\" height=\"18\" fill=\"url(#hatch)\"/>";
        return text + fmt::format(
                          "<text x=\"15\" y=\"10\" text-anchor=\"middle\" font-size=\"12\" "
                          "style=\"fill:{}\">{}</text>",
                          spot.ink, markup_text(spot.text));
      }
      return fmt::format(
          "<rect x=\"1\" y=\"1\" width=\"28\" height=\"10\" fill=\"currentColor\" opacity=\"{}\"/>",
          px(sample.form == Form::band ? std::max(sample.opacity, 0.3) : sample.opacity));
    case Form::words:
      return {};
    case Form::points:
      break;
    case Form::whiskers:
      text = "<path d=\"M1,6H29M1,2v8M29,2v8\" stroke=\"currentColor\" stroke-width=\"1.6\"/>";
      break;
    case Form::line:
    case Form::steps:
      text = fmt::format(
          "<path d=\"M1,6H29\" stroke=\"currentColor\" stroke-width=\"{}\"{}/>", px(sample.width),
          sample.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", sample.dashes));
  }
  if (sample.mark != Mark::none)
    text += fmt::format("<use href=\"#m{}\" x=\"15\" y=\"6\"/>", static_cast<int>(sample.mark));
  return text;
}

/// Where everything of a document stands.
class Layout {
 public:
  explicit Layout(const Figure& figure) : figure_(figure) {
    measure();
    place_columns();
    wrap_titles();
    place_rows();
  }

  std::string draw() const {
    std::string out = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\" "
        "font-family=\"DejaVu Sans, Verdana, sans-serif\" class=\"ink\">\n{3}<defs>\n{4}{5}"
        "</defs>\n<rect width=\"{0}\" height=\"{1}\" class=\"paper\" fill=\"currentColor\"/>\n",
        px(width_), px(height_), markup_text(figure_.title), document_style(figure_), shapes(),
        hatching);
    double down = 31;
    for (const std::string& line : title_) {
      out += text_at(title_left_, down, "start", title_size, "ink", markup_text(line));
      down += 24;
    }
    down -= 1;
    for (const std::string& line : subtitle_) {
      out += text_at(title_left_, down, "start", tick_size, "soft", markup_text(line));
      down += 18;
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const LegendEntry& entry = figure_.legend[i];
      out +=
          fmt::format("<g transform=\"translate({},{})\" class=\"{}\">{}</g>\n", px(entries_[i].x),
                      px(entries_[i].y - 6), entry.sample.colour, sample_of(entry.sample));
      const bool words = entry.sample.form == Form::words;
      out += text_at(entries_[i].x + (words ? 0 : sample_width + 8), entries_[i].y + 5, "start",
                     label_size, words ? entry.sample.colour : "ink", markup_text(entry.name));
    }
    Painter painter(out);
    for (std::size_t i = 0; i < figure_.panels.size(); ++i)
      painter.panel(figure_.panels[i], frames_[i],
                    {.y_ticks = shows_y(i),
                     .x_label = shows_x_label(i),
                     .rule_labels = shows_rules(i),
                     .bar = !figure_.shared_bar || last_in_row(i),
                     .y_label_left = frames_[i].left - left_ + label_inset,
                     .canvas_width = width_,
                     .canvas_height = height_});
    return out + "</svg>\n";
  }

 private:
  struct At {
    double x;
    double y;
  };

  std::size_t count() const { return figure_.panels.size(); }
  bool first_in_row(std::size_t i) const { return i % columns_ == 0; }
  bool last_in_row(std::size_t i) const { return (i + 1) % columns_ == 0 || i + 1 == count(); }
  bool shows_y(std::size_t i) const { return !figure_.shared_y || first_in_row(i); }
  bool shows_rules(std::size_t i) const { return !figure_.shared_y || last_in_row(i); }
  bool shows_x_label(std::size_t i) const {
    return i + columns_ >= count() || !figure_.panels[i].below.empty();
  }
  bool has_column_legend() const { return !figure_.legend.empty() && !figure_.legend_on_top; }

  double legend_width() const {
    constexpr double least = 188;
    double most = 0;
    for (const LegendEntry& entry : figure_.legend)
      most = std::max(most, text_width(entry.name, label_size));
    return std::max(least, sample_width + 8 + most + 12);
  }

  void measure() {
    for (const Panel& panel : figure_.panels) {
      left_ = std::max(left_, left_of(panel));
      right_ = std::max(right_, right_of(panel, true));
      fixed_ = fixed_ || panel.width > 0;
      names_ = names_ || panel.y.names;
      slot_ = std::max(slot_, text_width(panel.title, panel_title_size) + 8);
      slot_ = std::max(slot_, text_width(panel.x.label, label_size) + 8);
    }
    left_ = std::max(left_, names_ ? 92.0 : 76.0);
    for (const Panel& panel : figure_.panels)  // a slanted name may reach further
      if (is_slanted(panel, panel.width))
        left_ = std::max(left_, slant_cosine * widest_tick(panel.x));
  }

  /// Between the frames of two panels side by side.
  double gap() const {
    const bool all_bars = figure_.panels.front().bar && !figure_.shared_bar;
    const double beside = all_bars || !figure_.shared_y ? right_ : 0;
    return figure_.shared_y ? std::max(gap_x, beside + 8) : std::max(gap_x, left_ + beside);
  }

  void place_columns() {
    constexpr double most_fixed = 1500;
    constexpr double most_width = 1300;
    constexpr double least_width = 1000;
    const double column_legend = has_column_legend() ? legend_width() : 0;
    if (fixed_) {
      for (const Panel& panel : figure_.panels)
        slot_ = std::max(slot_, static_cast<double>(panel.width));
      const double room = most_fixed - left_ - slot_ - right_;
      columns_ = std::min({count(), figure_.most_columns,
                           1 + static_cast<std::size_t>(std::max(0.0, room) / (slot_ + gap()))});
      if (count() == 4 && columns_ == 3) columns_ = 2;
    } else {
      columns_ = count() == 1 ? 1 : count() <= 4 || !figure_.shared_y ? 2 : 3;
      columns_ = std::min(columns_, figure_.most_columns);
      while (columns_ > 1 && static_cast<double>(columns_) * slot_ > most_width) --columns_;
      const auto columns = static_cast<double>(columns_);
      const double room = least_width - left_ - right_ - (has_column_legend() ? 212 : 0);
      slot_ = std::max(slot_, std::floor((room - (columns - 1) * gap()) / columns));
    }
    const auto columns = static_cast<double>(columns_);
    const double panels = left_ + columns * slot_ + (columns - 1) * gap() + right_;
    legend_left_ = panels + 16;
    width_ = std::ceil(std::max(panels + (column_legend > 0 ? 16 + column_legend : 0),
                                fixed_                ? 720.0
                                : has_column_legend() ? least_width
                                                      : 0.0));
  }

  void wrap_titles() {
    title_left_ = names_ ? margin : left_;
    const double room = width_ - title_left_ - 16;
    title_ = wrapped(figure_.title, title_size, room);
    if (!figure_.subtitle.empty()) subtitle_ = wrapped(figure_.subtitle, tick_size, room);
    top_ =
        24 * static_cast<double>(title_.size()) + 18 * static_cast<double>(subtitle_.size()) + 16;
    if (!figure_.legend_on_top) return;
    At at{title_left_ + 6, top_ + 14};
    for (const LegendEntry& entry : figure_.legend) {
      const double wide = sample_width + 8 + text_width(entry.name, label_size) + 22;
      if (at.x > title_left_ + 6 && at.x + wide > width_)
        at = {title_left_ + 6, at.y + legend_line};
      entries_.push_back(at);
      at.x += wide;
    }
    if (!entries_.empty()) top_ = entries_.back().y + 12;
  }

  void place_rows() {
    const std::size_t rows = (count() + columns_ - 1) / columns_;
    const double usual = rows == 1 ? 490 : rows == 2 ? 300 : 220;
    double top = top_;
    for (std::size_t first = 0; first < count(); first += columns_) {
      const std::size_t last = std::min(first + columns_, count());
      double above = 10;
      double height = 0;
      double below = 0;
      for (std::size_t i = first; i < last; ++i) {
        const Panel& panel = figure_.panels[i];
        if (!panel.title.empty()) above = 32;
        const double own = panel.height > 0 ? panel.height : usual;
        height = std::max(height, own);
        const bool labelled = shows_x_label(i) && !panel.x.label.empty();
        const auto lines = static_cast<double>(panel.below.size());
        below =
            std::max(below, ticks_height(panel, panel_width(i)) + (labelled ? label_height : 0) +
                                (lines > 0 ? 8 + below_line * lines : 0));
      }
      if (first == 0) legend_top_ = top + above;
      for (std::size_t i = first; i < last; ++i) {
        const auto column = static_cast<double>(i - first);
        const double own = figure_.panels[i].height > 0 ? figure_.panels[i].height : usual;
        frames_.push_back({left_ + column * (slot_ + gap()), top + above, panel_width(i), own});
      }
      top += above + height + below;
    }
    height_ = top + 14;
    if (!has_column_legend()) {
      height_ = std::ceil(height_);
      return;
    }
    double down = legend_top_;
    for (std::size_t i = 0; i < figure_.legend.size(); ++i, down += legend_line)
      entries_.push_back({legend_left_, down});
    height_ = std::ceil(std::max(height_, down + 4));
  }

  double panel_width(std::size_t i) const {
    return figure_.panels[i].width > 0 ? figure_.panels[i].width : slot_;
  }

  const Figure& figure_;
  bool fixed_ = false;  ///< panels say how wide they are
  bool names_ = false;  ///< lines have names at the left
  double left_ = 0;
  double right_ = 0;
  double slot_ = 0;  ///< width of a panel, or of its name
  std::size_t columns_ = 1;
  double width_ = 0;
  double height_ = 0;
  double top_ = 0;  ///< where the panels begin
  double title_left_ = 0;
  double legend_left_ = 0;
  double legend_top_ = 0;
  std::vector<std::string> title_;
  std::vector<std::string> subtitle_;
  std::vector<Frame> frames_;
  std::vector<At> entries_;  ///< of the legend
};

std::string element_of(const std::string& label, int width, int height, const std::string& inside,
                       const std::string& attributes = {}) {
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" class=\"ink\"{}>\n{}</svg>", width,
      height, markup_text(label), attributes, inside);
}

/// What the script needs to draw other rows into the frame.
std::string source_attributes(const Panel& panel, const Frame& frame) {
  const Source& source = panel.source;
  if (source.kind.empty()) return {};
  const auto axis = [](const Axis& each) {
    return fmt::format("{:d} {:.9g} {:.9g} {:.9g}", each.logarithmic, each.low, each.high,
                       each.zero);
  };
  return fmt::format(
             " data-kind=\"{}\" data-frame=\"{} {} {} {}\" data-across=\"{}\" data-down=\"{}\"",
             source.kind, px(frame.left), px(frame.top), px(frame.width), px(frame.height),
             axis(panel.x), axis(panel.y)) +
         data_attribute("x", source.x) + data_attribute("y", source.y) +
         data_attribute("filter", source.filter) + data_attribute("where", source.where) +
         data_attribute("held", source.held) + data_attribute("colours", source.colours);
}

std::string label_of(const Figure& figure, const Panel& panel) {
  return panel.title.empty() ? figure.title : figure.title + ": " + panel.title;
}

}  // namespace

std::string svg_document(const Figure& figure) { return Layout(figure).draw(); }

std::string svg_element(const Figure& figure, std::size_t i, Size size) {
  Panel panel = figure.panels[i];
  const std::string label = label_of(figure, panel);
  panel.title.clear();
  panel.below.clear();
  constexpr double top = 12;
  const bool fits = size.width == 0;
  double left = left_of(panel);
  if (fits && is_slanted(panel, panel.width))  // a slanted name may reach further
    left = std::max(left, slant_cosine * widest_tick(panel.x));
  const double width = fits ? panel.width : size.width - left - right_of(panel, true);
  const double bottom = ticks_height(panel, width) + (panel.x.label.empty() ? 6 : label_height + 2);
  if (fits)
    size = {static_cast<int>(std::ceil(left + width + right_of(panel, true))),
            static_cast<int>(std::ceil(top + panel.height + bottom))};
  const Frame frame{left, top, width, size.height - top - bottom};
  std::string inside;
  Painter(inside).panel(panel, frame,
                        {.wheres = true,
                         .y_label_left = label_inset,
                         .canvas_width = static_cast<double>(size.width),
                         .canvas_height = static_cast<double>(size.height)});
  return element_of(label, size.width, size.height, inside,
                    source_attributes(panel, frame) +
                        (fits ? fmt::format(" style=\"width:{}px\"", size.width) : ""));
}

std::string svg_element(const Figure& figure, int width) {
  double left = 0;
  double right = 0;
  for (const Panel& panel : figure.panels) {
    left = std::max(left, left_of(panel));
    right = std::max(right, right_of(panel, true));
  }
  std::string inside;
  Painter painter(inside);
  double top = 12;
  for (const Panel& panel : figure.panels) {
    const Frame frame{left, top, width - left - right, static_cast<double>(panel.height)};
    painter.panel(panel, frame, {.y_label_left = label_inset, .canvas_width = 1.0 * width});
    top = frame.base() + tick_height + (panel.x.label.empty() ? 6 : label_height) + 10;
  }
  return element_of(figure.title, width, static_cast<int>(std::ceil(top)), inside);
}

std::string swatch(const Layer& sample) {
  return fmt::format(
      "<svg class=\"swatch {}\" viewBox=\"0 0 30 12\" width=\"30\" height=\"12\" "
      "aria-hidden=\"true\">{}</svg>",
      sample.colour, sample_of(sample));
}

std::string mark_shapes() {
  return fmt::format(
      "<svg class=\"shapes\" width=\"0\" height=\"0\" aria-hidden=\"true\" data-cross=\"#m{}\">"
      "<defs>\n{}{}</defs></svg>\n",
      static_cast<int>(Mark::cross), shapes(), hatching);
}

std::string style_sheet() {
  std::string light;
  std::string dark;
  std::string classes;
  for (const Colour& colour : series_shades) {
    light += fmt::format("--{}:{};", colour.name, colour.light);
    dark += fmt::format("--{}:{};", colour.name, colour.dark);
    classes += fmt::format(".{0}{{color:var(--{0})}}", colour.name);
  }
  for (const Colour& colour : greys)
    classes += fmt::format("svg.{0},svg .{0}{{color:var(--{0})}}", colour.name);
  classes += fmt::format("svg.{0},svg .{0}{{color:var(--{0})}}", failure.name);
  return fmt::format(
      "{}{}\n:root{{{}}}\n@media screen and (prefers-color-scheme:dark)"
      "{{:root{{{}}}}}\n",
      text_rule, classes, light, dark);
}

}  // namespace fftprec::figures
