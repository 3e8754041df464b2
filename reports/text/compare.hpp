/// Two runs, paired by case: which rows moved, and by how much.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// Of the lists of cases perhaps only the first are kept; the counts are of all.
struct RunComparison {
  std::vector<const Column*> ignored;
  std::size_t cases = 0;            ///< in both runs
  std::size_t missing = 0;          ///< only in the first run
  std::vector<Case> only_before{};  ///< these
  std::size_t added = 0;            ///< only in the second run
  std::vector<Case> only_after{};   ///< these
  std::size_t moved_cases = 0;      ///< rows differ
  /// These, worst first: cases without a ratio, then by descending ratio.
  std::vector<MovedCase> moved{};
  std::vector<const Column*> moved_axes{};  ///< in which moved cases differ
  std::vector<MovedGroup> groups{};         ///< by their names
  std::map<std::string, std::size_t>
      columns{};  ///< by column, the number of rows that differ in it

  bool same() const { return moved_cases == 0 && missing == 0 && added == 0; }
};

/// Compares cases that come in pairs, or from one run alone. Memory does not grow with them: of
/// each list of cases at most `most` are kept.
class RunComparer {
 public:
  /// Requires: a metric that holds numbers.
  RunComparer(const Column& metric, std::vector<const Column*> ignored,
              std::size_t most = std::numeric_limits<std::size_t>::max());
  ~RunComparer();
  RunComparer(RunComparer&&) noexcept;
  RunComparer& operator=(RunComparer&&) noexcept;

  /// Rows of one case, except for the ignored axes.
  void add(const Row& before, const Row& after);
  void add_missing(const Row& before);
  void add_new(const Row& after);

  /// From now on, keeps the lines of write_csv in a file without a name.
  void keep_csv();
  /// Every moved case, worst first, then every missing and new one: case_id, the axes, what (moved,
  /// new or missing), metric, before, after, ratio, the columns that differ, separated by spaces,
  /// and the ignored axes in the second run. Requires: keep_csv.
  void write_csv(const std::function<void(std::string_view piece)>& sink);

  /// Once, after all cases.
  RunComparison finish();

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// The identity_of the row with the ignored axes as they are in every case.
SharedCase pairing_key(const Row& row, const std::vector<const Column*>& ignored);

/// Gives a comparer rows in memory, in any order. Throws InputError if a run has two rows of one
/// case, or several that differ only in ignored axes.
void compare_rows(std::span<const Row> before, std::span<const Row> after,
                  const std::vector<const Column*>& ignored, RunComparer& comparer);

/// The same with a comparer that keeps all cases.
RunComparison compare_runs(std::span<const Row> before, std::span<const Row> after,
                           const Column& metric, const std::vector<const Column*>& ignored = {});

/// Counts, changes by algorithm and mode, and the moved cases, worst first. Shows those that are
/// kept of the moved cases and of those in only one run.
std::string comparison_text(const RunComparison& comparison, const Column& metric);

}  // namespace fftprec::text
