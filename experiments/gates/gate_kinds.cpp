/// The kinds of gates: each a check of rows, and one line in the table at the end.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/cases/seed_statistics.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/gates/row_groups.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"

namespace fftprec::gates {

/// What a check looks at, beside the rows.
struct GateInput {
  const Gate& gate;
  std::span<const Row> kept;  ///< empty unless the kind takes a baseline
  const GateOptions& options;
};

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether rows share names only if they are equal in this column.
bool is_shared(const Column& column) {
  return column.axis && column.name != "batch" && column.name != "seed";
}

/// A selection, asked for one row after the other: what names decide is asked once for rows that
/// share them.
class Selector {
 public:
  explicit Selector(const Selection& selection) {
    for (const Condition& condition : selection.filter.conditions)
      (is_shared(*condition.column) ? by_names_ : by_row_).conditions.push_back(condition);
  }

  bool operator()(const Row& row) {
    if (!names_match_ || !row.where.shares_names(last_)) {
      last_ = row.where;
      names_match_ = matches(by_names_, row);
    }
    return *names_match_ && matches(by_row_, row);
  }

 private:
  Filter by_names_{};
  Filter by_row_{};
  SharedCase last_{};
  std::optional<bool> names_match_{};  ///< of last_
};

}  // namespace

/// The judge of one gate: sorts out rows before the check of its kind, and keeps the worst failures
/// and the comparison nearest to failing.
class GateJudge {
 public:
  explicit GateJudge(const Gate& gate) : where_(gate.where), metric_(column_named(gate.metric)) {
    verdict_.gate = gate;
  }

  /// The gate's metric.
  const Column& metric() const { return metric_; }

  /// Whether the gate's `where` selects the row.
  bool selects(const Row& row) { return where_(row); }

  /// Whether the row is within the gate's `where` and was measured, whatever its metric. A skipped
  /// row is counted, a failed row becomes a failure.
  bool measured(const Row& row) {
    if (!selects(row)) return false;
    if (row.status == Status::skipped)
      ++verdict_.skipped;
    else if (row.status == Status::failed)
      fail(row.where, "status = failed: " + printable(row.message));
    return row.status == Status::ok;
  }

  /// Likewise, of gates that compare bits: a result with NaN becomes a failure, whatever its bits.
  bool has_bits(const Row& row) {
    if (!measured(row)) return false;
    const bool is_nan = row.err_l2_rel && std::isnan(*row.err_l2_rel);
    if (is_nan) fail(row.where, "err_l2_rel = nan");
    return !is_nan;
  }

  /// Likewise, the metric; an empty metric and NaN become failures.
  std::optional<double> value_of(const Row& row) {
    if (!measured(row)) return std::nullopt;
    const std::optional<double> value = metric_.number(row);
    if (value && !std::isnan(*value)) return value;
    if (value)
      fail(row.where, verdict_.gate.metric + " = nan");
    else
      fail(row.where, verdict_.gate.metric + " is empty: not measured");
    return std::nullopt;
  }

  /// Counts one comparison. It fails unless ratio <= 1, so NaN fails. `text()` is asked for only
  /// when it is kept.
  template <class Text>
  void compare(const SharedCase& where, double ratio, Text text) {
    ++verdict_.checked;
    const bool fails = !(ratio <= 1);
    if (fails) count_failure(where);
    const bool is_worst = !verdict_.worst || sortable(ratio) > sortable(verdict_.worst->ratio);
    const bool is_kept = fails && (verdict_.failures.size() < most_failures ||
                                   sortable(ratio) > sortable(verdict_.failures.back().ratio));
    if (!is_kept && !is_worst) return;
    const Said said = text();
    const Finding finding{where, ratio, said.text, said.before, said.after};
    if (is_kept) keep(finding);
    if (is_worst) verdict_.worst = finding;
  }

  /// What a comparison says; of one with a kept row both values.
  struct Said {
    Said(std::string what) : text(std::move(what)) {}
    Said(std::string what, std::string was, std::string is)
        : text(std::move(what)), before(std::move(was)), after(std::move(is)) {}

    std::string text;
    std::string before{};
    std::string after{};
  };

  /// Counts one comparison that cannot hold.
  void fail(const SharedCase& where, const std::string& text) {
    compare(where, infinity, [&] { return text; });
  }

  void error(std::string text) { verdict_.errors.push_back(std::move(text)); }
  void note(std::string text) { verdict_.notes.push_back(std::move(text)); }

  /// What was found; nothing may be added after that.
  Verdict take() {
    for (std::size_t axis = 0; axis < axis_count; ++axis)
      if (axis_fails_[axis]) verdict_.failing_axes.push_back(&axis_columns()[axis]);
    return std::move(verdict_);
  }

