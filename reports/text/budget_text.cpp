#include "reports/text/budget_text.hpp"

#include <fmt/format.h>

#include "reports/text/cells.hpp"

namespace fftprec::text {

namespace {

std::string sources_text(const errors::Budget& budget) {
  std::vector<TextCells> lines = {{"source", "alone", "share", "expected", "without it"}};
  for (const errors::SourcePart& part : budget.sources)
    lines.push_back({part.name, error_text(part.alone), percent_text(share_of(part.alone, budget)),
                     part.expected ? error_text(*part.expected) : "", error_text(part.removed)});
  return text_table(lines, 1);
}

std::string stages_text(const errors::Budget& budget) {
  std::vector<TextCells> lines = {{"stage", "all", "share"}};
  for (const errors::SourcePart& part : budget.sources) lines[0].push_back(part.name);
  for (const errors::StageParts& stage : budget.stages) {
    TextCells line = {stage.title, part_text(stage.all, budget),
                      percent_text(share_of(stage.all, budget))};
    for (const double part : stage.alone) line.push_back(part_text(part, budget));
    lines.push_back(std::move(line));
  }
  return text_table(lines, 1);
}

}  // namespace

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string part_text(double part, const errors::Budget& budget) {
  return part > budget.floor_l2_rel ? error_text(part) : "-";
}

double share_of(double part, const errors::Budget& budget) {
  return budget.error == 0 ? 0 : (part / budget.error) * (part / budget.error);
}

std::string verdict_of(const errors::Budget& budget) {
  if (budget.sources.empty()) return "No source adds anything: the result is exact.";
  const errors::SourcePart& first = budget.sources.front();
  const double share = share_of(first.alone, budget);
  if (share >= 0.5 || budget.sources.size() == 1)
    return fmt::format("Most of the error comes from {}: {} of its square.", first.name,
                       percent_text(share));
  const errors::SourcePart& second = budget.sources[1];
  return fmt::format(
      "No source makes most of the error; the largest are {} ({} of its square) and "
      "{} ({}).",
      first.name, percent_text(share), second.name, percent_text(share_of(second.alone, budget)));
}

std::string quadrature_text(const errors::Budget& budget) {
  return fmt::format(
      "in quadrature {}, {:.3f} of the error; of its square {:+.1f} % are left, {:+.1f} % by "
      "correlation of the parts.",
      error_text(budget.quadrature), budget.error == 0 ? 1 : budget.quadrature / budget.error,
      100 * budget.interaction, 100 * budget.correlation);
}

std::string budget_text(const errors::Budget& budget) {
  std::string text = "error " + error_text(budget.error);
  if (budget.expected) text += ", expected " + error_text(*budget.expected);
  text += "\n" + verdict_of(budget) + "\n\n" + sources_text(budget);
  text += quadrature_text(budget) + "\n" +
          fmt::format(
              "alone: only this source errs; share: of the error's square; without it: the error "
              "when all but this source\nerr. Parts below {} cannot be resolved.\n",
              error_text(budget.floor_l2_rel));
  return text + "\n" + stages_text(budget);
}

}  // namespace fftprec::text
