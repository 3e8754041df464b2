/// Exhaustive tests, run on demand: all 2^32 pairs of bf16 operands of + - * /, all 2^32 floats
/// rounded to bf16 and fp16.
///
///     fftprec_exhaustive [--threads=N] [--chunks=N] [--stride=N] [NAME ...]
///
/// NAME: bf16-add bf16-subtract bf16-multiply bf16-divide float-bf16 float-fp16; all without one.
/// A chunk is 2^16 cases, a sweep 2^16 chunks: --chunks=1024 does the first 2^26 cases, --stride=64
/// every 64th chunk. Exit code 0 if nothing failed, 1 if something did, 2 for a wrong command line.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/exhaustive/sweep.hpp"

namespace fftprec::exhaustive {

namespace {

struct Sweep {
  const char* name;
  Outcome (*run)(const std::string& what, const Options& options);
  const char* what;
};

constexpr Sweep sweeps[] = {
    {"bf16-add", bf16_pairs, "add"},
    {"bf16-subtract", bf16_pairs, "subtract"},
    {"bf16-multiply", bf16_pairs, "multiply"},
    {"bf16-divide", bf16_pairs, "divide"},
    {"float-bf16", floats, "bf16"},
    {"float-fp16", floats, "fp16"},
};

int usage(std::string_view wrong) {
  std::fprintf(stderr,
               "fftprec_exhaustive: '%.*s' is no option or name\n"
               "usage: fftprec_exhaustive [--threads=N] [--chunks=N] [--stride=N] [NAME ...]\n"
               "names:",
               static_cast<int>(wrong.size()), wrong.data());
  for (const Sweep& sweep : sweeps) std::fprintf(stderr, " %s", sweep.name);
  std::fputc('\n', stderr);
  return 2;
}

/// "--key=N" with N from 1 to `most`.
bool read_number(std::string_view argument, std::string_view key, std::uint64_t most,
                 std::uint64_t& value) {
  if (!argument.starts_with(key)) return false;
  argument.remove_prefix(key.size());
  const auto [end, error] =
      std::from_chars(argument.data(), argument.data() + argument.size(), value);
  return error == std::errc{} && end == argument.data() + argument.size() && value >= 1 &&
         value <= most;
}

int run(const std::vector<std::string_view>& arguments) {
  Options options;
  std::uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<const Sweep*> chosen;
  for (const std::string_view argument : arguments) {
    const std::size_t before = chosen.size();
    for (const Sweep& sweep : sweeps)
      if (argument == sweep.name) chosen.push_back(&sweep);
    const bool known = chosen.size() > before ||
                       read_number(argument, "--threads=", 4096, threads) ||
                       read_number(argument, "--chunks=", 1 << 16, options.chunks) ||
                       read_number(argument, "--stride=", 1 << 16, options.stride);
    if (!known) return usage(argument);
  }
  options.threads = static_cast<unsigned>(threads);
  if (chosen.empty())
    for (const Sweep& sweep : sweeps) chosen.push_back(&sweep);

  std::uint64_t failures = 0;
  for (const Sweep* sweep : chosen) failures += sweep->run(sweep->what, options).failures;
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fftprec::exhaustive

int main(int argc, char** argv) {
  return fftprec::exhaustive::run(std::vector<std::string_view>(argv + 1, argv + argc));
}
