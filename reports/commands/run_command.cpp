#include "reports/commands/run_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <ostream>
#include <span>
#include <sstream>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/algorithms/programs.hpp"
#include "experiments/cases/seed_reduction.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "experiments/support/text_stream.hpp"
#include "reports/commands/options.hpp"
#include "reports/commands/progress.hpp"
#include "reports/commands/run_outputs.hpp"
#include "reports/results/csv.hpp"
#include "reports/results/fixed_axes.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/merge.hpp"
#include "reports/results/run_reader.hpp"
#include "reports/text/error_table.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

using results::Manifest;
using results::Rerun;
using results::RunDirectory;
using Path = std::filesystem::path;

/// A plain variable of the process, which a job's scheduler has set.
std::optional<Shard> shard_of_slurm() {
  return shard_of_array_task([](const char* name) { return std::getenv(name); });
}

/// The shard that this run is to run; empty: all cases.
std::optional<Shard> shard_of(const RunRequest& request, Context& context) {
  std::optional<Shard> shard;
  if (!request.shard.empty()) {
    shard = parse_shard(request.shard);
  } else if ((shard = shard_of_slurm())) {
    context.err << "shard " << text_of(*shard) << ", by this task of the Slurm job array\n";
  }
  return shard && shard->count > 1 ? shard : std::nullopt;
}

/// The cases of this run.
struct Part {
  Part(const CaseList& all, const std::optional<Shard>& of, Session& session)
      : shard(of ? text_of(*of) : ""),
        own(of ? cases_of_shard(all, *of, session) : CasesOfShard{all, {}}),
        plans(own.cases, own.wanted, session),
        work(plans.workload()) {}
  Part(const Part&) = delete;  // plans refer to the cases

  std::string shard;  ///< empty: all cases
  CasesOfShard own;
  PlanStream plans;
  Workload work;
};

unsigned threads_of(const RunRequest& request) {
  return request.threads == 0 ? default_threads() : request.threads;
}

Isa isa_of(const RunRequest& request) {
  return request.isa.empty() ? best_isa() : isa_named(request.isa);
}

/// "memory at least 1.2 GB, 4.1 GB with 4 of the largest cases at once\n".
std::string memory_text(const Workload& work, std::size_t threads) {
  std::size_t at_once = 0;
  double bytes = 0;
  for (const auto& [size, count] : work.by_bytes) {
    const std::size_t more = std::min(count, threads - at_once);
    bytes += static_cast<double>(more) * size;
    at_once += more;
  }
  if (at_once == 0) return {};
  const auto text = [](double amount) {
    return amount < 1e9 ? fmt::format("{} MB", short_number(amount * 1e-6))
                        : fmt::format("{} GB", short_number(amount * 1e-9, 4));
  };
  return fmt::format("memory at least {}", text(work.by_bytes.begin()->first)) +
         (at_once == 1
              ? "\n"
              : fmt::format(", {} with the {} largest cases at once\n", text(bytes), at_once));
}

/// What --dry-run prints: cases, truths, cost, time, memory.
std::string dry_run_text(const Workload& work, unsigned threads) {
  const double seconds = work.cost_ns * 1e-9;
  return fmt::format("{} that share {}\nestimated cost {}, on {} about {}\n",
                     counted(work.cases, "case"), counted(work.truths, "truth"),
                     duration_text(seconds), counted(threads, "thread"),
                     duration_text(seconds / threads)) +
         memory_text(work, threads);
}

results::ManifestTruth manifest_truth(const TruthRequest& request) {
  const truth::TruthOptions options = truth_options(request);
  results::ManifestTruth truth;
  if (options.tier) truth.tier = name_of(*options.tier);
  truth.needed_bits = options.needed_bits;
  truth.precision_bits = options.precision_bits;
  return truth;
}

Manifest manifest_of(const RunRequest& request, const Plan& plan, const Part& part,
                     const std::vector<std::string>& argv) {
  Manifest manifest;
  manifest.environment = results::environment();
  manifest.argv = argv;
  manifest.sweep_name = plan.sweep.name;
  manifest.sweep_text = plan.sweep.text;
  manifest.axes = request.cases.axes;
  manifest.filters = request.cases.filters;
  manifest.shard = part.shard;
  manifest.times = !request.no_times;
  manifest.isa = name_of(isa_of(request));
  manifest.threads = threads_of(request);
  manifest.processes = request.processes;
  manifest.truth = manifest_truth(request.truth);
  manifest.started = results::utc_now();
  manifest.cases = part.work.cases;
  manifest.seeds = part.work.seeds;
  manifest.summarised = names_by(request.summarised, &Column::name);
  return manifest;
}

