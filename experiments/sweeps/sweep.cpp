#include "experiments/sweeps/sweep.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/filter.hpp"

namespace fftprec {

namespace {

Axes replaced(Axes axes, const Axes& overrides) {
  for (std::size_t axis = 0; axis < axes.values.size(); ++axis)
    if (!overrides.values[axis].empty()) axes.values[axis] = overrides.values[axis];
  return axes;
}

}  // namespace

CaseList case_list(const Sweep& sweep, const Axes& overrides, const Filter& filter) {
  CaseList cases;
  for (const Axes& block : sweep.blocks)
    cases.add(replaced(block, overrides), filter, sweep.exclude);
  for (const Axes& block : sweep.include) cases.add(replaced(block, overrides), filter);
  return cases;
}

std::vector<Case> cases_of(const Sweep& sweep) { return case_list(sweep).all(); }

bool own_scale_named(std::string_view name) {
  if (name != "shared" && name != "panel") throw unknown_name("scale", name, {"shared", "panel"});
  return name == "panel";
}

std::vector<FigureRequest> plots_of(const Sweep& sweep) {
  std::vector<FigureRequest> plots = sweep.plots;
  for (const std::string& metric : sweep.metrics) {
    const bool shown = std::ranges::any_of(
        plots, [&metric](const FigureRequest& plot) { return plot.y == metric; });
    if (!shown && metric != "err_l2_rel")
      plots.push_back({.title = metric + " against n", .y = metric});
  }
  return plots;
}

FigureRequest in_shown_names(FigureRequest request) {
  for (std::string* name : {&request.x, &request.y, &request.series, &request.panel})
    *name = shown_name(*name);
  return request;
}

const BuiltinSweep& builtin_sweep(std::string_view name) {
  require(name.find('=') == std::string_view::npos, "'", name,
          "' is no sweep: values of an axis come after -a, in quotes if they have braces");
  return item_named(builtin_sweeps(), "sweep", name);
}

namespace {

Sweep sweep_named(const std::string& name, const CheckNames& check_names) {
  if (name.ends_with(".toml") || name.find('/') != std::string::npos)
    return load_sweep(name, check_names);
  const BuiltinSweep& builtin = builtin_sweep(name);
  Sweep sweep = parse_sweep(builtin.toml, "built-in sweep " + name, check_names);
  sweep.builtin_gates = builtin.gates;
  return sweep;
}

void set_axes(Axes& axes, const std::vector<std::string>& assignments,
              const CheckNames& check_names) {
  for (const std::string& assignment : assignments) {
    Axes one;
    set_axis(one, assignment, check_names);
    for (std::size_t axis = 0; axis < axes.values.size(); ++axis) {
      if (one.values[axis].empty()) continue;
      if (!axes.values[axis].empty())
        throw InputError("axis '" + std::string(axis_columns()[axis].name) +
                         "' is given twice; one -a takes a list: " + assignment + ",...");
      axes.values[axis] = std::move(one.values[axis]);
    }
  }
}

/// How many cases there are. Checks the names of each, of cases that share them once.
std::uint64_t checked_count(const CaseList& cases, const CheckNames& check_names) {
  if (const std::size_t seeds = cases.common_seeds().size(); seeds > 1)
    return seeds * checked_count(cases.of_seeds(0, 1), check_names);
  constexpr std::size_t most_kept = 1 << 12;
  std::uint64_t count = 0;
  std::unordered_map<const void*, SharedCase> checked;  // kept, so that no others get their address
  for (auto at = cases.walk(CaseOrder::results); !at.at_end(); at.advance(), ++count) {
    if (checked.size() > most_kept) checked.clear();
    if (checked.try_emplace(at.where().names_key(), at.where()).second) check_names(at.where());
  }
  return count;
}

}  // namespace

Plan plan_cases(const CaseRequest& request, const CheckNames& check_names) {
  if (request.sweep.empty() && request.axes.empty())
    throw InputError("nothing to run: name a sweep (fftprec list sweeps), or give axes with -a");
  Sweep sweep;
  sweep.blocks.resize(1);
  if (!request.sweep.empty()) sweep = sweep_named(request.sweep, check_names);
  return plan_cases(std::move(sweep), request.axes, request.filters, check_names);
}

Plan plan_cases(Sweep sweep, const std::vector<std::string>& axes,
                const std::vector<std::string>& filters, const CheckNames& check_names) {
  Plan plan{std::move(sweep), {}, 0};
  Axes overrides;
  set_axes(overrides, axes, check_names);
  const Filter filter = parse_filters(filters);
  if (!decided_by_case(filter))
    throw InputError("-f selects the cases to run, so it selects by axes only, not by results");
  check_filter_names(filter, check_names);

  plan.cases = case_list(plan.sweep, overrides, filter);
  plan.count = checked_count(plan.cases, check_names);
  return plan;
}

}  // namespace fftprec
