/// Transforms over axes: how the shape of an item follows from n and the keys of a name, and how a
/// class over axes becomes an entry.
#pragma once

#include <memory>

#include "algorithms/transforms/separable.hpp"
#include "experiments/transforms/transform_entry.hpp"

namespace fftprec {

/// The axes of an item: `dims` of length n, the first of length `rows` instead unless that is 0.
struct TransformAxes {
  std::size_t dims = 1;
  std::size_t rows = 0;
  std::string suffix{};  ///< what of them the name of the inverse carries: ":rows=32"

  Lengths lengths(std::size_t n) const;
  /// Why an item of that n is not made, or an empty string: it has more than 2^24 elements.
  std::string too_large(std::size_t n) const;
  /// lengths(n). Throws NotApplicable if it is too large.
  Lengths checked_lengths(std::size_t n) const;
};

/// How a name's keys become axes.
struct AxesOfKeys {
  std::vector<Key> keys;
  std::function<TransformAxes(const std::string& transform, const std::vector<Key>&)> axes;
};

/// One axis of n; no keys.
AxesOfKeys one_axis();
/// An item of n columns and as many rows, or as the key `rows` says, 1..2^24.
AxesOfKeys two_axes();
/// As many axes of n as the key `dims` says, 1..5, by default 3.
AxesOfKeys many_axes();

/// A transform and its inverse, whose names carry the same keys.
struct TransformPair {
  std::string forward;
  std::string forward_summary;
  std::string inverse;
  std::string inverse_summary;
  AxesOfKeys axes;
};

/// Makes an entry over axes; gets the name of its inverse.
using EntryOverAxes = TransformEntry (*)(const TransformAxes&, const std::string& inverse);

std::vector<TransformFamily> families_of(const TransformPair& pair, EntryOverAxes forward,
                                         EntryOverAxes inverse);

/// Makes Plan<Arithmetic>(arithmetic, lengths, direction, roots, FFT).
template <template <class> class Plan, class Arithmetic>
MakeTransformIn<Arithmetic> make_over_axes(const TransformAxes& axes, Direction direction) {
  return [=](const Arithmetic& arithmetic, const AlgorithmEntry& algorithm, std::size_t n,
             const RootFunction& roots) -> Transform<Arithmetic> {
    const auto plan = std::make_shared<const Plan<Arithmetic>>(
        arithmetic, axes.lengths(n), direction, roots, algorithm.make_in<Arithmetic>());
    return [plan](const Arithmetic& with, ComplexArray<typename Arithmetic::Real> x) {
      return plan->transform(with, std::move(x));
    };
  };
}

/// All of an entry but its input, its truth and what its bound is relative to.
template <template <class> class Plan>
TransformEntry over_axes(const TransformAxes& axes, const std::string& inverse,
                         Direction direction) {
  TransformEntry entry;
  entry.inverse = inverse + axes.suffix;
  entry.unsupported = [axes](const AlgorithmEntry& algorithm, std::size_t n) {
    if (std::string reason = axes.too_large(n); !reason.empty()) return reason;
    return unsupported_axis(axes.lengths(n), algorithm.model);
  };
  entry.make_float = make_over_axes<Plan, MachineArithmetic<float>>(axes, direction);
  entry.make_double = make_over_axes<Plan, MachineArithmetic<double>>(axes, direction);
  entry.make_pair = make_over_axes<Plan, MachineArithmetic<FloatPair>>(axes, direction);
  entry.make_traced = make_over_axes<Plan, TracedArithmetic>(axes, direction);
  entry.predict = [axes, direction](const Predictor& predictor, const AlgorithmEntry& algorithm,
                                    std::size_t n, std::size_t batch) {
    return Plan<MachineArithmetic<float>>::predict(predictor.with_direction(direction),
                                                   axes.lengths(n), batch, algorithm.model);
  };
  return entry;
}

}  // namespace fftprec