/// The programs that cases name, each started once.
std::vector<ProgramIdentity> programs_of(const CaseList& cases) {
  std::vector<std::string> unseen = program_names();
  std::vector<ProgramIdentity> programs;
  for (auto walk = cases.walk(CaseOrder::results); !walk.at_end() && !unseen.empty();
       walk.advance())
    if (const auto name = std::ranges::find(unseen, walk.where().algorithm());
        name != unseen.end()) {
      programs.push_back(program_identity(*name));
      unseen.erase(name);
    }
  return programs;
}

void write_rows(const std::string& file, results::SortedRows& rows, bool kept, Context& context) {
  const auto print = [&](std::string_view text) {
    context.out.write(text.data(), static_cast<std::streamsize>(text.size()));
  };
  if (file == "-") {
    results::write_csv(rows, print);
    context.out.flush();
    if (!context.out) throw InputError("standard output: cannot be written");
    return;
  }
  try {
    TextWriter writer(file);
    results::write_csv(rows, [&writer](std::string_view piece) { writer.write(piece); });
    writer.finish();
  } catch (const InputError&) {
    // The rows are worth more than the place: without a directory they exist nowhere else.
    if (!kept) results::write_csv(rows, print);
    context.out.flush();
    throw;
  }
}

/// Where finished rows go: the run's directory, or memory. Rows that are reduced over seeds go
/// there about once a second.
class RowStore {
 public:
  RowStore(const RunRequest& request, const Part& part,
           const std::vector<ProgramIdentity>& programs)
      : rows_({}, request.summarised), reduction_(request.summarised) {
    if (request.directory.empty()) return;
    if (request.rerun != Rerun::all)
      results::check_same_part(request.directory, part.shard, !request.no_times,
                               names_by(request.summarised, &Column::name), programs);
    directory_.emplace(request.directory, part.own.cases, part.own.wanted, part.work.cases,
                       request.rerun, request.summarised);
  }

  RunDirectory* directory() { return directory_ ? &*directory_ : nullptr; }

  /// Several threads may add rows at once.
  void add(std::vector<Row> rows) {
    if (!reduces()) return store(std::move(rows));
    const std::scoped_lock lock(reduction_mutex_);
    for (const Row& row : rows) reduction_.add(row);
    // A row that came long after the one before it is worth a line of its own.
    const auto now = Clock::now();
    const auto before = std::exchange(last_row_, now);
    if (now - last_stored_ >= std::chrono::seconds(1) ||
        now - before >= std::chrono::milliseconds(200))
      store_reduced();
  }

  /// Stores the rows that are still being reduced.
  void store_reduced() {
    reduction_.take([this](Row row) {
      std::vector<Row> one;
      one.push_back(std::move(row));
      store(std::move(one));
    });
    last_stored_ = Clock::now();
  }

  results::SortedRows& rows() { return directory_ ? directory_->rows() : rows_; }

  /// Of cases, each with its own seed.
  std::uint64_t finished_count() const {
    return directory_ ? directory_->finished_count() : finished_count_;
  }

  results::RowCounts counts() {
    if (directory_) return directory_->counts();
    return reduces() ? results::counts_of(rows_) : counts_;
  }

