/// What `fftprec run` was asked for, as what a run is made of; the same for the process that keeps
/// the rows and for those that help it.
#pragma once

#include <iosfwd>
#include <memory>
#include <span>

#include "reports/commands/run_command.hpp"

namespace fftprec {

/// What evaluates the cases: its options refer to it, so it stays where it is.
class Evaluation {
 public:
  /// Truths by `truth_threads` threads each. Opens the cache of truths; says on `err` if there is
  /// no place for one. `functions` and `request` must outlive it.
  Evaluation(const RunRequest& request, const CaseFunctions& functions, unsigned truth_threads,
             std::ostream& err);

  /// Everything but on_row, stop and on_hang.
  const RunOptions& options() const { return options_; }
  const TruthCache* cache() const { return cache_.get(); }  ///< or null

 private:
  std::unique_ptr<TruthCache> cache_;
  RunOptions options_;
};

/// The number of threads asked for, or one per core.
unsigned threads_of(const RunRequest& request);

/// The instruction set asked for, or the fastest.
Isa isa_of(const RunRequest& request);

/// The number of truths that the cases need.
std::size_t count_problems(std::span<const Case> cases);

/// What --dry-run prints: cases, truths, cost, time.
std::string dry_run_text(std::span<const Case> cases, const RunCosts& costs, unsigned threads);

}  // namespace fftprec