 private:
  /// NaN sorts with infinity, above every number.
  static double sortable(double ratio) {
    return ratio <= std::numeric_limits<double>::max() ? ratio : infinity;
  }

  void count_failure(const SharedCase& where) {
    if (verdict_.failed++ == 0) first_failure_ = where;
    for (std::size_t axis = 0; axis < axis_count; ++axis) {
      const Column& column = axis_columns()[axis];
      axis_fails_[axis] = axis_fails_[axis] || column.text(Row{.where = where}) !=
                                                   column.text(Row{.where = first_failure_});
    }
  }

  /// Failures that are as bad keep their order.
  void keep(const Finding& finding) {
    std::vector<Finding>& kept = verdict_.failures;
    const auto place =
        std::ranges::upper_bound(kept, sortable(finding.ratio), std::greater<>(),
                                 [](const Finding& each) { return sortable(each.ratio); });
    kept.insert(place, finding);
    if (kept.size() > most_failures) kept.pop_back();
  }

  Selector where_;
  const Column& metric_;
  Verdict verdict_{};
  SharedCase first_failure_{};
  std::array<bool, axis_count> axis_fails_{};  ///< whether failures differ in it
};

namespace {

/// The check of a class with add(row) and finish().
template <class Check>
RowCheck check_by(const GateInput& input, GateJudge& judge) {
  const auto check = std::make_shared<Check>(input, judge);
  return {[check](const Row& row) { check->add(row); }, [check] { check->finish(); }};
}

// Checks of single rows.

/// Counts measured rows without a bound, for a note.
class Unbounded {
 public:
  void count(const Row& row) {
    ++rows_;
    underflowing_ += row.underflows.value_or(0) > 0;
  }

  void note(GateJudge& judge) const {
    if (rows_ == 0) return;
    judge.note(fmt::format(
        "{} {} no bound: no theorem applies{}", counted(rows_, "measured row"),
        rows_ == 1 ? "has" : "have",
        underflowing_ > 0 ? fmt::format("; {} of them have underflows", underflowing_) : ""));
  }

 private:
  std::size_t rows_ = 0;
  std::size_t underflowing_ = 0;
};

class BoundCheck {
 public:
  BoundCheck(const GateInput& input, GateJudge& judge) : gate_(input.gate), judge_(judge) {}

  void add(const Row& row) {
    const std::optional<double> value = judge_.value_of(row);
    if (!value) return;
    if (!row.bound_l2_rel) return unbounded_.count(row);
    judge_.compare(row.where, ratio_of(*value, *row.bound_l2_rel), [&] {
      return fmt::format("{} = {}, bound_l2_rel = {} ({})", gate_.metric, short_number(*value, 6),
                         short_number(*row.bound_l2_rel, 6), row.bound_name);
    });
  }

  void finish() { unbounded_.note(judge_); }

 private:
  const Gate& gate_;
  GateJudge& judge_;
  Unbounded unbounded_{};
};

/// The least k such that, if each of `rows` rows exceeds with probability 1e-6, more than k do so
/// with a probability of at most 1e-3. It uses a Poisson distribution, which has a heavier tail.
/// Of 10^9 rows its first term is below the range of double.
std::size_t allowed_above(std::size_t rows) {
  const long double mean = 1e-6L * static_cast<long double>(rows);
  long double term = std::exp(-mean);
  long double more = 1 - term;
  std::size_t k = 0;
  while (more > 1e-3L) more -= term *= mean / static_cast<long double>(++k);
  return k;
}

/// Rows above are excused as long as chance explains their number, but none above the worst case.
/// Of statistics over seeds, each seed counts.
class ProbCheck {
 public:
  ProbCheck(const GateInput& input, GateJudge& judge) : gate_(input.gate), judge_(judge) {}

  void add(const Row& row) {
    const std::optional<double> value = judge_.value_of(row);
    if (!value) return;
    if (!row.bound_prob_l2_rel) return unbounded_.count(row);
    const double bound = *row.bound_prob_l2_rel;
    const ErrorSummary* over_seeds = row.over_seeds ? row.over_seeds->of(judge_.metric()) : nullptr;
    rows_ += over_seeds ? over_seeds->count() : 1;
    if (!(*value <= bound)) above_ += over_seeds ? over_seeds->above(bound) : 1;
    const double ratio = ratio_of(*value, bound);
    const auto text = [&] {
      return fmt::format("{} = {}, bound_prob_l2_rel = {}", gate_.metric, short_number(*value, 6),
                         short_number(bound, 6));
    };
    if (ratio <= 1 || !(*value <= row.bound_l2_rel.value_or(0)) || above_ > most_excused())
      return judge_.compare(row.where, ratio, text);
    open_.push_back({row.where, ratio, text()});
  }

