/// Two runs, paired by case: which rows moved, and by how much.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/cases/columns.hpp"

namespace fftprec::text {

/// A case whose rows differ in more than time.
struct MovedCase {
  Case where;                          ///< in the first run
  Case partner;                        ///< in the second run: equal except for ignored axes
  std::vector<const Column*> columns;  ///< the columns that differ, in the order of results.csv
  std::optional<double> before;        ///< the metric; empty: not measured
  std::optional<double> after;
  /// after / before; 1 for equal values, inf if only `before` is 0. Empty if one side was not
  /// measured or is NaN.
  std::optional<double> ratio;

  bool has(std::string_view column) const;
};

/// The changes of the cases of one algorithm in one mode.
struct MovedGroup {
  /// Algorithm, mode and the other ignored axes; "trn1 -> trn2" if runs differ.
  std::vector<std::string> names;
  std::size_t cases = 0;    ///< in both runs
  std::size_t moved = 0;    ///< rows differ
  std::size_t hashes = 0;   ///< output_hash differs
  std::size_t unrated = 0;  ///< moved cases without a ratio
  double worst = 1;         ///< largest ratio
  double best = 1;          ///< smallest ratio
  double mean = 1;          ///< geometric, of the ratios that are neither 0 nor inf
};

struct RunComparison {
  std::vector<const Column*> ignored;
  std::size_t cases = 0;          ///< in both runs
  std::vector<Case> only_before;  ///< missing afterwards
  std::vector<Case> only_after;   ///< new
  /// Worst first: cases without a ratio, then by descending ratio.
  std::vector<MovedCase> moved;
  std::vector<MovedGroup> groups;              ///< by their names
  std::map<std::string, std::size_t> columns;  ///< by column, the number of rows that differ in it

  bool same() const { return moved.empty() && only_before.empty() && only_after.empty(); }
};

/// Pairs cases that are equal except for the `ignored` axes.
/// Requires: a metric that holds numbers. Throws InputError if a run has two rows of one case, or
/// several that differ only in ignored axes.
RunComparison compare_runs(std::span<const Row> before, std::span<const Row> after,
                           const Column& metric, std::vector<const Column*> ignored = {});

/// Counts, changes by algorithm and mode, and the moved cases, worst first. Shows at most `limit`
/// of the moved cases, and of the cases that are in only one run.
std::string comparison_text(const RunComparison& comparison, const Column& metric,
                            std::size_t limit);

/// Every moved, new and missing case: case_id, the axes, what (moved, new or missing), metric,
/// before, after, ratio, the columns that differ, separated by spaces, and the ignored axes in the
/// second run.
std::string comparison_csv(const RunComparison& comparison, const Column& metric);

}  // namespace fftprec::text
