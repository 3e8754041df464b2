#include "reports/plan.hpp"

#include <algorithm>
#include <filesystem>

#include "arith/error.hpp"

namespace fftprec {

namespace {

Sweep sweep_named(const std::string& name, const CheckNames& check_names) {
  if (name.ends_with(".toml") || name.find('/') != std::string::npos)
    return load_sweep(name, check_names);
  const BuiltinSweep& builtin = builtin_sweep(name);
  Sweep sweep = parse_sweep(builtin.toml, "built-in sweep " + name, check_names);
  sweep.builtin_gates = builtin.gates;
  return sweep;
}

}  // namespace

Plan plan_cases(const CaseRequest& request, const CheckNames& check_names) {
  if (request.sweep.empty() && request.axes.empty())
    throw InputError("nothing to run: name a sweep (fftprec list sweeps), or give axes with -a");
  Plan plan;
  plan.sweep.blocks.resize(1);
  if (!request.sweep.empty()) plan.sweep = sweep_named(request.sweep, check_names);

  Axes overrides;
  for (const std::string& assignment : request.axes) set_axis(overrides, assignment, check_names);
  const Filter filter = parse_filters(request.filters);
  if (!decided_by_case(filter))
    throw InputError("-f selects the cases to run, so it can ask for axes only, not for results");

  plan.cases = cases_of(plan.sweep, overrides);
  Row row;
  std::erase_if(plan.cases, [&](const Case& where) {
    row.where = where;
    return !matches(filter, row);
  });
  for (const Case& where : plan.cases) check_names(where);
  return plan;
}

}  // namespace fftprec
