/// `fftprec merge DIR... -o DIR`: merges the runs of shards.

#include <memory>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "reports/commands/options.hpp"
#include "reports/results/merge.hpp"
#include "reports/text/error_table.hpp"

namespace fftprec::commands {

namespace {

struct MergeArguments {
  std::vector<std::string> directories;
  std::string output;
};

void check_empty(const std::filesystem::path& directory) {
  for (const char* file : {"results.csv", "results.csv.part", "manifest.json"})
    if (std::filesystem::exists(directory / file))
      throw InputError((directory / file).string() +
                       ": holds a run already; choose another directory with -o");
  create_folder(directory);
}

ExitCode merge(const MergeArguments& arguments, Context& context) {
  const std::vector<std::filesystem::path> directories(arguments.directories.begin(),
                                                       arguments.directories.end());
  const std::filesystem::path output = arguments.output;
  check_empty(output);
  const results::RowCounts counts =
      results::merge_runs(directories, output, context.argv, context.check_names());
  context.out << text::status_counts(counts) << '\n';
  context.err << "in " << arguments.output
              << ": results.csv, manifest.json; fftprec run with the same sweep and -o "
              << arguments.output << " judges and draws them\n";
  return counts.of(Status::failed) > 0 ? ExitCode::cases_failed : ExitCode::ok;
}

}  // namespace

void add_merge_command(CLI::App& app, Context& context) {
  Command command(
      app, "merge", "Merge the runs of shards",
      "Examples:\n"
      "  fftprec run paper --shard 1/2 -o out/1; fftprec run paper --shard 2/2 -o out/2\n"
      "  fftprec merge out/1 out/2 -o out/paper    results.csv as of one run, except for times\n"
      "  fftprec run paper -o out/paper            nothing is left to run: checks gates and draws\n"
      "Refused, with the files named: unfinished runs, gaps, rows that disagree, other versions.\n"
      "Exit codes: 0 merged, 2 refused, 3 merged and some cases failed.");
  const auto arguments = std::make_shared<MergeArguments>();
  command.add("runs", arguments->directories, "Directories of finished runs").required();
  command.add("-o,--output", arguments->output, "Directory for the merged run").required();
  command.run(context, [arguments, &context] { return merge(*arguments, context); });
}

}  // namespace fftprec::commands
