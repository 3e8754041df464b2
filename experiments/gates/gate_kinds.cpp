/// The kinds of gates: each a check of rows, and one line in the table at the end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/gates/gate.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/statistics.hpp"

namespace fftprec::gates {

/// What a check looks at.
struct GateInput {
  const Gate& gate;
  std::span<const Row> rows;
  std::span<const Row> kept;  ///< empty unless the kind takes a baseline
  const GateOptions& options;
};

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A row that was measured, with its metric as a number that is not NaN.
struct Sample {
  const Row* row;
  double value;
};

}  // namespace

/// The judge of one gate: sorts out rows before the check of its kind, and keeps the failures and
/// the comparison nearest to failing.
class GateJudge {
 public:
  explicit GateJudge(const Gate& gate) { verdict_.gate = gate; }

  /// The measured rows of a selection within the gate's `where`, whatever their metric. On the way:
  /// skipped rows are counted, failed rows become failures.
  std::vector<const Row*> measured(const Selection& selection, std::span<const Row> rows) {
    std::vector<const Row*> found;
    for (const Row& row : rows) {
      if (!selects(verdict_.gate.where, row) || !selects(selection, row)) continue;
      if (row.status == Status::skipped)
        ++verdict_.skipped;
      else if (row.status == Status::failed)
        fail(row.where, "status = failed: " + printable(row.message));
      else
        found.push_back(&row);
    }
    return found;
  }

  /// Likewise, of gates that compare bits: a result with NaN becomes a failure, whatever its bits.
  std::vector<const Row*> numbers(const Selection& selection, std::span<const Row> rows) {
    std::vector<const Row*> found = measured(selection, rows);
    std::erase_if(found, [this](const Row* row) {
      const bool is_nan = row->err_l2_rel && std::isnan(*row->err_l2_rel);
      if (is_nan) fail(row->where, "err_l2_rel = nan");
      return is_nan;
    });
    return found;
  }

  /// Likewise, with their metrics; an empty metric and NaN become failures.
  std::vector<Sample> samples(const Selection& selection, std::span<const Row> rows) {
    const Column& metric = column_named(verdict_.gate.metric);
    std::vector<Sample> found;
    for (const Row* row : measured(selection, rows)) {
      const std::optional<double> value = metric.number(*row);
      if (!value)
        fail(row->where, verdict_.gate.metric + " is empty: not measured");
      else if (std::isnan(*value))
        fail(row->where, verdict_.gate.metric + " = nan");
      else
        found.push_back({row, *value});
    }
    return found;
  }

  /// Counts one comparison. It fails unless ratio <= 1, so NaN fails. `text()` is asked for only
  /// when it is kept.
  template <class Text>
  void compare(const SharedCase& where, double ratio, Text text) {
    ++verdict_.checked;
    const bool fails = !(ratio <= 1);
    const bool worst = !verdict_.worst || sortable(ratio) > sortable(verdict_.worst->ratio);
    if (!fails && !worst) return;
    const Finding finding{where, ratio, text()};
    if (fails) verdict_.failures.push_back(finding);
    if (worst) verdict_.worst = finding;
  }

  /// Counts one comparison that cannot hold.
  void fail(const SharedCase& where, const std::string& text) {
    compare(where, infinity, [&] { return text; });
  }

  void error(std::string text) { verdict_.errors.push_back(std::move(text)); }
  void note(std::string text) { verdict_.notes.push_back(std::move(text)); }

  /// What was found; nothing may be added after that.
  Verdict take() { return std::move(verdict_); }

 private:
  /// NaN sorts with infinity, above every number.
  static double sortable(double ratio) {
    return ratio <= std::numeric_limits<double>::max() ? ratio : infinity;
  }

  Verdict verdict_;
};

