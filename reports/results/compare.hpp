/// Two runs, paired by case: what moved, and by how much.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/columns.hpp"

namespace fftprec::results {

/// A case whose rows differ in more than time.
struct MovedCase {
  Case where;
  std::vector<const Column*> columns;  ///< those that differ, in the order of results.csv
  std::optional<double> before;        ///< the metric; empty: not measured
  std::optional<double> after;
  /// after / before; 1 for equal values, inf for something after 0. Empty where there is no such
  /// number: one side was not measured, or is NaN.
  std::optional<double> ratio;

  bool has(std::string_view column) const;
};

/// What happened to the cases of one algorithm in one mode.
struct MovedGroup {
  std::string algorithm;
  std::string mode;
  std::size_t cases = 0;    ///< in both runs
  std::size_t moved = 0;    ///< rows differ
  std::size_t hashes = 0;   ///< output_hash differs
  std::size_t unrated = 0;  ///< moved cases without a ratio
  double worst = 1;         ///< largest ratio
  double best = 1;          ///< smallest ratio
  double mean = 1;          ///< geometric, of the ratios that are neither 0 nor inf
};

struct RunComparison {
  std::size_t cases = 0;          ///< in both runs
  std::vector<Case> only_before;  ///< missing afterwards
  std::vector<Case> only_after;   ///< new
  /// Worst first: those without a ratio, then from the largest ratio to the smallest.
  std::vector<MovedCase> moved;
  std::vector<MovedGroup> groups;              ///< by algorithm, then mode
  std::map<std::string, std::size_t> columns;  ///< how many rows differ in each column that moved

  bool same() const { return moved.empty() && only_before.empty() && only_after.empty(); }
};

/// Requires: a metric that holds numbers. Throws InputError if a run has two rows of one case.
RunComparison compare_runs(std::span<const Row> before, std::span<const Row> after,
                           const Column& metric);

/// Counts, what moved by algorithm and mode, and the moved cases, worst first: at most `limit` of
/// them and of the cases that are in one run only.
std::string comparison_text(const RunComparison& comparison, const Column& metric,
                            std::size_t limit);

/// Every moved, new and missing case: case_id, the axes, what (moved, new or missing), metric,
/// before, after, ratio, and the columns that differ, separated by spaces.
std::string comparison_csv(const RunComparison& comparison, const Column& metric);

}  // namespace fftprec::results
