#include "reports/text/cells.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fftprec::text {

std::string error_text(double error) { return error == 0 ? "exact" : fmt::format("{:.2e}", error); }

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' || c == '\r' ? ' ' : c;
  }
  return cell;
}

std::string reproduce_command(const Case& where) {
  return "fftprec run " + command_of(where) + " --csv -";
}

std::string text_table(const std::vector<TextCells>& lines, std::size_t names) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const TextCells& cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  std::string text;
  for (const TextCells& cells : lines) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
      line += (i == 0 ? "" : "  ") + (i < names ? fmt::format("{:<{}}", cells[i], widths[i])
                                                : fmt::format("{:>{}}", cells[i], widths[i]));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace fftprec::text
