/// A gate: a rule on rows, as data; and the verdict of checking it. Checks read and write no files.
///
/// NaN fails, a missing number fails, a row with status failed fails, and a gate that matches no
/// measured row fails: a gate passes only if it was shown to hold.
///
/// A gate file holds gates as tables in TOML:
///
///     [[gate]]
///     name = "ozaki-below-bf16"
///     kind = "order"
///     source = "two parts hold 16 bits of each operand, one part 8"
///     left = "mode=ozaki"
///     right = "mode=bf16"
///     where = ["algorithm=dft-gemm", "n>=64"]     # one filter, or a list that must all hold
///
/// `source` may also be written `reason`. Which keys a kind takes: gate_kinds().
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cases/filter.hpp"
#include "experiments/support/published_value.hpp"

namespace fftprec::gates {

/// A printed figure, and the rows that it is about.
struct PublishedFigure {
  PublishedValue value;
  Selection where;
};

/// A known failure that is accepted until a date.
struct ExpectFail {
  std::string reason;
  std::chrono::sys_days expires;  ///< the last day, UTC, on which it counts
};

/// One [[gate]] of a gate file. A field that the kind does not use keeps its default.
struct Gate {
  std::string name;                   ///< stable id, shown by CI and in the report
  std::string kind;                   ///< one of gate_kinds()
  std::string source;                 ///< why the rule holds: a theorem, a budget, a measurement
  std::string metric = "err_l2_rel";  ///< column of results.csv
  Selection where;
  double limit = 0;  ///< max: largest value allowed
  /// exact: the largest probability of a wrong coefficient; 0: a theorem must exclude it.
  std::optional<double> failure{};
  std::string baseline;   ///< baseline, hash: the file of kept rows
  double worse = 1;       ///< baseline: a value may grow to old * worse
  double better = 1;      ///< baseline: and shrink to old / better
  bool complete = false;  ///< baseline, hash: every kept row must be in the run
  Selection left;         ///< order: its metric is at most factor * that of `right`
  Selection right;
  double factor = 1;
  std::vector<std::string> over;  ///< kinds that compare values: axes pooled by their median
  double min_slope = -std::numeric_limits<double>::infinity();  ///< slope: exponent of n
  double max_slope = std::numeric_limits<double>::infinity();
  std::vector<PublishedFigure> figures;  ///< near: printed figures
  double within = 1;                     ///< near: a factor beyond the digits printed
  double min_ratio = 0;                  ///< ratio: left / right
  double max_ratio = std::numeric_limits<double>::infinity();
  std::optional<ExpectFail> expect_fail;
  std::string file;      ///< where it is written, for messages
  std::size_t line = 0;  ///< of its [[gate]]
};

/// The result of one comparison.
struct Finding {
  SharedCase where;
  double ratio;      ///< value / limit, of a baseline move / allowed move: above 1 is a failure;
                     // < infinity if there is none
  std::string text;  ///< "err_l2_rel = 0.1, limit = 0.01"
  /// Of a comparison with a kept row: its value, and that of the run.
  std::string before{};
  std::string after{};
};

enum class Outcome {
  pass,
  fail,
  expected_fail,    ///< fails, as expect_fail says
  unexpected_pass,  ///< holds although expect_fail is given: counts as a failure
  not_judged,       ///< cannot be compared with kept rows; neither a failure nor a pass
};

/// As many failures of a gate as reports show: the worst, and five others.
inline constexpr std::size_t most_failures = 6;

struct Verdict {
  Gate gate;
  std::size_t checked = 0;        ///< comparisons made
  std::size_t skipped = 0;        ///< selected rows with status skipped
  std::size_t failed = 0;         ///< comparisons that do not hold
  std::vector<Finding> failures;  ///< the worst of them, at most most_failures, worst first
  /// The axes in which the failures differ, also those that are not kept.
  std::vector<const Column*> failing_axes;
  std::optional<Finding> worst;     ///< the comparison with the largest ratio, passed or not
  std::vector<std::string> errors;  ///< why the gate fails as a whole: no rows, no partners
  std::vector<std::string> notes;   ///< remarks for readers, passed or not

