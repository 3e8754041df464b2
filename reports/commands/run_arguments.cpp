#include "reports/commands/run_arguments.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "arith/support/error.hpp"
#include "reports/commands/common_options.hpp"
#include "reports/commands/run_command.hpp"

namespace fftprec {

namespace {

Rerun rerun_named(const std::string& name) {
  if (name == "failed") return Rerun::failed;
  if (name == "all") return Rerun::all;
  throw unknown_name("value of --rerun", name, {"failed", "all"});
}

/// An option whose text `parse` takes apart; its InputError passes through. Given again, the last
/// one counts, so that a script's choice can be overruled.
template <class Parse>
void add_parsed(CLI::App& command, const std::string& name, const std::string& type, Parse parse,
                const std::string& help) {
  command.add_option_function<std::string>(name, parse, help)->type_name(type)->take_last();
}

void add_truth_options(CLI::App& run, TruthRequest& truth) {
  add_parsed(
      run, "--truth", "auto|mpfr|dd",
      [&truth](const std::string& tier) { truth.tier = tier_asked(tier); },
      "Arithmetic of truths: MPFR, double-double, or the\n"
      "fastest that certifies enough (default)");
  add_parsed(
      run, "--truth-bits", "P",
      [&truth](const std::string& bits) { truth.bits = truth_bits_asked(bits); },
      "Bits to which every truth must be certified, 53..105");
  run.add_option("--truth-cache", truth.cache,
                 "Where truths are kept, or none; default\n"
                 "$XDG_CACHE_HOME/fftprec/truth or ~/.cache/fftprec/truth")
      ->check(not_empty)
      ->type_name("DIR|none")
      ->take_last();
  add_parsed(
      run, "--truth-cache-size", "BYTES",
      [&truth](const std::string& bytes) { truth.cache_bytes = bytes_asked(bytes); },
      "Size at which the oldest go; 10M, 4G; default 2G");
}

}  // namespace

void add_run_command(CLI::App& app, const CaseFunctions& functions, CommandContext& context,
                     const std::vector<std::string>& argv) {
  const auto request = std::make_shared<RunRequest>();
  request->argv = argv;
  CLI::App& run = *app.add_subcommand("run", "Run the cases of a sweep and keep their rows");
  add_case_options(run, request->cases);
  run.add_option("-o,--output", request->directory,
                 "Directory for rows, manifest, plots and summary; finished rows\n"
                 "there are kept; the sweep's gates are judged")
      ->check(not_empty);
  run.add_option("--csv", request->csv, "Write the rows to this file, - for standard output")
      ->check(not_empty);
  add_threads_option(run, request->threads);
  run.add_flag("-n,--dry-run", request->dry_run, "Only tell the number of cases and the cost");
  run.add_option_function<std::string>(
         "--rerun", [request](const std::string& which) { request->rerun = rerun_named(which); },
         "Run finished rows again: failed, or all of them")
      ->type_name("failed|all");
  run.add_option("--shard", request->shard,
                 "Only part I of N, all about equally costly; in a Slurm job\n"
                 "array this task's part. fftprec merge puts them together")
      ->type_name("I/N")
      ->check(not_empty);
  run.add_option("--timeout", request->timeout_s,
                 "A case that takes longer is a failed row; needs -o")
      ->type_name("SECONDS")
      ->check(CLI::Range(1e-3, 1e7));
  run.add_flag_callback(
      "--no-times", [request] { request->times = false; },
      "Leave time_ns empty, so that runs are the same to the byte");
  run.add_option("--isa", request->isa, "Instruction set: baseline, avx2, avx512; same bits");
  add_truth_options(run, request->truth);
  run.callback([request, &functions, &context] {
    context.exit_code = run_command(*request, functions, context);
  });
}

}  // namespace fftprec