  void finish() {
    const std::size_t allowed = allowed_above(rows_);
    for (const Finding& finding : open_)
      judge_.compare(finding.where,
                     above_ <= allowed ? std::min(finding.ratio, 1.0) : finding.ratio,
                     [&] { return finding.text; });
    unbounded_.note(judge_);
    if (above_ > 0)
      judge_.note(fmt::format("{} of {} above bound_prob_l2_rel, {} may be", above_,
                              counted(rows_, "row"), allowed));
  }

 private:
  /// No run has more rows.
  static std::size_t most_excused() {
    static const std::size_t most = allowed_above(std::size_t{1} << 30);
    return most;
  }

  const Gate& gate_;
  GateJudge& judge_;
  Unbounded unbounded_{};
  std::size_t rows_ = 0;         ///< with a bound; a row with statistics counts its seeds
  std::size_t above_ = 0;        ///< of them above it
  std::vector<Finding> open_{};  ///< excused or not by the number of all rows
};

class MaxCheck {
 public:
  MaxCheck(const GateInput& input, GateJudge& judge) : gate_(input.gate), judge_(judge) {}

  void add(const Row& row) {
    const std::optional<double> value = judge_.value_of(row);
    if (!value) return;
    judge_.compare(row.where, ratio_of(*value, gate_.limit), [&] {
      return fmt::format("{} = {}, limit = {}", gate_.metric, short_number(*value, 6),
                         short_number(gate_.limit, 6));
    });
  }

  void finish() {}

 private:
  const Gate& gate_;
  GateJudge& judge_;
};

/// No coefficient is wrong; with `failure`, that is also as probable as it says, or proven.
class ExactCheck {
 public:
  ExactCheck(const GateInput& input, GateJudge& judge) : gate_(input.gate), judge_(judge) {}

  void add(const Row& row) {
    if (!judge_.has_bits(row)) return;
    const std::optional<double> wrong = judge_.metric().number(row);
    if (!wrong || !row.err_l2_rel)
      return judge_.fail(row.where, gate_.metric + " is empty: no product of whole numbers");
    const bool is_right = *wrong == 0 && std::isfinite(*row.err_l2_rel);
    judge_.compare(row.where, is_right ? 0 : infinity, [&] {
      return fmt::format("{} = {}, largest error {}", gate_.metric, *wrong,
                         short_number(row.err_linf_abs.value_or(infinity), 6));
    });
    if (!gate_.failure) return;
    const double largest = std::nextafter(0.5, 0);  // 1/2 may be rounded either way
    *gate_.failure == 0 ? compare(row, "bound_linf_abs", row.bound_linf_abs, largest)
                        : compare(row, "failure_prob", row.failure_prob, *gate_.failure);
  }

  void finish() {}

 private:
  void compare(const Row& row, const char* name, const std::optional<double>& value, double limit) {
    if (!value) return judge_.fail(row.where, std::string(name) + " is empty: nothing is known");
    judge_.compare(row.where, ratio_of(*value, limit), [&] {
      return fmt::format("{} = {}, limit = {}", name, short_number(*value, 6),
                         short_number(limit, 6));
    });
  }

  const Gate& gate_;
  GateJudge& judge_;
};

// Checks against kept rows, paired by case.

/// The kept rows of a gate, found by their case, and the rows without a partner. New rows are a
/// note, or failures with require_baseline. Kept rows that the run lacks are a note, or failures of
/// a complete gate. A kept row that is now skipped fails, since its measurement is lost.
class KeptPairs {
 public:
  KeptPairs(const GateInput& input, GateJudge& judge)
      : gate_(input.gate), require_(input.options.require_baseline), judge_(judge) {
    for (const Row& row : input.kept)
      if (selects(gate_.where, row) && row.status == Status::ok) kept_.push_back(&row);
    const auto by_case = [](const Row* a, const Row* b) {
      return identity_of(*a) < identity_of(*b);
    };
    if (!std::ranges::is_sorted(kept_, by_case)) std::ranges::sort(kept_, by_case);
    in_run_.resize(kept_.size());
  }

  /// The kept row of the case of a row that the gate selects, or null.
  const Row* partner(const Row& row) {
    const Row* old = find(identity_of(row));
    has_partner_ = has_partner_ || old;
    if (old && row.status == Status::skipped)
      judge_.fail(row.where, "was measured, is now skipped: " + printable(row.message));
    if (old || row.status != Status::ok) return old;
    if (require_) judge_.fail(row.where, "no kept row in " + gate_.baseline);
    if (unkept_++ == 0) first_unkept_ = row.where;
    return nullptr;
  }

