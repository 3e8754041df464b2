#include "reports/commands/common_options.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>

#include "experiments/sweeps/run.hpp"
#include "reports/commands/plan.hpp"
#include "reports/results/durable.hpp"

namespace fftprec {

namespace {

constexpr const char* axes_help =
    R"(Axes: transform algorithm mode machine tables n batch input seed
  -a mode=bf16,ozaki   a list; commas within brackets do not split
  -a seed=1..20        every integer; 0..100..10 in steps of 10
  -a 'n[pow2]=[3:20]'  2^3, 2^4, ..., 2^20; n[smooth]=[60:512], the lengths there
                       without a prime factor above 7; n[primes]=[3:97], the primes
Filters: COLUMN=VALUES, !=, <, <=, >, >=; several must all hold
  -f mode=bf16,ozaki -f 'n>=64 and n<=1024' -f seed=1..5)";

}  // namespace

std::string not_empty(const std::string& text) { return text.empty() ? "is empty" : ""; }

void add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
              const std::string& help) {
  command.add_option(name, values, help)->allow_extra_args(false)->take_all();
}

void add_case_options(CLI::App& command, CaseRequest& request) {
  command.add_option("sweep", request.sweep, "A TOML file or the name of a built-in sweep");
  add_list(command, "-a,--axis", request.axes, "AXIS=VALUES, in place of the sweep's");
  add_list(command, "-f,--filter", request.filters, "Only the cases for which this holds");
  command.footer(axes_help);
}

void check_outputs(const std::string& csv, const std::string& directory) {
  if (!csv.empty() && csv != "-") check_writable(csv);
  if (directory.empty()) return;
  std::error_code unknown;  // what is no directory is met below
  std::filesystem::create_directories(directory, unknown);
  check_writable(std::filesystem::path(directory) / "anything");
}

void add_threads_option(CLI::App& command, unsigned& threads) {
  threads = default_threads();
  command.add_option("-j,--threads", threads, "Threads; default one per core")
      ->check(CLI::Range(1u, 4096u))
      ->type_name("N");
}

}  // namespace fftprec
