/// The flow graph of a case: what each value of a transform is made of, and its arrays between
/// stages as cuts through the graph.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/arithmetic/flow_recorder.hpp"
#include "algorithms/arithmetic/stages.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"
#include "experiments/cases/case.hpp"

namespace fftprec::attribution {

/// Values of a graph are computed in long double: 11 bits more than the data have.
using FlowValue = std::complex<long double>;

/// x times i to the power of `turn`, by exchanges and signs alone.
template <class Part>
std::complex<Part> turned(const std::complex<Part>& x, int turn) {
  switch (turn) {
    case 1:
      return {-x.imag(), x.real()};
    case 2:
      return -x;
    case 3:
      return {x.imag(), -x.real()};
    default:
      return x;
  }
}

/// An array of the transform: node nodes[i] is its element i.
struct FlowCut {
  std::string title;
  std::vector<std::uint32_t> nodes;
  /// The number of the stage whose data this is, as in stage_data; npos: it is the input, the
  /// result, or lies within a stage.
  std::size_t stage = npos;
  StagePath path{};  ///< of that stage

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

inline constexpr std::string_view input_title = "input";
inline constexpr std::string_view result_title = "result";

/// The flow graph of one item of a case. The first cut is the input, the last the result; between
/// them are the stages of stage_data, and before or after a stage's sums its data times the
/// twiddles, where these are one array.
struct CaseFlow {
  FlowGraph graph;
  std::vector<FlowCut> cuts;
};

/// Throws NotApplicable, with the reason, for a case without meaning and for an algorithm whose
/// operations are not known or not linear; InputError for unknown names.
CaseFlow flow_of(const Case& where);

/// Why a case has no flow graph, as far as that is known before it is made; or an empty string.
std::string why_no_flow(const Case& where);

/// Whether the data of cut `to` are made of those of cut `from` alone.
bool is_made_of(const CaseFlow& flow, std::size_t from, std::size_t to);

/// The nodes between two cuts, in ascending order: those that `to` is made of, without `from`.
class FlowRegion {
 public:
  /// Throws InputError if `to` is not made of `from` alone (is_made_of).
  FlowRegion(const CaseFlow& flow, std::size_t from, std::size_t to);

  const FlowCut& from() const { return flow_->cuts[from_]; }
  const FlowCut& to() const { return flow_->cuts[to_]; }
  const FlowGraph& graph() const { return flow_->graph; }
  const std::vector<std::uint32_t>& nodes() const { return nodes_; }

 private:
  const CaseFlow* flow_;
  std::size_t from_;
  std::size_t to_;
  std::vector<std::uint32_t> nodes_;
};

/// How a computation differs from the graph's.
struct FlowChange {
  /// The value of a factor, or empty: as the table holds it.
  std::function<FlowValue(std::uint32_t factor)> factor{};
  /// The operands of a node, or empty.
  std::function<FlowNode(std::uint32_t node)> node{};
  /// What is added to the value of a node, or empty.
  std::function<FlowValue(std::uint32_t node)> added{};
  /// What becomes of the value of a node scaled by the stages, or empty.
  std::function<FlowValue(const FlowValue& value)> scaled{};
};

/// The error of one rounding of a number: its variance and its largest value.
class RoundingModel {
 public:
  explicit RoundingModel(const Format& format);

  double variance(long double part) const;  ///< step^2 / 12
  double largest(long double part) const;   ///< step / 2

 private:
  double step(long double part) const;

  Format format_;
};

/// A region computed from data at its beginning.
class FlowEvaluation {
 public:
  FlowEvaluation(const FlowRegion& region, const std::vector<FlowValue>& data,
                 const FlowChange& change = {});

  const FlowRegion& region() const { return *region_; }
  FlowValue value(std::uint32_t node) const { return values_[node]; }
  FlowValue result(std::size_t place) const { return values_[region_->to().nodes[place]]; }

  /// The variance of the rounding errors of each result (re and im together): every real product
  /// and sum is rounded once, and every entry of a table errs as by one rounding more. In a dot,
  /// products and sums are rounded as `of_sums` says, then the result as `model` does.
  std::vector<double> variances(const RoundingModel& model, const RoundingModel& of_sums) const;

 private:
  const FlowRegion* region_;
  std::vector<FlowValue> values_;  ///< of all nodes; those outside of the region are zero
};

/// The effect of every node on a weighted error of the results.
struct FlowAdjoint {
  /// Of each node v, by sums over the results i with weights w_i: of w_i conj(dy_i/dv) e_i, and of
  /// w_i |dy_i/dv|^2. The latter takes paths of a node to a result as independent.
  std::vector<FlowValue> correlation;
  std::vector<long double> energy;
};

FlowAdjoint adjoint(const FlowEvaluation& evaluation, const std::vector<FlowValue>& errors,
                    const std::vector<double>& weights);

}  // namespace fftprec::attribution
