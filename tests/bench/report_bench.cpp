/// A report of 200,000 rows: how long it takes and how large it is. Not a Google Benchmark: one run
/// is long, and what counts is that it stays below 20 s and 15 MB.
///
///     report_bench [ROWS [DIR]]      with DIR, rows and page stay there
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "reports/page/report_data.hpp"
#include "reports/page/report_figures.hpp"
#include "reports/page/report_page.hpp"
#include "reports/plots/plot_orders.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/many_rows.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

class Clock {
 public:
  /// Seconds since the last call, with what they were spent on.
  void lap(const char* what) {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    std::printf("%-28s %8.3f s\n", what, seconds);
    total_ += seconds;
    last_ = std::chrono::steady_clock::now();
  }
  void restart() {
    last_ = std::chrono::steady_clock::now();
    total_ = 0;
  }
  double total() const { return total_; }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  double total_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace fftprec;
  const std::size_t count = argc > 1 ? std::stoul(argv[1]) : 200'000;
  const testing::TemporaryDirectory scratch;
  const std::filesystem::path directory = argc > 2 ? argv[2] : scratch / "run";
  std::filesystem::create_directories(directory);
  Clock clock;
  {
    std::ofstream stream(directory / "results.csv", std::ios::binary);
    write_csv(stream, testing::many_rows(count));
  }
  clock.lap("(making and writing rows)");

  clock.restart();
  const ReportData data = read_report_data(directory.string(), {});
  clock.lap("reading results.csv");
  const NameOrders orders = registry_orders();
  const ReportFigures figures = gather_report_figures(data.rows, orders);
  clock.lap("gathering figures");
  const Images images = draw_images(figures);
  clock.lap("gnuplot");
  const std::string page = report_page(data, figures, images, orders);
  clock.lap("page");
  std::ofstream(directory / "report.html", std::ios::binary) << page;
  clock.lap("writing the page");
  std::printf("%zu rows: %.2f s, %.2f MB%s\n", data.rows.size(), clock.total(),
              static_cast<double>(page.size()) / 1e6,
              images.problem.empty() ? "" : (" (" + images.problem + ")").c_str());
  return clock.total() < 20 && page.size() < 15'000'000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