namespace {

// Checks of single rows.

/// The samples that have a bound in that field; the others are counted in a note.
std::vector<Sample> bounded(const GateInput& input, GateJudge& judge,
                            std::optional<double> Row::*bound) {
  std::vector<Sample> samples = judge.samples({}, input.rows);
  std::size_t underflowing = 0;
  const std::size_t without = std::erase_if(samples, [&](const Sample& sample) {
    if (sample.row->*bound) return false;
    underflowing += sample.row->underflows.value_or(0) > 0;
    return true;
  });
  if (without > 0)
    judge.note(fmt::format(
        "{} {} no bound: no theorem applies{}", counted(without, "measured row"),
        without == 1 ? "has" : "have",
        underflowing > 0 ? fmt::format("; {} of them have underflows", underflowing) : ""));
  return samples;
}

void check_bound(const GateInput& input, GateJudge& judge) {
  for (const Sample& sample : bounded(input, judge, &Row::bound_l2_rel)) {
    const Row& row = *sample.row;
    const double bound = *row.bound_l2_rel;
    judge.compare(row.where, ratio_of(sample.value, bound), [&] {
      return fmt::format("{} = {}, bound_l2_rel = {} ({})", input.gate.metric,
                         short_number(sample.value, 6), short_number(bound, 6), row.bound_name);
    });
  }
}

/// The least k such that, if each of `rows` rows exceeds with probability 1e-6, more than k do so
/// with a probability of at most 1e-3. It uses a Poisson distribution, which has a heavier tail.
std::size_t allowed_above(std::size_t rows) {
  const double mean = 1e-6 * static_cast<double>(rows);
  double term = std::exp(-mean);
  double more = 1 - term;
  std::size_t k = 0;
  while (more > 1e-3) more -= term *= mean / static_cast<double>(++k);
  return k;
}

/// Rows above are excused as long as chance explains their number, but none above the worst case.
void check_prob(const GateInput& input, GateJudge& judge) {
  const std::vector<Sample> samples = bounded(input, judge, &Row::bound_prob_l2_rel);
  const auto is_above = [](const Sample& sample) {
    return !(sample.value <= *sample.row->bound_prob_l2_rel);
  };
  const auto above = static_cast<std::size_t>(std::ranges::count_if(samples, is_above));
  const std::size_t allowed = allowed_above(samples.size());
  for (const Sample& sample : samples) {
    const Row& row = *sample.row;
    const double bound = *row.bound_prob_l2_rel;
    const bool excused = above <= allowed && sample.value <= row.bound_l2_rel.value_or(0);
    const double ratio = ratio_of(sample.value, bound);
    judge.compare(row.where, excused ? std::min(ratio, 1.0) : ratio, [&] {
      return fmt::format("{} = {}, bound_prob_l2_rel = {}", input.gate.metric,
                         short_number(sample.value, 6), short_number(bound, 6));
    });
  }
  if (above > 0)
    judge.note(fmt::format("{} of {} above bound_prob_l2_rel, {} may be", above,
                           counted(samples.size(), "row"), allowed));
}

void check_max(const GateInput& input, GateJudge& judge) {
  for (const Sample& sample : judge.samples({}, input.rows))
    judge.compare(sample.row->where, ratio_of(sample.value, input.gate.limit), [&] {
      return fmt::format("{} = {}, limit = {}", input.gate.metric, short_number(sample.value, 6),
                         short_number(input.gate.limit, 6));
    });
}

// Checks against kept rows, paired by case.

bool by_case(const Row* a, const Row* b) { return a->where < b->where; }

/// Files are in this order already.
void sort_by_case(std::vector<const Row*>& rows) {
  if (!std::ranges::is_sorted(rows, by_case)) std::ranges::sort(rows, by_case);
}

/// The kept rows of a gate, found by their case.
class KeptIndex {
 public:
  explicit KeptIndex(const GateInput& input) {
    for (const Row& row : input.kept)
      if (selects(input.gate.where, row) && row.status == Status::ok) kept_.push_back(&row);
    sort_by_case(kept_);
  }

  /// Fast for one case after the other in their order: the next row is tried first.
  const Row* find(const SharedCase& where) {
    if (next_ < kept_.size() && kept_[next_]->where == where) return kept_[next_++];
    const auto found = std::ranges::lower_bound(
        kept_, where, {}, [](const Row* row) -> const SharedCase& { return row->where; });
    if (found == kept_.end() || (*found)->where != where) return nullptr;
    next_ = static_cast<std::size_t>(found - kept_.begin()) + 1;
    return *found;
  }

