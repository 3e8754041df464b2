/// Transforms by name: their inputs, their truths, and how an algorithm computes them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/theory/error_law.hpp"
#include "arith/truth/truth.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

/// The tables that a table source gives a transform. Most transforms need only its roots and take a
/// RootFunction.
struct SourceTables {
  RootFunction roots;
  WindowSource windows;

  SourceTables(RootFunction own_roots, WindowSource own_windows = {})
      : roots(std::move(own_roots)), windows(std::move(own_windows)) {}
  operator const RootFunction&() const { return roots; }
};

/// Makes a Transform of size n that `algorithm` computes.
template <class Arithmetic>
using MakeTransform = std::function<Transform<Arithmetic>(
    const Arithmetic&, const AlgorithmEntry& algorithm, std::size_t n, const SourceTables& tables)>;

/// The axes of one item's operands and results, the last one fastest.
struct ItemShape {
  std::vector<std::size_t> input;  ///< empty: all items share an operand
  std::vector<std::size_t> output;
};

/// A transform with its name, and how to make it.
struct TransformEntry {
  std::string name;
  std::string summary;
  std::string inverse;    ///< the inverse transform; empty if there is none
  bool takes_fft = true;  ///< any FFT algorithm can compute it
  std::string kernel{};   ///< the kernel that can compute it, also or instead; empty if none
  /// What a program is asked for that computes whole transforms; empty: it is not asked.
  std::string whole_name{};
  /// Why no bound can prove a gain from refinement by the inverse; empty if one can.
  std::string unrefined{};
  /// Largest growth of an error of the input, or of the inverse's input, relative to the result and
  /// to reference_norm. Used for refinement.
  double growth = 1;
  std::size_t operands = 1;  ///< the output is linear in each: every operand's rounding counts
  int degree = 1;            ///< operands times c make the output times c^degree, c > 0

  std::optional<Dft> dft{};  ///< which discrete Fourier transform it is, if it is one
  bool one_fft = false;      ///< it is one FFT per item, along its only axis
  bool framed = false;       ///< n is the length of frames, not of an axis of the data
  bool real_input = false;   ///< every operand is real
  bool real_output = false;  ///< every result is real
  bool integers = false;     ///< results are whole numbers where operands are
  ResultSizes result_sizes = ResultSizes::equal;  ///< of random operands
  std::function<ItemShape(std::size_t n)> item_shape;
  /// The operands of `batch` items: elements of the input, not yet rounded.
  std::function<ComplexArray<double>(const Input& input, std::size_t n, std::size_t batch,
                                     std::uint64_t seed)>
      make_input;
  /// The certified exact output for the result of make_input.
  std::function<truth::Truth(const ComplexArray<double>& input, std::size_t n, std::size_t batch,
                             const truth::TruthOptions& options)>
      truth;
  /// Why the algorithm cannot do size n, or an empty string.
  std::function<std::string(const AlgorithmEntry& algorithm, std::size_t n)> unsupported;
  InEachArithmetic<MakeTransform> make;
  /// The reference of a bound of `predict`, in each batch: ||error|| <= bound * reference_norm.
  /// Empty: the norm of the exact output itself.
  std::function<double(const ComplexArray<double>& input, std::size_t n, std::size_t batch)>
      reference_norm{};
  /// The largest reference of the bound of a single result: |error| <= bound * element_reference.
  /// Empty: the bound is of norms alone.
  std::function<double(const ComplexArray<double>& input, std::size_t n, std::size_t batch)>
      element_reference{};
  /// The largest reference_norm, relative to the norm of the exact output, over all data; empty if
  /// it has no limit.
  std::optional<double> most_reference{};
  /// Bound, expected error and cost of `batch` items. Not called for an algorithm without a model.
  std::function<ErrorModel(const Predictor&, const AlgorithmEntry& algorithm, std::size_t n,
                           std::size_t batch)>
      predict;
};

/// A transform that runs by a plan, made by the call
/// `make_plan.operator()<Arithmetic>(arithmetic, n, tables, FFT)`.
template <class MakePlan>
InEachArithmetic<MakeTransform> made_by_plan(const MakePlan& make_plan) {
  return InEachArithmetic<MakeTransform>([&]<class A>() -> MakeTransform<A> {
    return [make_plan](const A& arithmetic, const AlgorithmEntry& algorithm, std::size_t n,
                       const SourceTables& tables) -> Transform<A> {
      return [plan = make_plan(arithmetic, n, tables, algorithm.make.in<A>())](
                 const A& with, ComplexArray<typename A::Real> x) {
        return plan->transform(with, std::move(x));
      };
    };
  });
}

/// A transform with the keys of its name; `make` gets a value for each key.
struct TransformFamily {
  std::string name;
  std::string summary;
  std::vector<Key> keys;
  std::function<TransformEntry(const std::vector<Key>&)> make;
  std::string axes_key{};  ///< the key with the axes of an item; empty if there is none
  /// The value of axes_key for axes of these lengths, the last one n; empty: the default.
  std::string (*axes_value)(const std::vector<std::size_t>& lengths) = nullptr;
  bool any_axes = false;  ///< the number of axes is open, too
};

/// The families of each group, in the order in which tables show them (transforms_*.cpp).
std::vector<TransformFamily> fourier_transforms();
std::vector<TransformFamily> cosine_transforms();
std::vector<TransformFamily> trigonometric_transforms();
std::vector<TransformFamily> short_time_transforms();
std::vector<TransformFamily> kernel_transforms();
std::vector<TransformFamily> product_transforms();

/// The transform with a name, "NAME" or "NAME:key=value:key=value". Throws InputError for an
/// unknown name or key and for a value that a key does not take, listing the known ones.
TransformEntry transform_named(std::string_view name);

/// The canonical spelling of a name with choices that may stand alone; other names are returned
/// unchanged. Throws InputError for an unknown name or key.
std::string canonical_transform(std::string_view name);

/// The key for how the transform is divided.
Key norm_key();

/// How many axes an item's input has: empty if the name leaves the number open, as "fftn" without
/// `dims`; 0 if all items share an operand.
std::optional<std::size_t> input_axes(std::string_view transform);

/// The transform over axes of these lengths, the last one n, if its name leaves them open: "fft2"
/// over 32 x 48 is "fft2:rows=32". For one-sided spectra give the lengths of the real data.
std::string transform_over(const std::string& transform, const std::vector<std::size_t>& lengths);

/// backward, ortho or forward. Throws InputError for any other name, listing these.
Norm norm_named(std::string_view name);

/// Why FFTs of the algorithm cannot divide by this norm, or an empty string.
std::string unsupported_norm(const AlgorithmEntry& algorithm, Norm norm);

/// Values in the result of one item.
std::size_t output_size(const TransformEntry& transform, std::size_t n);

std::vector<Named> list_transforms();

}  // namespace fftprec
