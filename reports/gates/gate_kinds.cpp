#include "reports/gates/gate_kinds.hpp"

#include <fmt/format.h>

#include <string>

#include "arith/support/error.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

std::span<const GateKind> gate_kinds() {
  static const std::vector<GateKind> kinds = {
      {"bound",
       "metric <= bound_l2_rel, the theorem of the row",
       "err_l2_rel",
       {},
       {"where"},
       check_bound},
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
  std::vector<std::string> known;
  for (const GateKind& kind : gate_kinds()) {
    if (kind.name == name) return kind;
    known.emplace_back(kind.name);
  }
  throw unknown_name("kind of gate", name, known);
}

void check_bound(const GateInput& input, GateJudge& judge) {
  std::size_t without_bound = 0;
  for (const Sample& sample : judge.samples({}, input.rows)) {
    const Row& row = *sample.row;
    if (!row.bound_l2_rel) {
      ++without_bound;
      continue;
    }
    const double bound = *row.bound_l2_rel;
    judge.compare(row.where, ratio_of(sample.value, bound), [&] {
      return fmt::format("{} = {:.6g}, bound_l2_rel = {:.6g} ({})", input.gate.metric, sample.value,
                         bound, row.bound_name);
    });
  }
  if (without_bound > 0)
    judge.note(fmt::format("{} measured rows have no bound: no theorem applies", without_bound));
}

void check_max(const GateInput& input, GateJudge& judge) {
  for (const Sample& sample : judge.samples({}, input.rows))
    judge.compare(sample.row->where, ratio_of(sample.value, input.gate.limit), [&] {
      return fmt::format("{} = {:.6g}, limit = {:.6g}", input.gate.metric, sample.value,
                         input.gate.limit);
    });
}

}  // namespace fftprec
