#include "reports/commands/list_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "arith/error.hpp"
#include "experiments/cases/registry.hpp"
#include "reports/claims/claim_file.hpp"
#include "reports/commands/exit_code.hpp"

namespace fftprec {

namespace {

std::vector<Named> list_metrics() {
  std::vector<Named> metrics;
  for (const Column& column : columns())
    if (column.metric) metrics.push_back({std::string(column.name), std::string(column.meaning)});
  return metrics;
}

std::vector<Named> list_sweeps(const CheckNames& check_names) {
  std::vector<Named> sweeps;
  for (const BuiltinSweep& builtin : builtin_sweeps()) {
    const Sweep sweep = parse_sweep(builtin.toml, builtin.name, check_names);
    sweeps.push_back(
        {sweep.name, fmt::format("{} ({} cases)", sweep.question, cases_of(sweep).size())});
  }
  return sweeps;
}

std::vector<Named> list_claims(const CheckNames& check_names) {
  std::vector<Named> claims;
  for (const Claim& claim : builtin_claims(check_names))
    claims.push_back({claim.id, claim.statement});
  return claims;
}

std::vector<Named> names_of(const std::string& subject, const CheckNames& check_names) {
  if (subject == "transforms") return list_transforms();
  if (subject == "algorithms") return list_algorithms();
  if (subject == "modes") return list_modes();
  if (subject == "machines") return list_machines();
  if (subject == "tables") return list_tables();
  if (subject == "inputs") return list_inputs();
  if (subject == "metrics") return list_metrics();
  if (subject == "claims") return list_claims(check_names);
  if (subject == "sweeps") return list_sweeps(check_names);
  throw unknown_name("subject of a list", subject, list_subjects());
}

}  // namespace

const std::vector<std::string>& list_subjects() {
  static const std::vector<std::string> subjects = {
      "transforms", "algorithms", "modes",  "machines", "tables",
      "inputs",     "metrics",    "sweeps", "claims",   "cases"};
  return subjects;
}

int list_command(const std::string& subject, const CaseRequest& request,
                 const CaseFunctions& functions, CommandContext& context) {
  if (subject == "cases") {
    const Plan plan = plan_cases(request, functions.check_names);
    for (const Case& where : plan.cases) context.out << command_of(where) << '\n';
    if (!plan.cases.empty()) return to_int(ExitCode::ok);
    context.err << no_case_matches(request);
    return to_int(ExitCode::nothing_matched);
  }
  const std::vector<Named> names = names_of(subject, functions.check_names);
  if (!request.sweep.empty() || !request.axes.empty() || !request.filters.empty())
    throw InputError("list " + subject + " takes neither a sweep nor -a nor -f; list cases does");
  std::size_t width = 0;
  for (const Named& named : names) width = std::max(width, named.name.size());
  for (const Named& named : names)
    context.out << fmt::format("{:<{}}  {}\n", named.name, width, named.summary);
  return to_int(ExitCode::ok);
}

}  // namespace fftprec
