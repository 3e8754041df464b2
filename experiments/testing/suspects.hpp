/// Suspects: common mistakes in a transform, and the results that they give instead of the truth.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/truth/complex_pairs.hpp"
#include "experiments/testing/measure_result.hpp"
#include "experiments/transforms/registry.hpp"

namespace fftprec {

using ComplexNumber = std::complex<double>;
using ItemAxes = std::vector<std::size_t>;

inline ComplexNumber element(const ComplexArray<double>& x, std::size_t i) {
  return {x.re[i], x.im[i]};
}
inline void set(ComplexArray<double>& x, std::size_t i, ComplexNumber value) {
  x.re[i] = value.real();
  x.im[i] = value.imag();
}

/// The exponent such that no part is above 2^exponent.
inline int exponent_of(const ComplexArray<double>& x) {
  double largest = 0;
  for (const auto* part : {&x.re, &x.im})
    for (const double value : *part) largest = std::max(largest, std::fabs(value));
  return largest > 0 ? std::ilogb(largest) + 1 : 0;
}

/// A problem in the form that suspects need.
struct Question {
  explicit Question(const ForeignProblem& of)
      : asked(of),
        transform(transform_named(of.where.transform)),
        shape(transform.item_shape(of.where.n)),
        n(of.problem.truth.n),
        items(of.problem.truth.hi.size() / n),
        points(static_cast<double>(transform.dft ? points_of(transform, of.where.n) : 0)) {}

  const truth::Truth& truth() const { return asked.problem.truth; }
  const ComplexArray<double>& input() const { return asked.problem.input; }
  /// Whether it takes complex data and returns as many: fft, ifft and their forms over several
  /// axes.
  bool is_complex_dft() const { return transform.dft && shape.input == shape.output; }
  /// Whether it takes real data and returns half a spectrum: rfft and its forms.
  bool gives_half() const { return transform.dft && transform.real_input; }
  std::size_t last() const { return shape.output.back(); }
  Dft dft() const { return {transform.dft->direction, asked.norm}; }

  const ForeignProblem& asked;
  TransformEntry transform;
  ItemShape shape;
  std::size_t n;      ///< values of an item
  std::size_t items;  ///< in the batch
  double points;      ///< of a discrete Fourier transform, all axes together
  truth::TruthOptions options{};
};

/// A possible mistake.
struct Suspect {
  std::string says;
  std::string advice;
  /// The result with this mistake; empty if it has no meaning.
  std::function<std::optional<truth::ComplexPairs>(const Question&)> values;
  /// For mistakes about a window: the sums of its weights and of their squares.
  std::function<std::pair<double, double>(const Question&)> window_sums{};
};

/// Suspects made from the truth, in one pass each. The first is the truth itself, so that a wrong
/// factor is found.
const std::vector<Suspect>& suspects_of_truth();

/// Suspects made from the input, in the time of a transform each.
std::vector<Suspect> suspects_of_input(const Question& q);

/// Suspects made from the input rounded to a format narrower than `format`.
std::vector<Suspect> suspects_of_rounding(const Format& format);

}  // namespace fftprec
