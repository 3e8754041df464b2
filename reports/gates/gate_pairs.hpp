/// Rows that a gate compares with one another: those that differ in the axes it names only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/gates/gate_judge.hpp"
#include "reports/gates/gate_kinds.hpp"

namespace fftprec {

/// Samples that differ only in the axes left out, in the order of their keys.
using SampleGroups = std::map<std::string, std::vector<Sample>>;

SampleGroups grouped(const std::vector<Sample>& samples, const std::vector<std::string>& left_out);

double median_of(const std::vector<Sample>& samples);

/// Left and right with the other axes equal, each the median over the gate's `over`.
struct ValuePair {
  const Row* where;  ///< the first row of the left side
  double left;
  double right;
};

/// All pairs of the gate's left and right. A side without a partner is an error of the gate, and so
/// are two rows where one is meant: the selection leaves an axis open that `over` does not name.
std::vector<ValuePair> value_pairs(const GateInput& input, GateJudge& judge);

/// The same for rows as they are, whatever their metric.
struct RowPair {
  const Row* left;
  const Row* right;
};

std::vector<RowPair> row_pairs(const GateInput& input, GateJudge& judge);

}  // namespace fftprec
