/// What a call from Python costs beside the C++ call that it makes, and how long the import takes.
///
/// Promises: fp.round of 2^24 floats takes at most 1.1 times as long as round_array into a new
/// array of NumPy, fp.fft of 2^20 at most 1.05 times as long as Signal, run_in_mode and interleave
/// into one; `import fftprec` takes less than 0.3 s, NumPy included.
#include <benchmark/benchmark.h>
#include <pybind11/embed.h>
#include <pybind11/numpy.h>

#include <complex>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/kernels/round_array.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/testing/measure_result.hpp"
#include "experiments/testing/signal.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

namespace py = pybind11;
using namespace py::literals;

void rounding(benchmark::State& state) {
  constexpr std::size_t size = std::size_t{1} << 24;
  const py::object round = py::module_::import("fftprec").attr("round");
  const py::object x =
      py::module_::import("numpy").attr("full")(size, 1.2345678, "dtype"_a = "float32");
  const std::vector<float> in(size, 1.2345678f);
  const bench::Pair times = bench::measure(
      state, 1, [&] { round(x, "bf16"); },
      [&] {
        py::array_t<float> out(size);
        round_array(in, std::span(out.mutable_data(), size), bf16, Rounding::rne);
      });
  state.counters["ratio"] = times.ratio();
}

template <class Real>
void fft(benchmark::State& state, const std::string& mode) {
  constexpr std::size_t n = std::size_t{1} << 20;
  const py::module_ package = py::module_::import("fftprec");
  const py::object transform = package.attr("fft");
  const py::object x = package.attr("input")("gaussian", n);
  const auto in = x.cast<py::array_t<std::complex<float>>>();
  const bench::Pair times = bench::measure(
      state, 1, [&] { transform(x, "mode"_a = mode); },
      [&] {
        const ComplexArray<double> y =
            run_in_mode(algorithm_named("radix2-dit"), {.mode = mode, .n = n},
                        Signal(std::span(in.data(), n)).values())
                .values;
        py::array_t<std::complex<Real>> out(n);
        interleave(y, std::span(out.mutable_data(), n));
      });
  state.counters["ratio"] = times.ratio();
}

void importing(benchmark::State& state, const std::string& module) {
  const std::string command = FFTPREC_PYTHON_EXECUTABLE " -c 'import " + module + "'";
  for (auto _ : state)
    state.SetIterationTime(bench::seconds([&] {
      if (std::system(command.c_str()) != 0) state.SkipWithError("it cannot be imported");
    }));
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& run) {
  bench::add(name, benchmark::kMillisecond, 15, run);
}

}  // namespace
}  // namespace fftprec

int main(int argc, char** argv) {
  using namespace fftprec;
  ::setenv("PYTHONPATH", FFTPREC_PYTHON_PATH, 1);
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  PyConfig_SetBytesString(&config, &config.program_name, FFTPREC_PYTHON_EXECUTABLE);
  const pybind11::scoped_interpreter python(&config);

  add("python/round/2^24", rounding);
  for (const std::string mode : {"fp32", "bf16"})
    add("python/fft/2^20/" + mode, [mode](benchmark::State& state) { fft<float>(state, mode); });
  add("python/fft/2^20/fp64", [](benchmark::State& state) { fft<double>(state, "fp64"); });
  for (const std::string module : {"numpy", "fftprec"})
    add("import/" + module, [module](benchmark::State& state) { importing(state, module); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