  std::vector<Row> all_rows() {
    std::vector<Row> all;
    if (!reduces()) all.reserve(finished_count());
    NamePool names;
    rows().each_row([&](const Row& row) {
      all.push_back(row);
      all.back().where = names.shared(row.where);
    });
    return all;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool reduces() const { return !rows_.summarised().empty(); }

  void store(std::vector<Row> rows) {
    if (directory_) return directory_->append(std::move(rows));
    {
      const std::scoped_lock lock(counts_mutex_);
      for (const Row& row : rows) {
        finished_count_ += case_count(row);
        counts_.add(row.status, row.truth_tier);
      }
    }
    rows_.add(results::with_lines(std::move(rows)));
  }

  std::optional<RunDirectory> directory_;
  results::SortedRows rows_;
  results::RowCounts counts_;  ///< of rows of one case
  std::uint64_t finished_count_ = 0;
  std::mutex counts_mutex_;
  RunReduction reduction_;
  Clock::time_point last_stored_ = Clock::now();
  Clock::time_point last_row_ = last_stored_;
  std::mutex reduction_mutex_;
};

/// Runs the plans.
void run_missing(PlanStream& plans, const Workload& work, RowStore& store,
                 const RunRequest& request, Context& context) {
  if (work.cases == 0) return;
  Progress progress(context.progress_stream());
  const RunOptions options{.threads = threads_of(request),
                           .isa = isa_of(request),
                           .truth = truth_options(request.truth),
                           .least_truth_bits = request.truth.bits.value_or(0),
                           .times = !request.no_times,
                           .timeout_s = request.timeout_s,
                           .stop = &InterruptGuard::flag()};
  const RowsSink sink{.take = [&store](std::vector<Row> rows) { store.add(std::move(rows)); },
                      .show = [&progress](const RunState& state) { progress.show(state); }};
  std::size_t hung = 0;
  try {
    hung = run_cases(plans, work, options, sink);
  } catch (...) {
    try {
      store.store_reduced();
    } catch (const InputError&) {  // the first exception says why
    }
    throw;
  }
  store.store_reduced();
  progress.finish();
  context.hung |= hung > 0;
}

/// The most rows of which a run makes plots, a summary and a table. They are in memory then.
constexpr std::size_t most_shown_rows = 1'000'000;

/// Where the parts of a run that several processes share are kept until they are put together.
Path parts_of(const RunRequest& request) { return Path(request.directory) / "results.parts"; }

/// Writes files before it prints, so that all files exist even if the reader of the output is gone.
ExitCode finish(const RunRequest& request, const Plan& plan, const RunGates& gates, RowStore& store,
                Manifest& manifest, Context& context) {
  const results::RowCounts counts = store.counts();
  const bool interrupted = store.finished_count() < manifest.cases;
  if (RunDirectory* directory = store.directory();
      directory && !interrupted && !directory->complete()) {
    directory->finish([&](std::string results_hash) {
      manifest.ended = results::utc_now();
      results::describe_results(manifest, counts, std::move(results_hash));
      replace_file(directory->manifest_path(), results::manifest_json(manifest));
    });
    std::error_code none;  // what they held has been taken over
    if (manifest.shard.empty()) std::filesystem::remove_all(parts_of(request), none);
  }
  if (request.processes > 1 && !manifest.shard.empty())  // the first process tells of the whole
    return interrupted ? ExitCode::interrupted : ExitCode::ok;
  const bool shown = counts.rows <= most_shown_rows;
  const std::vector<Row> rows = shown && !interrupted ? store.all_rows() : std::vector<Row>();
  RunOutputs outputs;
  if (store.directory() && !interrupted && !manifest.shard.empty()) {
    context.err << "in " << request.directory << ": results.csv, manifest.json of shard "
                << manifest.shard << "; fftprec merge puts the shards together\n";
  } else if (store.directory() && !interrupted && shown) {
    outputs = write_run_outputs(gates, plan, request.directory, rows, context.err);
    context.err << "in " << request.directory << ": results.csv, manifest.json"
                << (outputs.code == ExitCode::usage ? "\n" : ", summary.md, plots/\n");
  } else if (store.directory() && !interrupted) {
    outputs = judge_rows(
        gates, [&store](const auto& visit) { store.rows().each_row(visit); }, context.err);
    context.err << "in " << request.directory << ": results.csv, manifest.json\n";
  }
  if (!request.csv.empty() && !(interrupted && store.directory()))
    write_rows(request.csv, store.rows(), store.directory() != nullptr, context);
  if (interrupted) {
    context.err << fmt::format("interrupted: {} of {} finished; {}\n", store.finished_count(),
                               counted(manifest.cases, "case"),
                               store.directory() ? "the same command continues from there"
                                                 : "with -o DIR they would be kept");
    return ExitCode::interrupted;
  }
  std::ostream& out = request.csv == "-" ? context.err : context.out;
  if (shown)
    out << run_table(rows, registry_orders(), context.argv)
        << suspicious_rows(rows, *context.session);
  else
    out << fmt::format("{}; of more than {} a run makes no table, summary or plots\n",
                       text::status_counts(counts), most_shown_rows);
  out << outputs.verdicts << std::flush;
  if (counts.of(Status::failed) > 0) return ExitCode::cases_failed;
  // A shard of a larger run may hold nothing else.
  if (outputs.code == ExitCode::ok && counts.of(Status::ok) == 0 && manifest.shard.empty()) {
    context.err << "fftprec run: nothing was measured: every case is skipped\n";
    return ExitCode::nothing_matched;
  }
  return outputs.code;
}

Path part_directory(const RunRequest& request, const Shard& shard) {
  return parts_of(request) / fmt::format("{}-of-{}", shard.index, shard.count);
}

/// Takes over finished rows of this run from other commands: in the directory itself, if this is
/// one of several processes, and in parts from a run with another number of processes.
void adopt_finished(RunDirectory& own, const RunRequest& whole, const CaseList& all,
                    unsigned processes, const std::vector<ProgramIdentity>& programs) {
  const auto adopt = [&](const Path& directory, const std::string& shard) {
    results::check_same_part(directory, shard, !whole.no_times,
                             names_by(whole.summarised, &Column::name), programs);
    own.adopt(directory, all, whole.rerun);
  };
  if (processes > 1) adopt(whole.directory, "");
  if (!std::filesystem::is_directory(parts_of(whole))) return;
  for (const auto& entry : std::filesystem::directory_iterator(parts_of(whole))) {
    std::string shard = entry.path().filename().string();
    if (const std::size_t of = shard.find("-of-"); of != shard.npos) shard.replace(of, 4, "/");
    if (parse_shard(shard).count != processes) adopt(entry.path(), shard);
  }
}

/// Throws InputError for a case that this machine's memory cannot hold.
void check_memory(const Workload& work, const Context& context) {
  const double available = context.memory_bytes();
  if (!work.largest || work.by_bytes.begin()->first <= available) return;
  throw InputError(fmt::format("{}: needs at least {} GB of memory, but only {} GB are available",
                               command_of(work.largest->where()),
                               short_number(work.by_bytes.begin()->first * 1e-9, 4),
                               short_number(available * 1e-9, 4)));
}

/// Runs the cases of one process: all, or those of `request.shard`. `whole` is the request that it
/// is a part of, or itself.
ExitCode run_part(const RunRequest& request, const RunRequest& whole, Context& context) {
  const Plan plan = plan_run(request.cases, context.check_names());
  if (plan.count == 0) {
    context.err << no_case_matches(request.cases);
    return ExitCode::nothing_matched;
  }
  Part part(plan.cases, shard_of(request, context), *context.session);
  const RunGates gates =
      gates_of_run(request.cases, plan, {.today = context.today(), .made_by = context.argv});
  check_memory(part.work, context);
  if (request.dry_run) {
    context.out << dry_run_text(part.work, threads_of(request) * request.processes);
    return ExitCode::ok;
  }
  check_outputs(request.csv, "");

  const InterruptGuard guard(context.owns_process);
  Manifest manifest = manifest_of(request, plan, part, context.argv);
  manifest.programs = programs_of(plan.cases);
  RowStore store(request, part, manifest.programs);
  RunDirectory* const directory = store.directory();
  if (directory && !directory->complete()) {
    manifest.results_hash = directory->results_hash();
    replace_file(directory->manifest_path(), results::manifest_json(manifest));
  }
  const bool is_part = request.processes > 1 && !request.shard.empty();
  if (directory && directory->finished_count() == 0 && request.rerun != Rerun::all &&
      (is_part || part.shard.empty()))
    adopt_finished(*directory, whole, plan.cases, is_part ? request.processes : 1,
                   manifest.programs);
  if (directory && directory->finished_count() > 0) {
    if (is_part || request.processes == 1)
      context.err << fmt::format("{} of {} finished already\n", directory->finished_count(),
                                 counted(part.work.cases, "case"));
    part.plans.drop(directory->finished());
    part.work = part.plans.workload();
  }
  run_missing(part.plans, part.work, store, request, context);
  return finish(request, plan, gates, store, manifest, context);
}

/// The part of one of several processes.
ExitCode run_own_part(const RunRequest& whole, int own, Context& context) {
  if (whole.dry_run) return own == 0 ? run_part(whole, whole, context) : ExitCode::ok;
  if (whole.directory.empty())
    throw InputError("mpirun needs -o DIR: each process keeps its part of the rows there");
  if (!whole.shard.empty() || shard_of_slurm())
    throw InputError(
        "mpirun divides the whole sweep: --shard and Slurm job arrays cannot be divided further");
  if (own == 0) check_outputs(whole.csv, "");
  RunRequest part = whole;
  const Shard shard{static_cast<std::uint64_t>(own) + 1, whole.processes};
  part.shard = text_of(shard);
  part.directory = part_directory(whole, shard).string();
  part.csv.clear();
  return run_part(part, whole, context);
}

/// Merges the finished parts in the directory of the run, which is then complete.
void merge_parts(const RunRequest& whole, Context& context) {
  std::vector<Path> parts;
  for (std::uint64_t i = 1; i <= whole.processes; ++i)
    parts.push_back(part_directory(whole, {i, whole.processes}));
  const Path directory = whole.directory;
  const Path merged = directory / "results.merged";
  std::error_code none;
  std::filesystem::remove_all(merged, none);
  create_folder(merged);
  if (whole.rerun == Rerun::all)
    std::filesystem::rename(directory / "results.csv", directory / "results.csv.old", none);
  results::merge_runs(parts, merged, context.argv, context.check_names());
  if (!std::filesystem::exists(directory / "results.csv") ||
      results::described_hash(directory) != results::described_hash(merged)) {
    std::filesystem::rename(merged / "manifest.json", directory / "manifest.json");
    std::filesystem::rename(merged / "results.csv", directory / "results.csv");
  }
  std::filesystem::remove_all(merged, none);
  std::filesystem::remove(directory / "results.csv.part", none);
  std::filesystem::remove_all(parts_of(whole), none);
}

ExitCode run_among_others(RunRequest whole, const mpi::Ranks& ranks, Context& context) {
  whole.processes = static_cast<unsigned>(ranks.count);
  const bool first = ranks.own == 0;
  std::ostringstream unsaid;  // the first process says the same
  Context quiet{.out = unsaid,
                .err = unsaid,
                .argv = context.argv,
                .session = context.session,
                .today = context.today,
                .variable = context.variable,
                .memory_bytes = context.memory_bytes};
  ExitCode own = ExitCode::usage;
  std::string problem;
  try {
    own = run_own_part(whole, ranks.own, first ? context : quiet);
  } catch (const std::exception& error) {  // the others must not wait for this process in vain
    problem = error.what();
  }
  context.hung |= quiet.hung;
  const std::vector<int> codes = ranks.allgather(to_int(own));
  if (!first) {
    if (!problem.empty() && codes.front() != to_int(ExitCode::usage))
      context.err << fmt::format("fftprec: process {} of {}: {}\n", ranks.own + 1, ranks.count,
                                 printable(problem));
    return ExitCode::ok;
  }
  if (!problem.empty()) throw InputError(problem);
  const auto any = [&codes](ExitCode code) {
    return std::ranges::find(codes, to_int(code)) != codes.end();
  };
  if (any(ExitCode::usage)) return ExitCode::usage;
  if (any(ExitCode::interrupted)) {
    context.err << "interrupted: finished rows are kept; the same command continues from there\n";
    return ExitCode::interrupted;
  }
  if (whole.dry_run || any(ExitCode::nothing_matched)) return own;
  merge_parts(whole, context);
  whole.rerun = Rerun::none;
  return run_part(whole, whole, context);
}

std::uint64_t number(const std::function<const char*(const char*)>& variable, const char* name,
                     std::uint64_t otherwise) {
  const char* text = variable(name);
  if (text == nullptr) return otherwise;
  if (const auto value = parse_unsigned(text)) return *value;
  throw InputError(std::string(name) + "='" + text + "' is no number; --shard I/N says which part");
}

Rerun rerun_named(const std::string& name) {
  if (name == "failed") return Rerun::failed;
  if (name == "all") return Rerun::all;
  throw unknown_name("value of --rerun", name, {"failed", "all"});
}

/// The metrics that --reduce and --metrics ask for; none without --reduce.
std::vector<const Column*> summarised_by(const std::string& axis, const std::string& metrics) {
  if (axis.empty()) {
    require(metrics.empty(), "--metrics needs --reduce seed: other rows hold all metrics");
    return {};
  }
  if (axis != "seed") throw unknown_name("value of --reduce", axis, {"seed"});
  return metrics.empty() ? default_summarised_metrics() : summarised_metrics(split_list(metrics));
}

void add_truth_options(Command& command, TruthRequest& truth) {
  command
      .add_parsed(
          "--truth auto|mpfr|dd|gmp",
          [&truth](const std::string& tier) { truth.tier = tier_asked(tier); },
          "Arithmetic of truths: MPFR, double-double, GMP (of products\n"
          "of integers), or the fastest that certifies enough (default)")
      .last();
  command
      .add_parsed(
          "--truth-bits P",
          [&truth](const std::string& bits) { truth.bits = truth_bits_asked(bits); },
          "Bits to which every truth must be certified, 53..105")
      .last();
}

}  // namespace

