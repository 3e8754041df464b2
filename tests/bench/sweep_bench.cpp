/// What the sweep engine adds to a case: rows per second of cases that cost nothing, grouped, run
/// on two threads and appended to the journal of a directory, one write each.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_list.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/sweeps/run.hpp"
#include "reports/commands/commands.hpp"
#include "reports/results/run_directory.hpp"

namespace fftprec {
namespace {

/// As many cases as asked for, in groups of twelve that share a truth.
CaseList cases(std::uint64_t count) {
  Axes axes;
  set_axis(axes, "algorithm=radix2-dit,dft-gemm", check_names);
  set_axis(axes, "mode=fp32,kahan,fp64,bf16,ozaki,ozaki_hq", check_names);
  set_axis(axes, "n[pow2]=[3:12]", check_names);
  set_axis(axes, "seed=1.." + std::to_string(count / 120), check_names);
  CaseList list;
  list.add(axes);
  return list;
}

void engine(benchmark::State& state) {
  const CaseList list = cases(static_cast<std::uint64_t>(state.range(0)));
  Session session;
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("fftprec-bench-" + std::to_string(::getpid()));
  for (auto _ : state) {
    PlanStream plans(list, {}, session);
    const Workload work = plans.workload();
    {
      results::RunDirectory run(directory, list, {}, work.cases, results::Rerun::all);
      run_cases(plans, work, {.threads = 2},
                {.take = [&run](std::vector<Row> rows) { run.append(std::move(rows)); }});
      run.finish([](const std::string&) {});
    }
    std::filesystem::remove_all(directory);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(list.places()));
}

[[maybe_unused]] const int registered = [] {
  benchmark::RegisterBenchmark("sweep/engine", engine)
      ->Arg(12000)
      ->Arg(120000)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
