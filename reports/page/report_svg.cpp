#include "reports/page/report_svg.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "reports/page/report_html.hpp"
#include "reports/plots/plot_styles.hpp"

namespace fftprec {

namespace {

/// Greys of the scripts and the variables of the style sheet that stand for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> greys = {
    {{"#222222", "ink"},
     {"#333333", "ink"},
     {"#666666", "soft"},
     {"#999999", "line"},
     {"#bdbdbd", "line"},
     {"#dddddd", "grid"},
     {"#e6e6e6", "grid"},
     {"#ffffff", "paper"},
     {"#444444", "soft"}}};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// Of "#0072b2"; the colour itself if the style sheet has none for it.
std::string variable_of(const std::string& colour) {
  for (std::size_t i = 0; i < series_colours().size(); ++i)
    if (lower(series_colours()[i]) == colour) return series_variable(i);
  for (const auto& [grey, name] : greys)
    if (grey == colour) return fmt::format("var(--{})", name);
  return colour;
}

std::optional<int> number_in(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0 || value > 255) return std::nullopt;
  return value;
}

/// "#0072b2" of "  0, 114, 178", the inside of rgb(...); empty if it is something else.
std::string hexadecimal(std::string_view inside) {
  std::array<int, 3> parts{};
  for (int& part : parts) {
    const std::size_t comma = inside.find(',');
    const auto value = number_in(inside.substr(0, comma));
    if (!value) return {};
    part = *value;
    inside.remove_prefix(comma == std::string_view::npos ? inside.size() : comma + 1);
  }
  return fmt::format("#{:02x}{:02x}{:02x}", parts[0], parts[1], parts[2]);
}

/// Every rgb(...) as a variable.
std::string with_variables(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t at = text.find("rgb(");
    const std::size_t end = at == std::string_view::npos ? at : text.find(')', at);
    result += text.substr(0, end == std::string_view::npos ? end : at);
    if (end == std::string_view::npos) break;
    const std::string colour = hexadecimal(text.substr(at + 4, end - at - 4));
    result += colour.empty() ? std::string(text.substr(at, end + 1 - at)) : variable_of(colour);
    text.remove_prefix(end + 1);
  }
  return result;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// Cuts every stretch that begins with `first` and ends with `last`.
void cut_all(std::string& text, std::string_view first, std::string_view last) {
  for (std::size_t at = 0; (at = text.find(first, at)) != std::string::npos;) {
    const std::size_t end = text.find(last, at + first.size());
    if (end == std::string::npos) return;
    text.erase(at, end + last.size() - at);
  }
}

std::string attribute(std::string_view text, std::string_view name) {
  const std::string opening = fmt::format(" {}=\"", name);
  const std::size_t at = text.find(opening);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + opening.size();
  return std::string(text.substr(from, text.find('"', from) - from));
}

/// `<g id="gnuplot_plot_4" ><title>3 bound</title>` as a group that a script can find.
std::string with_curves(std::string_view text, const CurveNames& names) {
  constexpr std::string_view opening = "<g id=\"gnuplot_plot_";
  std::string result;
  while (!text.empty()) {
    const std::size_t at = text.find(opening);
    result += text.substr(0, at);
    if (at == std::string_view::npos) break;
    text.remove_prefix(at);
    const std::size_t begin = text.find("<title>");
    const std::size_t end = text.find("</title>");
    if (begin == std::string_view::npos || end == std::string_view::npos) break;
    const std::string title(text.substr(begin + 7, end - begin - 7));
    const std::size_t space = title.find(' ');
    const auto style = number_in(title);
    if (style && space != std::string::npos) {
      const std::string part = title.substr(space + 1);
      result += fmt::format("<g class=\"curve {}\" data-series=\"{}\">", html_text(part), *style);
      result += element("title", names(static_cast<std::size_t>(*style), part));
    } else {
      result += "<g>";
    }
    text.remove_prefix(end + 8);
  }
  return result;
}

/// gnuplot opens a group before it knows whether anything is to come.
void cut_empty_groups(std::string& text) {
  std::string result;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t at = rest.find("<g ");
    result += rest.substr(0, at);
    if (at == std::string_view::npos) break;
    rest.remove_prefix(at);
    const std::size_t end = rest.find('>');
    if (end == std::string_view::npos) {
      result += rest;
      break;
    }
    std::string_view after = rest.substr(end + 1);
    while (after.starts_with('\n') || after.starts_with('\t')) after.remove_prefix(1);
    if (after.starts_with("</g>")) {
      rest = after.substr(4);
    } else {
      result += rest.substr(0, end + 1);
      rest = rest.substr(end + 1);
    }
  }
  text = result;
}

}  // namespace

