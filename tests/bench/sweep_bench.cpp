/// What a row costs beside its transforms, its truth and its metrics, and whether the cost of rows
/// grows with their number.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_list.hpp"
#include "experiments/cases/case_prediction.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/sweeps/run.hpp"
#include "reports/results/run_directory.hpp"

namespace fftprec {
namespace {

/// Eight modes and algorithms of each problem, four lengths up to 64.
CaseList cases(std::uint64_t count) {
  Axes axes;
  set_axis(axes, "algorithm=radix2-dit,dft-gemm", check_names);
  set_axis(axes, "mode=fp32,bf16,ozaki,kahan", check_names);
  set_axis(axes, "n=8,16,32,64", check_names);
  set_axis(axes, "seed=1.." + std::to_string(count / 32), check_names);
  CaseList list;
  list.add(axes);
  return list;
}

/// Seconds that all threads of the process have worked.
double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Work>
double cpu_seconds_of(Work work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

/// A run of the cases on two threads, up to its results.csv.
void run(const CaseList& list) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("fftprec-bench-" + std::to_string(::getpid()));
  Session session;
  PlanStream plans(list, {}, session);
  const Workload work = plans.workload();
  {
    results::RunDirectory rows(directory, list, {}, work.cases, results::Rerun::all);
    run_cases(plans, work, {.threads = 2},
              {.take = [&rows](std::vector<Row> more) { rows.append(std::move(more)); }});
    rows.finish([](const std::string&) {});
  }
  std::filesystem::remove_all(directory);
}

/// The same transforms there and back, truths and metrics, one case after the other.
void compute(const CaseList& list) {
  Session session;
  PlanStream plans(list, {}, session);
  const truth::TruthOptions options;
  std::map<const CasePlan::Shared*, std::shared_ptr<PlanTransforms>> held;  // tables are made once
  Problem problem;
  SharedCase last;
  for (auto batch = plans.next(); !batch.empty(); batch = plans.next())
    for (const CasePlan& plan : batch) {
      if (problem.input.size() == 0 || !same_problem(plan.where(), last)) {
        problem = make_problem(plan, options);
        last = plan.where();
      }
      std::shared_ptr<PlanTransforms>& tables = held[plan.shared()];
      if (!tables) tables = plan.transforms();
      const Output output = run_case(plan, problem.input);
      benchmark::DoNotOptimize(
          truth::measure(output.values, problem.truth, result_format(plan)).l2_rel);
      benchmark::DoNotOptimize(truth::l2_norm(difference(output.round_trip, problem.input)));
    }
}

struct Least {
  double seconds = std::numeric_limits<double>::infinity();
  template <class Work>
  void take(Work work) {
    seconds = std::min(seconds, cpu_seconds_of(work));
  }
};

void rows(benchmark::State& state) {
  constexpr std::uint64_t few = 10016, many = 100000;
  const CaseList short_list = cases(few), long_list = cases(many);
  Least of_few, of_many, computed;
  for (auto _ : state) {
    of_few.take([&] { run(short_list); });
    computed.take([&] { compute(short_list); });
    of_many.take([&] { run(long_list); });
    state.SetIterationTime(of_many.seconds);
  }
  const double row = of_many.seconds / many;
  const double own = computed.seconds / few;
  state.counters["us_a_row"] = 1e6 * row;
  state.counters["us_computing"] = 1e6 * own;
  state.counters["ratio"] = (row - own) / own;
  state.counters["times_at_a_tenth"] = row / (of_few.seconds / few);
}

[[maybe_unused]] const int registered = [] {
  benchmark::RegisterBenchmark("sweep/rows", rows)
      ->UseManualTime()
      ->Iterations(5)
      ->Unit(benchmark::kMillisecond);
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
