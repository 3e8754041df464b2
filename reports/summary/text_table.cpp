#include "reports/summary/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fftprec {

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

}  // namespace fftprec
