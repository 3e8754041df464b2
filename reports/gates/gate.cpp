#include "reports/gates/gate.hpp"

#include <algorithm>

#include "reports/gates/gate_judge.hpp"
#include "reports/gates/gate_kinds.hpp"

namespace fftprec {

Verdict check_gate(const Gate& gate, std::span<const Row> rows, const KeptRows& kept,
                   const GateOptions& options) {
  const auto kept_rows = kept.find(gate.baseline);
  const std::span<const Row> compared =
      kept_rows == kept.end() ? std::span<const Row>() : std::span<const Row>(kept_rows->second);
  GateJudge judge(gate);
  gate_kind_named(gate.kind).check({gate, rows, compared, options}, judge);
  Verdict verdict = judge.take();
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
  return std::all_of(verdicts.begin(), verdicts.end(),
                     [](const Verdict& verdict) { return verdict.passed(); });
}

std::string reproduce_command(const Case& where) {
  return "fftprec run " + command_of(where) + " --csv -";
}

}  // namespace fftprec