  void finish() {
    if (unkept_ > 0 && !has_partner_ && !require_)
      judge_.error(fmt::format("no row has a kept row in {}: {}, first: {}", gate_.baseline,
                               counted(unkept_, "row"), command_of(first_unkept_)));
    else if (unkept_ > 0 && !require_)
      judge_.note(fmt::format("{} without a kept row in {}, first: {}", counted(unkept_, "row"),
                              gate_.baseline, command_of(first_unkept_)));
    std::size_t missing = 0;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (in_run_[i]) continue;
      if (gate_.complete) judge_.fail(kept_[i]->where, "kept, but not in this run");
      ++missing;
    }
    if (missing == 0 || gate_.complete) return;
    const auto first =
        static_cast<std::size_t>(std::ranges::find(in_run_, false) - in_run_.begin());
    judge_.note(fmt::format("{} of {} not in this run, first: {}", counted(missing, "kept row"),
                            gate_.baseline, command_of(kept_[first]->where)));
  }

 private:
  /// Fast for one case after the other in their order: the next row is tried first.
  const Row* find(const SharedCase& where) {
    if (next_ == kept_.size() || identity_of(*kept_[next_]) != where) {
      const auto found = std::ranges::lower_bound(kept_, where, {},
                                                  [](const Row* row) { return identity_of(*row); });
      if (found == kept_.end() || identity_of(**found) != where) return nullptr;
      next_ = static_cast<std::size_t>(found - kept_.begin());
    }
    in_run_[next_] = true;
    return kept_[next_++];
  }

  const Gate& gate_;
  bool require_;
  GateJudge& judge_;
  std::vector<const Row*> kept_{};
  std::vector<bool> in_run_{};  ///< of kept_
  std::size_t next_ = 0;
  bool has_partner_ = false;
  std::size_t unkept_ = 0;
  SharedCase first_unkept_{};
};

/// 0 where nothing moved, 1 at the limit, above 1 beyond it: the share of the way that `worse` or
/// `better` allow.
double share_of_move(double old, double now, const Gate& gate) {
  if (now == old) return 0;
  const double of_limit =
      std::max(ratio_of(now, old * gate.worse), ratio_of(old / gate.better, now));
  const double share =
      now > old ? (now / old - 1) / (gate.worse - 1) : (old / now - 1) / (gate.better - 1);
  // Which side of the limit it is on, the limit itself decides.
  if (of_limit <= 1) return share > 0 ? std::min(share, 1.0) : 0;
  return std::max(of_limit, share);
}

class BaselineCheck {
 public:
  BaselineCheck(const GateInput& input, GateJudge& judge)
      : gate_(input.gate), judge_(judge), pairs_(input, judge) {}

  void add(const Row& row) {
    if (!judge_.selects(row)) return;
    const std::optional<double> now = judge_.value_of(row);
    const Row* old_row = pairs_.partner(row);
    if (!now || !old_row) return;
    const std::optional<double> old = judge_.metric().number(*old_row);
    if (!old) return judge_.fail(row.where, "the kept row has no " + gate_.metric);
    judge_.compare(row.where, share_of_move(*old, *now, gate_), [&] {
      const std::string moved =
          fmt::format("{} {} -> {}", gate_.metric, exact_number(*old), exact_number(*now));
      const double percent = 100 * (*now / *old - 1);
      return GateJudge::Said(
          std::isfinite(percent) ? moved + fmt::format(" ({:+.3g} %)", percent) : moved,
          exact_number(*old), exact_number(*now));
    });
  }

  void finish() { pairs_.finish(); }

 private:
  const Gate& gate_;
  GateJudge& judge_;
  KeptPairs pairs_;
};

class HashCheck {
 public:
  HashCheck(const GateInput& input, GateJudge& judge) : judge_(judge), pairs_(input, judge) {}

  void add(const Row& row) {
    if (!judge_.selects(row)) return;
    const bool has_bits = judge_.has_bits(row);
    const Row* old = pairs_.partner(row);
    if (!has_bits || !old) return;
    if (row.output_hash.empty())
      return judge_.fail(row.where, "output_hash is empty: not measured");
    judge_.compare(row.where, row.output_hash == old->output_hash ? 0 : infinity, [&] {
      return GateJudge::Said("output_hash " + old->output_hash + " -> " + row.output_hash,
                             old->output_hash, row.output_hash);
    });
  }

  void finish() { pairs_.finish(); }

 private:
  GateJudge& judge_;
  KeptPairs pairs_;
};

// Checks that compare rows of the run with one another: those that differ in named axes only.

/// The axes in which the two sides differ or that are pooled.
std::vector<std::string> axes_left_out(const Gate& gate) {
  std::vector<std::string> axes = columns_of(gate.left);
  for (const std::vector<std::string>& more : {columns_of(gate.right), gate.over})
    axes.insert(axes.end(), more.begin(), more.end());
  return axes;
}

/// Groups of one side without a partner on the other.
struct Alone {
  std::size_t groups = 0;
  std::size_t alone = 0;
  std::optional<SharedCase> first{};

