#include "experiments/silicon/replay.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/name_keys.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::silicon {

namespace {

/// Functions of a library made the numbers, so that other libraries make others.
bool is_made_by_functions(std::string_view input) {
  constexpr std::array<std::string_view, 6> made = {"torch_randn", "gaussian",   "wide",
                                                    "tone",        "cancelling", "chirp"};
  return std::find(made.begin(), made.end(), split_name(input).name) != made.end();
}

}  // namespace

Case jittered_case(Case where, std::uint64_t k) {
  if (k == 0) return where;
  if (is_made_by_functions(where.input))
    where.input = "jitter:k=" + std::to_string(k) + ":inner=" + where.input;
  if (takes_cosines(where.tables)) where.tables += ":jitter=" + std::to_string(k);
  return where;
}

std::vector<Case> replays_of(const Case& where, bool seed_known, const ReplayPlan& plan) {
  require(plan.count >= 2, "a spread needs two replays at least");
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < plan.count; ++i) {
    Case replay = where;
    if (!seed_known) replay.seed = i + 1;
    cases.push_back(jittered_case(replay, plan.first_draw + i));
  }
  return cases;
}

void Replayer::run(std::span<const Case> cases) {
  std::vector<Case> missing;
  for (const Case& where : cases)
    if (!rows_.contains(where)) missing.push_back(where);
  normalise(missing);
  RunOptions options = options_;
  options.on_row = [this](const Row& row) {
    if (options_.on_row) options_.on_row(row);
    rows_.emplace(row.where, row);
  };
  run_cases(missing, options);
}

Replayed replayed(const Case& ran, const MeasuredRow& row, const ReplayPlan& plan,
                  double further_spread, const Replayer& replayer) {
  std::vector<double> errors;
  for (const Case& replay : replays_of(ran, row.seed_known, plan)) {
    const Row& result = replayer.row(replay);
    const std::optional<double> error = row.metric->number(result);
    if (result.status != Status::ok || !error)
      return {.failure = result.message.empty() ? "not measured" : result.message};
    errors.push_back(*error);
  }
  const Predictive predicted = predictive(errors, further_spread);
  return {predicted, predicted.defined() ? "" : "errors that are not finite"};
}

RunOptions replay_options(unsigned threads) {
  RunOptions options;
  options.evaluate = [](const Case& where, const Problem& problem) {
    return evaluate(where, problem);
  };
  options.make_problem = [](const ProblemKey& key) { return make_problem(key); };
  options.costs.of_case = [](const Case& where) { return static_cast<double>(where.n); };
  options.threads = threads;
  return options;
}

}  // namespace fftprec::silicon