  const std::vector<const Row*>& rows() const { return kept_; }

 private:
  std::vector<const Row*> kept_;
  std::size_t next_ = 0;
};

/// Reports rows without a partner. New rows are a note, or failures with require_baseline. Kept
/// rows that the run lacks are a note, or failures of a complete gate. A kept row that is now
/// skipped fails, since its measurement is lost.
void report_unpaired(const GateInput& input, KeptIndex& index, GateJudge& judge) {
  std::vector<const Row*> in_run;
  std::vector<SharedCase> unkept;
  for (const Row& row : input.rows) {
    if (!selects(input.gate.where, row)) continue;
    in_run.push_back(&row);
    const Row* old = index.find(row.where);
    if (old && row.status == Status::skipped)
      judge.fail(row.where, "was measured, is now skipped: " + printable(row.message));
    if (!old && row.status == Status::ok) unkept.push_back(row.where);
  }
  sort_by_case(in_run);
  std::vector<SharedCase> missing;
  auto next = in_run.begin();
  for (const Row* old : index.rows()) {
    while (next != in_run.end() && by_case(*next, old)) ++next;
    if (next == in_run.end() || (*next)->where != old->where) missing.push_back(old->where);
  }

  if (input.options.require_baseline)
    for (const SharedCase& where : unkept)
      judge.fail(where, "no kept row in " + input.gate.baseline);
  else if (!unkept.empty())
    judge.note(fmt::format("{} without a kept row in {}, first: {}", counted(unkept.size(), "row"),
                           input.gate.baseline, command_of(unkept.front())));
  if (missing.empty()) return;
  if (input.gate.complete)
    for (const SharedCase& where : missing) judge.fail(where, "kept, but not in this run");
  else
    judge.note(fmt::format("{} of {} not in this run, first: {}",
                           counted(missing.size(), "kept row"), input.gate.baseline,
                           command_of(missing.front())));
}

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

void check_baseline(const GateInput& input, GateJudge& judge) {
  KeptIndex index(input);
  const Column& metric = column_named(input.gate.metric);
  for (const Sample& sample : judge.samples({}, input.rows)) {
    const Row* old_row = index.find(sample.row->where);
    if (!old_row) continue;
    const std::optional<double> kept = metric.number(*old_row);
    if (!kept) {
      judge.fail(sample.row->where, "the kept row has no " + input.gate.metric);
      continue;
    }
    const double old = *kept;
    const double now = sample.value;
    judge.compare(sample.row->where, share_of_move(old, now, input.gate), [&] {
      const std::string moved =
          fmt::format("{} {} -> {}", input.gate.metric, exact_number(old), exact_number(now));
      const double percent = 100 * (now / old - 1);
      return std::isfinite(percent) ? moved + fmt::format(" ({:+.3g} %)", percent) : moved;
    });
  }
  report_unpaired(input, index, judge);
}

void check_hash(const GateInput& input, GateJudge& judge) {
  KeptIndex index(input);
  for (const Row* row : judge.numbers({}, input.rows)) {
    const Row* old = index.find(row->where);
    if (!old) continue;
    if (row->output_hash.empty()) {
      judge.fail(row->where, "output_hash is empty: not measured");
      continue;
    }
    judge.compare(row->where, row->output_hash == old->output_hash ? 0 : infinity,
                  [&] { return "output_hash " + old->output_hash + " -> " + row->output_hash; });
  }
  report_unpaired(input, index, judge);
}

// Checks that compare rows of the run with one another: those that differ in named axes only.

/// Samples that differ only in the axes left out, in the order of their keys.
using SampleGroups = std::map<std::string, std::vector<Sample>>;

SampleGroups grouped(const std::vector<Sample>& samples, const std::vector<std::string>& left_out) {
  SampleGroups groups;
  for (const Sample& sample : samples) groups[group_key(*sample.row, left_out)].push_back(sample);
  return groups;
}

double median_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value);
  return median(values);
}

/// The axes in which the two sides differ or that are pooled.
std::vector<std::string> axes_left_out(const Gate& gate) {
  std::vector<std::string> axes = columns_of(gate.left);
  for (const std::vector<std::string>& more : {columns_of(gate.right), gate.over})
    axes.insert(axes.end(), more.begin(), more.end());
  return axes;
}