  template <class Cursor>
  void skip(Cursor& cursor) {
    if (alone++ == 0) first = cursor.first();
    ++groups;
    cursor.advance();
  }

  /// An error that names the first.
  void report(const char* side, GateJudge& judge) const {
    if (alone > 0)
      judge.error(fmt::format("{} of {} without a partner, first: {}", alone,
                              counted(groups, std::string(side) + " row"), command_of(*first)));
  }
};

/// The rows of the left and of the right side, each by one value.
template <class Value>
class Sides {
 public:
  Sides(const Gate& gate, GateJudge& judge)
      : gate_(gate), judge_(judge), left_(gate, gate.left), right_(gate, gate.right) {}

  /// `value_of(row)` gives the value, or none. It is asked once for each side that has the row.
  template <class ValueOf>
  void add(const Row& row, ValueOf value_of) {
    for (Side* side : {&left_, &right_}) {
      if (!side->selects(row)) continue;
      if (const std::optional<Value> value = value_of(row))
        side->groups.add(identity_of(row), *value);
    }
  }

  /// use(left group, right group) for every key that both sides have. A side without a partner is
  /// an error of the gate, and so are two rows where one is meant: the selection leaves an axis
  /// open that `over` does not name.
  template <class Use>
  void for_pairs(Use use) {
    auto left = left_.groups.groups();
    auto right = right_.groups.groups();
    Alone without_right, without_left;
    while (!left.at_end() || !right.at_end()) {
      if (right.at_end() || (!left.at_end() && left < right)) {
        without_right.skip(left);
      } else if (left.at_end() || right < left) {
        without_left.skip(right);
      } else {
        if (is_ambiguous(left, "left") || is_ambiguous(right, "right")) return;
        use(left, right);
        ++without_right.groups;
        ++without_left.groups;
        left.advance();
        right.advance();
      }
    }
    without_right.report("left", judge_);
    without_left.report("right", judge_);
  }

 private:
  struct Side {
    Side(const Gate& gate, const Selection& selection)
        : selects(selection), groups(axes_left_out(gate), gate.over) {}

    Selector selects;
    RowGroups<Value> groups;
  };

  template <class Cursor>
  bool is_ambiguous(const Cursor& group, const char* side) {
    if (!group.has_several_parts()) return false;
    judge_.error(
        fmt::format("{} selects {} rows for one comparison: narrow it, or name the axes to "
                    "take the median over; first: {}",
                    side, group.size(), command_of(group.first())));
    return true;
  }

  const Gate& gate_;
  GateJudge& judge_;
  Side left_;
  Side right_;
};

std::string_view median_word(const Gate& gate) { return gate.over.empty() ? "" : "median "; }

/// Above 1 outside of low .. high only.
double window_ratio(double value, double low, double high) {
  return std::max(ratio_of(value, high), ratio_of(low, value));
}

/// Left and right with the other axes equal, each the median over the gate's `over`.
template <class Comparison>
class ValuePairsCheck {
 public:
  ValuePairsCheck(const GateInput& input, GateJudge& judge)
      : gate_(input.gate), judge_(judge), sides_(input.gate, judge) {}

  void add(const Row& row) {
    sides_.add(row, [this](const Row& each) { return judge_.value_of(each); });
  }

  void finish() {
    sides_.for_pairs([this](const auto& left, const auto& right) {
      const double a = median(left.values());
      const double b = median(right.values());
      judge_.compare(left.first(), Comparison::ratio(a, b, gate_),
                     [&] { return Comparison::text(a, b, gate_); });
    });
  }

 private:
  const Gate& gate_;
  GateJudge& judge_;
  Sides<double> sides_;
};

struct Order {
  static double ratio(double left, double right, const Gate& gate) {
    return ratio_of(left, gate.factor * right);
  }
  static std::string text(double left, double right, const Gate& gate) {
    return fmt::format("{}{} = {} ({}), {} ({}), factor {}", median_word(gate), gate.metric,
                       short_number(left, 6), text_of(gate.left), short_number(right, 6),
                       text_of(gate.right), short_number(gate.factor, 6));
  }
};

struct Ratio {
  static double ratio(double left, double right, const Gate& gate) {
    return window_ratio(left, gate.min_ratio * right, gate.max_ratio * right);
  }
  static std::string text(double left, double right, const Gate& gate) {
    return fmt::format("{}{}: {} ({}) / {} ({}) = {}, allowed {} to {}", median_word(gate),
                       gate.metric, short_number(left, 4), text_of(gate.left),
                       short_number(right, 4), text_of(gate.right), short_number(left / right, 4),
                       exact_number(gate.min_ratio), exact_number(gate.max_ratio));
  }
};

