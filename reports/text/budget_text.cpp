#include "reports/text/budget_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fftprec::text {

namespace {

std::string percent_text(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "-";
}

/// The share of the error's square that a part's square is: 0.97.
double share_of(double part, const attribution::Budget& budget) {
  return budget.error == 0 ? 0 : (part / budget.error) * (part / budget.error);
}

}  // namespace

Table sources_table(const attribution::Budget& budget) {
  Table table{{{"source", "alone", "share", "expected", "without it"}}, 1};
  for (const attribution::SourcePart& part : budget.sources)
    table.lines.push_back(
        {part.name, error_text(part.alone), percent_text(share_of(part.alone, budget)),
         part.expected ? error_text(*part.expected) : "", error_text(part.removed)});
  return table;
}

Table stages_table(const attribution::Budget& budget) {
  const auto part_text = [&budget](double part) {
    return part <= budget.floor_l2_rel ? "-" : error_text(part);
  };
  Table table{{{"stage", "all", "share"}}, 1};
  for (const attribution::SourcePart& part : budget.sources) table.lines[0].push_back(part.name);
  for (const attribution::StageParts& stage : budget.stages) {
    TextCells& cells = table.lines.emplace_back();
    cells = {stage.title, part_text(stage.all), percent_text(share_of(stage.all, budget))};
    for (const double part : stage.alone) cells.push_back(part_text(part));
  }
  return table;
}

std::string verdict_of(const attribution::Budget& budget) {
  if (!std::isfinite(budget.error))
    return "The error is " + error_text(budget.error) +
           " because results overflow, so it cannot be divided among sources.";
  if (budget.sources.empty()) return "No source adds anything: the result is exact.";
  const attribution::SourcePart& first = budget.sources.front();
  const double share = share_of(first.alone, budget);
  if (share >= 0.5 || budget.sources.size() == 1)
    return fmt::format("Most of the error comes from {}: {} of its square.", first.name,
                       percent_text(share));
  const attribution::SourcePart& second = budget.sources[1];
  return fmt::format(
      "No source makes most of the error; the largest are {} ({} of its square) and "
      "{} ({}).",
      first.name, percent_text(share), second.name, percent_text(share_of(second.alone, budget)));
}

std::string quadrature_text(const attribution::Budget& budget) {
  return fmt::format(
      "in quadrature {}, {:.3f} of the error; of its square {:+.1f} % are left, {:+.1f} % by "
      "correlation of the parts.",
      error_text(budget.quadrature), budget.error == 0 ? 1 : budget.quadrature / budget.error,
      100 * budget.interaction, 100 * budget.correlation);
}

std::string budget_text(const attribution::Budget& budget) {
  std::string text = "error " + error_text(budget.error);
  if (budget.expected) text += ", expected " + error_text(*budget.expected);
  text += "\n" + verdict_of(budget) + "\n\n" + terminal_table(sources_table(budget));
  if (std::isfinite(budget.error)) text += quadrature_text(budget) + "\n";
  text += fmt::format(
      "alone: only this source errs; share: of the error's square; without it: the error "
      "when all but this source\nerr. Parts below {} cannot be resolved.\n",
      error_text(budget.floor_l2_rel));
  return text + "\n" + terminal_table(stages_table(budget));
}

}  // namespace fftprec::text
