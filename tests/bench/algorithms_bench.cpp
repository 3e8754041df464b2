/// Every emulated FFT in fp32 and bf16 as a ratio to FFTW's float transform in the same run.
///
/// FFTW is planned with FFTW_MEASURE and runs out of place on data of its own. The limit for fp32
/// is 1 in operations alone; ours keeps every operation apart, which forbids the fused and
/// reordered ones, and works on split arrays. bf16 adds an integer rounding to each operation.
#include <fftw3.h>

#include <map>
#include <memory>

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

using Arithmetic = MachineArithmetic<float>;

ComplexArray<float> noise(std::size_t n) {
  ComplexArray<float> x(n);
  bench::Noise().fill(x.re, x.im);
  return x;
}

class Fftw {
 public:
  explicit Fftw(std::size_t n)
      : in_(fftwf_alloc_complex(n)),
        out_(fftwf_alloc_complex(n)),
        plan_(fftwf_plan_dft_1d(static_cast<int>(n), in_.get(), out_.get(), FFTW_FORWARD,
                                FFTW_MEASURE)) {
    const ComplexArray<float> x = noise(n);
    for (std::size_t i = 0; i < n; ++i) {
      in_.get()[i][0] = x.re[i];
      in_.get()[i][1] = x.im[i];
    }
  }
  void operator()() const { fftwf_execute(plan_.get()); }

 private:
  struct Free {
    void operator()(void* p) const { fftwf_free(p); }
  };
  struct Destroy {
    void operator()(fftwf_plan p) const { fftwf_destroy_plan(p); }
  };
  std::unique_ptr<fftwf_complex[], Free> in_;
  std::unique_ptr<fftwf_complex[], Free> out_;
  std::unique_ptr<std::remove_pointer_t<fftwf_plan>, Destroy> plan_;
};

void against_fftw(benchmark::State& state, const std::string& name, const Mode& mode,
                  std::size_t n) {
  const Arithmetic arithmetic(resolve(mode, machine_named("trn")));
  const Fft<Arithmetic> fft = algorithm_named(name).make.in<MachineArithmetic<float>>()(
      arithmetic, n, Direction::forward, table_source("exact"));
  ComplexArray<float> input = noise(n);
  arithmetic.store(input);
  ComplexArray<float> data = input;
  const Fftw reference(n);
  const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{1} << 17) / n);
  const bench::Pair pair = bench::measure(
      state, static_cast<double>(repeats),
      [&] {
        for (std::size_t i = 0; i < repeats; ++i) {
          data = input;
          fft(arithmetic, data);
          benchmark::DoNotOptimize(data.re.data());
        }
      },
      [&] {
        for (std::size_t i = 0; i < repeats; ++i) reference();
      });
  state.counters["ratio_to_fftw"] = pair.ratio();
}

[[maybe_unused]] const int registered = [] {
  for (const std::string& name : algorithm_names()) {
    const AlgorithmEntry algorithm = algorithm_named(name);
    for (const char* mode : {"fp32", "bf16"})
      for (const std::size_t n :
           {std::size_t{1} << 10, std::size_t{1} << 16, std::size_t{1} << 20}) {
        const bool quadratic = name == "dft-gemm" || name == "direct";
        if (!algorithm.model.unsupported(n).empty() || (quadratic && n > 1024)) continue;
        bench::add(name + "/" + mode + "/" + std::to_string(n), benchmark::kMicrosecond,
                   n > 1u << 16 ? 3 : 10, [name, mode, n](benchmark::State& state) {
                     against_fftw(state, name, mode_named(mode), n);
                   });
      }
  }
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
