/// `fftprec doctor`: whether results can be trusted here, and whether all that a run needs is
/// there.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <ostream>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/support/floating_point.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"
#include "reports/figures/image_files.hpp"

namespace fftprec::commands {

namespace {

enum class Health { ok, warning, failed };
constexpr std::string_view health_words[] = {"ok", "warning", "FAILED"};

struct Check {
  Health health;
  std::string name;
  std::string detail;
};

Check floating_point() {
  const std::vector<std::string> problems = check_floating_point_environment();
  if (problems.empty()) return {Health::ok, "floating point", "to nearest, subnormals kept"};
  return {Health::failed, "floating point", fmt::format("{}", fmt::join(problems, "; "))};
}

Check rsvg_convert() {
  if (const std::string program = figures::find_program("rsvg-convert"); !program.empty())
    return {Health::ok, "rsvg-convert", program};
  return {Health::warning, "rsvg-convert",
          "not found in PATH; PNG and PDF figures need it (package librsvg2-bin)"};
}

Check writable(const std::string& directory) {
  try {
    check_writable(std::filesystem::path(directory) / "doctor");
    return {Health::ok, "directory", directory + " can be written"};
  } catch (const InputError& error) {
    return {Health::failed, "directory", error.what()};
  }
}

/// Runs one small case on every instruction set: it must be below its bound and have equal bits.
Check self_test() {
  const Case where{.algorithm = "radix2-dit", .mode = "bf16", .n = 64};
  try {
    const Problem problem = make_problem(problem_key(where));
    std::string first_hash;
    for (const Isa isa : available_isas()) {
      const Row row = evaluate(where, problem, isa);
      const std::string on = " on " + std::string(name_of(isa));
      if (row.status != Status::ok || !row.err_l2_rel)
        return {Health::failed, "self-test", "not measured" + on + ": " + row.message};
      if (row.bound_l2_rel && !(*row.err_l2_rel <= *row.bound_l2_rel))
        return {Health::failed, "self-test",
                fmt::format("error {} above bound {}{}", *row.err_l2_rel, *row.bound_l2_rel, on)};
      if (first_hash.empty()) first_hash = row.output_hash;
      if (row.output_hash != first_hash)
        return {Health::failed, "self-test", "other bits" + on + " than on baseline"};
    }
  } catch (const std::exception& error) {
    return {Health::failed, "self-test", error.what()};
  }
  return {Health::ok, "self-test", "below its bound, the same bits on every instruction set"};
}

/// Another fftprec may come first in PATH: of an older version, say.
Check own_program() {
  std::error_code none;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", none);
  const std::string found = figures::find_program("fftprec");
  if (found.empty())
    return {Health::warning, "program", "fftprec is not in PATH; this is " + own.string()};
  if (!std::filesystem::equivalent(found, own, none))
    return {Health::warning, "program",
            "PATH has " + found + ", another program than this, " + own.string()};
  return {Health::ok, "program", found + ", the fftprec of PATH"};
}

ExitCode examine(const std::string& directory, Context& context) {
  ExitCode code = ExitCode::ok;
  for (const Check& check :
       {floating_point(), self_test(), writable(directory), rsvg_convert(), own_program()}) {
    context.out << fmt::format("{:<8} {:<15} {}\n",
                               health_words[static_cast<std::size_t>(check.health)], check.name,
                               printable(check.detail));
    if (check.health == Health::failed) code = ExitCode::usage;
  }
  return code;
}

}  // namespace

/// Whether results can be trusted here: one line per check, ok, warning (something optional is
/// missing) or FAILED. Exit codes: 0, 2 a check failed.
void add_doctor_command(CLI::App& app, Context& context) {
  const auto directory = std::make_shared<std::string>(".");
  Command command(app, "doctor", "Check that results can be trusted here", "");
  command.add("-o,--output", *directory, "Directory that must be writable");
  command.run(context, [directory, &context] { return examine(*directory, context); });
}

}  // namespace fftprec::commands
