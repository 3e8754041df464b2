#include "reports/commands/run_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "arith/error.hpp"
#include "reports/commands/exit_code.hpp"
#include "reports/commands/interrupt.hpp"
#include "reports/commands/kept_manifest.hpp"
#include "reports/commands/progress.hpp"
#include "reports/commands/restart.hpp"
#include "reports/commands/run_outputs.hpp"
#include "reports/commands/run_table.hpp"
#include "reports/commands/slurm.hpp"
#include "reports/plots/plot_orders.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/durable.hpp"
#include "reports/results/manifest.hpp"

namespace fftprec {

namespace {

double total_cost(std::span<const Case> cases, const CaseFunctions& functions) {
  return std::accumulate(cases.begin(), cases.end(), 0.0,
                         [&functions](double sum, const Case& where) {
                           return sum + functions.estimated_cost_ns(where);
                         });
}

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
  return {text_of(*shard), cases_of_shard(plan.cases, *shard, functions.estimated_cost_ns)};
}

/// The number of truths that the cases need.
std::size_t count_problems(std::span<const Case> cases) {
  std::set<ProblemKey> problems;
  for (const Case& where : cases) problems.insert(problem_key(where));
  return problems.size();
}

std::string dry_run_text(std::span<const Case> cases, const CaseFunctions& functions,
                         unsigned threads) {
  const double seconds = total_cost(cases, functions) * 1e-9;
  const auto counted = [](std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  return fmt::format("{} that share {}\nestimated cost {}, on {} about {}\n",
                     counted(cases.size(), "case"), counted(count_problems(cases), "truth"),
                     duration_text(seconds), counted(threads, "thread"),
                     duration_text(seconds / threads));
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
                     std::string_view isa, unsigned threads) {
  Manifest manifest;
  manifest.environment = environment();
  manifest.argv = request.argv;
  manifest.sweep_name = plan.sweep.name;
  manifest.sweep_text = plan.sweep.text;
  manifest.axes = request.cases.axes;
  manifest.filters = request.cases.filters;
  manifest.shard = part.shard;
  manifest.times = request.times;
  manifest.isa = isa;
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

/// Runs the missing cases; says in `used` what the cache of truths was good for.
void run_missing(RowStore& store, const CaseFunctions& functions, const RunRequest& request,
                 Isa isa, unsigned threads, const std::atomic<bool>& stop, ManifestTruth& used,
                 std::ostream& err) {
  if (store.missing().empty()) return;
  truth::TruthOptions truth = truth_options(request.truth);
  truth.isa = isa;
  // Where there are truths for every thread, each is made by one.
  if (count_problems(store.missing()) < threads) truth.threads = threads;
  const std::unique_ptr<TruthCache> cache = open_truth_cache(request.truth, err);
  const bool terminal = &err == &std::cerr && ::isatty(STDERR_FILENO) == 1;
  Progress progress(err, terminal, store.missing().size(), total_cost(store.missing(), functions));
  RunOptions options;
  options.evaluate = [&, isa](const Case& where, const Problem& problem) {
    Row row = functions.evaluate(where, problem, isa);
    if (!request.times) row.time_ns.reset();
    return row;
  };
  options.make_problem = [&](const ProblemKey& key) {
    Problem problem = functions.make_problem(key, truth, cache.get());
    require_truth_bits(problem.truth, request.truth);
    return problem;
  };
  options.estimated_cost_ns = functions.estimated_cost_ns;
  options.on_row = [&](const Row& row) {
    store.add(row);
    progress.advance(functions.estimated_cost_ns(row.where));
  };
  options.threads = threads;
  options.stop = &stop;
  options.timeout_s = request.timeout_s;
  options.on_hang = [&] { go_on_without(store, request, stop, err); };
  run_cases(store.missing(), options);
  progress.finish();
  if (!cache) return;
  const TruthCache::Counts counts = cache->counts();
  used.cache = cache->directory().string();
  used.cache_hits = counts.hits;
  used.cache_misses = counts.misses;
  used.cache_damaged = counts.damaged;
  if (const std::string trouble = cache->trouble(); !trouble.empty())
    err << "truths are not kept: " << trouble << '\n';
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
  const Plan plan = plan_cases(request.cases, functions.check_names);
  const unsigned threads = request.threads == 0 ? default_threads() : request.threads;
  const Isa isa = request.isa.empty() ? best_isa() : isa_named(request.isa);
  if (plan.cases.empty()) {
    context.err << no_case_matches(request.cases);
    return to_int(ExitCode::nothing_matched);
  }
  const Part part = part_of(request, plan, functions, context.err);
  if (request.timeout_s > 0 && request.directory.empty())
    throw InputError(
        "--timeout needs -o DIR: after a case is given up, the run goes on from there");
  const RunGates gates = gates_of_run(request.cases, plan);
  if (request.dry_run) {
    context.out << dry_run_text(part.cases, functions, threads);
    return to_int(ExitCode::ok);
  }
  if (!request.csv.empty() && request.csv != "-") check_writable(request.csv);

  const InterruptGuard guard;
  RowStore store(request, part);
  Manifest manifest = manifest_of(request, plan, part, name_of(isa), threads);
  if (store.missing().size() < part.cases.size())
    context.err << fmt::format("{} of {} cases are finished already\n",
                               part.cases.size() - store.missing().size(), part.cases.size());
  if (RunDirectory* directory = store.directory(); directory && !directory->complete())
    replace_file(directory->manifest_path(), manifest_json(manifest));
  run_missing(store, functions, request, isa, threads, InterruptGuard::flag(), manifest.truth,
              context.err);
  return to_int(finish(request, plan, gates, store, manifest, context));
}

}  // namespace fftprec
