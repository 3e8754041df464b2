#include "experiments/cases/seed_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "arith/support/error.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

namespace {

/// The larger, the worse.
auto badness(const Row& row) {
  const bool measured = row.status == Status::ok && row.err_l2_rel;
  const double error = measured ? *row.err_l2_rel : 0;
  const int kind = row.status == Status::failed    ? 4
                   : row.status == Status::skipped ? 0
                   : !measured                     ? 1
                   : std::isnan(error)             ? 3
                                                   : 2;
  return std::pair(kind, kind == 2 ? error : 0);
}

bool is_worse(const Row& a, const Row& b) {
  const auto left = badness(a);
  const auto right = badness(b);
  return left > right || (left == right && a.where.seed() < b.where.seed());
}

InputError counts_twice(std::uint64_t seed, const Row& row) {
  SharedCase where = row.where;
  where.set(&Case::seed, seed);
  return InputError("statistics over seeds count a case twice: " + command_of(where));
}

}  // namespace

std::vector<const Column*> summarised_metrics(const Row& row) {
  std::vector<const Column*> metrics;
  if (row.over_seeds)
    for (const MetricSummary& summary : row.over_seeds->metrics) metrics.push_back(summary.metric);
  return metrics;
}

std::vector<const Column*> summarised_metrics(const std::vector<std::string>& names) {
  std::vector<const Column*> metrics;
  for (const Column& column : columns())
    if (column.is_error) metrics.push_back(&column);
  const std::vector<std::string> known = names_by(metrics, &Column::name);
  for (const std::string& name : names) index_named(known, "error to summarise", shown_name(name));
  std::erase_if(metrics, [&](const Column* metric) {
    return std::ranges::none_of(
        names, [metric](const std::string& name) { return is_called(*metric, name); });
  });
  require(!metrics.empty(), "no error to summarise");
  return metrics;
}

std::vector<const Column*> default_summarised_metrics() {
  return summarised_metrics({"err_l2_rel", "err_linf_rel", "err_max_ulp"});
}

SeedReduction::SeedReduction(std::span<const Column* const> metrics) {
  for (const Column* metric : metrics) statistics_.make(*metric);
}

void SeedReduction::add(const Row& row) {
  const bool is_first = empty();
  if (row.over_seeds) {
    const SeedStatistics& other = *row.over_seeds;
    if (!std::ranges::equal(statistics_.metrics, other.metrics, {}, &MetricSummary::metric,
                            &MetricSummary::metric))
      throw InputError("statistics over seeds of other metrics: " + command_of(row.where));
    if (const auto seed = statistics_.seeds.first_common(other.seeds))
      throw counts_twice(*seed, row);
    statistics_.seeds.add(other.seeds);
    for (std::size_t i = 0; i < statistics_.metrics.size(); ++i)
      statistics_.metrics[i].errors.merge(other.metrics[i].errors);
  } else {
    const std::uint64_t seed = row.where.seed();
    if (statistics_.seeds.contains(seed)) throw counts_twice(seed, row);
    statistics_.seeds.add(seed);
    if (row.status == Status::ok)
      for (MetricSummary& summary : statistics_.metrics)
        if (const std::optional<double> error = summary.metric->number(row))
          summary.errors.add(*error, seed);
  }
  if (!is_first && !is_worse(row, worst_)) return;
  worst_ = row;
  worst_.over_seeds = nullptr;
}

Row SeedReduction::row() const {
  Row row = worst_;
  row.over_seeds = std::make_shared<SeedStatistics>(statistics_);
  return row;
}

void RunReduction::add(const Row& row) {
  const auto key = std::pair(row.where.names_key(), row.where.batch());
  auto place = cases_.find(key);
  if (place == cases_.end())
    place = cases_.emplace(key, Reduced{row.where, SeedReduction(metrics_)}).first;
  place->second.rows.add(row);
}

void RunReduction::take(const std::function<void(Row)>& use) {
  while (!cases_.empty()) use(cases_.extract(cases_.begin()).mapped().rows.row());
}

}  // namespace fftprec
