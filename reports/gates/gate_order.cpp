/// Gates that look at several rows at once: order compares two selections, slope fits a line.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "reports/gates/gate_kinds.hpp"
#include "reports/summary/error_table.hpp"
#include "reports/summary/line_fit.hpp"

namespace fftprec {

namespace {

/// Rows that differ only in the axes left out, in the order of their keys.
using Groups = std::map<std::string, std::vector<Sample>>;

Groups grouped(const std::vector<Sample>& samples, const std::vector<std::string>& left_out) {
  Groups groups;
  for (const Sample& sample : samples) groups[group_key(*sample.row, left_out)].push_back(sample);
  return groups;
}

double median_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value);
  return median(values);
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Groups of one side without a partner on the other: an error that names the first.
void report_unpaired(const Groups& groups, const Groups& partners, const char* side,
                     GateJudge& judge) {
  std::size_t alone = 0;
  const Row* first = nullptr;
  for (const auto& [key, samples] : groups) {
    if (partners.contains(key)) continue;
    ++alone;
    if (!first) first = samples.front().row;
  }
  if (alone > 0)
    judge.error(fmt::format("{} of {} {} rows have no partner, first: {}", alone, groups.size(),
                            side, command_of(first->where)));
}

/// Two rows where one is meant: the selection leaves an axis open that `over` does not name.
bool ambiguous(const std::vector<Sample>& samples, const char* side, const Gate& gate,
               GateJudge& judge) {
  if (grouped(samples, gate.over).size() < 2) return false;
  judge.error(
      fmt::format("{} selects {} rows for one comparison: narrow it, or name the axes to "
                  "take the median over; first: {}",
                  side, samples.size(), command_of(samples.front().row->where)));
  return true;
}

}  // namespace

void check_order(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  const std::vector<std::string> fixed =
      joined(joined(columns_of(gate.left), columns_of(gate.right)), gate.over);
  const Groups left = grouped(judge.samples(gate.left, input.rows), fixed);
  const Groups right = grouped(judge.samples(gate.right, input.rows), fixed);
  for (const auto& [key, samples] : left) {
    const auto partner = right.find(key);
    if (partner == right.end()) continue;
    if (ambiguous(samples, "left", gate, judge) || ambiguous(partner->second, "right", gate, judge))
      return;
    const double low = median_of(samples);
    const double high = median_of(partner->second);
    judge.compare(samples.front().row->where, ratio_of(low, gate.factor * high), [&] {
      return fmt::format("{}{} = {:.6g} ({}), {:.6g} ({}), factor {:.6g}",
                         gate.over.empty() ? "" : "median ", gate.metric, low, text_of(gate.left),
                         high, text_of(gate.right), gate.factor);
    });
  }
  report_unpaired(left, right, "left", judge);
  report_unpaired(right, left, "right", judge);
}

void check_slope(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  const Groups series = grouped(judge.samples({}, input.rows), joined({"n"}, gate.over));
  for (const auto& [key, samples] : series) {
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
    const bool holds = gate.min_slope <= slope && slope <= gate.max_slope;
    judge.compare(where, holds ? 0 : std::numeric_limits<double>::infinity(), [&] {
      return fmt::format("{} grows as n^{:.4g} over {} sizes, allowed {:.4g} to {:.4g}",
                         gate.metric, slope, x.size(), gate.min_slope, gate.max_slope);
    });
  }
}

}  // namespace fftprec
