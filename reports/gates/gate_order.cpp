/// Gates that look at several rows at once: order compares two selections, slope fits a line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "reports/gates/gate_kinds.hpp"
#include "reports/gates/gate_pairs.hpp"
#include "reports/results/quantity.hpp"
#include "reports/summary/line_fit.hpp"

namespace fftprec {

namespace {

/// How much faster per doubling of n than allowed, or slower: above 1 outside the limits only.
double slope_ratio(double slope, const Gate& gate) {
  const bool holds = gate.min_slope <= slope && slope <= gate.max_slope;
  const double excess = std::exp2(std::max(slope - gate.max_slope, gate.min_slope - slope));
  if (holds) return std::min(excess, 1.0);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return std::isnan(slope) ? infinity : std::max(excess, std::nextafter(1.0, infinity));
}

}  // namespace

void check_order(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  for (const ValuePair& pair : value_pairs(input, judge))
    judge.compare(pair.where->where, ratio_of(pair.left, gate.factor * pair.right), [&] {
      return fmt::format("{}{} = {:.6g} ({}), {:.6g} ({}), factor {:.6g}",
                         gate.over.empty() ? "" : "median ", gate.metric, pair.left,
                         text_of(gate.left), pair.right, text_of(gate.right), gate.factor);
    });
}

void check_slope(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  std::vector<std::string> pooled = gate.over;
  pooled.emplace_back("n");
  for (const auto& [key, samples] : grouped(judge.samples({}, input.rows), pooled)) {
    const Case& where = samples.front().row->where;
    std::vector<double> x;
    std::vector<double> y;
    for (const auto& [size, same_size] : grouped(samples, gate.over)) {
      x.push_back(std::log2(static_cast<double>(same_size.front().row->where.n)));
      y.push_back(std::log2(median_of(same_size)));
    }
    if (x.size() < 3) {
      judge.error(fmt::format("{} sizes are too few for a slope, at least 3: {}", x.size(),
                              command_of(where)));
      continue;
    }
    const double slope = fit_line(x, y).slope;
    judge.compare(where, slope_ratio(slope, gate), [&] {
      return fmt::format("{} grows as n^{:.4g} over {} sizes, allowed {:.4g} to {:.4g}",
                         gate.metric, slope, x.size(), gate.min_slope, gate.max_slope);
    });
  }
}

}  // namespace fftprec
