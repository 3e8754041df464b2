#include "reports/commands/show_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <vector>

#include "arith/error.hpp"
#include "arith/machine_parameters.hpp"
#include "reports/commands/exit_code.hpp"

namespace fftprec {

namespace {

using Line = std::array<std::string, 6>;  // mark and columns

/// Columns as wide as their widest cell, two spaces between them.
void print(const std::vector<Line>& lines, std::ostream& out) {
  std::array<std::size_t, std::tuple_size_v<Line>> widths{};
  for (const Line& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  for (const Line& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i)
      text += fmt::format("{}{:<{}}", i > 1 ? "  " : "", line[i], widths[i]);
    out << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
  }
}

void show_machine(const Machine& machine, std::ostream& out) {
  out << machine.name << '\n' << machine.summary << "\n\n";
  std::vector<Line> lines{{"  ", "parameter", "value", "confidence", "meaning", "values"}};
  for (const MachineRow& row : describe(machine))
    lines.push_back(
        {row.as_trn ? "  " : "* ", row.key, row.value, row.confidence, row.meaning, row.values});
  print(lines, out);
  out << "\n* not as on trn. -: read by nothing. Confidence, of trn's own values: D documented, M "
         "measured,\nI inferred, U unknown.\n";
}

}  // namespace

int show_command(const std::string& subject, CommandContext& context) {
  const std::string kind = "machine:";
  if (!subject.starts_with(kind))
    throw InputError("'" + subject + "' cannot be shown; what can: machine:NAME, as in machine:" +
                     "trn; fftprec list machines");
  show_machine(machine_named(subject.substr(kind.size())), context.out);
  return to_int(ExitCode::ok);
}

}  // namespace fftprec
