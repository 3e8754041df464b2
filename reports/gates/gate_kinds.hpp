/// The kinds of gates: a name, the keys it takes, and the function that checks it.
///
/// To add a kind: write its check with a GateJudge, and add one line to the table in
/// gate_kinds.cpp. A new key also needs a field in Gate and a line in gate_file.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reports/gates/gate.hpp"
#include "reports/gates/gate_judge.hpp"

namespace fftprec {

/// What a check looks at.
struct GateInput {
  const Gate& gate;
  std::span<const Row> rows;
  std::span<const Row> kept;  ///< empty unless the kind takes a baseline
  const GateOptions& options;
};

struct GateKind {
  std::string_view name;
  std::string_view meaning;
  std::string_view metric;                 ///< of a gate that names none
  std::vector<std::string_view> required;  ///< keys it must have, beside name, kind and source
  std::vector<std::string_view> optional;  ///< keys it may have
  void (*check)(const GateInput& input, GateJudge& judge);
};

std::span<const GateKind> gate_kinds();

/// Throws InputError for an unknown name; lists the known ones.
const GateKind& gate_kind_named(std::string_view name);

/// metric <= bound_l2_rel: a theorem, never loosened. Rows without a bound are counted in a note.
void check_bound(const GateInput& input, GateJudge& judge);

/// metric <= limit.
void check_max(const GateInput& input, GateJudge& judge);

/// old / better <= metric <= old * worse, paired by case; factors of 1 ask for equality.
void check_baseline(const GateInput& input, GateJudge& judge);

/// output_hash equals that of the kept row, paired by case.
void check_hash(const GateInput& input, GateJudge& judge);

/// metric of left <= factor * metric of right, paired over the axes that neither selection names.
void check_order(const GateInput& input, GateJudge& judge);

/// Every figure: low / within <= metric <= high * within, for each group of rows that it speaks of.
void check_near(const GateInput& input, GateJudge& judge);

/// min_ratio <= metric of left / metric of right <= max_ratio, paired as in order.
void check_ratio(const GateInput& input, GateJudge& judge);

/// The text of the metric, a hash for one, is the same in left and right, paired as in order.
void check_equal(const GateInput& input, GateJudge& judge);

/// min_slope <= s <= max_slope, log2(metric) = s log2(n) + c fitted by least squares per series.
void check_slope(const GateInput& input, GateJudge& judge);

}  // namespace fftprec
