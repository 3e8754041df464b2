/// batch-split: a batch of independent transforms, shared out over several cores.
#pragma once

#include <algorithm>

#include "algorithms/fft/fft.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// B transforms over C cores: each core in turn takes ceil(B/C) of them until none are left. Cores
/// exchange no values, so the result has the bits of the inner FFT.
///
/// Operations and passes are summed over the cores. They differ from those of one core only where
/// the smaller batches leave tiles partly filled. The cores work at the same time, so the latency
/// is that of ceil(B/C) transforms. The emulation runs them one after the other.
template <ArrayArithmetic Arithmetic>
class BatchSplit {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, const FftModel& inner, std::size_t) {
    return inner.unsupported(n);
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& inner, std::size_t cores) {
    const std::size_t each = per_core(batch, cores);
    ErrorModel result = inner.predict(predictor, n, each);
    const std::size_t rest = batch % each;
    result.cost = (batch / each) * result.cost;
    if (rest > 0) result.cost = result.cost + inner.predict(predictor, n, rest).cost;
    return result;
  }

  /// Throws InputError for a length that the inner FFT refuses, and for zero cores.
  BatchSplit(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
             const MakeFft<Arithmetic>& inner, std::size_t cores)
      : n_(n), cores_(cores), inner_(inner(arithmetic, n, dft, roots)) {
    require(cores >= 1, "batch-split needs cores >= 1");
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t chunk = n_ * per_core(x.size() / n_, cores_);
    for (std::size_t first = 0; first < x.size(); first += chunk) {
      ComplexArray<Real> part(std::min(chunk, x.size() - first));
      move(x, first, part, 0, part.size());
      inner_(arithmetic, part);
      move(part, 0, x, first, part.size());
    }
  }

 private:
  static std::size_t per_core(std::size_t batch, std::size_t cores) {
    return (batch + cores - 1) / cores;
  }

  static void move(const ComplexArray<Real>& from, std::size_t at, ComplexArray<Real>& to,
                   std::size_t place, std::size_t count) {
    std::copy_n(from.re.data() + at, count, to.re.data() + place);
    std::copy_n(from.im.data() + at, count, to.im.data() + place);
  }

  std::size_t n_;
  std::size_t cores_;
  Fft<Arithmetic> inner_;
};

}  // namespace fftprec
