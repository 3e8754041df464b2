/// "watched", an algorithm that tells a test of each case that runs it: dft-gemm otherwise, so that
/// it takes any length in any mode.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "algorithms/fft/dft_gemm.hpp"
#include "experiments/algorithms/registry.hpp"

namespace fftprec::testing {

/// While one exists, `within` is called within each case of the algorithm: a test counts there,
/// throws, raises a signal or waits. One at a time.
class Watch {
 public:
  explicit Watch(std::function<void(std::size_t n)> within) { within_ = std::move(within); }
  ~Watch() { within_ = nullptr; }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  static void tell(std::size_t n) {
    if (within_) within_(n);
  }

  /// The transforms that stand in memory, each with its tables; a case has one and its inverse.
  static inline std::atomic<int> alive = 0;
  static inline std::atomic<int> most_alive = 0;

 private:
  static inline std::function<void(std::size_t)> within_;
};

template <class Arithmetic>
class Watched : public DftGemm<Arithmetic> {
 public:
  Watched(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots)
      : DftGemm<Arithmetic>(arithmetic, n, dft, roots),
        n_(n),
        is_forward_(Direction(dft) == Direction::forward) {
    const int now = ++Watch::alive;
    int most = Watch::most_alive;
    while (now > most && !Watch::most_alive.compare_exchange_weak(most, now)) {
    }
  }
  ~Watched() { --Watch::alive; }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  void transform(const Arithmetic& arithmetic, ComplexArray<typename Arithmetic::Real>& x) const {
    if (is_forward_) Watch::tell(n_);
    DftGemm<Arithmetic>::transform(arithmetic, x);
  }

 private:
  std::size_t n_;
  bool is_forward_;
};

inline const bool is_watched_registered = [] {
  register_algorithm<Watched>("watched", "dft-gemm that a test watches");
  return true;
}();

}  // namespace fftprec::testing
