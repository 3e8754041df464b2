#include "reports/results/compare.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "arith/support/error.hpp"

namespace fftprec {

namespace {

std::vector<const Row*> sorted(std::span<const Row> rows, std::string_view which) {
  std::vector<const Row*> order;
  for (const Row& row : rows) order.push_back(&row);
  std::sort(order.begin(), order.end(),
            [](const Row* a, const Row* b) { return a->where < b->where; });
  const auto twice = std::adjacent_find(
      order.begin(), order.end(), [](const Row* a, const Row* b) { return a->where == b->where; });
  if (twice != order.end())
    throw InputError(std::string(which) + " run has two rows of " + command_of((*twice)->where));
  return order;
}

std::optional<double> ratio_of(std::optional<double> before, std::optional<double> after) {
  if (!before && !after) return 1.0;
  if (!before || !after || std::isnan(*before) || std::isnan(*after)) return std::nullopt;
  if (*before == *after) return 1.0;  // also 0 and 0, inf and inf
  return *after / *before;            // after 0: inf
}

MovedCase difference(const Row& before, const Row& after, const Column& metric) {
  MovedCase moved{before.where, {}, metric.number(before), metric.number(after), {}};
  for (const Column& column : columns())
    if (column.name != "time_ns" && column.text(before) != column.text(after))
      moved.columns.push_back(&column);
  const bool both_nan =
      moved.before && moved.after && std::isnan(*moved.before) && std::isnan(*moved.after);
  moved.ratio = both_nan ? 1.0 : ratio_of(moved.before, moved.after);
  // A failed row has no number on either side to compare.
  if (moved.has("status")) moved.ratio.reset();
  return moved;
}

/// Sums up one group's ratios.
class Group {
 public:
  void add(const MovedCase* moved) {
    ++group_.cases;
    const std::optional<double> ratio = moved ? moved->ratio : 1.0;
    if (moved) {
      ++group_.moved;
      if (moved->has("output_hash")) ++group_.hashes;
      if (!ratio) ++group_.unrated;
    }
    if (!ratio) return;
    group_.worst = rated_ ? std::max(group_.worst, *ratio) : *ratio;
    group_.best = rated_ ? std::min(group_.best, *ratio) : *ratio;
    rated_ = true;
    if (!(*ratio > 0) || std::isinf(*ratio)) return;
    log_sum_ += std::log(*ratio);
    ++finite_;
  }

  MovedGroup result(const std::string& algorithm, const std::string& mode) const {
    MovedGroup group = group_;
    group.algorithm = algorithm;
    group.mode = mode;
    group.mean = finite_ == 0 ? 1 : std::exp(log_sum_ / static_cast<double>(finite_));
    return group;
  }

 private:
  MovedGroup group_;
  bool rated_ = false;
  double log_sum_ = 0;
  std::size_t finite_ = 0;
};

bool worse(const MovedCase& a, const MovedCase& b) {
  if (a.ratio.has_value() != b.ratio.has_value()) return !a.ratio;
  return a.ratio && *a.ratio > *b.ratio;
}

}  // namespace

bool MovedCase::has(std::string_view column) const {
  return std::any_of(columns.begin(), columns.end(),
                     [column](const Column* each) { return each->name == column; });
}

RunComparison compare_runs(std::span<const Row> before, std::span<const Row> after,
                           const Column& metric) {
  const std::vector<const Row*> left = sorted(before, "the first");
  const std::vector<const Row*> right = sorted(after, "the second");
  RunComparison result;
  std::map<std::pair<std::string, std::string>, Group> groups;
  for (std::size_t i = 0, j = 0; i < left.size() || j < right.size();) {
    if (j == right.size() || (i < left.size() && left[i]->where < right[j]->where)) {
      result.only_before.push_back(left[i++]->where);
      continue;
    }
    if (i == left.size() || right[j]->where < left[i]->where) {
      result.only_after.push_back(right[j++]->where);
      continue;
    }
    MovedCase moved = difference(*left[i++], *right[j++], metric);
    ++result.cases;
    const bool differs = !moved.columns.empty();
    groups[{moved.where.algorithm, moved.where.mode}].add(differs ? &moved : nullptr);
    for (const Column* column : moved.columns) ++result.columns[std::string(column->name)];
    if (differs) result.moved.push_back(std::move(moved));
  }
  std::stable_sort(result.moved.begin(), result.moved.end(), worse);
  for (const auto& [key, group] : groups)
    result.groups.push_back(group.result(key.first, key.second));
  return result;
}

}  // namespace fftprec
