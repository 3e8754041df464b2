/// The tally of one gate: sorts rows out before a kind sees them, and keeps what failed and what
/// came nearest to failing.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/gates/gate.hpp"

namespace fftprec {

/// A row that was measured, with its metric as a number that is not NaN.
struct Sample {
  const Row* row;
  double value;
};

class GateJudge {
 public:
  explicit GateJudge(const Gate& gate) { verdict_.gate = gate; }

  /// The measured rows of a selection within the gate's `where`. On the way: skipped rows are
  /// counted; failed rows, empty metrics and NaN become failures.
  std::vector<Sample> samples(const Selection& selection, std::span<const Row> rows);

  /// The measured rows of a selection, whatever their metric; skipped and failed rows as above.
  std::vector<const Row*> measured(const Selection& selection, std::span<const Row> rows);

  /// Counts one comparison. It fails unless ratio <= 1, so NaN fails. `text()` is asked for only
  /// when it is kept.
  template <class Text>
  void compare(const Case& where, double ratio, Text text) {
    ++verdict_.checked;
    const bool fails = !(ratio <= 1);
    const bool worst = !verdict_.worst || sortable(ratio) > sortable(verdict_.worst->ratio);
    if (!fails && !worst) return;
    const Finding finding{where, ratio, text()};
    if (fails) verdict_.failures.push_back(finding);
    if (worst) verdict_.worst = finding;
  }

  /// Counts one comparison that cannot hold.
  void fail(const Case& where, const std::string& text) {
    compare(where, std::numeric_limits<double>::infinity(), [&] { return text; });
  }

  void error(std::string text) { verdict_.errors.push_back(std::move(text)); }
  void note(std::string text) { verdict_.notes.push_back(std::move(text)); }

  /// What was found; nothing may be added after that.
  Verdict take() { return std::move(verdict_); }

 private:
  /// NaN sorts with infinity, above every number.
  static double sortable(double ratio) {
    return ratio <= std::numeric_limits<double>::max() ? ratio
                                                       : std::numeric_limits<double>::infinity();
  }

  Verdict verdict_;
};

}  // namespace fftprec
