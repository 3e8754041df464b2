#include "reports/commands/run_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/text/cells.hpp"
#include "reports/text/error_table.hpp"

namespace fftprec {

namespace {

std::string errors(const text::ErrorTable& table) {
  if (table.lines.empty()) return {};
  std::vector<text::TextCells> lines = {table.titles};
  for (const std::uint64_t n : table.sizes) lines[0].push_back(fmt::format("n = {}", n));
  lines[0].insert(lines[0].end(), {"worst err/bound", "rows"});
  for (const text::ErrorLine& line : table.lines) {
    text::TextCells cells = line.names;
    for (const auto& median : line.medians)
      cells.push_back(median ? text::error_text(*median) : "");
    cells.push_back(line.worst ? fmt::format("{:.3g}", *line.worst) : "");
    cells.push_back(std::to_string(line.rows));
    lines.push_back(std::move(cells));
  }
  std::string text = table.caption + "\n" + text::text_table(lines, table.titles.size());
  if (!table.left_out.empty()) text += "not in this table: " + table.left_out + "\n";
  return text;
}

/// The first row with this status: why it was not measured, and how to see it again.
std::string first_with(Status status, std::span<const Row> rows) {
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [status](const Row& each) { return each.status == status; });
  if (row == rows.end()) return {};
  return fmt::format("first {}: {}\n  fftprec run {}\n", name_of(status), row->message,
                     command_of(row->where));
}

}  // namespace

std::string run_table(std::span<const Row> rows, const NameOrders& orders) {
  return errors(text::error_table(rows, orders, {.sizes = 5, .lines = 24})) +
         text::status_counts(rows) + "\n" + first_with(Status::failed, rows) +
         first_with(Status::skipped, rows);
}

}  // namespace fftprec
