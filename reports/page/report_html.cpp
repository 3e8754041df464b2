#include "reports/page/report_html.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace fftprec {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Bytes of the well-formed UTF-8 character that `text` begins with; 0 if there is none.
/// Source: Unicode 15, table 3-7.
std::size_t character_length(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto continues = [&byte](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xBF; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return byte(1) >= low && byte(1) <= high && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return byte(1) >= low && byte(1) <= high && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

/// Every character by `escaped`, which gives an empty text for one to be kept.
template <class Escaped>
std::string escaped_text(std::string_view text, Escaped escaped) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto c = static_cast<unsigned char>(text.front());
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    if (length == 0 || control)
      result += replacement;
    else if (const std::string_view other = escaped(text.front()); !other.empty())
      result += other;
    else
      result += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace

std::string html_text(std::string_view text) {
  return escaped_text(text, [](char c) -> std::string_view {
    switch (c) {
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '"':
        return "&quot;";
      case '\'':
        return "&#39;";
      default:
        return {};
    }
  });
}

std::string json_text(std::string_view text) {
  const std::string body = escaped_text(text, [](char c) -> std::string_view {
    switch (c) {
      case '"':
        return "\\\"";
      case '\\':
        return "\\\\";
      case '\n':
        return "\\n";
      case '\t':
        return "\\t";
      case '<':  // neither </script> nor <!-- may stand in a script
        return "\\u003c";
      default:
        return {};
    }
  });
  return "\"" + body + "\"";
}

std::string element(std::string_view name, std::string_view text, std::string_view attributes) {
  return fmt::format("<{0}{1}{2}>{3}</{0}>", name, attributes.empty() ? "" : " ", attributes,
                     html_text(text));
}

std::string section(std::string_view id, std::string_view heading, std::string_view body) {
  return fmt::format("<section id=\"{}\">\n{}\n{}</section>\n\n", id, element("h2", heading), body);
}

std::string command_line(std::string_view command) {
  std::string words;
  while (!command.empty()) {
    const std::size_t blank = command.find(' ');
    words += (words.empty() ? "" : " ") + element("span", command.substr(0, blank));
    command.remove_prefix(blank == std::string_view::npos ? command.size() : blank + 1);
  }
  return "<code class=\"command\">" + words + "</code>";
}

std::string three_digits(double value) { return fmt::format("{:.3g}", value); }

}  // namespace fftprec
