/// Is a page well-formed? A judge of HTML as this project writes it: every element that is opened
/// is closed, in order; every attribute is quoted; no stray < or &.
#pragma once

#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace fftprec::testing {

/// Empty if `page` is well-formed, else what is wrong and where.
inline std::string markup_problem(std::string_view page) {
  constexpr std::array voids = {"meta", "input", "link", "br", "hr", "img"};
  std::vector<std::string> open;
  const auto at = [page](std::size_t i) {
    return " at " + std::to_string(i) + ": " + std::string(page.substr(i, 80));
  };
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-';
  };
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page[i] == '&') {
      const std::size_t end = page.find(';', i);
      if (end == std::string_view::npos || end - i > 8) return "stray &" + at(i);
    }
    if (page[i] == '>') return "stray >" + at(i);
    if (page[i] != '<') continue;
    if (page.substr(i).starts_with("<!DOCTYPE")) {
      i = page.find('>', i);
      continue;
    }
    const bool closing = page[i + 1] == '/';
    std::size_t j = i + 1 + closing;
    std::string name;
    while (j < page.size() && is_name(page[j])) name += page[j++];
    if (name.empty()) return "stray <" + at(i);
    if (closing) {
      if (page[j] != '>') return "text in a closing tag" + at(i);
      if (open.empty() || open.back() != name)
        return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back()) + at(i);
      open.pop_back();
      i = j;
      continue;
    }
    bool closed = false;
    while (page[j] != '>') {
      if (page[j] == '/' && page[j + 1] == '>') {
        closed = true;
        ++j;
        continue;
      }
      if (std::isspace(static_cast<unsigned char>(page[j]))) {
        ++j;
        continue;
      }
      const std::size_t begin = j;
      while (j < page.size() && (is_name(page[j]) || page[j] == ':')) ++j;
      if (j == begin) return "stray character in a tag" + at(i);
      if (page[j] != '=') continue;  // hidden, checked
      const char quote = page[++j];
      if (quote != '"' && quote != '\'') return "unquoted attribute" + at(i);
      const std::size_t end = page.find(quote, j + 1);
      if (end == std::string_view::npos) return "attribute without end" + at(i);
      if (page.substr(j, end - j).find('<') != std::string_view::npos)
        return "< in an attribute" + at(i);
      j = end + 1;
      if (j >= page.size()) return "tag without end" + at(i);
    }
    i = j;
    bool is_void = closed;
    for (const std::string_view each : voids) is_void = is_void || each == name;
    if (is_void) continue;
    if (name == "script" || name == "style") {
      i = page.find("</" + name + ">", j);
      if (i == std::string_view::npos) return "no end of " + name;
      i += name.size() + 2;
      continue;
    }
    open.push_back(name);
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace fftprec::testing
