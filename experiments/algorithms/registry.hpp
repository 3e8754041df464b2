/// Algorithms by name: the instantiations and predictions behind each.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "algorithms/arithmetic/traced_arithmetic.hpp"
#include "algorithms/fft/fft.hpp"
#include "experiments/support/names.hpp"

namespace fftprec {

/// What kind of work an algorithm does: the transforms that rest on an FFT take any `fft`, each of
/// the others names the one kernel that carries it out.
enum class AlgorithmKind { fft, kernel };

struct AlgorithmEntry {
  std::string name;
  std::string summary;
  AlgorithmKind kind = AlgorithmKind::fft;
  FftModel model{};  ///< without `predict` where the order of operations is not known
  MakeFft<MachineArithmetic<float>> make_float{};
  MakeFft<MachineArithmetic<double>> make_double{};
  MakeFft<MachineArithmetic<FloatPair>> make_pair{};
  MakeFft<TracedArithmetic> make_traced{};  ///< empty where no stage can be told from another
  /// Why the algorithm has no meaning with this mode and table source, or an empty string.
  std::function<std::string(std::string_view mode, std::string_view tables)> inapplicable =
      [](std::string_view, std::string_view) { return std::string(); };

  /// Whether a transform that it carries out can be predicted. A kernel's predictions are those of
  /// its transform.
  bool is_predictable() const { return kind == AlgorithmKind::kernel || model.predict; }

  template <class Arithmetic>
  const MakeFft<Arithmetic>& make_in() const {
    if constexpr (std::is_same_v<Arithmetic, TracedArithmetic>)
      return make_traced;
    else if constexpr (std::is_same_v<Arithmetic, MachineArithmetic<float>>)
      return make_float;
    else if constexpr (std::is_same_v<Arithmetic, MachineArithmetic<double>>)
      return make_double;
    else
      return make_pair;
  }
  template <class Real>
  const MakeFft<MachineArithmetic<Real>>& make() const {
    return make_in<MachineArithmetic<Real>>();
  }
};

/// How many algorithms may stand inside one another: what one predicts, all that hold it ask for
/// several times.
inline constexpr std::size_t most_inner_algorithms = 4;

/// The algorithm of that name, "NAME" or "NAME:key=value:...:inner=ALGORITHM"; what follows
/// `inner=` is a whole algorithm name again. Throws InputError for an unknown name or key, listing
/// the known ones, and for more than most_inner_algorithms inside one another.
AlgorithmEntry algorithm_named(std::string_view name);

/// The name of every FFT, without keys, in the order in which tables show them.
std::vector<std::string> algorithm_names();

std::vector<Named> list_algorithms();
std::vector<Named> list_modes();
std::vector<Named> list_machines();

}  // namespace fftprec
