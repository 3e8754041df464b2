#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "reports/page/data.hpp"

namespace fftprec::page {

namespace {

constexpr double most_cost_ns = 2e6;              ///< of one run: a trace takes some dozens
constexpr std::uint64_t most_elements = 1 << 14;  ///< of a truth
constexpr std::size_t most_tries = 200;
constexpr double most_work_ns = 1e7;         ///< of one run of each case tried
constexpr std::size_t many_lines = 4;        ///< the input's rounding and three stages
constexpr double budget_runs_per_stage = 5;  ///< all sources, and each of about four

/// The error in units of the expected error; -1 if there is none.
double strangeness(const Row& row, bool by_expectation) {
  if (row.status != Status::ok || !row.err_l2_rel || !std::isfinite(*row.err_l2_rel)) return -1;
  if (!by_expectation) return *row.err_l2_rel;
  return row.expected_l2_rel && *row.expected_l2_rel > 0 ? *row.err_l2_rel / *row.expected_l2_rel
                                                         : -1;
}

EmulationCost cost_of(Session& session, Case where) {
  where.input = Case{}.input;  // its file may be gone
  return session.plan(where).cost();
}

bool is_cheap(Session& session, const Case& where) {
  return where.n * where.batch <= most_elements &&
         cost_of(session, where).whole_ns() <= most_cost_ns;
}

const Row& row_of(std::span<const Row> rows, const std::string& id) {
  const Row* found = nullptr;
  for (const Row& row : rows) {
    if (!id_begins(row.where, id)) continue;
    if (found != nullptr && found->where != row.where)
      throw InputError("--stages " + id + ": several rows have a case_id that begins so: " +
                       case_id(found->where) + ", " + case_id(row.where));
    found = &row;
  }
  if (found == nullptr)
    throw InputError("--stages " + id + ": no row has a case_id that begins so");
  return *found;
}

/// The errors of its stages, or why there are none.
void trace(ReportStages& stages) {
  const Case& where = stages.row->where;
  try {
    stages.note = attribution::untraceable(where);
    if (stages.note.empty())
      stages.errors = attribution::stage_errors(where, make_problem(problem_key(where)));
  } catch (const NotApplicable& reason) {
    stages.note = reason.what();
  } catch (const std::exception& error) {
    stages.note = std::string("It cannot be computed again: ") + error.what();
  }
  if (stages.errors && stages.errors->stages.back().err_l2_rel != stages.row->err_l2_rel)
    stages.note = "The last error differs from the row's: the input or the program has changed.";
}

/// Adds the error budget, or the reason why there is none.
ReportStages with_budget(ReportStages stages, double most_budget_ns) {
  if (!stages.errors) return stages;
  const Case& where = stages.row->where;
  const double runs = budget_runs_per_stage * static_cast<double>(stages.errors->stages.size());
  Session session;
  if (runs * cost_of(session, where).run_ns > most_budget_ns) {
    stages.budget_note = "Its sources are not separated here, since that would take long.";
    return stages;
  }
  try {
    stages.budget = attribution::error_budget(where, make_problem(problem_key(where)));
  } catch (const std::exception& error) {
    stages.budget_note = std::string("Its sources cannot be separated: ") + error.what() + ".";
  }
  return stages;
}

}  // namespace

ReportStages trace_for_report(std::span<const Row> rows, const std::string& id,
                              double most_budget_ns) {
  if (!id.empty()) {
    ReportStages asked{row_of(rows, id), "The case that was asked for."};
    trace(asked);
    return with_budget(std::move(asked), most_budget_ns);
  }
  const bool by_expectation =
      std::ranges::any_of(rows, [](const Row& row) { return strangeness(row, true) > 0; });
  std::vector<std::pair<double, const Row*>> candidates;
  for (const Row& row : rows)
    if (const double value = strangeness(row, by_expectation); value >= 0)
      candidates.emplace_back(value, &row);
  std::ranges::stable_sort(candidates,
                           [](const auto& a, const auto& b) { return a.first > b.first; });
  Session session;
  std::string last_reason;
  std::optional<ReportStages> short_one;
  double work_ns = 0;
  for (std::size_t i = 0; i < std::min(candidates.size(), most_tries); ++i) {
    const Row& row = *candidates[i].second;
    ReportStages stages{
        row,
        by_expectation
            ? "Of the cases of several stages that are quickly traced, the one with the largest "
              "error over expected error. --stages CASE_ID shows another."
            : "Of the cases of several stages that are quickly traced, the one with the largest "
              "error. --stages CASE_ID shows another."};
    last_reason = attribution::untraceable(row.where);
    if (last_reason.empty() && !is_cheap(session, row.where))
      last_reason = "it would take too long";
    if (!last_reason.empty()) continue;
    work_ns += cost_of(session, row.where).whole_ns();
    if (work_ns > most_work_ns) break;
    trace(stages);
    if (stages.errors && stages.errors->stages.size() >= many_lines)
      return with_budget(std::move(stages), most_budget_ns);
    last_reason = stages.note;
    if (stages.errors && !short_one) short_one = std::move(stages);
  }
  if (short_one) return with_budget(*std::move(short_one), most_budget_ns);
  return {std::nullopt,
          {},
          std::nullopt,
          "No case is quickly traced through its stages" +
              (last_reason.empty() ? std::string(".")
                                   : "; of the last one looked at: " + last_reason + ".") +
              " --stages CASE_ID asks for one."};
}

}  // namespace fftprec::page
