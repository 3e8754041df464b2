/// A judge of SVG pictures that shares nothing with their writer: it reads the XML, works out where
/// texts and marks stand, and says what is cut or covered.
#pragma once

#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/markup.hpp"

namespace fftprec::testing {

/// An element with all that is in it. `x` and `y` are where the translations around it put it.
struct SvgElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;   ///< its own and that of its tspans, as a reader sees it
  std::string title;  ///< of its <title>
  std::vector<std::string> classes_around;
  double x = 0;
  double y = 0;

  double number(const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
  }
  std::string at(const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? std::string() : found->second;
  }
  bool within(std::string_view class_name) const {
    for (const std::string& around : classes_around)
      if ((" " + around + " ").find(" " + std::string(class_name) + " ") != std::string::npos)
        return true;
    return false;
  }
};

inline std::string unescaped(std::string text) {
  const std::pair<std::string_view, std::string_view> entities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [from, to] : entities)
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

/// Every element in the order of the file. Throws std::runtime_error if the picture is no XML.
inline std::vector<SvgElement> read_svg(std::string_view svg) {
  const std::size_t begin = svg.find("<svg");
  if (begin == std::string_view::npos) throw std::runtime_error("no <svg");
  if (const std::string problem = markup_problem(svg.substr(begin)); !problem.empty())
    throw std::runtime_error(problem);
  std::vector<SvgElement> elements;
  std::vector<std::size_t> open;
  for (std::size_t i = begin; i < svg.size();) {
    if (svg[i] != '<') {
      const std::size_t end = std::min(svg.find('<', i), svg.size());
      const std::string text = unescaped(std::string(svg.substr(i, end - i)));
      if (!open.empty()) {
        std::size_t owner = open.size() - 1;
        while (owner > 0 && elements[open[owner]].name == "tspan") --owner;
        const bool is_title = elements[open[owner]].name == "title" && owner > 0;
        (is_title ? elements[open[owner - 1]].title : elements[open[owner]].text) += text;
      }
      i = end;
      continue;
    }
    const std::size_t end = svg.find('>', i);
    if (svg[i + 1] == '/') {
      open.pop_back();
      i = end + 1;
      continue;
    }
    SvgElement element;
    std::size_t at = i + 1;
    while (at < end && svg[at] != ' ' && svg[at] != '/') element.name += svg[at++];
    while ((at = svg.find_first_not_of(' ', at)) < end && svg[at] != '/') {
      const std::size_t equals = svg.find('=', at);
      const std::size_t close = svg.find('"', equals + 2);
      element.attributes[std::string(svg.substr(at, equals - at))] =
          unescaped(std::string(svg.substr(equals + 2, close - equals - 2)));
      at = close + 1;
    }
    if (!open.empty()) {
      const SvgElement& parent = elements[open.back()];
      element.x = parent.x;
      element.y = parent.y;
      element.classes_around = parent.classes_around;
      element.classes_around.push_back(parent.at("class"));
    }
    double x = 0;
    double y = 0;
    if (std::sscanf(element.at("transform").c_str(), "translate(%lf,%lf)", &x, &y) == 2) {
      element.x += x;
      element.y += y;
    }
    elements.push_back(element);
    if (element.name == "style") {
      i = svg.find("</style>", end) + 8;
      continue;
    }
    if (svg[end - 1] != '/') open.push_back(elements.size() - 1);
    i = end + 1;
  }
  return elements;
}

/// The rectangle that a text takes at least: three quarters of the letters' usual widths, so that a
/// narrow font cannot excuse what a usual one would show.
struct TextBox {
  std::string text;
  double left;
  double right;
  double top;
  double bottom;
};

inline std::vector<TextBox> text_boxes(const std::vector<SvgElement>& elements) {
  std::vector<TextBox> boxes;
  for (const SvgElement& element : elements) {
    if (element.name != "text" || element.text.empty()) continue;
    const double size = element.number("font-size");
    std::size_t letters = 0;
    for (const char c : element.text) letters += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    const double width = 0.5 * size * static_cast<double>(letters);
    const double x = element.x + element.number("x");
    const double y = element.y + element.number("y");
    const std::string anchor = element.at("text-anchor");
    const double before = anchor == "end" ? width : anchor == "middle" ? width / 2 : 0;
    const std::string turned = element.at("transform");
    if (turned.starts_with("rotate(-90"))
      boxes.push_back({element.text, x - 0.7 * size, x, y - width / 2, y + width / 2});
    else if (turned.empty())
      boxes.push_back({element.text, x - before, x - before + width, y - 0.7 * size, y});
  }
  return boxes;
}

/// What is cut at the edge of the picture, or stands on another text; empty if nothing is.
inline std::string text_problem(std::string_view svg) {
  const std::vector<SvgElement> elements = read_svg(svg);
  double width = 0;
  double height = 0;
  if (std::sscanf(elements.front().at("viewBox").c_str(), "0 0 %lf %lf", &width, &height) != 2)
    return "no viewBox";
  const std::vector<TextBox> boxes = text_boxes(elements);
  for (const TextBox& box : boxes)
    if (box.left < 0 || box.right > width || box.top < 0 || box.bottom > height)
      return "cut: " + box.text;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (boxes[i].left < boxes[j].right && boxes[j].left < boxes[i].right &&
          boxes[i].top < boxes[j].bottom && boxes[j].top < boxes[i].bottom)
        return "'" + boxes[i].text + "' stands on '" + boxes[j].text + "'";
  return {};
}

/// Elements of this name within a group of this class; any group if the class is empty.
inline std::vector<SvgElement> elements_of(std::string_view svg, std::string_view name,
                                           std::string_view class_name = "") {
  std::vector<SvgElement> found;
  for (const SvgElement& element : read_svg(svg))
    if (element.name == name && (class_name.empty() || element.within(class_name)))
      found.push_back(element);
  return found;
}

/// What the picture's texts say.
inline std::vector<std::string> texts_of(std::string_view svg) {
  std::vector<std::string> texts;
  for (const SvgElement& element : read_svg(svg))
    if (element.name == "text") texts.push_back(element.text);
  return texts;
}

}  // namespace fftprec::testing
