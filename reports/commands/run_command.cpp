#include "reports/commands/run_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "arith/support/error.hpp"
#include "reports/commands/common_options.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/commands/interrupt.hpp"
#include "reports/commands/kept_manifest.hpp"
#include "reports/commands/progress.hpp"
#include "reports/commands/restart.hpp"
#include "reports/commands/run_options.hpp"
#include "reports/commands/run_outputs.hpp"
#include "reports/commands/run_table.hpp"
#include "reports/commands/slurm.hpp"
#include "reports/mpi/hand_out.hpp"
#include "reports/mpi/help.hpp"
#include "reports/mpi/ranks.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/durable.hpp"
#include "reports/results/held_axes.hpp"
#include "reports/results/manifest.hpp"

namespace fftprec {

namespace {

/// Which of the plan's cases this run is to run.
struct Part {
  std::string shard;  ///< empty: all
  std::vector<Case> cases;
};

Part part_of(const RunRequest& request, const Plan& plan, const CaseFunctions& functions,
             std::ostream& err) {
  std::optional<Shard> shard;
  if (!request.shard.empty()) {
    shard = parse_shard(request.shard);
  } else if ((shard = shard_of_array_task([](const char* name) { return std::getenv(name); }))) {
    err << "shard " << text_of(*shard) << ", by this task of the Slurm job array\n";
  }
  if (!shard || shard->count == 1) return {"", plan.cases};
  return {text_of(*shard), cases_of_shard(plan.cases, *shard, functions.costs)};
}

ManifestTruth manifest_truth(const TruthRequest& request) {
  const truth::TruthOptions options = truth_options(request);
  ManifestTruth truth;
  if (options.tier) truth.tier = name_of(*options.tier);
  truth.needed_bits = options.needed_bits;
  truth.precision_bits = options.precision_bits;
  return truth;
}

Manifest manifest_of(const RunRequest& request, const Plan& plan, const Part& part,
                     unsigned threads) {
  Manifest manifest;
  manifest.environment = environment();
  manifest.argv = request.argv;
  manifest.sweep_name = plan.sweep.name;
  manifest.sweep_text = plan.sweep.text;
  manifest.axes = request.cases.axes;
  manifest.filters = request.cases.filters;
  manifest.shard = part.shard;
  manifest.times = request.times;
  manifest.isa = name_of(isa_of(request));
  manifest.threads = threads;
  manifest.truth = manifest_truth(request.truth);
  manifest.started = utc_now();
  describe_cases(manifest, part.cases);
  return manifest;
}

void write_rows(const std::string& file, std::span<const Row> rows, bool kept,
                CommandContext& context) {
  std::string text = csv_header();
  for (const Row& row : rows) text += to_csv(row);
  if (file == "-") {
    context.out.write(text.data(), static_cast<std::streamsize>(text.size()));
    context.out.flush();
    if (!context.out) throw InputError("standard output: cannot be written");
    return;
  }
  try {
    replace_file(file, text);
  } catch (const InputError&) {
    // The rows are worth more than the place: without a directory they exist nowhere else.
    if (!kept) context.out << text << std::flush;
    throw;
  }
}

/// Where finished rows go: the run's directory, or memory.
class RowStore {
 public:
  RowStore(const RunRequest& request, const Part& part) : missing_(part.cases) {
    if (request.directory.empty()) return;
    if (request.rerun != Rerun::all) check_same_part(request.directory, part.shard, request.times);
    directory_.emplace(request.directory, part.cases, request.rerun);
    missing_ = directory_->missing();
  }

  RunDirectory* directory() { return directory_ ? &*directory_ : nullptr; }
  const std::vector<Case>& missing() const { return missing_; }

  void add(const Row& row) {
    if (directory_)
      directory_->append(row);
    else
      rows_.push_back(row);
  }

  std::vector<Row> sorted_rows() {
    if (directory_) return directory_->rows();
    std::sort(rows_.begin(), rows_.end(),
              [](const Row& a, const Row& b) { return a.where < b.where; });
    return rows_;
  }

