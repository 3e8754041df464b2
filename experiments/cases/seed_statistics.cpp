#include "experiments/cases/seed_statistics.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "arith/support/error.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

void SeedSet::add(std::uint64_t first, std::uint64_t last) {
  auto next = ranges_.upper_bound(first);
  if (next != ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->second >= first || before->second + 1 == first) {
      first = before->first;
      last = std::max(last, before->second);
      next = before;
    }
  }
  const auto joined = next;
  while (next != ranges_.end() && (next->first <= last || next->first - 1 == last)) {
    last = std::max(last, next->second);
    ++next;
  }
  if (joined != next && joined->first == first) {
    joined->second = last;
    ranges_.erase(std::next(joined), next);
    return;
  }
  ranges_.emplace_hint(ranges_.erase(joined, next), first, last);
}

void SeedSet::add(const SeedSet& other) {
  for (const auto& [first, last] : other.ranges_) add(first, last);
}

bool SeedSet::contains(std::uint64_t seed) const {
  const auto next = ranges_.upper_bound(seed);
  return next != ranges_.begin() && std::prev(next)->second >= seed;
}

std::uint64_t SeedSet::size() const {
  std::uint64_t count = 0;
  for (const auto& [first, last] : ranges_) count += last - first + 1;
  return count;
}

std::optional<std::uint64_t> SeedSet::first_common(const SeedSet& other) const {
  auto a = ranges_.begin();
  auto b = other.ranges_.begin();
  while (a != ranges_.end() && b != other.ranges_.end()) {
    if (a->second < b->first)
      ++a;
    else if (b->second < a->first)
      ++b;
    else
      return std::max(a->first, b->first);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> SeedSet::first_beyond(const SeedSet& other) const {
  for (const auto& [first, last] : ranges_) {
    const auto next = other.ranges_.upper_bound(first);
    if (next == other.ranges_.begin() || std::prev(next)->second < first) return first;
    if (std::prev(next)->second < last) return std::prev(next)->second + 1;
  }
  return std::nullopt;
}

std::string SeedSet::to_text() const {
  std::string text;
  for (const auto& [first, last] : ranges_) {
    if (!text.empty()) text += ',';
    text += std::to_string(first);
    if (last > first) text += ".." + std::to_string(last);
  }
  return text;
}

SeedSet SeedSet::from_text(std::string_view text) {
  SeedSet seeds;
  for (const std::string& range : split_list(text)) {
    const std::size_t dots = std::min(range.find(".."), range.size());
    const auto first = parse_unsigned(std::string_view(range).substr(0, dots));
    const auto last =
        dots == range.size() ? first : parse_unsigned(std::string_view(range).substr(dots + 2));
    if (first && last && *first <= *last) seeds.add(*first, *last);
  }
  require(!text.empty() && seeds.to_text() == text, "'", text,
          "' is not ascending ranges of seeds, as in 1..500,502");
  return seeds;
}

const ErrorSummary* SeedStatistics::of(const Column& metric) const {
  const auto found = std::ranges::find(metrics, &metric, &MetricSummary::metric);
  return found == metrics.end() ? nullptr : &found->errors;
}

ErrorSummary& SeedStatistics::make(const Column& metric) {
  const auto place =
      std::ranges::lower_bound(metrics, &metric, std::less(), &MetricSummary::metric);
  if (place != metrics.end() && place->metric == &metric) return place->errors;
  return metrics.insert(place, {.metric = &metric})->errors;
}

}  // namespace fftprec