/// Groups of one side without a partner on the other: an error that names the first.
void report_alone(const SampleGroups& groups, const SampleGroups& partners, const char* side,
                  GateJudge& judge) {
  std::size_t alone = 0;
  const Row* first = nullptr;
  for (const auto& [key, samples] : groups) {
    if (partners.contains(key)) continue;
    ++alone;
    if (!first) first = samples.front().row;
  }
  if (alone > 0)
    judge.error(fmt::format("{} of {} without a partner, first: {}", alone,
                            counted(groups.size(), std::string(side) + " row"),
                            command_of(first->where)));
}

/// Two rows where one is meant.
bool ambiguous(const std::vector<Sample>& samples, const char* side, const Gate& gate,
               GateJudge& judge) {
  if (grouped(samples, gate.over).size() < 2) return false;
  judge.error(
      fmt::format("{} selects {} rows for one comparison: narrow it, or name the axes to "
                  "take the median over; first: {}",
                  side, samples.size(), command_of(samples.front().row->where)));
  return true;
}

/// use(left samples, right samples) for every key that both sides have. A side without a partner is
/// an error of the gate, and so are two rows where one is meant: the selection leaves an axis open
/// that `over` does not name.
template <class Use>
void for_pairs(const std::vector<Sample>& left_samples, const std::vector<Sample>& right_samples,
               const Gate& gate, GateJudge& judge, Use use) {
  const std::vector<std::string> left_out = axes_left_out(gate);
  const SampleGroups left = grouped(left_samples, left_out);
  const SampleGroups right = grouped(right_samples, left_out);
  for (const auto& [key, samples] : left) {
    const auto partner = right.find(key);
    if (partner == right.end()) continue;
    if (ambiguous(samples, "left", gate, judge) || ambiguous(partner->second, "right", gate, judge))
      return;
    use(samples, partner->second);
  }
  report_alone(left, right, "left", judge);
  report_alone(right, left, "right", judge);
}

/// Left and right with the other axes equal, each the median over the gate's `over`.
struct ValuePair {
  SharedCase where;  ///< of the first row on the left side
  double left;
  double right;
};

std::vector<ValuePair> value_pairs(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  std::vector<ValuePair> pairs;
  for_pairs(judge.samples(gate.left, input.rows), judge.samples(gate.right, input.rows), gate,
            judge, [&pairs](const auto& left, const auto& right) {
              pairs.push_back({left.front().row->where, median_of(left), median_of(right)});
            });
  return pairs;
}

std::string_view median_word(const Gate& gate) { return gate.over.empty() ? "" : "median "; }

/// Above 1 outside of low .. high only.
double window_ratio(double value, double low, double high) {
  return std::max(ratio_of(value, high), ratio_of(low, value));
}

void check_order(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  for (const ValuePair& pair : value_pairs(input, judge))
    judge.compare(pair.where, ratio_of(pair.left, gate.factor * pair.right), [&] {
      return fmt::format("{}{} = {} ({}), {} ({}), factor {}", median_word(gate), gate.metric,
                         short_number(pair.left, 6), text_of(gate.left),
                         short_number(pair.right, 6), text_of(gate.right),
                         short_number(gate.factor, 6));
    });
}

void check_ratio(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  for (const ValuePair& pair : value_pairs(input, judge)) {
    const double ratio =
        window_ratio(pair.left, gate.min_ratio * pair.right, gate.max_ratio * pair.right);
    judge.compare(pair.where, ratio, [&] {
      return fmt::format("{}{}: {} ({}) / {} ({}) = {}, allowed {} to {}", median_word(gate),
                         gate.metric, short_number(pair.left, 4), text_of(gate.left),
                         short_number(pair.right, 4), text_of(gate.right),
                         short_number(pair.left / pair.right, 4), exact_number(gate.min_ratio),
                         exact_number(gate.max_ratio));
    });
  }
}

