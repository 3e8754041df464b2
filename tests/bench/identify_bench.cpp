/// `identify` beside runs of one variant: how many runs its answer costs.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/algorithms/registry.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/identify/fft_search.hpp"
#include "experiments/support/files.hpp"
#include "experiments/testing/measure_result.hpp"
#include "tests/bench/paired.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec {
namespace {

/// Answers of three lengths by one variant.
void identification(benchmark::State& state, const Case& variant) {
  const testing::TemporaryDirectory directory;
  const std::vector<std::size_t> lengths{16, 64, 256};
  identify::write_fft_probes(directory.path(), lengths);
  std::vector<identify::FftAnswer> answers;
  const auto run = [&](std::size_t n, const ComplexArray<double>& x) {
    Case where = variant;
    where.n = n;
    where.batch = x.size() / n;
    return run_in_mode(algorithm_named(where.algorithm), where, x).values;
  };
  for (const std::size_t n : lengths) {
    const auto path = directory / ("n" + std::to_string(n) + "/x.npy");
    const ComplexArray<double> x = parse_npy(read_file(path), path.string()).values;
    answers.push_back({n, x, run(n, x)});
  }
  identify::FftIdentification found;
  const bench::Pair pair = bench::measure(
      state, 1, [&] { found = identify::identify_fft(answers); },
      [&] {
        for (const identify::FftAnswer& answer : answers) run(answer.n, answer.x);
      });
  state.counters["runs_of_all_probes"] = pair.ratio();
  state.counters["fits"] = found.fits() ? 1 : 0;
}

[[maybe_unused]] const int registered = [] {
  const auto add = [](const std::string& name, const Case& variant) {
    bench::add("identify/" + name, benchmark::kMillisecond, 3,
               [variant](benchmark::State& state) { identification(state, variant); });
  };
  add("radix2-dit", {.algorithm = "radix2-dit", .machine = "ieee"});
  add("split-radix", {.algorithm = "split-radix:pair=conjugate",
                      .mode = "fp64",
                      .machine = "ieee",
                      .tables = "recurrence:by=singleton:in=fp64"});
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
