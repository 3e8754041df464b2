#include "reports/silicon/explanation_csv.hpp"

#include <cmath>
#include <vector>

#include "experiments/support/decimal.hpp"
#include "reports/results/csv.hpp"

namespace fftprec {

namespace {

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
  return line + "\n";
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string alike_text(const silicon::Judged& judged) {
  std::string text;
  for (const silicon::Variant& variant : judged.alike)
    text += (text.empty() ? "" : "; ") + variant.id + " " + variant.machine + " " + variant.tables +
            " " + variant.dispatch.name;
  return text;
}

std::vector<std::string> header() {
  std::vector<std::string> names = {"rank",   "tied",     "refuted",   "hypothesis",     "machine",
                                    "tables", "dispatch", "posterior", "log_likelihood", "row"};
  for (const Column& axis : axis_columns())
    if (axis.name != "machine") names.push_back("ran_" + std::string(axis.name));
  for (const char* name : {"seed_known", "metric", "published", "predicted", "spread", "tail",
                           "miss", "refutes", "failure", "alike", "replay"})
    names.emplace_back(name);
  return names;
}

std::vector<std::string> cells_of(const silicon::Judged& judged, std::size_t i,
                                  const silicon::Explanation& explanation) {
  const silicon::MeasuredRow& measured = explanation.measured.rows[i];
  const silicon::RowVerdict& row = judged.rows[i];
  std::vector<std::string> cells = {std::to_string(judged.rank),     yes_or_no(judged.tied),
                                    yes_or_no(judged.refuted),       judged.variant.id,
                                    judged.variant.machine,          judged.variant.tables,
                                    judged.variant.dispatch.name,    shortest(judged.posterior),
                                    shortest(judged.log_likelihood), std::to_string(i + 1)};
  Row ran;
  ran.where = row.ran;
  for (const Column& axis : axis_columns())
    if (axis.name != "machine") cells.push_back(axis.text(ran));
  const bool defined = row.predicted.defined();
  const std::vector<Case> replays =
      replays_of(row.ran, measured.seed_known, explanation.options.replays);
  for (const std::string& cell :
       {yes_or_no(measured.seed_known), std::string(measured.metric->name),
        published_texts(measured), defined ? shortest(silicon::predicted_error(row.predicted)) : "",
        defined ? shortest(row.predicted.spread) : "", shortest(row.tail),
        shortest(std::exp(row.miss)), yes_or_no(row.refutes), row.failure, alike_text(judged),
        command_of(replays.front())})
    cells.push_back(cell);
  return cells;
}

}  // namespace

std::string explanation_csv(const silicon::Explanation& explanation) {
  std::string text = csv_line(header());
  for (const silicon::Judged& judged : explanation.ranked)
    for (std::size_t i = 0; i < judged.rows.size(); ++i)
      text += csv_line(cells_of(judged, i, explanation));
  return text;
}

}  // namespace fftprec
