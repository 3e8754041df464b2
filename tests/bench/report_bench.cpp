/// A report of 200,000 rows: how long each of its steps takes, and how large the page is. All steps
/// together are to stay below 20 s, and the page below 15 MB; beyond that the run reports an error.
#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "reports/figures/kinds.hpp"
#include "reports/figures/svg.hpp"
#include "reports/page/page.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/fixed_axes.hpp"
#include "tests/support/many_rows.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec {
namespace {

constexpr double most_seconds = 20;
constexpr double most_megabytes = 15;

/// Seconds since the last call.
class Clock {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// A run's directory with so many rows.
void write_run(const std::filesystem::path& directory, std::size_t rows) {
  std::ofstream stream(directory / "results.csv", std::ios::binary);
  stream << results::csv_text(testing::many_rows(rows));
}

void report(benchmark::State& state) {
  const testing::TemporaryDirectory scratch;
  write_run(scratch.path(), static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    Clock clock;
    const page::ReportData data = page::read_report_data(scratch.path().string(), {});
    state.counters["reading_s"] = clock.lap();
    const NameOrders orders = registry_orders();
    const page::ReportFigures gathered = page::gather_report_figures(data.rows, orders);
    state.counters["gathering_s"] = clock.lap();
    const std::string text = page::report_page(data, gathered, orders);
    std::ofstream(scratch / "report.html", std::ios::binary) << text;
    state.counters["page_s"] = clock.lap();
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    state.counters["megabytes"] = megabytes;
    double seconds = 0;
    for (const char* step : {"reading_s", "gathering_s", "page_s"}) seconds += state.counters[step];
    if (seconds >= most_seconds) state.SkipWithError("20 s or more");
    if (megabytes >= most_megabytes) state.SkipWithError("15 MB or more");
  }
}

/// The standard set of `fftprec plot` as SVG texts.
void drawings(benchmark::State& state) {
  const std::vector<Row> rows = testing::many_rows(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    std::size_t bytes = 0;
    const auto drawn = figures::draw_all(rows, figures::default_figures(rows), registry_orders());
    for (const figures::Figure& figure : drawn) bytes += figures::svg_document(figure).size();
    state.counters["figures"] = static_cast<double>(drawn.size());
    state.counters["megabytes"] = static_cast<double>(bytes) / 1e6;
  }
}

[[maybe_unused]] const int registered = [] {
  benchmark::RegisterBenchmark("report", report)
      ->Arg(200'000)
      ->Iterations(1)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("drawings", drawings)
      ->Arg(200'000)
      ->Iterations(1)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
  return 0;
}();

}  // namespace
}  // namespace fftprec

BENCHMARK_MAIN();
