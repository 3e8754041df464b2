#include "experiments/algorithms/fftw.hpp"

#if FFTPREC_FFTW
#include <fftw3.h>
#endif

#include <limits>
#include <memory>
#include <type_traits>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/fft.hpp"
#include "arith/support/error.hpp"

#if FFTPREC_FFTW_QUAD
// fftw3.h declares the quad functions for g++ alone; clang links them as well.
extern "C" {
__extension__ typedef __float128 fftprec_quad;
struct fftwq_plan_s;
fftprec_quad (*fftwq_alloc_complex(std::size_t n))[2];
void fftwq_free(void* buffer);
fftwq_plan_s* fftwq_plan_dft_1d(int n, fftprec_quad (*in)[2], fftprec_quad (*out)[2], int sign,
                                unsigned flags);
void fftwq_execute_dft(fftwq_plan_s* plan, fftprec_quad (*in)[2], fftprec_quad (*out)[2]);
void fftwq_destroy_plan(fftwq_plan_s* plan);
}
#endif

namespace fftprec {

std::mutex& fftw_planner() {
  static std::mutex planner;
  return planner;
}

namespace {

#if FFTPREC_FFTW
/// FFTW's functions of one precision.
template <auto allocate_complex, auto release_memory, auto plan_dft, auto execute_dft,
          auto destroy_plan>
struct FftwApi {
  using Complex = std::remove_pointer_t<decltype(allocate_complex(0))>;
  using Value = std::remove_extent_t<Complex>;
  using Plan = std::remove_pointer_t<decltype(plan_dft(0, nullptr, nullptr, 0, 0))>;
  static constexpr auto allocate = allocate_complex;
  static constexpr auto release = release_memory;
  static constexpr auto plan = plan_dft;
  static constexpr auto execute = execute_dft;
  static constexpr auto destroy = destroy_plan;
};

constexpr unsigned estimate = 1u << 6;  // FFTW_ESTIMATE

/// A plan for one transform of length n.
/// Rounds: the input never; the result once if FFTW's format is wider; in the inverse, 1/n and the
/// product with it once each, in FFTW's format.
template <class Api, class Real>
class FftwTransform {
 public:
  FftwTransform(std::size_t n, Direction direction) : n_(n), direction_(direction) {
    const Buffer in(Api::allocate(n));
    const Buffer out(Api::allocate(n));
    const std::lock_guard lock(fftw_planner());
    plan_.reset(Api::plan(static_cast<int>(n), in.get(), out.get(),
                          direction == Direction::forward ? -1 : +1, estimate));
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
  using Complex = typename Api::Complex;
  struct Free {
    void operator()(Complex* buffer) const { Api::release(buffer); }
  };
  struct Destroy {
    void operator()(typename Api::Plan* plan) const {
      const std::lock_guard lock(fftw_planner());
      Api::destroy(plan);
    }
  };
  using Buffer = std::unique_ptr<Complex[], Free>;

  std::size_t n_;
  Direction direction_;
  std::unique_ptr<typename Api::Plan, Destroy> plan_;
};

/// The maker of the peer of one precision.
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

using SingleApi = FftwApi<fftwf_alloc_complex, fftwf_free, fftwf_plan_dft_1d, fftwf_execute_dft,
                          fftwf_destroy_plan>;
using DoubleApi =
    FftwApi<fftw_alloc_complex, fftw_free, fftw_plan_dft_1d, fftw_execute_dft, fftw_destroy_plan>;

MakeFft<MachineArithmetic<float>> make_fftw_f32() { return make_fftw<SingleApi, float>(); }
MakeFft<MachineArithmetic<double>> make_fftw_f64() { return make_fftw<DoubleApi, double>(); }
#else
MakeFft<MachineArithmetic<float>> make_fftw_f32() { return {}; }
MakeFft<MachineArithmetic<double>> make_fftw_f64() { return {}; }
#endif

#if FFTPREC_FFTW_QUAD
using QuadApi = FftwApi<fftwq_alloc_complex, fftwq_free, fftwq_plan_dft_1d, fftwq_execute_dft,
                        fftwq_destroy_plan>;

MakeFft<MachineArithmetic<double>> make_fftw_f128() { return make_fftw<QuadApi, double>(); }
#else
MakeFft<MachineArithmetic<double>> make_fftw_f128() { return {}; }
#endif

/// The entry of a peer that may not be built in.
template <class Real>
AlgorithmEntry fftw_entry(std::string name, std::string summary,
                          const MakeFft<MachineArithmetic<Real>>& make) {
  AlgorithmEntry entry = peer_entry(name, std::move(summary), make);
  entry.model.unsupported = [name](std::size_t n) {
    constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<int>::max());
    return n >= 1 && n <= largest ? "" : name + " needs 1 <= n < 2^31, got " + std::to_string(n);
  };
  if (!make)
    entry.inapplicable = [](const Mode&, std::string_view) {
      return std::string("built without FFTW");
    };
  return entry;
}

}  // namespace

AlgorithmEntry fftw_f32() {
  return fftw_entry("fftw-f32", "FFTW in float, for mode fp32; any n", make_fftw_f32());
}

AlgorithmEntry fftw_f64() {
  return fftw_entry("fftw-f64", "FFTW in double, for mode fp64; any n", make_fftw_f64());
}

AlgorithmEntry fftw_f128() {
  return fftw_entry("fftw-f128", "FFTW in binary128, rounded to double, for mode fp64; any n",
                    make_fftw_f128());
}

}  // namespace fftprec
