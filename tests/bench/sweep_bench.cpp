/// What the sweep engine adds to a case: rows per second of cases that cost nothing, grouped, run
/// on two threads and appended to the journal of a directory, one write each.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/sweeps/run.hpp"
#include "reports/commands/commands.hpp"
#include "reports/results/run_directory.hpp"

namespace fftprec {
namespace {

/// As many cases as asked for, in groups of twelve that share a truth.
std::vector<Case> cases(std::uint64_t count) {
  Axes axes;
  set_axis(axes, "algorithm=radix2-dit,dft-gemm", check_names);
  set_axis(axes, "mode=fast,kahan,double,bf16,ozaki,ozaki_hq", check_names);
  set_axis(axes, "n[pow2]=[3:12]", check_names);
  set_axis(axes, "seed=1.." + std::to_string(count / 120), check_names);
  return expand(axes);
}

/// With numbers as long as those of a measured row.
Row row_of(const Case& where) {
  Row row{.where = where};
  for (auto* value : {&row.err_l2_rel, &row.err_linf_rel, &row.err_l1_rel, &row.err_re_max_rel,
                      &row.err_im_max_rel, &row.err_max_ulp, &row.err_rms_ulp, &row.bits_l2,
                      &row.snr_db, &row.gain, &row.bound_l2_rel, &row.expected_l2_rel})
    *value = static_cast<double>(where.n * where.seed) / 3e7;
  row.bound_name = "radix-2 stages";
  row.output_hash = "0123456789abcdef";
  return row;
}

void engine(benchmark::State& state) {
  const std::vector<Case> all = cases(static_cast<std::uint64_t>(state.range(0)));
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("fftprec-bench-" + std::to_string(::getpid()));
  RunOptions options;
  options.evaluate = [](const Case& where, const Problem&) { return row_of(where); };
  options.make_problem = [](const ProblemKey&) { return Problem{}; };
  options.costs = commands::real_case_functions().costs;
  options.threads = 2;
  for (auto _ : state) {
    {
      results::RunDirectory run(directory, all, results::Rerun::all);
      options.on_row = [&run](const Row& row) { run.append(row); };
      run_cases(run.missing(), options);
      run.finish([](const std::string&) {});
    }
    std::filesystem::remove_all(directory);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
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
