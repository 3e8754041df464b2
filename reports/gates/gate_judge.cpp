#include "reports/gates/gate_judge.hpp"

#include <cmath>

#include "experiments/rows/columns.hpp"

namespace fftprec {

std::vector<const Row*> GateJudge::measured(const Selection& selection, std::span<const Row> rows) {
  std::vector<const Row*> found;
  for (const Row& row : rows) {
    if (!selects(verdict_.gate.where, row) || !selects(selection, row)) continue;
    if (row.status == Status::skipped)
      ++verdict_.skipped;
    else if (row.status == Status::failed)
      fail(row.where, "status = failed: " + row.message);
    else
      found.push_back(&row);
  }
  return found;
}

std::vector<Sample> GateJudge::samples(const Selection& selection, std::span<const Row> rows) {
  const Column& metric = column_named(verdict_.gate.metric);
  std::vector<Sample> found;
  for (const Row* row : measured(selection, rows)) {
    const std::optional<double> value = metric.number(*row);
    if (!value)
      fail(row->where, verdict_.gate.metric + " is empty: not measured");
    else if (std::isnan(*value))
      fail(row->where, verdict_.gate.metric + " = nan");
    else
      found.push_back({row, *value});
  }
  return found;
}

}  // namespace fftprec
