/// The gates of a run of 200,000 rows: how long `fftprec gate` takes, one of every kind, from the
/// files to the report. Not a Google Benchmark: what counts is that it stays below 2 s.
///
///     gate_bench [ROWS [DIR]]      with DIR, rows and gates stay there
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "reports/commands/cli.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/many_rows.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

constexpr const char* gates = R"(
[[gate]]
name = "bound"
kind = "bound"
source = "a theorem"
where = "status=ok"
[[gate]]
name = "max"
kind = "max"
source = "a budget"
metric = "err_l2_rel"
where = ["mode=bf16,ozaki", "n>=64", "status=ok"]
limit = 1
[[gate]]
name = "order"
kind = "order"
source = "a reason"
where = ["input=gaussian", "status=ok", "algorithm!=auto"]
left = "mode=ozaki_hq"
right = "mode=fast"
over = ["seed"]
[[gate]]
name = "slope"
kind = "slope"
source = "a reason"
metric = "err_linf_rel"
where = ["input=tone", "err_linf_rel>0"]
max = 9
over = ["seed"]
)";

constexpr const char* kept_gates = R"(
[[gate]]
name = "hash"
kind = "hash"
source = "kept"
baseline = "kept.csv"
where = "status!=failed"
[[gate]]
name = "baseline"
kind = "baseline"
source = "kept"
metric = "err_l2_rel"
baseline = "kept.csv"
where = "status!=failed"
)";

/// Seconds that `fftprec gate` takes; ends the program unless every gate passes.
double seconds_of(const std::filesystem::path& directory, const char* rules) {
  const std::string run = directory / "results.csv";
  const std::string file = directory / rules;
  std::ostringstream out;
  fftprec::commands::Context context{out, std::cerr, {"fftprec", "gate", run, "-g", file}};
  const std::clock_t cpu = std::clock();
  const auto start = std::chrono::steady_clock::now();
  const int code = run_cli(context);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%s: %.3f s, of one processor %.3f s\n%s\n", rules, seconds,
              static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC, out.str().c_str());
  if (code != 0) std::exit(EXIT_FAILURE);
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fftprec;
  const std::size_t count = argc > 1 ? std::stoul(argv[1]) : 200'000;
  const testing::TemporaryDirectory scratch;
  const std::filesystem::path directory = argc > 2 ? argv[2] : scratch / "run";
  std::filesystem::create_directories(directory);
  for (const char* name : {"results.csv", "kept.csv"}) {
    std::ofstream stream(directory / name, std::ios::binary);
    stream << results::csv_text(testing::many_rows(count));
  }
  testing::write_text(directory / "gates.toml", gates);
  testing::write_text(directory / "kept.toml", kept_gates);
  const double rules = seconds_of(directory, "gates.toml");
  const double kept = seconds_of(directory, "kept.toml");
  return rules < 2 && kept < 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
