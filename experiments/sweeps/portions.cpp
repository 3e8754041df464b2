#include "experiments/sweeps/portions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

namespace fftprec {

namespace {

/// Cases with one truth.
struct Group {
  std::vector<std::size_t> cases;
  double cases_cost = 0;
  double truth_cost = 0;
};

void cut(const Group& group, std::span<const double> costs, double limit,
         std::vector<Portion>& portions) {
  std::size_t parts = 1;
  if (group.cases_cost + group.truth_cost > limit) {
    const double room = std::max(limit - group.truth_cost, group.truth_cost);
    parts = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(group.cases_cost / room)), 1,
                                    group.cases.size());
  }
  std::vector<double> own;
  for (const std::size_t i : group.cases) own.push_back(costs[i]);
  const std::vector<std::size_t> part_of = balance(own, parts);
  const std::size_t first = portions.size();
  portions.resize(first + parts, {{}, group.truth_cost});
  for (std::size_t i = 0; i < own.size(); ++i) {
    portions[first + part_of[i]].cases.push_back(group.cases[i]);
    portions[first + part_of[i]].cost += own[i];
  }
}

}  // namespace

std::vector<std::size_t> balance(std::span<const double> costs, std::size_t bins) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [costs](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  using Bin = std::tuple<double, std::size_t, std::size_t>;  // cost, items, number
  std::priority_queue<Bin, std::vector<Bin>, std::greater<>> least;
  for (std::size_t bin = 0; bin < bins; ++bin) least.emplace(0.0, 0, bin);
  std::vector<std::size_t> bin_of(costs.size());
  for (const std::size_t item : order) {
    const auto [cost, items, bin] = least.top();
    least.pop();
    bin_of[item] = bin;
    least.emplace(cost + costs[item], items + 1, bin);
  }
  return bin_of;
}

std::vector<Portion> portions_of(std::span<const Case> cases, double parts, const RunCosts& costs) {
  std::map<ProblemKey, Group> groups;
  std::vector<double> case_costs;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    case_costs.push_back(costs.of_case ? costs.of_case(cases[i]) : 1.0);
    Group& group = groups[problem_key(cases[i])];
    group.cases.push_back(i);
    group.cases_cost += case_costs.back();
  }
  double total = 0;
  for (auto& [key, group] : groups) {
    if (costs.of_truth) group.truth_cost = costs.of_truth(cases[group.cases.front()]);
    total += group.cases_cost + group.truth_cost;
  }
  std::vector<Portion> portions;
  for (const auto& [key, group] : groups) cut(group, case_costs, total / parts, portions);
  return portions;
}

}  // namespace fftprec