CurveNames curve_names(const Figure& figure) {
  std::map<std::size_t, std::string> series;
  for (const Series& each : figure.legend) series[each.style] = each.name;
  for (const Panel& panel : figure.panels)
    for (const Series& each : panel.series) series[each.style] = each.name;
  return [series](std::size_t style, std::string_view part) {
    const auto name = series.find(style);
    const std::string_view what = part == "bound"      ? "worst-case bound"
                                  : part == "expected" ? "expected value"
                                  : part == "exact"    ? "some results are exact"
                                                       : part;
    return fmt::format("{}: {}", name == series.end() ? std::to_string(style) : name->second, what);
  };
}

std::string inline_svg(std::string_view svg, std::string_view label, const CurveNames& names) {
  const std::size_t begin = svg.find("<svg");
  const std::size_t end = svg.rfind("</svg>");
  const std::size_t head_end = svg.find('>', begin == std::string_view::npos ? 0 : begin);
  if (begin == std::string_view::npos || end == std::string_view::npos ||
      head_end == std::string_view::npos || head_end > end)
    return {};
  const std::string box = attribute(svg.substr(begin, head_end - begin), "viewBox");
  std::string body(svg.substr(head_end + 1, end - head_end - 1));
  cut_all(body, "<desc>", "</desc>");
  cut_all(body, "<defs>", "</defs>");
  cut_all(body, "<title>Gnuplot", "</title>");
  replace_all(body, "<g id=\"gnuplot_canvas\">", "<g>");
  body = with_curves(body, names);
  body = with_variables(body);
  replace_all(body, " = '", "='");
  replace_all(body, "xlink:href", "href");
  replace_all(body, "='black'", "='var(--ink)'");
  replace_all(body, "=\"black\"", "=\"var(--ink)\"");
  replace_all(body, " font-family=\"sans-serif\" ", "");
  replace_all(body, " stroke-linecap=\"butt\" stroke-linejoin=\"miter\"", "");
  replace_all(body, "\n\t\t", " ");
  cut_empty_groups(body);
  replace_all(body, "\n\n", "\n");
  return fmt::format("<svg viewBox=\"{}\" role=\"img\" aria-label=\"{}\">{}</svg>", html_text(box),
                     html_text(label), body);
}

std::string point_shapes() {
  return R"svg(<svg class="shapes" width="0" height="0" aria-hidden="true"><defs>
<g id="gpPt3" stroke="currentColor" stroke-width="0.24"><rect x="-1" y="-1" width="2" height="2"/></g>
<g id="gpPt4" fill="currentColor"><use href="#gpPt3"/></g>
<g id="gpPt5" stroke="currentColor" stroke-width="0.24"><circle r="1"/></g>
<g id="gpPt6" fill="currentColor"><use href="#gpPt5"/></g>
<g id="gpPt7" stroke="currentColor" stroke-width="0.24"><path d="M0,-1.33L-1.33,0.67L1.33,0.67z"/></g>
<g id="gpPt8" fill="currentColor"><use href="#gpPt7"/></g>
<g id="gpPt9"><use href="#gpPt7" transform="rotate(180)"/></g>
<g id="gpPt10" fill="currentColor"><use href="#gpPt9"/></g>
<g id="gpPt11"><use href="#gpPt3" transform="rotate(45)"/></g>
<g id="gpPt12" fill="currentColor"><use href="#gpPt11"/></g>
<g id="gpPt13" stroke="currentColor" stroke-width="0.24"><path d="M0,1.33L1.265,0.411L0.782,-1.067L-0.782,-1.076L-1.265,0.411z"/></g>
<g id="gpPt14" fill="currentColor"><use href="#gpPt13"/></g>
</defs></svg>
)svg";
}

std::string without_variables(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < series_colours().size(); ++i)
    replace_all(result, series_variable(i), series_colours()[i]);
  for (const auto& [grey, name] : greys) replace_all(result, fmt::format("var(--{})", name), grey);
  return result;
}

std::string series_variable(std::size_t style) {
  return fmt::format("var(--c{})", style % series_colours().size());
}

std::string series_swatch(std::size_t style) {
  const std::string dashes = dash_list(style);
  return fmt::format(
      "<svg class=\"swatch\" viewBox=\"0 0 30 12\" width=\"30\" height=\"12\" aria-hidden=\"true\" "
      "style=\"color:{0}\"><path d=\"M1,6H29\" stroke=\"{0}\" stroke-width=\"2\"{2}/><use "
      "href=\"#gpPt{1}\" transform=\"translate(15,6) scale(4)\" fill=\"none\"/></svg>",
      series_variable(style), series_shape(style) - 1,
      dashes.empty() ? dashes : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

}  // namespace fftprec