void check_equal(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  const Column& metric = column_named(gate.metric);
  const auto rows_of = [&](const Selection& side) {
    std::vector<Sample> samples;
    for (const Row* row : judge.numbers(side, input.rows)) samples.push_back({row, 0});
    return samples;
  };
  std::vector<std::pair<const Row*, const Row*>> pairs;
  for_pairs(rows_of(gate.left), rows_of(gate.right), gate, judge,
            [&pairs](const auto& left, const auto& right) {
              pairs.emplace_back(left.front().row, right.front().row);
            });
  for (const auto& [left, right] : pairs) {
    const std::string a = metric.text(*left);
    const std::string b = metric.text(*right);
    if (a.empty() || b.empty())
      judge.fail(left->where, gate.metric + " is empty: not measured");
    else if (a != b)
      judge.fail(left->where, fmt::format("{} = {} ({}), {} ({})", gate.metric, a,
                                          text_of(gate.left), b, text_of(gate.right)));
    else
      judge.compare(left->where, 0,
                    [&, &a = a] { return fmt::format("{} = {} in both", gate.metric, a); });
  }
}

void check_near(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  std::vector<const PublishedFigure*> without_row;
  for (const PublishedFigure& figure : gate.figures) {
    const SampleGroups groups = grouped(judge.samples(figure.where, input.rows), gate.over);
    if (groups.empty()) without_row.push_back(&figure);
    for (const auto& [key, samples] : groups) {
      const double value = median_of(samples);
      const double ratio =
          window_ratio(value, figure.value.low / gate.within, figure.value.high * gate.within);
      judge.compare(samples.front().row->where, ratio, [&] {
        const bool gain = quantity_kind_of(gate.metric) == QuantityKind::gain;
        return fmt::format(
            "{}{} = {}, published {}{}", median_word(gate), gate.metric,
            gain ? fmt::format("{:.{}g}", value, gain_digits) : short_number(value, 4),
            figure.value.text,
            gate.within > 1 ? fmt::format(", factor {}", short_number(gate.within, 4)) : "");
      });
    }
  }
  // Where no figure has a row, the gate says so as a whole.
  if (without_row.size() == gate.figures.size()) return;
  for (const PublishedFigure* figure : without_row)
    judge.error(
        fmt::format("no row for the figure {} ({})", figure->value.text, text_of(figure->where)));
}

/// How much faster per doubling of n than allowed, or slower: above 1 outside the limits only.
double slope_ratio(double slope, const Gate& gate) {
  const bool holds = gate.min_slope <= slope && slope <= gate.max_slope;
  const double excess = std::exp2(std::max(slope - gate.max_slope, gate.min_slope - slope));
  if (holds) return std::min(excess, 1.0);
  return std::isnan(slope) ? infinity : std::max(excess, std::nextafter(1.0, infinity));
}

/// log2(metric) = s log2(n) + c, fitted by least squares per series.
void check_slope(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  std::vector<std::string> pooled = gate.over;
  pooled.emplace_back("n");
  for (const auto& [key, samples] : grouped(judge.samples({}, input.rows), pooled)) {
    const SharedCase& where = samples.front().row->where;
    std::vector<double> x;
    std::vector<double> y;
    for (const auto& [size, same_size] : grouped(samples, gate.over)) {
      x.push_back(std::log2(static_cast<double>(same_size.front().row->where.n())));
      y.push_back(std::log2(median_of(same_size)));
    }
    if (x.size() < 3) {
      judge.error(fmt::format("{} sizes are too few for a slope, at least 3: {}", x.size(),
                              command_of(where)));
      continue;
    }
    const double slope = fitted_slope(x, y);
    judge.compare(where, slope_ratio(slope, gate), [&] {
      return fmt::format("{} grows as n^{} over {} sizes, allowed {} to {}", gate.metric,
                         short_number(slope, 4), x.size(), short_number(gate.min_slope, 4),
                         short_number(gate.max_slope, 4));
    });
  }
}

}  // namespace

