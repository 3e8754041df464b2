/// An FFT behind one type, for algorithms that are built from smaller transforms.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/theory/predictor.hpp"

namespace fftprec {

/// x <- transform of each of its rows, by tables made beforehand. Safe to call from several
/// threads.
template <class Arithmetic>
using Fft = std::function<void(const Arithmetic&, ComplexArray<typename Arithmetic::Real>&)>;

/// Makes an Fft of length n with tables from `roots`.
template <class Arithmetic>
using MakeFft = std::function<Fft<Arithmetic>(const Arithmetic&, std::size_t n, Dft,
                                              const RootFunction& roots)>;

/// Where the stages of an FFT multiply by factors: before their small DFTs or after them.
/// Butterflies of radix 2, in time: (a, b) <- (a + w b, a - w b), distances ascending; in
/// frequency: (a, b) <- (a + b, w (a - b)), distances descending.
enum class Decimation { in_time, in_frequency };

/// Any transform, ready to run: takes a batch of inputs, returns the batch of outputs. Safe to call
/// from several threads.
template <class Arithmetic>
using Transform = std::function<ComplexArray<typename Arithmetic::Real>(
    const Arithmetic&, ComplexArray<typename Arithmetic::Real>)>;

/// The callable inside each Fft that make_fft makes. All algorithms share this one type: a closure
/// type for each would take a sixth of their compile time.
template <class Arithmetic>
struct OwnedFft {
  using Data = ComplexArray<typename Arithmetic::Real>;

  std::shared_ptr<const void> algorithm;
  void (*transform)(const void* algorithm, const Arithmetic&, Data&);

  void operator()(const Arithmetic& arithmetic, Data& x) const {
    transform(algorithm.get(), arithmetic, x);
  }
};

/// Makes an `Algorithm` and wraps it as an Fft. make_shared would take a tenth longer to compile.
template <template <class> class Algorithm, class Arithmetic, class... Parameters>
Fft<Arithmetic> owned_fft(const Arithmetic& arithmetic, std::size_t n, Dft dft,
                          const RootFunction& roots, const Parameters&... parameters) {
  using Own = Algorithm<Arithmetic>;
  using Owned = OwnedFft<Arithmetic>;
  return Owned{std::shared_ptr<const Own>(new Own(arithmetic, n, dft, roots, parameters...)),
               [](const void* algorithm, const Arithmetic& with, typename Owned::Data& x) {
                 static_cast<const Own*>(algorithm)->transform(with, x);
               }};
}

/// The maker of `Algorithm`; `parameters` are what its constructor takes after the roots.
template <template <class> class Algorithm, class Arithmetic, class... Parameters>
MakeFft<Arithmetic> make_fft(Parameters... parameters) {
  if constexpr (sizeof...(Parameters) == 0)
    return owned_fft<Algorithm, Arithmetic>;
  else
    return [parameters...](const Arithmetic& arithmetic, std::size_t n, Dft dft,
                           const RootFunction& roots) {
      return owned_fft<Algorithm>(arithmetic, n, dft, roots, parameters...);
    };
}

/// `Algorithm` with the last parameters of its constructor, of `unsupported` and of `predict` set:
/// its code is compiled once for all of them.
template <template <class> class Algorithm, ArrayArithmetic Arithmetic, auto... parameters>
class With : public Algorithm<Arithmetic> {
 public:
  static std::string unsupported(std::size_t n) {
    return Algorithm<Arithmetic>::unsupported(n, parameters...);
  }
  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
    return Algorithm<Arithmetic>::predict(predictor, n, batch, parameters...);
  }
  With(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots)
      : Algorithm<Arithmetic>(arithmetic, n, dft, roots, parameters...) {}
};

/// Properties of an algorithm that are known before it runs. An algorithm built from others uses
/// their models.
struct FftModel {
  /// Why length n cannot be transformed, or an empty string.
  std::function<std::string(std::size_t n)> unsupported;
  /// Bound, expected error and cost of `batch` transforms.
  std::function<ErrorModel(const Predictor&, std::size_t n, std::size_t batch)> predict;
};

}  // namespace fftprec
