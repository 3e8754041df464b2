/// The error measures of n elements, as a ratio to summing up the same six arrays.
///
/// The limit: memory, where the ratio is 1. Below it stand about 110 vector operations, two
/// divisions and two roots for as many elements as a register holds doubles.
#include <string>

#include "arith/truth/metrics.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

/// y off by about 2^-20 from hi + lo.
struct Data {
  explicit Data(std::size_t n) : y(n), t{ComplexArray<double>(n), ComplexArray<double>(n), n} {
    std::uint32_t state = 1;
    const auto next = [&state] {
      state = state * 1664525u + 1013904223u;
      return static_cast<double>(static_cast<std::int32_t>(state)) * 0x1p-31;
    };
    for (auto part : {&ComplexArray<double>::re, &ComplexArray<double>::im})
      for (std::size_t j = 0; j < n; ++j) {
        const double hi = next();
        (t.hi.*part)[j] = hi;
        (t.lo.*part)[j] = hi * 0x1p-55 * next();
        (y.*part)[j] = hi * (1 + 0x1p-20 * next());
      }
  }
  ComplexArray<double> y;
  truth::Truth t;
};

/// Reads every element once, eight sums side by side.
double swept(const Data& data) {
  double sums[8] = {};
  const auto add = [&sums](const AlignedVector<double>& values) {
    for (std::size_t j = 0; j + 8 <= values.size(); j += 8)
      for (std::size_t i = 0; i < 8; ++i) sums[i] += values[j + i];
  };
  for (const auto* array : {&data.y, &data.t.hi, &data.t.lo}) {
    add(array->re);
    add(array->im);
  }
  return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}

void against_a_sweep(benchmark::State& state, std::size_t n, Isa isa) {
  const Data data(n);
  const bench::Pair pair = bench::measure(
      state, 1, [&] { benchmark::DoNotOptimize(truth::measure(data.y, data.t, fp32, isa)); },
      [&] { benchmark::DoNotOptimize(swept(data)); });
  state.counters["ratio_to_sweep"] = pair.ratio();
  state.counters["ns_per_element"] = 1e9 * pair.subject_seconds / static_cast<double>(n);
}

[[maybe_unused]] const int registered = [] {
  for (const std::size_t n : {std::size_t{1} << 12, std::size_t{1} << 16, std::size_t{1} << 20})
    for (const Isa isa : available_isas()) {
      const std::string name = "measure/" + std::to_string(n) + "/" + std::string(name_of(isa));
      benchmark::RegisterBenchmark(
          name.c_str(), [n, isa](benchmark::State& state) { against_a_sweep(state, n, isa); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond)
          ->Iterations(20);
    }
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
