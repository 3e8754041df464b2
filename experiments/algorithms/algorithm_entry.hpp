/// An algorithm as the registry holds it: its instantiations and its predictions.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>

#include "algorithms/arithmetic/traced_arithmetic.hpp"
#include "algorithms/fft/fft.hpp"

namespace fftprec {

/// What kind of work an algorithm does: the transforms that rest on an FFT take any `fft`, each of
/// the others names the one kernel that carries it out.
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

/// In those that algorithms are instantiated for: each carrier of data, and errors traced.
template <template <class> class Thing>
using InEachArithmetic = InEachOf<Thing, MachineArithmetic<float>, MachineArithmetic<double>,
                                  MachineArithmetic<FloatPair>, TracedArithmetic>;

/// An algorithm by its name, and how it is made in each arithmetic.
struct AlgorithmEntry {
  std::string name;
  std::string summary;
  AlgorithmKind kind = AlgorithmKind::fft;
  FftModel model{};  ///< without `predict` where the order of operations is not known
  /// That of TracedArithmetic is empty where no stage can be told from another.
  InEachArithmetic<MakeFft> make{};
  /// Why no data that several transforms share scales with may be stored, or an empty string.
  std::string cuts_batch{};
  bool works_on_parts = false;  ///< of a transform, so that its data cannot share scales either
  bool takes_cores = false;     ///< several
  bool is_choice = false;       ///< of another algorithm, for every length
  /// Why the algorithm has no meaning with this mode and table source, or an empty string.
  std::function<std::string(const Mode& mode, std::string_view tables)> inapplicable =
      [](const Mode&, std::string_view) { return std::string(); };

  /// Whether a transform that it carries out can be predicted. A kernel is predicted by its
  /// transform.
  bool is_predictable() const { return kind == AlgorithmKind::kernel || model.predict; }
};

/// An FFT as the registry takes it: it says which lengths it cannot transform, is made for a length
/// with tables from `roots`, and transforms each row of an array. It may have `predict`, too, as
/// algorithms/fft/dft_gemm.hpp has it: bound, expected error and cost follow from that.
template <template <class> class Algorithm, class Arithmetic>
concept FftAlgorithm = requires(const Algorithm<Arithmetic>& fft, const Arithmetic& arithmetic,
                                std::size_t n, const RootFunction& roots,
                                ComplexArray<typename Arithmetic::Real>& x) {
  Algorithm<Arithmetic>(arithmetic, n, Direction::forward, roots);
  fft.transform(arithmetic, x);
  { Algorithm<Arithmetic>::unsupported(n) } -> std::convertible_to<std::string>;
};

/// The entry of an algorithm without keys. Without `predict` it has no bound, no expected error and
/// no cost. In the arithmetics `Without` it is not made: its `inapplicable` has to refuse them.
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

/// The entry of an FFT that does its own arithmetic: it stands for one mode, fast in float or
/// double in double unless another is named, has its own tables, and no bound, expected error or
/// cost.
AlgorithmEntry peer_entry(std::string name, std::string summary,
                          MakeFft<MachineArithmetic<float>> make, const std::string& mode = "fast");
AlgorithmEntry peer_entry(std::string name, std::string summary,
                          MakeFft<MachineArithmetic<double>> make,
                          const std::string& mode = "double");

}  // namespace fftprec
