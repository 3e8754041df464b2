#include <fmt/format.h>

#include <algorithm>

#include "reports/page/report_html.hpp"
#include "reports/page/report_sections.hpp"
#include "reports/page/report_svg.hpp"

namespace fftprec {

namespace {

std::string image_of(const Images& images, const std::string& name) {
  const auto found = images.svg.find(name);
  return found == images.svg.end() ? std::string() : found->second;
}

/// "transform fft, machine trn; median and range over 3 seeds; 2 rows not finite, not drawn."
std::string caption_of(const Figure& figure) {
  std::string text = figure.held;
  if (!figure.pooled.empty()) text += "; median and range over " + figure.pooled;
  if (figure.not_drawn > 0)
    text += fmt::format("; {} rows not finite, not drawn", figure.not_drawn);
  return text + ".";
}

std::string switch_of(const Series& series) {
  return fmt::format(
      "<label><input type=\"checkbox\" checked data-series=\"{}\">{}<span>{}</span></label>\n",
      series.style, series_swatch(series.style), html_text(series.name));
}

std::string view_of(const View& view, const Images& images, bool first) {
  std::string legend;
  for (const Series& series : view.figure.legend) legend += switch_of(series);
  return fmt::format(
      "<figure class=\"view\" id=\"{}\"{}>\n<div class=\"plot\">{}</div>\n"
      "<div class=\"legend{}\">{}\n{}<p><button type=\"button\" data-all=\"1\">all</button> "
      "<button type=\"button\" data-all=\"0\">none</button></p></div>\n"
      "<figcaption>{}</figcaption>\n</figure>\n",
      view.id, first ? "" : " hidden", image_of(images, view.id),
      view.figure.legend.size() > 24 ? " many" : "",
      element("h3", view.axis == "algorithm" ? "modes" : "algorithms"), legend,
      html_text(caption_of(view.figure) + view.note));
}

std::string choice_of(const std::vector<View>& views) {
  std::string options;
  for (const auto& [axis, label] : {std::pair{"algorithm", "the modes of one algorithm"},
                                    std::pair{"mode", "the algorithms of one mode"}}) {
    options += fmt::format("<optgroup label=\"{}\">", label);
    for (const View& view : views)
      if (view.axis == axis)
        options += element("option", view.name, fmt::format("value=\"{}\"", view.id));
    options += "</optgroup>";
  }
  return "<label>Show <select id=\"view\">" + options + "</select></label>\n";
}

constexpr std::string_view part_switches =
    R"(<span class="parts">
<label><input type="checkbox" checked data-part="range"><span class="key band"></span>range</label>
<label><input type="checkbox" checked data-part="expected"><span class="key dotted"></span>expected value</label>
<label><input type="checkbox" checked data-part="bound"><span class="key dashed"></span>worst-case bound</label>
</span>
)";

std::string multiples(const Figure& figure, const std::string& note, std::string_view name,
                      const Images& images) {
  std::string text = "<ul class=\"legend-line\">";
  for (const Series& series : figure.legend)
    text += fmt::format("<li>{}{}</li>", series_swatch(series.style), html_text(series.name));
  text += "</ul>\n<div class=\"multiples\">\n";
  std::string left_out;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const std::string image = image_of(images, image_name(name, i));
    if (image.empty())
      left_out += (left_out.empty() ? "" : ", ") + figure.panels[i].name;
    else
      text += fmt::format("<figure>{}{}</figure>\n", element("h4", figure.panels[i].name), image);
  }
  text += "</div>\n" + element("p", caption_of(figure) + note, "class=\"caption\"") + "\n";
  if (!left_out.empty())
    text += element("p", "Too many to show: " + left_out + ".", "class=\"caption\"") + "\n";
  return text;
}

}  // namespace

std::string curves_section(const ReportFigures& figures, const Images& images) {
  std::string body;
  if (figures.views.empty())
    return section("curves", "Error against transform length",
                   "<p>No row was measured with an error to draw.</p>\n");
  if (!images.problem.empty())
    body += element("p",
                    "Drawn plainly, without gnuplot (" + images.problem +
                        "): the lines of unit roundoffs are missing.",
                    "class=\"warning\"");
  body += "<div class=\"controls\">" + choice_of(figures.views) + std::string(part_switches) +
          "</div>\n";
  for (const View& view : figures.views) body += view_of(view, images, &view == &figures.views[0]);
  if (!figures.views_left_out.empty()) {
    std::string names;
    for (const std::string& name : figures.views_left_out)
      names += (names.empty() ? "" : ", ") + name;
    body += element("p", "Too many to show: " + names + "; fftprec plot draws them.",
                    "class=\"caption\"");
  }
  return section("curves", "Error against transform length", body);
}

std::string multiples_section(const ReportFigures& figures, const Images& images) {
  std::string body;
  if (!figures.by_algorithm.panels.empty())
    body += "<h3>By algorithm</h3>\n" +
            multiples(figures.by_algorithm, figures.by_algorithm_note, "algorithm", images);
  if (figures.by_input.panels.size() > 1)
    body +=
        "<h3>By input</h3>\n" + multiples(figures.by_input, figures.by_input_note, "input", images);
  else if (!figures.by_input.panels.empty())
    body += element("p", "The only input is " + figures.by_input.panels.front().name + ".");
  if (body.empty()) body = "<p>No row was measured with an error to draw.</p>\n";
  return section("multiples", "By algorithm and by input", body);
}

}  // namespace fftprec
