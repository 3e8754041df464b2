/// `fftprec gate DIR|CSV -g gates.toml`: checks the rows of a run against rules.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/causes.hpp"
#include "reports/commands/options.hpp"
#include "reports/commands/run_outputs.hpp"
#include "reports/gates/gate_baseline.hpp"
#include "reports/gates/gate_report.hpp"
#include "reports/hypotheses/likely_cause.hpp"
#include "reports/page/data.hpp"
#include "reports/results/manifest.hpp"
#include "reports/results/run_reader.hpp"

namespace fftprec::commands {

namespace {

struct GateArguments {
  std::string run;
  std::vector<std::string> gate_files;
  std::string markdown;
  std::string junit;
  bool github = false;
  bool update_baseline = false;
  bool explain = false;
  std::vector<std::string> stand_ins;
  unsigned threads = 1;
  gates::GateOptions options;
};

void print_updates(std::ostream& out, const std::vector<gates::BaselineUpdate>& updates) {
  for (const gates::BaselineUpdate& update : updates) {
    out << update.file << ": " << update.added << " added, " << update.changed.size()
        << " changed, " << update.unchanged << " unchanged";
    if (update.dropped > 0) out << ", " << update.dropped << " of another version dropped";
    out << "\n";
    for (const std::string& line : update.changed) out << "  " << line << "\n";
  }
}

/// The manifest of the rows, if there is one.
std::optional<std::filesystem::path> manifest_beside(const std::filesystem::path& run) {
  const std::filesystem::path csv = std::filesystem::is_directory(run) ? run / "results.csv" : run;
  const std::filesystem::path manifest = csv.parent_path() / "manifest.json";
  if (csv.filename() != "results.csv" || !std::filesystem::exists(manifest)) return {};
  return manifest;
}

/// The numerics version of the rows: from the manifest beside results.csv, else that of this
/// program, which most likely made them.
int rows_version(const std::filesystem::path& run) {
  const std::optional<std::filesystem::path> manifest = manifest_beside(run);
  return (manifest ? results::read_manifest_version(*manifest) : results::own_version())
      .numerics_version;
}

/// The command that made the rows, as the manifest beside them has it.
std::vector<std::string> made_by(const std::filesystem::path& run) {
  const std::optional<std::filesystem::path> manifest = manifest_beside(run);
  return manifest ? page::parse_manifest(read_file(*manifest), manifest->string()).argv
                  : std::vector<std::string>();
}

/// Adds to the file that the job shows as the summary of this step.
void append_summary(std::span<const gates::Verdict> verdicts, Context& context) {
  const std::optional<std::string> file = context.variable("GITHUB_STEP_SUMMARY");
  if (!file || file->empty()) {
    context.err << "fftprec gate: GITHUB_STEP_SUMMARY is not set: no step summary is written\n";
    return;
  }
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(*file, none);
  const std::size_t used = none ? 0 : std::min<std::uintmax_t>(size, gates::most_summary_bytes);
  std::ofstream stream(*file, std::ios::binary | std::ios::app);
  stream << github_summary(verdicts, gates::most_summary_bytes - used) << std::flush;
  if (!stream) throw InputError(*file + ": cannot be written");
}

void print_verdicts(std::span<const gates::Verdict> verdicts, bool github, Context& context) {
  const std::string report = terminal_report(verdicts);
  context.out << (github ? github_log(verdicts, report) : report);
  if (github)
    append_summary(verdicts, context);
  else if (!all_passed(verdicts) && context.variable("GITHUB_ACTIONS") == "true")
    context.err << "fftprec gate: --github would show these failures beside the gate file and in "
                   "the summary of this step\n";
}

/// The rows of a run: read anew for each use, or held where they can be read only once.
class RunRows {
 public:
  RunRows(const std::filesystem::path& run, bool twice) : run_(run) {
    if (twice && !results::reads_again(run)) held_ = results::read_run(run);
  }

  /// Visits all rows. False if there are none.
  template <class Visit>
  bool each(Visit visit) const {
    if (held_) {
      std::ranges::for_each(*held_, visit);
      return !held_->empty();
    }
    results::RunReader reader(run_);
    const Row* row = reader.next();
    if (row == nullptr) return false;
    for (; row != nullptr; row = reader.next()) visit(*row);
    return true;
  }

 private:
  std::filesystem::path run_;
  std::optional<std::vector<Row>> held_{};
};

/// Of each gate that fails, the rows of the failures that it keeps, worst first.
std::vector<std::vector<Row>> failing_rows(std::span<const gates::Verdict> verdicts,
                                           const RunRows& rows) {
  std::map<SharedCase, std::vector<std::pair<std::size_t, std::size_t>>> places;
  std::vector<std::vector<Row>> failing(verdicts.size());
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].outcome() != gates::Outcome::fail) continue;
    failing[i].resize(verdicts[i].failures.size());
    for (std::size_t k = 0; k < failing[i].size(); ++k)
      places[verdicts[i].failures[k].where].emplace_back(i, k);
  }
  if (places.empty()) return failing;
  rows.each([&](const Row& row) {
    for (const SharedCase& where : {row.where, identity_of(row)})
      if (const auto found = places.find(where); found != places.end())
        for (const auto& [gate, place] : found->second) failing[gate][place] = row;
  });
  for (std::vector<Row>& some : failing)
    std::erase_if(some, [](const Row& row) { return row.status != Status::ok || !row.err_l2_rel; });
  return failing;
}

