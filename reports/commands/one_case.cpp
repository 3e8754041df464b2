#include "reports/commands/one_case.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "arith/support/error.hpp"
#include "reports/commands/common_options.hpp"
#include "reports/commands/gate_command.hpp"
#include "reports/commands/plan.hpp"

namespace fftprec {

namespace {

std::string counted(std::size_t count) {
  return count == 0 ? "no case" : std::to_string(count) + " cases";
}

/// The axes in which the cases differ: "n, seed".
std::string axes_that_differ(const std::vector<Case>& cases) {
  std::string names;
  for (const Column& column : axis_columns()) {
    const auto text = [&](const Case& where) { return column.text(Row{.where = where}); };
    const bool differ = std::any_of(cases.begin(), cases.end(), [&](const Case& where) {
      return text(where) != text(cases.front());
    });
    if (differ) names += (names.empty() ? "" : ", ") + std::string(column.name);
  }
  return names;
}

OneCase from_axes(const OneCaseRequest& request, const CheckNames& check_names) {
  const std::vector<Case> cases = plan_cases({{}, request.axes, {}}, check_names).cases;
  if (cases.size() != 1)
    throw InputError("the axes name " + counted(cases.size()) + ", not one" +
                     (cases.empty() ? "" : ": give a single value for " + axes_that_differ(cases)));
  return {cases.front(), std::nullopt};
}

OneCase from_run(const OneCaseRequest& request, const CheckNames& check_names) {
  std::vector<Row> rows = read_run(request.run);
  const std::size_t all = rows.size();
  std::erase_if(rows, [&](const Row& row) { return !case_id(row.where).starts_with(request.id); });
  if (rows.size() != 1)
    throw InputError(request.run + " holds " + counted(rows.size()) +
                     (request.id.empty() ? "" : " whose case_id begins with '" + request.id + "'") +
                     (rows.empty() ? " among its " + std::to_string(all)
                                   : ", not one: give more of the case_id, as in " +
                                         case_id(rows.front().where)));
  check_names(rows.front().where);
  return {rows.front().where, rows.front()};
}

}  // namespace

void add_one_case_options(CLI::App& command, OneCaseRequest& request) {
  command.add_option("--run", request.run, "A run's directory, or a CSV file, that holds the case")
      ->type_name("DIR|CSV");
  add_list(command, "-a,--axis", request.axes, "AXIS=VALUE, in place of CASE; others at default");
}

std::string short_text(const Case& where) {
  return fmt::format("{}, {}, {}, {}, tables {}, n = {}, batch {}, {}, seed {}", where.transform,
                     where.algorithm, where.mode, where.machine, where.tables, where.n, where.batch,
                     where.input, where.seed);
}

OneCase one_case(const OneCaseRequest& request, const CheckNames& check_names) {
  const bool of_run = !request.run.empty() || !request.id.empty();
  if (of_run && !request.axes.empty())
    throw InputError("a case is named by -a, or by a case_id and --run, not by both");
  if (!of_run && request.axes.empty())
    throw InputError("name a case: by -a AXIS=VALUE, or by its case_id and --run DIR");
  if (!of_run) return from_axes(request, check_names);
  if (request.run.empty())
    throw InputError("'" + request.id + "' is a case_id of a run: --run DIR names it; -a " +
                     "AXIS=VALUE names a case without one");
  return from_run(request, check_names);
}

}  // namespace fftprec
