/// An entry of the registry of algorithms: its instantiations and its predictions.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "algorithms/arithmetic/traced_arithmetic.hpp"
#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/radix_plan.hpp"

namespace fftprec {

/// Transforms that are built on an FFT take any algorithm of kind `fft`. Each other transform names
/// the one algorithm of kind `kernel` that computes it.
enum class AlgorithmKind { fft, kernel };

/// A Thing<Arithmetic> for each of the arithmetics.
template <template <class> class Thing, class... Arithmetics>
class InEachOf {
 public:
  InEachOf() = default;
  /// `make.operator()<Arithmetic>()` makes each.
  template <class Make>
  explicit InEachOf(const Make& make) : all_(make.template operator()<Arithmetics>()...) {}

  template <class Arithmetic>
  Thing<Arithmetic>& in() {
    return std::get<Thing<Arithmetic>>(all_);
  }
  template <class Arithmetic>
  const Thing<Arithmetic>& in() const {
    return std::get<Thing<Arithmetic>>(all_);
  }

 private:
  std::tuple<Thing<Arithmetics>...> all_;
};

/// A Thing for each arithmetic in which algorithms are instantiated: every carrier of data, and the
/// arithmetic that traces errors.
template <template <class> class Thing>
using InEachArithmetic = InEachOf<Thing, MachineArithmetic<float>, MachineArithmetic<double>,
                                  MachineArithmetic<FloatPair>, TracedArithmetic>;

/// What is asked of an algorithm that computes whole transforms, as another program does.
struct WholeTransform {
  std::string name;                  ///< fft, rfft, hfft, dct2, ...: see TransformEntry::whole_name
  std::vector<std::size_t> lengths;  ///< of an item's axes, real ones where a side is real
  Direction direction = Direction::forward;
  bool real_input = false;
  bool real_output = false;
  std::size_t output_size = 0;  ///< values of an item's result
  Format format = fp32;         ///< of a part
};

/// Computes `batch` items. Their values, and those of the results, are values of the format. Called
/// from several threads at once. Throws NotApplicable, with the reason, for what it does not
/// support; the row is then skipped.
using WholeFunction = std::function<ComplexArray<double>(
    const WholeTransform& transform, std::size_t batch, const ComplexArray<double>& items)>;

/// An algorithm, and how it is made in each arithmetic.
struct AlgorithmEntry {
  std::string name;
  std::string summary;
  AlgorithmKind kind = AlgorithmKind::fft;
  FftModel model{};  ///< without `predict` if the order of operations is not known
  /// The one for TracedArithmetic is empty if stages cannot be separated.
  InEachArithmetic<MakeFft> make{};
  /// In place of `make`, if there is one.
  WholeFunction whole{};
  /// Why transforms of a batch cannot share block scales, or an empty string.
  std::string cuts_batch{};
  /// How a length is taken apart, of algorithms of mixed radices.
  PlanAnyRadices plan_radices{};
  bool works_on_parts = false;  ///< of a transform, so transforms cannot share scales either
  bool takes_cores = false;     ///< runs on several cores
  bool is_choice = false;       ///< chooses another algorithm for every length
  /// Why the algorithm has no meaning with this mode and table source, or an empty string.
  std::function<std::string(const Mode& mode, std::string_view tables)> inapplicable =
      [](const Mode&, std::string_view) { return std::string(); };

  /// Whether its transforms can be predicted. The transform of a kernel has the prediction.
  bool is_predictable() const { return kind == AlgorithmKind::kernel || model.predict; }
};

/// The entry of an algorithm that computes whole transforms in its own arithmetic and with its own
/// tables, in the modes that are named after the format of their data.
AlgorithmEntry whole_entry(std::string name, std::string summary, WholeFunction whole);

/// An FFT that can be registered. It states which lengths it does not support, is constructed for a
/// length with tables from `roots`, and transforms each row of an array. It may also have `predict`
/// (see algorithms/fft/dft_gemm.hpp), which gives bound, expected error and cost.
template <template <class> class Algorithm, class Arithmetic>
concept FftAlgorithm = requires(const Algorithm<Arithmetic>& fft, const Arithmetic& arithmetic,
                                std::size_t n, const RootFunction& roots,
                                ComplexArray<typename Arithmetic::Real>& x) {
  Algorithm<Arithmetic>(arithmetic, n, Direction::forward, roots);
  fft.transform(arithmetic, x);
  { Algorithm<Arithmetic>::unsupported(n) } -> std::convertible_to<std::string>;
};

/// The entry of an algorithm without keys. Without `predict` it has no bound, no expected error and
/// no cost. It is not instantiated in the arithmetics `Without`; its `inapplicable` must refuse
/// them.
template <template <class> class Algorithm, class... Without>
requires FftAlgorithm<Algorithm, MachineArithmetic<float>> &&
    FftAlgorithm<Algorithm, MachineArithmetic<double>> &&
    FftAlgorithm<Algorithm, MachineArithmetic<FloatPair>> &&
    FftAlgorithm<Algorithm, TracedArithmetic>
        AlgorithmEntry algorithm_entry(std::string name, std::string summary) {
  using InFloat = Algorithm<MachineArithmetic<float>>;
  AlgorithmEntry entry{.name = std::move(name), .summary = std::move(summary)};
  entry.model.unsupported = InFloat::unsupported;
  if constexpr (requires { InFloat::predict; })
    entry.model.predict = [](const Predictor& predictor, std::size_t n, std::size_t batch) {
      return InFloat::predict(predictor.on_lines(n, batch), n, batch);
    };
  entry.make = InEachArithmetic<MakeFft>([]<class A>() -> MakeFft<A> {
    if constexpr ((std::is_same_v<A, Without> || ...))
      return {};
    else
      return make_fft<Algorithm, A>();
  });
  return entry;
}

/// The entry of an FFT that does its own arithmetic: it stands for one mode, fp32 in float or
/// fp64 in double, has its own tables, and no bound, expected error or cost.
AlgorithmEntry peer_entry(std::string name, std::string summary,
                          MakeFft<MachineArithmetic<float>> make);
AlgorithmEntry peer_entry(std::string name, std::string summary,
                          MakeFft<MachineArithmetic<double>> make);

}  // namespace fftprec
