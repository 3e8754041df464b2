/// `fftprec list`: the names that -a, -f and `run` understand.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <ostream>

#include "arith/formats/format.hpp"
#include "arith/formats/number_families.hpp"
#include "arith/support/error.hpp"
#include "experiments/claims/claim.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"

namespace fftprec::commands {

namespace {

/// Formats whose names have parameters.
std::vector<Named> format_forms() {
  std::vector<Named> forms = {
      {"custom(...)",
       "as custom(p=5,emin=-14,emax=15,subnormals=true,overflow=infinity); the last two may be "
       "left out"},
      {"qI.F",
       "fixed point: I integer bits, the sign's among them, and F of the fraction; uI.F without a "
       "sign; q1.15:wrap wraps"},
  };
  for (const NumberFamily& family : number_families())
    forms.push_back({std::string(family.form), std::string(family.meaning)});
  forms.push_back({"file:VALUES.csv", "the values of a list, one a line"});
  return forms;
}

/// Modes whose names have parameters.
std::vector<Named> mode_forms() {
  return {
      {"FORMAT",
       "plain arithmetic in any signed format of fftprec list formats, such as "
       "custom(...), qI.F, positN"},
      {"FORMAT:table=FORMAT", "data in the first, tables in the second"},
      {"block(...)",
       "as block(element=e2m1,size=16,scale=headroom,along=transform): a scale for each block "
       "of elements"},
  };
}

std::vector<Named> columns_that(bool are_wanted(const Column&)) {
  std::vector<Named> names;
  for (const Column& column : columns())
    if (are_wanted(column))
      names.push_back({std::string(column.name), std::string(column.meaning)});
  return names;
}

std::vector<Named> list_metrics(const CheckNames&) {
  return columns_that([](const Column& column) { return column.metric; });
}

std::vector<Named> list_columns(const CheckNames&) {
  return columns_that([](const Column&) { return true; });
}

/// Of rows made with --reduce seed.
std::vector<Named> statistic_forms() {
  std::vector<Named> names;
  const Column& error = column_named("err_l2_rel");
  for (const Column& column : statistics_of(error))
    if (column.metric)
      names.push_back({"ERROR" + std::string(column.name.substr(error.name.size())),
                       std::string(column.meaning)});
  return names;
}

std::vector<Named> list_sweeps(const CheckNames& check_names) {
  std::vector<Named> sweeps;
  for (const BuiltinSweep& builtin : builtin_sweeps()) {
    const Sweep sweep = parse_sweep(builtin.toml, builtin.name, check_names);
    sweeps.push_back({sweep.name, fmt::format("{} ({})", sweep.question,
                                              counted(cases_of(sweep).size(), "case"))});
  }
  return sweeps;
}

std::vector<Named> list_claims(const CheckNames& check_names) {
  std::vector<Named> claims;
  for (const claims::Claim& claim : claims::builtin_claims(check_names))
    claims.push_back({claim.id, claim.statement});
  return claims;
}

struct Subject {
  std::string name;
  std::function<std::vector<Named>(const CheckNames&)> names;  ///< none: cases
};

std::string plural(std::string_view axis) {
  return std::string(axis) + (axis.ends_with('s') ? "" : "s");
}

/// The subject of that name, or of an axis with that alias.
std::string shown_subject(const std::string& name) {
  for (const Column& axis : axis_columns())
    for (const std::string_view alias : axis.aliases)
      if (!alias.empty() && name == plural(alias)) return plural(axis.name);
  return name;
}

/// Every axis that has names, in the plural, and the rest.
const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = [] {
    std::vector<Subject> subjects;
    for (const Column& column : axis_columns())
      if (const auto list = column.axis->list; list != nullptr)
        subjects.push_back({plural(column.name), [list](const CheckNames&) { return list(); }});
    const std::vector<Subject> others = {
        {"formats", [](const CheckNames&) { return named(named_formats()); }},
        {"roundings", [](const CheckNames&) { return named(named_roundings()); }},
        {"metrics", list_metrics},
        {"columns", list_columns},
        {"sweeps", list_sweeps},
        {"claims", list_claims},
        {"cases", {}},
    };
    subjects.insert(subjects.end(), others.begin(), others.end());
    return subjects;
  }();
  return all;
}

/// Names with parameters, which the list of the subject has besides.
struct Forms {
  std::string_view subject;
  std::vector<Named> (*forms)();
};
constexpr Forms all_forms[] = {
    {"modes", mode_forms}, {"formats", format_forms}, {"metrics", statistic_forms}};

ExitCode print_cases(const CaseRequest& request, Context& context) {
  const Plan plan = plan_run(request, context.check_names());
  for (auto at = plan.cases.walk(CaseOrder::results); !at.at_end(); at.advance())
    context.out << command_of(at.where()) << '\n';
  if (plan.count > 0) return ExitCode::ok;
  context.err << no_case_matches(request);
  return ExitCode::nothing_matched;
}

/// "; keys order=usual (usual, product), in=mode (a format)", each with its default; empty without
/// keys.
std::string keys_text(const std::vector<Key>& keys) {
  std::string text;
  for (const Key& key : keys) {
    text += fmt::format("{} {}={}", text.empty() ? "; keys" : ",", key.name,
                        key.value.empty() ? "NAME" : key.value);
    if (const std::string values = values_text(key); !values.empty())
      text += fmt::format(" ({})", values);
  }
  return text;
}

ExitCode print_names(const Subject& subject, const CaseRequest& request, Context& context) {
  if (!request.sweep.empty() || !request.axes.empty() || !request.filters.empty())
    throw InputError("list " + subject.name +
                     " takes neither a sweep nor -a nor -f; list cases does");
  std::vector<Named> names = subject.names(context.check_names());
  for (const auto& [name, forms] : all_forms)
    if (name == subject.name) std::ranges::move(forms(), std::back_inserter(names));
  std::size_t width = 0;
  for (const Named& named : names) width = std::max(width, named.name.size());
  for (const Named& named : names)
    context.out << fmt::format("{:<{}}  {}{}\n", named.name, width, named.summary,
                               keys_text(named.keys));
  return ExitCode::ok;
}

}  // namespace

std::vector<std::string> list_subjects() { return names_by(subjects(), &Subject::name); }

/// The names of one kind, each with its meaning; or the cases that a run would have. Exit codes: 0,
/// 2 an unknown kind or a wrong sweep, 4 no case matches.
void add_list_command(CLI::App& app, Context& context) {
  struct Request {
    std::string subject;
    CaseRequest cases;
  };
  const auto request = std::make_shared<Request>();
  Command command(app, "list", "List the names of one kind", "");
  command
      .add("subject SUBJECT", request->subject, fmt::format("{}", fmt::join(list_subjects(), ", ")))
      .required();
  command.add_cases(request->cases);
  command.run(context, [request, &context] {
    const Subject& subject =
        item_named(subjects(), "subject of a list", shown_subject(request->subject));
    return subject.names ? print_names(subject, request->cases, context)
                         : print_cases(request->cases, context);
  });
}

}  // namespace fftprec::commands