/// A hash in 16 bytes: 16 hexadecimal digits by their number, any other text by its place in a
/// pool.
struct ShortHash {
  std::uint64_t number = 0;
  const std::string* other = nullptr;

  std::string text() const { return other ? *other : fmt::format("{:016x}", number); }
};

class EqualCheck {
 public:
  EqualCheck(const GateInput& input, GateJudge& judge)
      : gate_(input.gate), judge_(judge), sides_(input.gate, judge) {}

  void add(const Row& row) {
    sides_.add(row, [this](const Row& each) {
      return judge_.has_bits(each) ? std::optional(short_hash(judge_.metric().text(each)))
                                   : std::nullopt;
    });
  }

  void finish() {
    sides_.for_pairs([this](const auto& left, const auto& right) {
      compare(left.first(), left.values().front(), right.values().front());
    });
  }

 private:
  ShortHash short_hash(const std::string& text) {
    ShortHash hash;
    std::from_chars(text.data(), text.data() + text.size(), hash.number, 16);
    return hash.text() == text ? hash : ShortHash{0, &*others_.insert(text).first};
  }

  void compare(const SharedCase& where, const ShortHash& left, const ShortHash& right) {
    const std::string a = left.text();
    const std::string b = right.text();
    if (a.empty() || b.empty())
      judge_.fail(where, gate_.metric + " is empty: not measured");
    else if (a != b)
      judge_.fail(where, fmt::format("{} = {} ({}), {} ({})", gate_.metric, a, text_of(gate_.left),
                                     b, text_of(gate_.right)));
    else
      judge_.compare(where, 0, [&] { return fmt::format("{} = {} in both", gate_.metric, a); });
  }

  const Gate& gate_;
  GateJudge& judge_;
  Sides<ShortHash> sides_;
  std::set<std::string> others_{};
};

class NearCheck {
 public:
  NearCheck(const GateInput& input, GateJudge& judge) : gate_(input.gate), judge_(judge) {
    for (const PublishedFigure& figure : gate_.figures)
      figures_.push_back(
          {figure, Selector(figure.where), RowGroups<double>(gate_.over, gate_.over)});
  }

  void add(const Row& row) {
    for (Figure& figure : figures_) {
      if (!figure.selects(row)) continue;
      if (const std::optional<double> value = judge_.value_of(row))
        figure.groups.add(identity_of(row), *value);
    }
  }

  void finish() {
    for (const Figure& figure : figures_)
      for (auto group = figure.groups.groups(); !group.at_end(); group.advance())
        compare(figure.printed, group.first(), median(group.values()));
    // Where no figure has a row, the gate says so as a whole.
    if (std::ranges::all_of(figures_, &Figure::is_alone)) return;
    for (const Figure& figure : figures_)
      if (figure.is_alone())
        judge_.error(fmt::format("no row for the figure {} ({})", figure.printed.value.text,
                                 text_of(figure.printed.where)));
  }

 private:
  struct Figure {
    const PublishedFigure& printed;
    Selector selects;
    RowGroups<double> groups;

    bool is_alone() const { return groups.empty(); }
  };

  void compare(const PublishedFigure& printed, const SharedCase& where, double value) {
    const PublishedValue& figure = printed.value;
    const double ratio = window_ratio(value, figure.low / gate_.within, figure.high * gate_.within);
    judge_.compare(where, ratio, [&] {
      const bool gain = quantity_kind_of(gate_.metric) == QuantityKind::gain;
      return fmt::format(
          "{}{} = {}, published {}{}", median_word(gate_), gate_.metric,
          gain ? fmt::format("{:.{}g}", value, gain_digits) : short_number(value, 4), figure.text,
          gate_.within > 1 ? fmt::format(", factor {}", short_number(gate_.within, 4)) : "");
    });
  }

  const Gate& gate_;
  GateJudge& judge_;
  std::vector<Figure> figures_{};
};

/// How much faster per doubling of n than allowed, or slower: above 1 outside the limits only.
double slope_ratio(double slope, const Gate& gate) {
  const bool holds = gate.min_slope <= slope && slope <= gate.max_slope;
  const double excess = std::exp2(std::max(slope - gate.max_slope, gate.min_slope - slope));
  if (holds) return std::min(excess, 1.0);
  return std::isnan(slope) ? infinity : std::max(excess, std::nextafter(1.0, infinity));
}

/// log2(metric) = s log2(n) + c, fitted by least squares per series.
class SlopeCheck {
 public:
  SlopeCheck(const GateInput& input, GateJudge& judge)
      : gate_(input.gate), judge_(judge), series_(with_n(gate_.over), gate_.over) {}

  void add(const Row& row) {
    if (const std::optional<double> value = judge_.value_of(row))
      series_.add(identity_of(row), *value);
  }