std::optional<Shard> shard_of_array_task(
    const std::function<const char*(const char* name)>& variable) {
  if (!variable("SLURM_ARRAY_TASK_ID")) return std::nullopt;
  const std::uint64_t id = number(variable, "SLURM_ARRAY_TASK_ID", 0);
  const std::uint64_t first = number(variable, "SLURM_ARRAY_TASK_MIN", 0);
  const std::uint64_t last = number(variable, "SLURM_ARRAY_TASK_MAX", id);
  const std::uint64_t step = number(variable, "SLURM_ARRAY_TASK_STEP", 1);
  const std::uint64_t count = number(variable, "SLURM_ARRAY_TASK_COUNT", 0);
  // First and step are those of an array that numbers its tasks in the usual ways, from 0 or 1.
  const bool regular = step >= 1 && first <= 1 && first <= id && id <= last &&
                       (id - first) % step == 0 && (last - first) % step == 0 &&
                       (last - first) / step + 1 == count;
  if (!regular)
    throw InputError(
        "the tasks of this job array are not FIRST-LAST with FIRST 0 or 1, so which part of the "
        "sweep task " +
        std::to_string(id) + " is to run is unknown; give it by --shard I/N");
  return parse_shard(std::to_string((id - first) / step + 1) + "/" + std::to_string(count));
}