/// Says of each gate that fails what its failures are like.
void explain_failures(std::span<gates::Verdict> verdicts, const RunRows& rows,
                      const GateArguments& arguments, Context& context) {
  CauseRequest request = usual_cause_request(context.check_names());
  request.stand_ins = hypotheses::parse_stand_ins(arguments.stand_ins, context.check_names());
  request.threads = arguments.threads;
  const std::vector<std::vector<Row>> failing = failing_rows(verdicts, rows);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].outcome() != gates::Outcome::fail) continue;
    try {
      verdicts[i].cause =
          likely_cause(explain_rows(failing[i], arguments.run, request, context).explanation);
    } catch (const InputError& error) {
      verdicts[i].cause = {std::string("likely cause: not explained: ") + error.what()};
    }
  }
}

ExitCode no_rows(const GateArguments& arguments, Context& context) {
  context.err << "fftprec gate: " << arguments.run << " holds no rows\n";
  return ExitCode::nothing_matched;
}

ExitCode run_gates(const GateArguments& arguments, Context& context) {
  std::vector<gates::Gate> gates;
  for (const std::string& file : arguments.gate_files)
    for (const gates::Gate& gate : gates::read_gates(file)) gates.push_back(gate);
  if (arguments.options.require_baseline &&
      std::ranges::all_of(gates, [](const gates::Gate& gate) { return gate.baseline.empty(); }))
    throw InputError("--require-baseline: no gate names a baseline");
  const int version = rows_version(arguments.run);
  const RunRows rows(arguments.run, arguments.update_baseline || arguments.explain);
  if (arguments.update_baseline) {
    gates::BaselineWriter writer(gates, version);
    if (!rows.each([&writer](const Row& row) { writer.add(row); }))
      return no_rows(arguments, context);
    print_updates(context.out, writer.finish());
  }
  gates::GateOptions options = arguments.options;
  options.today = context.today();
  options.made_by = made_by(arguments.run);
  if (options.made_by.empty()) options.made_by = context.argv;
  const gates::KeptRows kept = read_baselines(gates, options.no_baseline, version);
  gates::GateRun judge(gates, kept, options);
  if (!rows.each([&judge](const Row& row) { judge.add(row); })) return no_rows(arguments, context);
  for (const auto& [file, problem] : options.no_baseline)
    context.err << "fftprec gate: " << printable(problem) << "\n";
  std::vector<gates::Verdict> verdicts = judge.finish();
  if (arguments.explain) explain_failures(verdicts, rows, arguments, context);
  print_verdicts(verdicts, arguments.github, context);
  if (!arguments.markdown.empty()) replace_file(arguments.markdown, markdown_report(verdicts));
  if (!arguments.junit.empty()) replace_file(arguments.junit, junit_report(verdicts));
  return code_of(verdicts);
}

}  // namespace

void add_gate_command(CLI::App& app, Context& context) {
  Command command(
      app, "gate", "Check the rows of a run against rules",
      "Examples:\n"
      "  fftprec gate out/smoke -g gates/smoke.toml\n"
      "  fftprec gate rows.csv -g gates.toml --md verdicts.md --junit verdicts.xml\n"
      "  fftprec gate out/run -g gates.toml --update-baseline     keep these rows to compare with\n"
      "  fftprec gate out/run -g gates.toml --explain             and the likely cause of "
      "failures\n"
      "  fftprec gate out/run -g gates.toml --github              in a job of GitHub Actions\n"
      "Exit codes: 0 all gates pass, 1 a gate failed, 2 a gate file is wrong, 4 the run has no "
      "rows,\n"
      "  5 none failed, but a baseline is missing or of another version.");
  const auto arguments = std::make_shared<GateArguments>();
  command.add("run", arguments->run, "A run's directory, or a CSV file").required();
  command.add("-g,--gates", arguments->gate_files, "Gate files (TOML)").required();
  command.add("--md", arguments->markdown, "Write the verdicts as Markdown");
  command.add("--junit", arguments->junit, "Write the verdicts as JUnit XML");
  command.add_flag("--github", arguments->github,
                   "Annotations and step summary for GitHub Actions");
  command.add_flag("--update-baseline", arguments->update_baseline,
                   "Write this run's rows to the baselines, and list what moved;\n"
                   "the rows of the baselines are in memory, some 1 kB each");
  command.add_flag("--explain", arguments->explain,
                   "Replay failing cases, and say which arithmetic has such errors");
  command.add_axes("AXIS=VALUE", arguments->stand_ins,
                   "With --explain: algorithm, mode, machine or tables that a name of\nthe rows "
                   "stands for");
  command.add_threads(arguments->threads);
  command.add_flag("--require-baseline", arguments->options.require_baseline,
                   "Fail if a row has no kept row");
  command.run(context, [arguments, &context] {
    try {
      return run_gates(*arguments, context);
    } catch (const gates::BaselineError& error) {
      context.err << "fftprec gate: " << printable(error.what()) << "\n";
      return ExitCode::baseline_missing;
    }
  });
}

}  // namespace fftprec::commands
