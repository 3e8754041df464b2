#include "experiments/sweeps/sweep.hpp"

#include <algorithm>
#include <utility>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

std::vector<Case> cases_with(Axes axes, const Axes& overrides) {
  for (std::size_t axis = 0; axis < axes.values.size(); ++axis)
    if (!overrides.values[axis].empty()) axes.values[axis] = overrides.values[axis];
  return expand(axes);
}

bool excluded(const Sweep& sweep, const Case& where) {
  Row row;
  row.where = where;
  return std::any_of(sweep.exclude.begin(), sweep.exclude.end(),
                     [&row](const Filter& filter) { return matches(filter, row); });
}

}  // namespace

std::vector<Case> cases_of(const Sweep& sweep, const Axes& overrides) {
  std::vector<Case> cases;
  for (const Axes& block : sweep.blocks)
    for (Case& where : cases_with(block, overrides))
      if (!excluded(sweep, where)) cases.push_back(std::move(where));
  for (const Axes& block : sweep.include)
    for (Case& where : cases_with(block, overrides)) cases.push_back(std::move(where));
  normalise(cases);
  return cases;
}

std::vector<PlotSpec> plots_of(const Sweep& sweep) {
  std::vector<PlotSpec> plots = sweep.plots;
  for (const std::string& metric : sweep.metrics) {
    const bool shown = std::any_of(plots.begin(), plots.end(),
                                   [&metric](const PlotSpec& plot) { return plot.y == metric; });
    if (shown || metric == PlotSpec{}.y) continue;
    PlotSpec plot;
    plot.title = metric + " against n";
    plot.y = metric;
    plots.push_back(std::move(plot));
  }
  return plots;
}

const BuiltinSweep& builtin_sweep(std::string_view name) {
  return item_named(builtin_sweeps(), "sweep", name);
}

}  // namespace fftprec