ExitCode run_command(const RunRequest& request, Context& context, const mpi::Ranks& ranks) {
  if (ranks.count > 1) return run_among_others(request, ranks, context);
  return run_part(request, request, context);
}

void add_run_command(CLI::App& app, Context& context) {
  const auto request = std::make_shared<RunRequest>();
  Command command(app, "run", "Run the cases of a sweep and keep their rows", "");
  command.add_cases(request->cases);
  command
      .add("-o,--output", request->directory,
           "Directory for rows, manifest, plots and summary; finished rows\n"
           "there are kept; the sweep's gates are checked")
      .check(not_empty);
  command.add("--csv", request->csv, "Write the rows to this file, - for standard output")
      .check(not_empty);
  command.add_threads(request->threads);
  command.add_flag("-n,--dry-run", request->dry_run,
                   "Only print the number of cases, time and memory");
  command.add_parsed(
      "--rerun failed|all",
      [request](const std::string& which) { request->rerun = rerun_named(which); },
      "Run finished rows again: failed, or all of them");
  command
      .add("--shard I/N", request->shard,
           "Only part I of N; all parts cost about the same. Default in\na Slurm job array: the "
           "task's part. fftprec merge joins them")
      .check(not_empty);
  struct Reduce {
    std::string axis, metrics;
  };
  const auto reduce = std::make_shared<Reduce>();
  command
      .add("--reduce seed", reduce->axis,
           "Keep one row for all seeds of a case: statistics of errors,\nand the row of the worst "
           "seed")
      .check(not_empty);
  command
      .add("--metrics LIST", reduce->metrics,
           "Errors that --reduce summarises; default: err_l2_rel,\nerr_linf_rel,err_max_ulp")
      .check(not_empty);
  command
      .add_seconds("--timeout", request->timeout_s,
                   "A case that takes longer is a failed row; 500ms, 5s, 2m,\n1h")
      .range(1e-3, 1e7);
  command.add_flag("--no-times", request->no_times,
                   "Leave time_ns empty, so that two runs have equal bytes");
  command.add("--isa", request->isa, "Instruction set: baseline, avx2, avx512; bits do not differ");
  add_truth_options(command, request->truth);
  command.run(context, [request, reduce, &context] {
    request->summarised = summarised_by(reduce->axis, reduce->metrics);
    return run_command(*request, context);
  });
}

}  // namespace fftprec::commands
