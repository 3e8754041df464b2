/// Gates that compare a run with kept rows, paired by case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/rows/columns.hpp"
#include "experiments/support/decimal.hpp"
#include "reports/gates/gate_kinds.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

bool by_case(const Row* a, const Row* b) { return a->where < b->where; }

/// Files are in this order already.
void sort_by_case(std::vector<const Row*>& rows) {
  if (!std::is_sorted(rows.begin(), rows.end(), by_case))
    std::sort(rows.begin(), rows.end(), by_case);
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
  const Row* find(const Case& where) {
    if (next_ < kept_.size() && kept_[next_]->where == where) return kept_[next_++];
    const auto found =
        std::lower_bound(kept_.begin(), kept_.end(), where,
                         [](const Row* row, const Case& wanted) { return row->where < wanted; });
    if (found == kept_.end() || (*found)->where != where) return nullptr;
    next_ = static_cast<std::size_t>(found - kept_.begin()) + 1;
    return *found;
  }

  const std::vector<const Row*>& rows() const { return kept_; }

 private:
  std::vector<const Row*> kept_;
  std::size_t next_ = 0;
};

/// What stands on one side only: new rows are a note, or a failure under require_baseline; kept
/// rows that the run lacks are a note, or a failure of a complete gate. A kept row that is now
/// skipped has lost its measurement and fails.
void report_unpaired(const GateInput& input, KeptIndex& index, GateJudge& judge) {
  std::vector<const Row*> in_run;
  std::vector<Case> unkept;
  for (const Row& row : input.rows) {
    if (!selects(input.gate.where, row)) continue;
    in_run.push_back(&row);
    const Row* old = index.find(row.where);
    if (old && row.status == Status::skipped)
      judge.fail(row.where, "was measured, is now skipped: " + row.message);
    if (!old && row.status == Status::ok) unkept.push_back(row.where);
  }
  sort_by_case(in_run);
  std::vector<Case> missing;
  auto next = in_run.begin();
  for (const Row* old : index.rows()) {
    while (next != in_run.end() && by_case(*next, old)) ++next;
    if (next == in_run.end() || (*next)->where != old->where) missing.push_back(old->where);
  }

  if (input.options.require_baseline)
    for (const Case& where : unkept) judge.fail(where, "no kept row in " + input.gate.baseline);
  else if (!unkept.empty())
    judge.note(fmt::format("{} rows have no kept row in {}, first: {}", unkept.size(),
                           input.gate.baseline, command_of(unkept.front())));
  if (missing.empty()) return;
  if (input.gate.complete)
    for (const Case& where : missing) judge.fail(where, "kept, but not in this run");
  else
    judge.note(fmt::format("{} kept rows of {} are not in this run, first: {}", missing.size(),
                           input.gate.baseline, command_of(missing.front())));
}

}  // namespace

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
    const double ratio = now == old ? (old == 0 ? 0 : 1 / std::max(input.gate.worse, 1.0))
                                    : std::max(ratio_of(now, old * input.gate.worse),
                                               ratio_of(old / input.gate.better, now));
    judge.compare(sample.row->where, ratio, [&] {
      const std::string moved =
          fmt::format("{} {} -> {}", input.gate.metric, shortest(old), shortest(now));
      const double percent = 100 * (now / old - 1);
      return std::isfinite(percent) ? moved + fmt::format(" ({:+.3g} %)", percent) : moved;
    });
  }
  report_unpaired(input, index, judge);
}

void check_hash(const GateInput& input, GateJudge& judge) {
  KeptIndex index(input);
  for (const Row* row : judge.measured({}, input.rows)) {
    const Row* old = index.find(row->where);
    if (!old) continue;
    if (row->output_hash.empty()) {
      judge.fail(row->where, "output_hash is empty: not measured");
      continue;
    }
    const double ratio =
        row->output_hash == old->output_hash ? 0 : std::numeric_limits<double>::infinity();
    judge.compare(row->where, ratio,
                  [&] { return "output_hash " + old->output_hash + " -> " + row->output_hash; });
  }
  report_unpaired(input, index, judge);
}

}  // namespace fftprec
