/// Statistics over seeds, as a row holds them: which seeds, and the errors of all of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/support/error_summary.hpp"

namespace fftprec {

struct Column;

/// A set of seeds, kept as ranges.
class SeedSet {
 public:
  void add(std::uint64_t first, std::uint64_t last);
  void add(std::uint64_t seed) { add(seed, seed); }
  void add(const SeedSet& other);

  bool empty() const { return ranges_.empty(); }
  bool contains(std::uint64_t seed) const;
  std::uint64_t size() const;

  /// The least seed that both sets have.
  std::optional<std::uint64_t> first_common(const SeedSet& other) const;
  /// The least seed that the other set lacks.
  std::optional<std::uint64_t> first_beyond(const SeedSet& other) const;

  /// Ranges as -a takes them, ascending: "1..500,502".
  std::string to_text() const;
  /// The inverse of to_text. Throws InputError for any other text.
  static SeedSet from_text(std::string_view text);

  bool operator==(const SeedSet&) const = default;

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  ///< the last seed by the first; with gaps
};

/// The errors of all measured seeds in one metric.
struct MetricSummary {
  const Column* metric;
  ErrorSummary errors{};
};

struct SeedStatistics {
  SeedSet seeds{};
  std::vector<MetricSummary> metrics{};  ///< in the order of columns()

  /// Null for a metric that is not summarised.
  const ErrorSummary* of(const Column& metric) const;
  /// Adds an empty summary if there is none.
  ErrorSummary& make(const Column& metric);
};

}  // namespace fftprec
