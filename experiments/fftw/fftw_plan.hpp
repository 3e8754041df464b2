/// One FFTW precision behind the common FFT type.
#pragma once

#include <memory>
#include <mutex>
#include <type_traits>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/fft.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// The transforms of the build; empty functions where FFTW is missing.
MakeFft<MachineArithmetic<float>> make_fftw_f32();
MakeFft<MachineArithmetic<double>> make_fftw_f64();
MakeFft<MachineArithmetic<double>> make_fftw_f128();

/// Of all FFTW functions only the execution of a plan is safe to call from several threads.
inline std::mutex& fftw_planner() {
  static std::mutex planner;
  return planner;
}

/// A plan for one transform of length n. `Api` wraps the functions of one precision.
/// Rounds: on the way in not at all, on the way out once where FFTW's format is the wider; the
/// inverse's product by 1/n and that factor once each, in FFTW's format.
template <class Api, class Real>
class FftwTransform {
 public:
  FftwTransform(std::size_t n, Direction direction) : n_(n), direction_(direction) {
    const Buffer in(Api::allocate(n));
    const Buffer out(Api::allocate(n));
    const std::lock_guard lock(fftw_planner());
    plan_.reset(Api::plan(static_cast<int>(n), in.get(), out.get(),
                          direction == Direction::forward ? -1 : +1));
    require(plan_ != nullptr, "FFTW has no plan for n = " + std::to_string(n));
  }

  void operator()(const MachineArithmetic<Real>&, ComplexArray<Real>& x) const {
    // From FFTW's allocator they are aligned as those that the plan was made for.
    const Buffer in(Api::allocate(n_));
    const Buffer out(Api::allocate(n_));
    const Value factor =
        direction_ == Direction::forward ? Value(1) : Value(1) / static_cast<Value>(n_);
    for (std::size_t first = 0; first < x.size(); first += n_) {
      for (std::size_t j = 0; j < n_; ++j) {
        in.get()[j][0] = static_cast<Value>(x.re[first + j]);
        in.get()[j][1] = static_cast<Value>(x.im[first + j]);
      }
      Api::execute(plan_.get(), in.get(), out.get());
      for (std::size_t k = 0; k < n_; ++k) {
        x.re[first + k] = static_cast<Real>(factor * out.get()[k][0]);
        x.im[first + k] = static_cast<Real>(factor * out.get()[k][1]);
      }
    }
  }

 private:
  using Value = typename Api::Value;
  using Complex = Value[2];
  struct Free {
    void operator()(Complex* buffer) const { Api::release(buffer); }
  };
  struct Destroy {
    void operator()(typename Api::Plan plan) const {
      const std::lock_guard lock(fftw_planner());
      Api::destroy(plan);
    }
  };
  using Buffer = std::unique_ptr<Complex[], Free>;

  std::size_t n_;
  Direction direction_;
  std::unique_ptr<std::remove_pointer_t<typename Api::Plan>, Destroy> plan_;
};

template <class Api, class Real>
MakeFft<MachineArithmetic<Real>> make_fftw() {
  return [](const MachineArithmetic<Real>&, std::size_t n, Direction direction,
            const RootFunction&) -> Fft<MachineArithmetic<Real>> {
    const auto transform = std::make_shared<const FftwTransform<Api, Real>>(n, direction);
    return [transform](const MachineArithmetic<Real>& arithmetic, ComplexArray<Real>& x) {
      (*transform)(arithmetic, x);
    };
  };
}

}  // namespace fftprec
