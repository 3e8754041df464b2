#include "experiments/shard.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

#include "arith/error.hpp"
#include "experiments/decimal.hpp"

namespace fftprec {

namespace {

constexpr std::uint64_t most_shards = 100'000;

/// Which bin each item goes to: costly ones first, each to the bin that has least so far. Bins of
/// one cost go by what they hold and then by number, so that nothing is left to chance.
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

/// Cases that stay together: positions in the list of all cases.
struct Portion {
  std::vector<std::size_t> cases;
  double cost = 0;
};

/// The group in parts of at most about `limit`.
std::vector<Portion> cut(const Portion& group, std::span<const double> costs, double limit) {
  std::size_t parts = 1;
  if (group.cost > limit)
    parts = std::min(group.cases.size(), static_cast<std::size_t>(std::ceil(group.cost / limit)));
  std::vector<double> own;
  for (const std::size_t i : group.cases) own.push_back(costs[i]);
  const std::vector<std::size_t> part_of = balance(own, parts);
  std::vector<Portion> result(parts);
  for (std::size_t i = 0; i < own.size(); ++i) {
    result[part_of[i]].cases.push_back(group.cases[i]);
    result[part_of[i]].cost += own[i];
  }
  return result;
}

}  // namespace

Shard parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  std::optional<std::uint64_t> index, count;
  if (slash != std::string_view::npos) {
    index = parse_unsigned(text.substr(0, slash));
    count = parse_unsigned(text.substr(slash + 1));
  }
  if (!index || !count || *index < 1 || *index > *count || *count > most_shards)
    throw InputError("'" + std::string(text) + "' is no shard; expected I/N with 1 <= I <= N <= " +
                     std::to_string(most_shards));
  return {*index, *count};
}

std::string text_of(const Shard& shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.count);
}

std::vector<Case> cases_of_shard(std::span<const Case> cases, const Shard& shard,
                                 const EstimateCost& cost_of) {
  std::map<ProblemKey, Portion> groups;
  std::vector<double> costs;
  double total = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    costs.push_back(cost_of(cases[i]));
    total += costs[i];
    Portion& group = groups[problem_key(cases[i])];
    group.cases.push_back(i);
    group.cost += costs[i];
  }
  std::vector<Portion> portions;
  for (const auto& [key, group] : groups)
    for (Portion& part : cut(group, costs, total / static_cast<double>(shard.count)))
      portions.push_back(std::move(part));
  std::vector<double> portion_costs;
  for (const Portion& portion : portions) portion_costs.push_back(portion.cost);
  const std::vector<std::size_t> shard_of = balance(portion_costs, shard.count);
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < portions.size(); ++i)
    if (shard_of[i] + 1 == shard.index)
      own.insert(own.end(), portions[i].cases.begin(), portions[i].cases.end());
  std::sort(own.begin(), own.end());
  std::vector<Case> result;
  for (const std::size_t i : own) result.push_back(cases[i]);
  return result;
}

}  // namespace fftprec
