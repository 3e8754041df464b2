/// Runs cases on other processes: what run_cases does on threads, done by the process that keeps
/// the rows.
#pragma once

#include <set>
#include <span>
#include <utility>

#include "experiments/sweeps/run.hpp"
#include "reports/mpi/post.hpp"

namespace fftprec {

/// The other processes of a run, which evaluate what this one, number 0, hands out. At its end it
/// tells all of them that nothing is left to do, and waits for their last word.
class Helpers {
 public:
  explicit Helpers(Post post) : post_(std::move(post)) {}
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  /// How many there are.
  unsigned count() const { return static_cast<unsigned>(post_.processes - 1); }

  /// Hands out the cases in portions that share a truth, costly ones first, each to the slot that
  /// asks first, and gives each row to `on_row` as soon as it is here. A portion costs a third of a
  /// slot's share at most, unless it is one case or its truth alone. Of the options, costs, on_row,
  /// stop and threads (slots of every process) count.
  /// Returns when every row is here; once stopped, when all running cases have ended; and when all
  /// other processes have gone. An exception from on_row passes through as from run_cases.
  void run(std::span<const Case> cases, const RunOptions& options);

 private:
  Post post_;
  std::set<int> gone_;  ///< processes that have said their last word
};

}  // namespace fftprec
