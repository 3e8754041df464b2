#include "experiments/sweeps/shard.hpp"

#include <algorithm>
#include <optional>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/sweeps/portions.hpp"

namespace fftprec {

namespace {

constexpr std::uint64_t most_shards = 100'000;

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
                                 const RunCosts& costs) {
  const std::vector<Portion> portions =
      portions_of(cases, 4 * static_cast<double>(shard.count), costs);
  std::vector<double> portion_costs;
  for (const Portion& portion : portions) portion_costs.push_back(portion.cost);
  std::vector<CostSum> sums(shard.count, CostSum(costs));
  const std::vector<std::size_t> shard_of =
      balance(portion_costs, shard.count, [&](std::size_t portion, std::size_t bin) {
        double cost = 0;
        for (const std::size_t i : portions[portion].cases) cost += sums[bin].add(cases[i]);
        return cost;
      });
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
