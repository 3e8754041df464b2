/// Gates with two sides: near a printed figure, a ratio between limits, equality.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "arith/support/error.hpp"
#include "experiments/rows/columns.hpp"
#include "experiments/support/published_value.hpp"
#include "reports/gates/gate_kinds.hpp"
#include "reports/gates/gate_pairs.hpp"
#include "reports/gates/gate_table.hpp"
#include "reports/results/quantity.hpp"

namespace fftprec {

namespace {

/// Four digits, as 2.033e-04 below 0.01.
std::string four_digits(double value) {
  return value > 0 && value < 0.01 ? fmt::format("{:.3e}", value) : fmt::format("{:.4g}", value);
}

/// Above 1 outside of low .. high only.
double window_ratio(double value, double low, double high) {
  return std::max(ratio_of(value, high), ratio_of(low, value));
}

}  // namespace

PublishedFigure figure_from(std::string_view text) {
  const PublishedValue value = published_value(text);
  if (!(value.low > 0))
    throw InputError(fmt::format("'{}' is no figure that a value could be near to", text));
  return {value, {}};
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
        return fmt::format("{}{} = {}, published {}{}", gate.over.empty() ? "" : "median ",
                           gate.metric, four_digits(value), figure.value.text,
                           gate.within > 1 ? fmt::format(", factor {:.4g}", gate.within) : "");
      });
    }
  }
  // Where no figure has a row, the gate says so as a whole.
  if (without_row.size() == gate.figures.size()) return;
  for (const PublishedFigure* figure : without_row)
    judge.error(
        fmt::format("no row for the figure {} ({})", figure->value.text, text_of(figure->where)));
}

void check_ratio(const GateInput& input, GateJudge& judge) {
  const Gate& gate = input.gate;
  for (const ValuePair& pair : value_pairs(input, judge)) {
    const double ratio =
        window_ratio(pair.left, gate.min_ratio * pair.right, gate.max_ratio * pair.right);
    judge.compare(pair.where->where, ratio, [&] {
      return fmt::format("{}{}: {} ({}) / {} ({}) = {}, allowed {} to {}",
                         gate.over.empty() ? "" : "median ", gate.metric, four_digits(pair.left),
                         text_of(gate.left), four_digits(pair.right), text_of(gate.right),
                         four_digits(pair.left / pair.right), gate.min_ratio, gate.max_ratio);
    });
  }
}

void check_equal(const GateInput& input, GateJudge& judge) {
  const Column& metric = column_named(input.gate.metric);
  for (const auto& [left, right] : row_pairs(input, judge)) {
    const std::string a = metric.text(*left);
    const std::string b = metric.text(*right);
    if (a.empty() || b.empty())
      judge.fail(left->where, input.gate.metric + " is empty: not measured");
    else if (a != b)
      judge.fail(left->where, fmt::format("{} = {} ({}), {} ({})", input.gate.metric, a,
                                          text_of(input.gate.left), b, text_of(input.gate.right)));
    else
      judge.compare(left->where, 0,
                    [&] { return fmt::format("{} = {} in both", input.gate.metric, a); });
  }
}

}  // namespace fftprec
