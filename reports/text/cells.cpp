#include "reports/text/cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/support/printable.hpp"

namespace fftprec::text {

std::string error_text(double error) { return error == 0 ? "exact" : fmt::format("{:.2e}", error); }

std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : printable(on_one_line(text))) {
    if (c == '|' || c == '`') cell += '\\';
    cell += c == '<' ? std::string("&lt;") : std::string(1, c);
  }
  return cell;
}

std::string markdown_code(std::string_view text) {
  std::string code = "`";
  for (const char c : printable(on_one_line(text))) {
    if (c == '|') code += '\\';
    code += c == '`' ? '\'' : c;
  }
  return code + "`";
}

std::string reproduce_command(const Case& where) {
  return "fftprec run " + command_of(where) + " --csv -";
}

std::string text_table(std::vector<TextCells> lines, std::size_t names, std::size_t numbers) {
  for (TextCells& cells : lines)
    for (std::string& cell : cells) cell = printable(cell);
  std::vector<std::size_t> widths(lines.front().size());
  for (const TextCells& cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  std::string text;
  for (const TextCells& cells : lines) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
      line += (i == 0 ? "" : "  ") + (i < names || i - names >= numbers
                                          ? fmt::format("{:<{}}", cells[i], widths[i])
                                          : fmt::format("{:>{}}", cells[i], widths[i]));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace fftprec::text