  bool judged = true;                  ///< see GateOptions::no_baseline
  bool expected = false;               ///< expect_fail is given and has not expired
  std::vector<std::string> made_by{};  ///< as in GateOptions
  /// The likely cause of the failures, in a few lines, if it was asked for.
  std::vector<std::string> cause{};

  /// Whether every comparison held, and there was one.
  bool holds() const { return checked > 0 && failed == 0 && errors.empty(); }

  /// expect_fail excuses comparisons that failed, never `errors`: a gate that compares nothing has
  /// not been seen to fail.
  Outcome outcome() const {
    if (!judged) return Outcome::not_judged;
    if (holds()) return expected ? Outcome::unexpected_pass : Outcome::pass;
    return expected && errors.empty() && checked > 0 ? Outcome::expected_fail : Outcome::fail;
  }

  bool passed() const { return outcome() == Outcome::pass || outcome() == Outcome::expected_fail; }
};

/// The kept rows for baseline and hash gates, by the file name in the gate.
using KeptRows = std::map<std::string, std::vector<Row>>;

struct GateOptions {
  bool require_baseline = false;  ///< a row without a kept row fails, instead of a note
  /// The day of the check, UTC. Without one every expect_fail has expired.
  std::chrono::sys_days today = std::chrono::sys_days::max();
  /// Why a file of kept rows cannot be used, by its name: gates that name it are not judged.
  std::map<std::string, std::string> no_baseline{};
  /// The words of the command that made the rows, or of this one, for the command that repeats one.
  std::vector<std::string> made_by{};
};

/// Checks one gate. A name in a selection that is neither in a row nor known is an error of the
/// gate. Requires: a known kind; the gate's baseline, if it names one, is in `kept`.
Verdict check_gate(const Gate& gate, std::span<const Row> rows, const KeptRows& kept = {},
                   const GateOptions& options = {});

std::vector<Verdict> check_gates(std::span<const Gate> gates, std::span<const Row> rows,
                                 const KeptRows& kept = {}, const GateOptions& options = {});

/// Checks gates on rows that come one at a time, in any order. Gates on single rows keep nothing of
/// them. Gates that compare rows of the run with one another keep some 8 bytes of each row that
/// they select. Gates that compare with kept rows keep a bit for each of those.
class GateRun {
 public:
  /// As check_gate. `kept` must stay there.
  GateRun(std::span<const Gate> gates, const KeptRows& kept, const GateOptions& options = {});
  ~GateRun();
  GateRun(GateRun&&) noexcept;
  GateRun& operator=(GateRun&&) noexcept;

  void add(const Row& row);

  /// Once, after all rows.
  std::vector<Verdict> finish();

 private:
  class Work;
  std::vector<std::unique_ptr<Work>> works_;
};

bool all_passed(std::span<const Verdict> verdicts);

struct GateInput;
class GateJudge;

/// The check of one gate: add() for each row, then finish() once.
struct RowCheck {
  std::function<void(const Row& row)> add;
  std::function<void()> finish;
};

/// A kind of gate. To add one: write its check in gate_kinds.cpp and add one line to the table
/// there. A new key also needs a field in Gate and a line in gate_file.cpp.
struct GateKind {
  std::string_view name;
  std::string_view meaning;
  std::string_view metric;                 ///< default of `metric`
  std::vector<std::string_view> required;  ///< keys it must have, beside name, kind and source
  std::vector<std::string_view> optional;  ///< keys it may have
  RowCheck (*check)(const GateInput& input, GateJudge& judge);
};

std::span<const GateKind> gate_kinds();

/// Throws InputError for an unknown name; lists the known ones.
const GateKind& gate_kind_named(std::string_view name);

/// Throws InputError("NAME:LINE:COLUMN: ...") for malformed TOML, an unknown key, kind, metric or
/// axis (with the nearest known one), a value of the wrong type, a missing key, two gates of one
/// name, or no gate at all.
std::vector<Gate> parse_gates(std::string_view text, std::string_view name);

/// parse_gates of a file. The paths of baselines are relative to the gate file. Throws InputError
/// also if the file cannot be read.
std::vector<Gate> read_gates(const std::filesystem::path& path);

}  // namespace fftprec::gates
