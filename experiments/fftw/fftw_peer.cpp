#include "experiments/fftw/fftw_peer.hpp"

#include <limits>

#include "experiments/fftw/fftw_plan.hpp"

namespace fftprec {

namespace {

/// A maker for the carrier that the peer does not have.
template <class Real>
MakeFft<MachineArithmetic<Real>> refusal(std::string name, std::string mode) {
  return [name, mode](const auto&, std::size_t, Direction,
                      const RootFunction&) -> Fft<MachineArithmetic<Real>> {
    throw NotApplicable(name + " stands for mode " + mode + " alone");
  };
}

AlgorithmEntry peer(std::string name, std::string summary, std::string mode, bool built) {
  AlgorithmEntry entry{.name = name, .summary = std::move(summary)};
  entry.model.unsupported = [name](std::size_t n) {
    constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<int>::max());
    return n >= 1 && n <= largest ? "" : name + " needs 1 <= n < 2^31, got " + std::to_string(n);
  };
  entry.make_float = refusal<float>(name, mode);
  entry.make_double = refusal<double>(name, mode);
  entry.make_pair = refusal<FloatPair>(name, mode);
  entry.inapplicable = [name, mode, built](std::string_view asked, std::string_view tables) {
    if (!built) return std::string("built without FFTW");
    if (asked != mode) return name + " stands for mode " + mode + " alone";
    if (tables != "exact") return name + " has its own tables";
    return std::string();
  };
  return entry;
}

}  // namespace

AlgorithmEntry fftw_f32() {
  const auto make = make_fftw_f32();
  AlgorithmEntry entry = peer("fftw-f32", "FFTW in float, for mode fast; any n", "fast", !!make);
  if (make) entry.make_float = make;
  return entry;
}

AlgorithmEntry fftw_f64() {
  const auto make = make_fftw_f64();
  AlgorithmEntry entry =
      peer("fftw-f64", "FFTW in double, for mode double; any n", "double", !!make);
  if (make) entry.make_double = make;
  return entry;
}

AlgorithmEntry fftw_f128() {
  const auto make = make_fftw_f128();
  AlgorithmEntry entry =
      peer("fftw-f128", "FFTW in binary128, rounded to double, for mode double; any n", "double",
           !!make);
  if (make) entry.make_double = make;
  return entry;
}

}  // namespace fftprec
