#include "experiments/sweeps/shard.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/sweeps/run.hpp"

namespace fftprec {

namespace {

/// Cases that share a truth, or tables: positions in the list of all cases.
struct Portion {
  std::vector<std::size_t> cases;
  double cost = 0;  ///< nanoseconds, with that which they share
};

/// Cases with one truth, or with common tables.
struct SharedCases {
  std::vector<std::size_t> cases;
  double cases_cost = 0;
  double shared_cost = 0;
};

/// Groups cases with equal `key_of`; `shared` is the cost that a group shares.
template <class KeyOf, class Shared>
std::vector<SharedCases> grouped(std::span<const CasePlan> cases, std::span<const double> costs,
                                 KeyOf key_of, Shared shared) {
  std::map<decltype(key_of(cases.front())), SharedCases> groups;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SharedCases& group = groups[key_of(cases[i])];
    group.cases.push_back(i);
    group.cases_cost += costs[i];
  }
  std::vector<SharedCases> result;
  for (auto& [key, group] : groups) {
    group.shared_cost = shared(cases[group.cases.front()]);
    result.push_back(std::move(group));
  }
  return result;
}

/// A key for the tables of a plan, with an equal order in every process.
Case tables_of(const CasePlan& plan) { return plan_key(plan.where()); }

double total_shared(std::span<const SharedCases> groups) {
  return std::accumulate(
      groups.begin(), groups.end(), 0.0,
      [](double sum, const SharedCases& group) { return sum + group.shared_cost; });
}

/// The bin of each item: costly items first, each to the cheapest bin so far. Of equally cheap
/// bins, the number of items and then the index decide, so that the result is always the same.
/// `add(item, bin)` is the additional cost of the item in its bin.
std::vector<std::size_t> balance(std::span<const double> costs, std::size_t bins,
                                 const std::function<double(std::size_t, std::size_t)>& add) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [costs](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  using Bin = std::tuple<double, std::size_t, std::size_t>;  // cost, items, number
  std::priority_queue<Bin, std::vector<Bin>, std::greater<>> least;
  for (std::size_t bin = 0; bin < bins; ++bin) least.emplace(0.0, 0, bin);
  std::vector<std::size_t> bin_of(costs.size());
  for (const std::size_t item : order) {
    const auto [cost, items, bin] = least.top();
    least.pop();
    bin_of[item] = bin;
    least.emplace(cost + add(item, bin), items + 1, bin);
  }
  return bin_of;
}

void cut(const SharedCases& group, std::span<const double> costs, double limit,
         std::vector<Portion>& portions) {
  std::size_t parts = 1;
  if (group.cases_cost + group.shared_cost > limit) {
    const double room = std::max(limit - group.shared_cost, group.shared_cost);
    parts = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(group.cases_cost / room)), 1,
                                    group.cases.size());
  }
  std::vector<double> own;
  for (const std::size_t i : group.cases) own.push_back(costs[i]);
  const std::vector<std::size_t> part_of =
      balance(own, parts, [&own](std::size_t item, std::size_t) { return own[item]; });
  const std::size_t first = portions.size();
  portions.resize(first + parts, {{}, group.shared_cost});
  for (std::size_t i = 0; i < own.size(); ++i) {
    portions[first + part_of[i]].cases.push_back(group.cases[i]);
    portions[first + part_of[i]].cost += own[i];
  }
}

/// Puts every case into one portion. Cases that share a truth stay together, or cases that share
/// tables, whichever cost more to make. A group that costs more than total/`parts` is split into
/// the fewest portions below about that limit. If the shared part is most of the limit, the cases
/// of each portion cost as much as the shared part.
std::vector<Portion> portions_of(std::span<const CasePlan> cases, double parts) {
  std::vector<double> case_costs;
  for (const CasePlan& plan : cases) case_costs.push_back(plan.cost().run_ns);
  const std::vector<SharedCases> by_truth = grouped(
      cases, case_costs, problem_view, [](const CasePlan& plan) { return plan.cost().truth_ns; });
  const std::vector<SharedCases> by_tables = grouped(
      cases, case_costs, tables_of, [](const CasePlan& plan) { return plan.cost().tables_ns; });
  const double truths = total_shared(by_truth), tables = total_shared(by_tables);
  const double total = std::accumulate(case_costs.begin(), case_costs.end(), truths + tables);
  std::vector<Portion> portions;
  for (const SharedCases& group : tables > truths ? by_tables : by_truth)
    cut(group, case_costs, total / parts, portions);
  return portions;
}

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

