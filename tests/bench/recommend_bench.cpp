/// `recommend` beside the measurement of all its choices: the ratio of the times, and the share of
/// the choices that it measures.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "experiments/devices/recommend.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

void recommendation(benchmark::State& state, std::uint64_t n, devices::JudgedBy by) {
  devices::RecommendRequest some{.where = {.n = n},
                                 .algorithms = devices::counted_algorithms(),
                                 .modes = devices::counted_modes(),
                                 .budget = devices::error_budget_from("err_l2_rel=1e-5"),
                                 .by = by,
                                 .threads = 2};
  devices::RecommendRequest all = some;
  all.all = true;
  devices::Recommendation result;
  const bench::Pair pair = bench::measure(
      state, 1, [&] { result = devices::recommend(some); }, [&] { devices::recommend(all); });
  const auto measured = static_cast<double>(
      std::ranges::count(result.choices, devices::RuledOut::no, &devices::Choice::ruled_out));
  state.counters["share_of_time"] = pair.ratio();
  state.counters["share_measured"] = measured / static_cast<double>(result.choices.size());
}

[[maybe_unused]] const int registered = [] {
  constexpr std::uint64_t n = 4096;
  const auto add = [](const std::string& name, devices::JudgedBy by) {
    bench::add("recommend/" + name + "/" + std::to_string(n), benchmark::kMillisecond, 3,
               [by](benchmark::State& state) { recommendation(state, n, by); });
  };
  add("both", devices::JudgedBy::both);
  add("measured", devices::JudgedBy::measured);
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
