/// What a long case costs per element: its input, truth, tables, transform, way back and metrics,
/// beside a case of a sixteenth of the length.
#include <string>

#include "experiments/cases/evaluate.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

/// A case, and the shorter one beside it. Primes are padded to 3.36 times their length, both.
struct Growth {
  const char* algorithm;
  const char* mode;
  std::size_t n;
  std::size_t shorter;
};

void grow(benchmark::State& state, const Growth& growth) {
  const auto run = [&growth](std::size_t n) {
    return [where = Case{.algorithm = growth.algorithm, .mode = growth.mode, .n = n}] {
      benchmark::DoNotOptimize(evaluate(where).output_hash);
    };
  };
  const bench::Pair pair = bench::measure(state, 1, run(growth.n), run(growth.shorter));
  const double elements = static_cast<double>(growth.n) / static_cast<double>(growth.shorter);
  state.counters["times_per_element"] = pair.ratio() / elements;
}

[[maybe_unused]] const int registered = [] {
  constexpr std::size_t million = std::size_t{1} << 20;
  for (const Growth& growth : {Growth{"radix2-dit", "bf16", 16 * million, million},
                               Growth{"radix2-dit", "fp32", 16 * million, million},
                               Growth{"bluestein", "bf16", 9999991, 624997}})
    bench::add(std::string("long/") + growth.algorithm + "/" + growth.mode + "/" +
                   std::to_string(growth.n),
               benchmark::kMillisecond, 2, [growth](benchmark::State& s) { grow(s, growth); });
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
