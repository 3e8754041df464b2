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

/// What makes the peer of one precision.
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

struct SingleApi {
  using Value = float;
  using Plan = fftwf_plan;
  static fftwf_complex* allocate(std::size_t n) { return fftwf_alloc_complex(n); }
  static void release(fftwf_complex* buffer) { fftwf_free(buffer); }
  static Plan plan(int n, fftwf_complex* in, fftwf_complex* out, int sign) {
    return fftwf_plan_dft_1d(n, in, out, sign, FFTW_ESTIMATE);
  }
  static void execute(Plan plan, fftwf_complex* in, fftwf_complex* out) {
    fftwf_execute_dft(plan, in, out);
  }
  static void destroy(Plan plan) { fftwf_destroy_plan(plan); }
};

struct DoubleApi {
  using Value = double;
  using Plan = fftw_plan;
  static fftw_complex* allocate(std::size_t n) { return fftw_alloc_complex(n); }
  static void release(fftw_complex* buffer) { fftw_free(buffer); }
  static Plan plan(int n, fftw_complex* in, fftw_complex* out, int sign) {
    return fftw_plan_dft_1d(n, in, out, sign, FFTW_ESTIMATE);
  }
  static void execute(Plan plan, fftw_complex* in, fftw_complex* out) {
    fftw_execute_dft(plan, in, out);
  }
  static void destroy(Plan plan) { fftw_destroy_plan(plan); }
};

MakeFft<MachineArithmetic<float>> make_fftw_f32() { return make_fftw<SingleApi, float>(); }
MakeFft<MachineArithmetic<double>> make_fftw_f64() { return make_fftw<DoubleApi, double>(); }
#else
MakeFft<MachineArithmetic<float>> make_fftw_f32() { return {}; }
MakeFft<MachineArithmetic<double>> make_fftw_f64() { return {}; }
#endif

#if FFTPREC_FFTW_QUAD
constexpr unsigned estimate = 1u << 6;  // FFTW_ESTIMATE

struct QuadApi {
  using Value = fftprec_quad;
  using Plan = fftwq_plan_s*;
  static Value (*allocate(std::size_t n))[2] { return fftwq_alloc_complex(n); }
  static void release(Value (*buffer)[2]) { fftwq_free(buffer); }
  static Plan plan(int n, Value (*in)[2], Value (*out)[2], int sign) {
    return fftwq_plan_dft_1d(n, in, out, sign, estimate);
  }
  static void execute(Plan plan, Value (*in)[2], Value (*out)[2]) {
    fftwq_execute_dft(plan, in, out);
  }
  static void destroy(Plan plan) { fftwq_destroy_plan(plan); }
};

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
  return fftw_entry("fftw-f32", "FFTW in float, for mode fast; any n", make_fftw_f32());
}

AlgorithmEntry fftw_f64() {
  return fftw_entry("fftw-f64", "FFTW in double, for mode double; any n", make_fftw_f64());
}

AlgorithmEntry fftw_f128() {
  return fftw_entry("fftw-f128", "FFTW in binary128, rounded to double, for mode double; any n",
                    make_fftw_f128());
}

}  // namespace fftprec
