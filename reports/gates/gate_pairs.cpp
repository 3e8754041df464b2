#include "reports/gates/gate_pairs.hpp"

#include <fmt/format.h>

#include "reports/summary/error_table.hpp"

namespace fftprec {

namespace {

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The axes in which the two sides differ or that are pooled.
std::vector<std::string> axes_left_out(const Gate& gate) {
  return joined(joined(columns_of(gate.left), columns_of(gate.right)), gate.over);
}

/// Groups of one side without a partner on the other: an error that names the first.
void report_unpaired(const SampleGroups& groups, const SampleGroups& partners, const char* side,
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

/// use(left samples, right samples) for every key that both sides have.
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
  report_unpaired(left, right, "left", judge);
  report_unpaired(right, left, "right", judge);
}

std::vector<Sample> without_values(const std::vector<const Row*>& rows) {
  std::vector<Sample> samples;
  for (const Row* row : rows) samples.push_back({row, 0});
  return samples;
}

}  // namespace

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

std::vector<ValuePair> value_pairs(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  std::vector<ValuePair> pairs;
  for_pairs(judge.samples(gate.left, input.rows), judge.samples(gate.right, input.rows), gate,
            judge, [&pairs](const auto& left, const auto& right) {
              pairs.push_back({left.front().row, median_of(left), median_of(right)});
            });
  return pairs;
}

std::vector<RowPair> row_pairs(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  std::vector<RowPair> pairs;
  for_pairs(without_values(judge.measured(gate.left, input.rows)),
            without_values(judge.measured(gate.right, input.rows)), gate, judge,
            [&pairs](const auto& left, const auto& right) {
              pairs.push_back({left.front().row, right.front().row});
            });
  return pairs;
}

}  // namespace fftprec