  void finish() {
    for (auto group = series_.groups(); !group.at_end(); group.advance())
      fit(group.first(), group.parts());
    if (short_ > most_failures)
      judge_.error(fmt::format("and {} more series of too few sizes", short_ - most_failures));
  }

 private:
  using Series = RowGroups<double>;

  static std::vector<std::string> with_n(std::vector<std::string> axes) {
    axes.emplace_back("n");
    return axes;
  }

  void fit(const SharedCase& where, std::vector<Series::Pool> sizes) {
    if (sizes.size() < 3) {
      if (++short_ <= most_failures)
        judge_.error(fmt::format("{} sizes are too few for a slope, at least 3: {}", sizes.size(),
                                 command_of(where)));
      return;
    }
    // The order of the sums decides their last bits.
    std::ranges::sort(sizes, {},
                      [](const Series::Pool& size) { return std::to_string(size.first.n()); });
    std::vector<double> x;
    std::vector<double> y;
    for (const Series::Pool& size : sizes) {
      x.push_back(std::log2(static_cast<double>(size.first.n())));
      y.push_back(std::log2(median(size.values)));
    }
    const double slope = fitted_slope(x, y);
    judge_.compare(where, slope_ratio(slope, gate_), [&] {
      return fmt::format("{} grows as n^{} over {} sizes, allowed {} to {}", gate_.metric,
                         short_number(slope, 4), x.size(), short_number(gate_.min_slope, 4),
                         short_number(gate_.max_slope, 4));
    });
  }

  const Gate& gate_;
  GateJudge& judge_;
  Series series_;
  std::size_t short_ = 0;  ///< series of too few sizes
};

}  // namespace

std::span<const GateKind> gate_kinds() {
  static const std::vector<GateKind> kinds = {
      {"bound",
       "metric <= bound_l2_rel, the theorem of the row",
       "err_l2_rel",
       {},
       {"where"},
       check_by<BoundCheck>},
      {"prob",
       "metric <= bound_prob_l2_rel, but for as many rows as chance explains",
       "err_l2_rel",
       {},
       {"where"},
       check_by<ProbCheck>},
      {"max", "metric <= limit", "err_l2_rel", {"metric", "limit"}, {"where"}, check_by<MaxCheck>},
      {"exact",
       "no coefficient of a product is wrong, with probability `failure` at most, 0: by a theorem",
       "wrong_coefficients",
       {},
       {"where", "failure"},
       check_by<ExactCheck>},
      {"baseline",
       "old / better <= metric <= old * worse, against kept rows",
       "err_l2_rel",
       {"metric", "baseline"},
       {"where", "worse", "better", "complete"},
       check_by<BaselineCheck>},
      {"hash",
       "output_hash equals that of the kept row",
       "output_hash",
       {"baseline"},
       {"where", "complete"},
       check_by<HashCheck>},
      {"order",
       "metric of left <= factor * metric of right, other axes equal",
       "err_l2_rel",
       {"left", "right"},
       {"metric", "where", "factor", "over"},
       check_by<ValuePairsCheck<Order>>},
      {"slope",
       "min <= exponent of metric against n <= max",
       "err_l2_rel",
       {"metric"},
       {"where", "min", "max", "over"},
       check_by<SlopeCheck>},
      {"near",
       "metric agrees with the figures printed, to their digits or within a factor",
       "err_l2_rel",
       {"metric", "figures"},
       {"where", "within", "over"},
       check_by<NearCheck>},
      {"ratio",
       "min_ratio <= metric of left / metric of right <= max_ratio, other axes equal",
       "err_l2_rel",
       {"left", "right"},
       {"metric", "where", "min_ratio", "max_ratio", "over"},
       check_by<ValuePairsCheck<Ratio>>},
      {"equal",
       "left and right have the same output_hash, other axes equal",
       "output_hash",
       {"left", "right"},
       {"where"},
       check_by<EqualCheck>},
  };
  return kinds;
}

const GateKind& gate_kind_named(std::string_view name) {
  return item_named(gate_kinds(), "kind of gate", name);
}

namespace {

std::vector<NamedValue> names_in(const Gate& gate) {
  std::vector<NamedValue> names;
  const auto add = [&names](const Selection& selection) {
    for (NamedValue& name : names_in(selection.filter)) names.push_back(std::move(name));
  };
  for (const Selection* selection : {&gate.where, &gate.left, &gate.right}) add(*selection);
  for (const PublishedFigure& figure : gate.figures) add(figure.where);
  return names;
}

/// The names of a gate that this program does not know: an error unless a row has them, since they
/// select nothing otherwise.
class UnknownNames {
 public:
  UnknownNames(const Gate& gate, std::span<const Row> kept) {
    for (NamedValue& name : names_in(gate)) {
      const auto has_name = [&name](const Row& row) { return has(row, name); };
      if (name.value.empty() || std::ranges::any_of(kept, has_name)) continue;
      if (std::string unknown = unknown_in(name.in_case()); !unknown.empty())
        names_.push_back({std::move(name), std::move(unknown)});
    }
  }

