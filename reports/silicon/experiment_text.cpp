#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/silicon/explanation_text.hpp"
#include "reports/text/cells.hpp"

namespace fftprec {

using silicon::Design;
using silicon::Experiment;
using silicon::Group;

namespace {

using Lines = std::vector<std::vector<std::string>>;

/// "A", "B", ...
std::string group_letter(std::size_t index) {
  std::string letters = row_letter(index);
  std::transform(letters.begin(), letters.end(), letters.begin(),
                 [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return letters;
}

/// Two digits, and the spread where it is more than they show.
std::string cell(const silicon::Predictive& predicted) {
  std::string text = predicted_text(predicted, 3);
  if (predicted.defined() && predicted.spread > 0.05)
    text += fmt::format("~{:.0f}%", 100 * std::expm1(predicted.spread));
  return text;
}

std::string groups_table(const Design& design, std::size_t shown) {
  Lines lines = {{"group", "hypotheses", "first variant", "variants", "P"}};
  for (std::size_t g = 0; g < shown; ++g) {
    const Group& group = design.groups[g];
    std::set<std::string> ids;
    for (const silicon::Judged& judged : group.members) {
      ids.insert(judged.variant.id);
      for (const silicon::Variant& variant : judged.alike) ids.insert(variant.id);
    }
    lines.push_back({group_letter(g), fmt::format("{}", fmt::join(ids, " ")),
                     variant_text(group.members[0].variant), std::to_string(group.members.size()),
                     fmt::format("{:.3f}", group.posterior)});
  }
  return text::text_table(lines, 3);
}

/// "torch_randn, seed 42"; no seed where any will do.
std::string input_text(const silicon::MeasuredRow& row) {
  return row.where.input + (row.seed_known ? fmt::format(", seed {}", row.where.seed) : "");
}

std::vector<std::string> experiment_cells(const Experiment& experiment, std::size_t shown) {
  const Case& where = experiment.row.where;
  const std::string seed = experiment.row.seed_known ? std::to_string(where.seed) : "-";
  std::vector<std::string> cells = {label(experiment.row), where.input + " " + seed,
                                    std::string(experiment.row.metric->name),
                                    fmt::format("{:.2f}", experiment.bits)};
  for (std::size_t g = 0; g < shown; ++g)
    cells.push_back(g < experiment.predicted.size() ? cell(experiment.predicted[g]) : "-");
  return cells;
}

std::string experiments_table(const std::vector<Experiment>& experiments, std::size_t most,
                              std::size_t shown) {
  Lines lines = {{"experiment", "input, seed", "metric", "bits"}};
  for (std::size_t g = 0; g < shown; ++g) lines[0].push_back(group_letter(g));
  for (std::size_t i = 0; i < std::min(most, experiments.size()); ++i)
    lines.push_back(experiment_cells(experiments[i], shown));
  return text::text_table(lines, 3);
}

}  // namespace

std::string design_text(const Design& design, std::size_t most) {
  const std::size_t shown = std::min(most, design.groups.size());
  std::string text =
      "\nWhat no measured row and no experiment below tells apart:\n" + groups_table(design, shown);
  if (design.groups.size() > shown)
    text += fmt::format("and {} more groups\n", design.groups.size() - shown);
  if (!design.longer.empty())
    text += "\nWhat they predict of what was measured, at greater lengths:\n" +
            experiments_table(design.longer, design.longer.size(), shown);
  if (design.groups.size() < 2)
    return text + "\nNo experiment is left to make: there is one group.\n";
  if (design.experiments.empty() || design.experiments.front().bits < 0.01)
    return text + "\nNone of the experiments tells these groups apart.\n";
  const Experiment& best = design.experiments.front();
  return text +
         fmt::format(
             "\nTHE DISCRIMINATING EXPERIMENT: {}, input {}, {} to two digits: {:.2f} of {:.2f} "
             "bits. "
             "The next best follow it:\n",
             label(best.row), input_text(best.row), best.row.metric->name, best.bits,
             design.open_bits) +
         experiments_table(design.experiments, most, shown);
}

}  // namespace fftprec
