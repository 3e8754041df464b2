#include "reports/results/environment.hpp"

#include <fmt/format.h>
#include <gmp.h>
#include <mpfr.h>
#include <sys/utsname.h>
#include <xxhash.h>

#include <fstream>
#include <thread>

#include "arith/support/floating_point.hpp"
#include "arith/support/isa.hpp"
#include "arith/support/version.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"

namespace fftprec::results {

namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string system_name() {
  utsname name;
  if (::uname(&name) != 0) return "unknown";
  return fmt::format("{} {} {}", name.sysname, name.release, name.machine);
}

std::string xxhash_version() {
  const unsigned version = XXH_versionNumber();
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace

std::string program_version() {
  const std::vector<std::string>& own = registered_algorithms();
  if (own.empty()) return std::string(build_info().version);
  return fmt::format("{}+{}.{}", build_info().version, fmt::join(own, "."),
                     text_hash(read_file("/proc/self/exe")));
}

Environment environment() {
  const BuildInfo& build = build_info();
  Environment result{
      .version = program_version(),
      .git_hash = std::string(build.git_hash),
      .numerics_version = numerics_version,
      .compiler = std::string(build.compiler),
      .flags = std::string(build.flags),
      .build_type = std::string(build.build_type),
      .libraries = {{"MPFR", mpfr_get_version()},
                    {"GMP", gmp_version},
                    {"xxHash", xxhash_version()}},
      .system = system_name(),
      .cpu = cpu_model(),
      .cores = std::thread::hardware_concurrency(),
      .isas = {},
      .floating_point_problems = check_floating_point_environment(),
  };
  if (const std::string version = sndfile_version(); !version.empty())
    result.libraries.emplace_back("libsndfile", version);
  for (const auto& [name, version] : build.libraries) result.libraries.emplace_back(name, version);
  for (const Isa isa : available_isas()) result.isas.emplace_back(name_of(isa));
  return result;
}

std::string environment_text(const Environment& environment) {
  std::string text;
  const auto add = [&text](std::string_view name, std::string_view value) {
    text += fmt::format("{:<18}{}\n", name, value);
  };
  add("version", environment.version);
  add("git", environment.git_hash.empty() ? "not a checkout" : environment.git_hash);
  add("numerics version", std::to_string(environment.numerics_version));
  add("compiler", environment.compiler);
  add("flags", environment.flags);
  add("build type", environment.build_type);
  for (const auto& [name, version] : environment.libraries) add(name, version);
  add("system", environment.system);
  add("cpu", environment.cpu);
  add("cores", std::to_string(environment.cores));
  add("instruction sets", fmt::format("{}", fmt::join(environment.isas, ", ")));
  add("floating point",
      environment.floating_point_problems.empty()
          ? "to nearest, subnormals kept"
          : fmt::format("{}", fmt::join(environment.floating_point_problems, "; ")));
  return text;
}

}  // namespace fftprec::results
