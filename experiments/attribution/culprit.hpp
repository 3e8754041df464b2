/// From errors that rounding cannot explain to the fault that makes them.
///
/// Every fault is a hypothesis about the flow graph of a stage: one entry of a table has another
/// value, an element was not written, all factors are conjugated, and so on. A hypothesis stands if
/// the stage, computed with it from the program's own data, gives the program's result up to
/// rounding, at every element. The hypotheses without a free number come before those with one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arith/formats/format.hpp"
#include "experiments/attribution/flow.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::attribution {

/// Data of one item at both ends of a region, and what the region should have made of it.
struct FaultySample {
  std::vector<FlowValue> before;  ///< the program's data at the beginning
  std::vector<FlowValue> after;   ///< the program's data at the end
  FlowEvaluation expected;        ///< computed from `before`
  std::vector<double> deviation;  ///< of each result: the standard deviation of its rounding error
  std::vector<std::size_t> outliers;  ///< results whose error rounding cannot explain
};

/// What a fault is looked for in.
struct FaultSearch {
  const FlowRegion* region;
  /// The stages of the region, one after the other; each is a region of its own.
  std::vector<const FlowRegion*> stages;
  std::vector<FaultySample> samples;  ///< at least one, one with outliers
  /// An error is a result of rounding up to this many standard deviations.
  double most_deviations;
  /// The errors that a hypothesis leaves have at most this RMS in standard deviations.
  double most_rms;
  Format format;        ///< of the data
  Format table_format;  ///< of the tables
  const RootFunction* exact_roots;
  /// Further sources of tables to compare with, by name.
  std::vector<std::pair<std::string, RootFunction>> sources;
};

struct Culprit {
  std::string says;        ///< a sentence without a full stop; empty: no hypothesis stands
  std::string pattern;     ///< which outputs are wrong: "64 outputs, all 17 mod 64"
  std::size_t stage = 0;   ///< the index in FaultSearch::stages
  bool is_spread = false;  ///< all elements err alike: a named fault of a later stage counts more
};

Culprit find_culprit(const FaultSearch& search);

/// A table entry that the results together show to be wrong, where no result is an outlier. At
/// least one sample.
std::optional<Culprit> find_wrong_factor(const FaultSearch& search);

/// What indices below n have in common: "all 17 mod 64", "16 to 31", "row 3 of 8 x 16", or a list.
std::string pattern_of(const std::vector<std::size_t>& indices, std::size_t n);

}  // namespace fftprec::attribution
