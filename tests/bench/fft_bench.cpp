/// radix2-dit in every fp32-based mode, as a ratio to the same template in native fp32.
///
/// The limit: a butterfly in native fp32 is 10 operations, one in bf16 is 10 with 5 integer
/// operations each. So the ratio is at most 6 where arithmetic is the limit, and sinks to 1 where
/// memory is.
#include <bit>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/fft/radix2.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

using Arithmetic = MachineArithmetic<float>;

/// A transform of length n in a mode, with data of its own.
class Transform {
 public:
  Transform(const Mode& mode, std::size_t n, Isa isa)
      : arithmetic_(resolve(mode, machine_named("trn")), isa),
        algorithm_(arithmetic_, n, Direction::forward, table_source("exact")),
        input_(n),
        data_(n) {
    std::uint32_t state = 1;
    for (AlignedVector<float>* part : {&input_.re, &input_.im})
      for (float& value : *part) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<float>(static_cast<std::int32_t>(state)) * 0x1p-31f;
      }
    arithmetic_.store(input_);
  }
  void operator()() {
    data_ = input_;
    algorithm_.transform(arithmetic_, data_);
    benchmark::DoNotOptimize(data_.re.data());
  }

 private:
  Arithmetic arithmetic_;
  Radix2Dit<Arithmetic> algorithm_;
  ComplexArray<float> input_;
  ComplexArray<float> data_;
};

void against_native_fp32(benchmark::State& state, const Mode& mode, std::size_t n, Isa isa) {
  Transform subject(mode, n, isa);
  Transform reference(mode_named("fast"), n, isa);
  const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{1} << 18) / n);
  const auto times = [repeats](Transform& transform) {
    return [repeats, &transform] {
      for (std::size_t i = 0; i < repeats; ++i) transform();
    };
  };
  const bench::Pair pair =
      bench::measure(state, static_cast<double>(repeats), times(subject), times(reference));
  const double butterflies = static_cast<double>(n / 2) * std::countr_zero(n);
  state.counters["ratio_to_fp32"] = pair.ratio();
  state.counters["ns_per_butterfly"] = 1e9 * pair.subject_seconds / butterflies;
}

[[maybe_unused]] const int registered = [] {
  for (const Mode& mode : trnfft_modes()) {
    if (on_host(mode) || mode.refinement || mode.name == "fast") continue;
    for (const std::size_t n : {std::size_t{1} << 10, std::size_t{1} << 16, std::size_t{1} << 20})
      for (const Isa isa : available_isas()) {
        const std::string name = "radix2-dit/" + std::string(mode.name) + "/" + std::to_string(n) +
                                 "/" + std::string(name_of(isa));
        benchmark::RegisterBenchmark(
            name.c_str(),
            [&mode, n, isa](benchmark::State& state) { against_native_fp32(state, mode, n, isa); })
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond)
            ->Iterations(10);
      }
  }
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
