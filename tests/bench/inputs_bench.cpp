/// Inputs and tables of 2^20 elements, as a ratio to one double-double transform of that length.
///
/// The promise: neither gaussian numbers nor tables cost more than the truth they serve.
#include <string>

#include "arith/truth/fourier.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/inputs/inputs.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

constexpr std::size_t n = std::size_t{1} << 20;
constexpr int iterations = 5;  // each multiplies the transformed array by 2^10

/// Times `make` beside a transform with its tables at hand.
template <class Make>
void against_transform(benchmark::State& state, Make make) {
  const truth::PairFourier fourier(n);
  truth::ComplexPairs x(n);
  x.hi = make_input("uniform", n, 1, 1);
  const bench::Pair pair = bench::measure(
      state, 1,
      [&make] {
        const auto made = make();
        benchmark::DoNotOptimize(&made);
      },
      [&] { fourier(x, 1, {.threads = 1}); });
  state.counters["ratio_to_transform"] = pair.ratio();
  state.counters["transform_ms"] = 1e3 * pair.reference_seconds;
  state.counters["ns_per_element"] = 1e9 * pair.subject_seconds / static_cast<double>(n);
}

template <class Make>
void add(const std::string& name, Make make) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [make](benchmark::State& state) { against_transform(state, make); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(iterations);
}

[[maybe_unused]] const int registered = [] {
  for (const char* input :
       {"gaussian", "torch_randn", "uniform", "wide", "cancelling", "tone", "chirp"})
    add(std::string("input/") + input, [input] { return make_input(input, n, 1, 42); });
  for (const Format& format : {fp32, bf16, fp16, fp64})
    add("table/" + to_string(format), [format] { return truth::roots_of_unity(n, format); });
  add("table/hi+lo", [] { return truth::all_roots(truth::PairRoots(n)); });
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