  void add(const Row& row) {
    if (names_.empty() || (seen_any_ && row.where.shares_names(last_))) return;
    seen_any_ = true;
    last_ = row.where;
    for (Unknown& unknown : names_) {
      unknown.found = unknown.found || has(row, unknown.name);
      std::string other = unknown.name.axis->text(row);
      if (std::ranges::find(unknown.others, other) == unknown.others.end())
        unknown.others.push_back(std::move(other));
    }
  }

  void report(GateJudge& judge) const {
    for (const Unknown& unknown : names_) {
      if (unknown.found) continue;
      const std::string nearest = nearest_name(unknown.name.value, unknown.others);
      judge.error(
          fmt::format("no row has {}={}; {}", unknown.name.axis->name, unknown.name.value,
                      nearest.empty() ? unknown.message : "did you mean '" + nearest + "'?"));
    }
  }

 private:
  struct Unknown {
    NamedValue name;
    std::string message;
    bool found = false;
    std::vector<std::string> others{};  ///< the names that rows have
  };

  std::vector<Unknown> names_{};
  SharedCase last_{};
  bool seen_any_ = false;
};

std::span<const Row> kept_of(const Gate& gate, const KeptRows& kept) {
  const auto found = kept.find(gate.baseline);
  return found == kept.end() ? std::span<const Row>() : std::span<const Row>(found->second);
}

}  // namespace

/// The work on one gate.
class GateRun::Work {
 public:
  Work(const Gate& gate, const KeptRows& kept, const GateOptions& options)
      : gate_(gate), options_(options), judge_(gate_) {
    const auto problem = options_.no_baseline.find(gate_.baseline);
    if (problem != options_.no_baseline.end()) {
      judge_.error(problem->second);
      return;
    }
    const GateInput input{gate_, kept_of(gate_, kept), options_};
    names_.emplace(gate_, input.kept);
    check_ = gate_kind_named(gate_.kind).check(input, judge_);
  }

  void add(const Row& row) {
    if (!names_) return;
    names_->add(row);
    check_.add(row);
  }

  Verdict finish() {
    if (!names_) {
      Verdict verdict = judge_.take();
      verdict.judged = false;
      return verdict;
    }
    names_->report(judge_);
    check_.finish();
    Verdict verdict = judge_.take();
    verdict.made_by = options_.made_by;
    if (verdict.checked == 0 && verdict.errors.empty())
      verdict.errors.push_back(nothing_checked(verdict.skipped));
    verdict.expected = gate_.expect_fail && options_.today <= gate_.expect_fail->expires;
    return verdict;
  }

 private:
  /// "no row matches mode=fp64", "there is no measured row (4 skipped)".
  std::string nothing_checked(std::size_t skipped) const {
    const std::string what = skipped == 0 ? "row" : "measured row";
    const bool takes_all = gate_.where.texts.empty();
    return (takes_all ? "there is no " + what : "no " + what + " matches " + text_of(gate_.where)) +
           (skipped == 0 ? "" : " (" + std::to_string(skipped) + " skipped)");
  }

  Gate gate_;
  GateOptions options_;
  GateJudge judge_;
  std::optional<UnknownNames> names_{};  ///< none if the gate cannot be judged
  RowCheck check_{};
};

GateRun::GateRun(std::span<const Gate> gates, const KeptRows& kept, const GateOptions& options) {
  for (const Gate& gate : gates) works_.push_back(std::make_unique<Work>(gate, kept, options));
}
GateRun::~GateRun() = default;
GateRun::GateRun(GateRun&&) noexcept = default;
GateRun& GateRun::operator=(GateRun&&) noexcept = default;

void GateRun::add(const Row& row) {
  for (const auto& work : works_) work->add(row);
}

std::vector<Verdict> GateRun::finish() {
  std::vector<Verdict> verdicts;
  for (std::unique_ptr<Work>& work : works_) {
    verdicts.push_back(work->finish());
    work.reset();
  }
  return verdicts;
}

Verdict check_gate(const Gate& gate, std::span<const Row> rows, const KeptRows& kept,
                   const GateOptions& options) {
  return check_gates({&gate, 1}, rows, kept, options).front();
}

std::vector<Verdict> check_gates(std::span<const Gate> gates, std::span<const Row> rows,
                                 const KeptRows& kept, const GateOptions& options) {
  GateRun run(gates, kept, options);
  for (const Row& row : rows) run.add(row);
  return run.finish();
}

bool all_passed(std::span<const Verdict> verdicts) {
  return std::ranges::all_of(verdicts, &Verdict::passed);
}

}  // namespace fftprec::gates