 private:
  std::optional<RunDirectory> directory_;
  std::vector<Case> missing_;
  std::vector<Row> rows_;
};

/// A thread that hangs cannot be ended, its process can: a new one runs what is left, from the rows
/// that are kept.
[[noreturn]] void go_on_without(RowStore& store, const RunRequest& request,
                                const std::atomic<bool>& stop, std::ostream& err) {
  try {
    // Rows that were to be run again and have been must not be taken for old ones.
    if (request.rerun != Rerun::none) store.directory()->finish();
    if (stop) {
      err << "interrupted; what hung is given up, the same command goes on\n" << std::flush;
      std::_Exit(to_int(ExitCode::interrupted));
    }
    err << fmt::format("given up after {} s; what is left goes on in a new process\n",
                       request.timeout_s)
        << std::flush;
    restart(without_rerun(request.argv));
  } catch (const std::exception& error) {  // on a thread that nobody could pass it on from
    err << "fftprec: " << error.what() << '\n' << std::flush;
    std::_Exit(to_int(ExitCode::usage));
  }
}

/// Runs the missing cases, on other processes if there are any; says in `used` what the cache of
/// truths was good for.
void run_missing(RowStore& store, const CaseFunctions& functions, const RunRequest& request,
                 Helpers& helpers, ManifestTruth& used, std::ostream& err) {
  if (store.missing().empty()) return;
  // Where there are truths for every thread, each is made by one.
  const unsigned threads = threads_of(request);
  const Evaluation evaluation(request, functions,
                              count_problems(store.missing()) < threads ? threads : 1, err);
  const std::atomic<bool>& stop = InterruptGuard::flag();
  const bool terminal = &err == &std::cerr && ::isatty(STDERR_FILENO) == 1;
  Progress progress(err, terminal, store.missing().size(),
                    total_cost(store.missing(), functions.costs));
  CostSum done(functions.costs);
  RunOptions options = evaluation.options();
  options.on_row = [&](const Row& row) {
    store.add(row);
    progress.advance(done.add(row.where));
  };
  options.stop = &stop;
  options.on_hang = [&] { go_on_without(store, request, stop, err); };
  if (helpers.count() > 0)
    helpers.run(store.missing(), options);
  else
    run_cases(store.missing(), options);
  progress.finish();
  if (!evaluation.cache()) return;
  const TruthCache::Counts counts = evaluation.cache()->counts();
  used.cache = evaluation.cache()->directory().string();
  used.cache_hits = counts.hits;
  used.cache_misses = counts.misses;
  used.cache_damaged = counts.damaged;
  if (const std::string trouble = evaluation.cache()->trouble(); !trouble.empty())
    err << "truths are not kept: " << trouble << '\n';
}

/// What a process does that mpirun has started beside the first. What it says on stderr the first
/// one says too.
int help_first(const RunRequest& request, const CaseFunctions& functions, Ranks& ranks) {
  const InterruptGuard guard;
  std::ostringstream unsaid;
  const Evaluation evaluation(request, functions, 1, unsaid);
  RunOptions options = evaluation.options();
  options.stop = &InterruptGuard::flag();
  if (!help(options, ranks.post())) ranks.leave_process();
  return to_int(ExitCode::ok);
}

/// Files before what is printed: a reader that has gone away costs no file.
ExitCode finish(const RunRequest& request, const Plan& plan, const RunGates& gates, RowStore& store,
                Manifest& manifest, CommandContext& context) {
  const std::vector<Row> rows = store.sorted_rows();
  const bool interrupted = rows.size() < manifest.cases;
  if (RunDirectory* directory = store.directory();
      directory && !interrupted && !directory->complete()) {
    directory->finish([&](const std::string& csv) {
      manifest.ended = utc_now();
      describe_results(manifest, rows, csv);
      replace_file(directory->manifest_path(), manifest_json(manifest));
    });
  }
  RunOutputs outputs;
  if (store.directory() && !interrupted && !manifest.shard.empty()) {
    context.err << "in " << request.directory << ": results.csv, manifest.json of shard "
                << manifest.shard << "; fftprec merge puts the shards together\n";
  } else if (store.directory() && !interrupted) {
    outputs = write_run_outputs(gates, plan, request.directory, rows, context.err);
    context.err << "in " << request.directory << ": results.csv, manifest.json"
                << (outputs.code == ExitCode::usage ? "\n" : ", summary.md, plots/\n");
  }
  if (!request.csv.empty() && !(interrupted && store.directory()))
    write_rows(request.csv, rows, store.directory() != nullptr, context);
  if (interrupted) {
    context.err << fmt::format("interrupted: {} of {} cases are finished; {}\n", rows.size(),
                               manifest.cases,
                               store.directory() ? "the same command goes on from there"
                                                 : "with -o DIR they would be kept");
    return ExitCode::interrupted;
  }
  (request.csv == "-" ? context.err : context.out)
      << run_table(rows, registry_orders()) << outputs.verdicts << std::flush;
  const bool failed = std::any_of(rows.begin(), rows.end(),
                                  [](const Row& row) { return row.status == Status::failed; });
  return failed ? ExitCode::cases_failed : outputs.code;
}

}  // namespace

int run_command(const RunRequest& request, const CaseFunctions& functions,
                CommandContext& context) {
  Ranks ranks;
  if (ranks.own() > 0) return help_first(request, functions, ranks);
  Helpers helpers(ranks.post());
  const Plan plan = plan_cases(request.cases, functions.check_names);
  const unsigned threads = threads_of(request);
  if (plan.cases.empty()) {
    context.err << no_case_matches(request.cases);
    return to_int(ExitCode::nothing_matched);
  }
  const Part part = part_of(request, plan, functions, context.err);
  if (request.timeout_s > 0 && request.directory.empty())
    throw InputError(
        "--timeout needs -o DIR: after a case is given up, the run goes on from there");
  const RunGates gates = gates_of_run(request.cases, plan, {.today = context.today()});
  if (request.dry_run) {
    context.out << dry_run_text(part.cases, functions.costs,
                                threads * std::max(1u, helpers.count()));
    return to_int(ExitCode::ok);
  }
  check_outputs(request.csv, "");

  const InterruptGuard guard;
  RowStore store(request, part);
  Manifest manifest = manifest_of(request, plan, part, threads);
  manifest.processes = static_cast<unsigned>(ranks.count());
  if (store.missing().size() < part.cases.size())
    context.err << fmt::format("{} of {} cases are finished already\n",
                               part.cases.size() - store.missing().size(), part.cases.size());
  if (RunDirectory* directory = store.directory(); directory && !directory->complete())
    replace_file(directory->manifest_path(), manifest_json(manifest));
  run_missing(store, functions, request, helpers, manifest.truth, context.err);
  return to_int(finish(request, plan, gates, store, manifest, context));
}

}  // namespace fftprec