std::span<const GateKind> gate_kinds() {
  static const std::vector<GateKind> kinds = {
      {"bound",
       "metric <= bound_l2_rel, the theorem of the row",
       "err_l2_rel",
       {},
       {"where"},
       check_bound},
      {"prob",
       "metric <= bound_prob_l2_rel, but for as many rows as chance explains",
       "err_l2_rel",
       {},
       {"where"},
       check_prob},
      {"max", "metric <= limit", "err_l2_rel", {"metric", "limit"}, {"where"}, check_max},
      {"baseline",
       "old / better <= metric <= old * worse, against kept rows",
       "err_l2_rel",
       {"metric", "baseline"},
       {"where", "worse", "better", "complete"},
       check_baseline},
      {"hash",
       "output_hash equals that of the kept row",
       "output_hash",
       {"baseline"},
       {"where", "complete"},
       check_hash},
      {"order",
       "metric of left <= factor * metric of right, other axes equal",
       "err_l2_rel",
       {"left", "right"},
       {"metric", "where", "factor", "over"},
       check_order},
      {"slope",
       "min <= exponent of metric against n <= max",
       "err_l2_rel",
       {"metric"},
       {"where", "min", "max", "over"},
       check_slope},
      {"near",
       "metric agrees with the figures printed, to their digits or within a factor",
       "err_l2_rel",
       {"metric", "figures"},
       {"where", "within", "over"},
       check_near},
      {"ratio",
       "min_ratio <= metric of left / metric of right <= max_ratio, other axes equal",
       "err_l2_rel",
       {"left", "right"},
       {"metric", "where", "min_ratio", "max_ratio", "over"},
       check_ratio},
      {"equal",
       "left and right have the same output_hash, other axes equal",
       "output_hash",
       {"left", "right"},
       {"where"},
       check_equal},
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

/// Reports names that are neither in a row nor known, since they select nothing.
void report_unknown_names(const GateInput& input, GateJudge& judge) {
  for (const NamedValue& name : names_in(input.gate)) {
    const auto has_name = [&name](const Row& row) { return has(row, name); };
    if (name.value.empty() || std::ranges::any_of(input.rows, has_name) ||
        std::ranges::any_of(input.kept, has_name))
      continue;
    const std::string unknown = unknown_in(name.in_case());
    if (unknown.empty()) continue;
    std::vector<std::string> others;
    for (const Row& row : input.rows) others.push_back(name.axis->text(row));
    const std::string nearest = nearest_name(name.value, others);
    judge.error(fmt::format("no row has {}={}; {}", name.axis->name, name.value,
                            nearest.empty() ? unknown : "did you mean '" + nearest + "'?"));
  }
}

}  // namespace

Verdict check_gate(const Gate& gate, std::span<const Row> rows, const KeptRows& kept,
                   const GateOptions& options) {
  const auto kept_rows = kept.find(gate.baseline);
  const std::span<const Row> compared =
      kept_rows == kept.end() ? std::span<const Row>() : std::span<const Row>(kept_rows->second);
  GateJudge judge(gate);
  if (const auto problem = options.no_baseline.find(gate.baseline);
      problem != options.no_baseline.end()) {
    judge.error(problem->second);
    Verdict verdict = judge.take();
    verdict.judged = false;
    return verdict;
  }
  const GateInput input{gate, rows, compared, options};
  report_unknown_names(input, judge);
  gate_kind_named(gate.kind).check(input, judge);
  Verdict verdict = judge.take();
  verdict.made_by = options.made_by;
  if (verdict.checked == 0 && verdict.errors.empty())
    verdict.errors.push_back(verdict.skipped == 0
                                 ? "no row matches " + text_of(gate.where)
                                 : "no measured row matches " + text_of(gate.where) + " (" +
                                       std::to_string(verdict.skipped) + " skipped)");
  verdict.expected = gate.expect_fail && options.today <= gate.expect_fail->expires;
  return verdict;
}

std::vector<Verdict> check_gates(std::span<const Gate> gates, std::span<const Row> rows,
                                 const KeptRows& kept, const GateOptions& options) {
  std::vector<Verdict> verdicts;
  for (const Gate& gate : gates) verdicts.push_back(check_gate(gate, rows, kept, options));
  return verdicts;
}

bool all_passed(std::span<const Verdict> verdicts) {
  return std::ranges::all_of(verdicts, &Verdict::passed);
}

}  // namespace fftprec::gates
