/// One full PSUM tile, 128 x 128 x 512, against Eigen's float product on one core.
///
/// The limit: with contraction off a multiply-accumulate is 2 operations, so at most half of what a
/// product with fused operations reaches; a product rounded to bf16 costs 5 more.
#include <Eigen/Core>

#include "arith/psum.hpp"
#include "arith/split.hpp"
#include "tests/bench/paired.hpp"

namespace fftprec {
namespace {

void against_eigen(benchmark::State& state, const Machine& machine, Isa isa) {
  Eigen::setNbThreads(1);
  const auto bf16_of = [](float x) { return leading_bf16(x); };
  const RowMatrix stationary = RowMatrix::Random(128, 128).unaryExpr(bf16_of);
  const RowMatrix moving = RowMatrix::Random(128, 512).unaryExpr(bf16_of);
  RowMatrix product(128, 512);
  PsumTile tile(128, 512, machine, isa);
  constexpr int repeats = 20;
  const bench::Pair pair = bench::measure(
      state, repeats,
      [&] {
        for (int i = 0; i < repeats; ++i) tile.matmul(stationary, moving, bf16, true);
        benchmark::DoNotOptimize(tile.values().data());
      },
      [&] {
        for (int i = 0; i < repeats; ++i) product.noalias() += stationary.transpose() * moving;
        benchmark::DoNotOptimize(product.data());
      });
  const double macs = 128.0 * 128.0 * 512.0;
  state.counters["share_of_eigen"] = 1 / pair.ratio();
  state.counters["giga_macs_per_second"] = macs / pair.subject_seconds * 1e-9;
  state.counters["eigen_giga_macs_per_second"] = macs / pair.reference_seconds * 1e-9;
}

[[maybe_unused]] const int registered = [] {
  for (const Machine& machine : machines())
    for (const Isa isa : available_isas()) {
      const std::string name =
          "psum_128x128x512/" + std::string(machine.name) + "/" + std::string(name_of(isa));
      benchmark::RegisterBenchmark(
          name.c_str(),
          [&machine, isa](benchmark::State& state) { against_eigen(state, machine, isa); })
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond)
          ->Iterations(10);
    }
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
