#include "reports/results/row_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"
#include "reports/results/run_reader.hpp"

namespace fftprec::results {

namespace {

constexpr std::size_t least_ranks = 3;  ///< smallest, median and largest
constexpr std::size_t most_levels = 2;

/// By which the rows of a group are ranked: NaN counts as infinite.
double ranked_value(const Row& row) {
  const double value = row.err_l2_rel.value_or(0);
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

/// Keeps `ranks` members at evenly spaced ranks, with the first and the last, in the order in which
/// they came.
template <class Kept>
void keep_ranks(std::vector<Kept>& group, std::size_t ranks) {
  if (group.size() <= ranks) return;
  std::vector<std::size_t> order(group.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranked_value(group[i].row); });
  double all = 0;
  for (const Kept& kept : group) all += kept.weight;
  std::vector<std::size_t> chosen;
  double below = 0;  // the weight of those before order[at]
  std::size_t at = 0;
  for (std::size_t j = 0; j < ranks; ++j) {
    const double target = all * static_cast<double>(j) / static_cast<double>(ranks - 1);
    while (at + 1 < order.size() && below + group[order[at]].weight <= target)
      below += group[order[at++]].weight;
    const std::size_t member = j + 1 == ranks ? order.back() : order[at];
    if (chosen.empty() || chosen.back() != member) chosen.push_back(member);
  }
  std::ranges::sort(chosen);
  std::vector<Kept> kept;
  for (const std::size_t member : chosen) kept.push_back(std::move(group[member]));
  for (Kept& each : kept) each.weight = all / static_cast<double>(kept.size());
  group = std::move(kept);
}

}  // namespace

RowSample::Key RowSample::key_of(const Row& row) const {
  Case where = row.where;
  where.seed = Case{}.seed;
  if (level_ >= 1) where.n = Case{}.n;
  if (level_ >= 2) where = Case{.algorithm = where.algorithm, .mode = where.mode};
  return {SharedCase(where),
          row.status == Status::ok ? "" : std::string(name_of(row.status)) + row.message};
}

void RowSample::add(const Row& row) {
  const bool follows = last_group_ != nullptr && row.status == Status::ok &&
                       last_group_->back().row.status == Status::ok &&
                       row.where.shares_names(last_where_) &&
                       row.where.batch() == last_where_.batch();
  if (!follows) last_group_ = &groups_[key_of(row)];
  last_where_ = row.where;
  Kept kept{row, all_, 1};
  kept.row.where = names_.shared(row.where);
  if (row.status == Status::ok && row.err_l2_rel && row.bound_l2_rel)
    if (const double ratio = ratio_of(*row.err_l2_rel, *row.bound_l2_rel); ratio > worst_ratio_) {
      worst_ratio_ = ratio;
      worst_ = kept;
    }
  last_group_->push_back(std::move(kept));
  ++all_;
  ++by_status_[row.status];
  if (++kept_ > most_) shrink();
}

/// The largest odd number of ranks for which groups keep at most `most` rows; 1 if there is none.
std::size_t RowSample::ranks_for(std::size_t most) const {
  const auto kept = [this](std::size_t ranks) {
    std::size_t sum = 0;
    for (const auto& [key, group] : groups_) sum += std::min(group.size(), ranks);
    return sum;
  };
  std::size_t low = 0, high = most / 2;  // of ranks 2 * i + 1
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (kept(2 * middle + 1) <= most)
      low = middle;
    else
      high = middle - 1;
  }
  return 2 * low + 1;
}

/// To half of what is allowed, so that it seldom happens.
void RowSample::shrink() {
  ranks_ = ranks_for(most_ / 2);
  for (; ranks_ < least_ranks && level_ < most_levels; ranks_ = ranks_for(most_ / 2))
    take_more_together();
  ranks_ = std::max(ranks_, least_ranks);
  kept_ = 0;
  for (auto& [key, group] : groups_) {
    keep_ranks(group, ranks_);
    kept_ += group.size();
  }
}

void RowSample::take_more_together() {
  ++level_;
  std::map<Key, Group> before = std::exchange(groups_, {});
  for (auto& [key, group] : before)
    for (Kept& kept : group) groups_[key_of(kept.row)].push_back(std::move(kept));
  last_group_ = nullptr;
}

std::vector<Row> RowSample::take() {
  std::vector<Kept*> all;
  all.reserve(kept_ + 1);
  for (auto& [key, group] : groups_)
    for (Kept& kept : group) all.push_back(&kept);
  std::ranges::sort(all, {}, &Kept::index);
  if (worst_) {
    const auto place = std::ranges::lower_bound(all, worst_->index, {}, &Kept::index);
    if (place == all.end() || (*place)->index != worst_->index) all.insert(place, &*worst_);
  }
  std::vector<Row> rows;
  rows.reserve(all.size());
  for (Kept* kept : all) rows.push_back(std::move(kept->row));
  groups_.clear();
  last_group_ = nullptr;
  return rows;
}

std::string RowSample::note() const {
  if (kept_ == all_) return {};
  constexpr std::array<const char*, 3> together = {"of the rows that differ in seed alone",
                                                   "of the rows that differ in n and seed alone",
                                                   "of the rows of an algorithm in a mode"};
  const auto count = [this](Status status) {
    const auto found = by_status_.find(status);
    return found == by_status_.end() ? 0 : found->second;
  };
  return fmt::format(
      "Aggregated: {} ({} ok, {} skipped, {} failed) are shown by {} of them: {} at most {}, at "
      "evenly spaced ranks of err_l2_rel, with the smallest, the median and the largest",
      counted(all_, "row"), count(Status::ok), count(Status::skipped), count(Status::failed), kept_,
      together[level_], ranks_);
}

ShownRows read_shown_rows(const std::filesystem::path& where,
                          const std::function<bool(const Row&)>& wanted) {
  RowSample sample;
  RunReader reader(where);
  while (const Row* row = reader.next())
    if (!wanted || wanted(*row)) sample.add(*row);
  std::string note = sample.note();
  return {sample.take(), std::move(note)};
}

}  // namespace fftprec::results