std::vector<CasePlan> plans_of_shard(std::span<const CasePlan> cases, const Shard& shard) {
  const std::vector<Portion> portions = portions_of(cases, 4 * static_cast<double>(shard.count));
  std::vector<double> portion_costs;
  for (const Portion& portion : portions) portion_costs.push_back(portion.cost);
  std::vector<CostSum> sums(shard.count);
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
  std::ranges::sort(own);
  std::vector<CasePlan> result;
  for (const std::size_t i : own) result.push_back(cases[i]);
  return result;
}

namespace {

CaseSet cases_of_short_list(const CaseList& cases, const Shard& shard, Session& session) {
  const std::vector<CasePlan> own = plans_of_shard(session.plan(cases.all()), shard);
  CaseSet wanted(cases.places());
  auto next = own.begin();
  for (auto at = cases.walk(CaseOrder::results); next != own.end(); at.advance()) {
    if (next->where() != at.where()) continue;
    wanted[at.place()] = true;
    ++next;
  }
  return wanted;
}

/// Deals cases out to shards as they come, a portion at a time.
class Dealer {
 public:
  Dealer(std::uint64_t places, const Shard& shard, double total)
      : shard_(shard), limit_(total / (64 * static_cast<double>(shard.count))), own_(places) {
    for (std::uint64_t i = 1; i <= shard.count; ++i) least_.emplace(0.0, i);
  }

  /// Whether the case alone is a portion.
  bool is_costly(const CasePlan& plan) const { return plan.cost().whole_ns() > limit_; }

  void add(const CasePlan& plan, std::uint64_t place) {
    const EmulationCost cost = plan.cost();
    const bool new_truth = places_.empty() || !same_problem(plan.where(), last_);
    // What a portion shares is made once in it, so it is at most half of a portion that is cut.
    const bool full = cost_ >= limit_ && cost_ >= 2 * shared_;
    if (full && (new_truth || cost_ >= 2 * limit_)) deal();
    const double truth = new_truth || places_.empty() ? cost.truth_ns : 0;
    const double tables = tables_.insert(plan.shared()).second ? cost.tables_ns : 0;
    shared_ += truth + tables;
    cost_ += truth + tables + cost.run_ns;
    places_.push_back(place);
    last_ = plan.where();
  }

  CaseSet own() && {
    deal();
    return std::move(own_);
  }

 private:
  /// Gives the portion to the cheapest shard; of equally cheap ones to the first.
  void deal() {
    const auto [cost, index] = least_.top();
    least_.pop();
    least_.emplace(cost + cost_, index);
    if (index == shard_.index)
      for (const std::uint64_t place : places_) own_[place] = true;
    places_.clear();
    tables_.clear();
    cost_ = shared_ = 0;
  }

  Shard shard_;
  double limit_;  ///< of the cost of a portion, about
  std::priority_queue<std::pair<double, std::uint64_t>,
                      std::vector<std::pair<double, std::uint64_t>>, std::greater<>>
      least_;
  std::vector<std::uint64_t> places_;  ///< of the portion, as the next four
  std::set<const CasePlan::Shared*> tables_;
  double cost_ = 0;
  double shared_ = 0;
  SharedCase last_;
  CaseSet own_;
};

}  // namespace

CasesOfShard cases_of_shard(const CaseList& cases, const Shard& shard, Session& session) {
  const std::size_t seeds = cases.common_seeds().size();
  if (cases.places() > PlanStream::batch_cases && seeds >= least_shard_seeds * shard.count) {
    const std::size_t begin = seeds * (shard.index - 1) / shard.count;
    const std::size_t end = seeds * shard.index / shard.count;
    return {cases.of_seeds(begin, end - begin), {}};
  }
  const PlanStream plans(cases, {}, session);
  const Workload work = plans.workload();
  if (work.cases <= PlanStream::batch_cases)
    return {cases, cases_of_short_list(cases, shard, session)};
  Dealer dealer(cases.places(), shard, work.cost_ns);
  for (const bool costly : {true, false})  // what is cheap evens out what is not
    plans.each([&](const CasePlan& plan, std::uint64_t place) {
      if (dealer.is_costly(plan) == costly) dealer.add(plan, place);
    });
  return {cases, std::move(dealer).own()};
}

}  // namespace fftprec
