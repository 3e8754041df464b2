/// `fftprec diverge`: the first stage at which the arrays of a user's FFT differ from the
/// emulation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <memory>
#include <ostream>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/formats/format.hpp"
#include "arith/support/error.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/arrays.hpp"
#include "reports/commands/options.hpp"
#include "reports/text/table.hpp"

namespace fftprec::commands {

namespace {

struct DivergeArguments {
  OneCaseRequest which;
  InputFile input;
  std::string stages;
  double factor = 4;
};

struct JudgedStage {
  std::string file;
  std::string title;
  attribution::StageDivergence found;
  std::complex<double> yours;  ///< where they differ most
  std::complex<double> emulated;
};

std::complex<double> element(const ComplexArray<double>& x, std::size_t i) {
  return {x.re[i], x.im[i]};
}

std::string table_of(const std::vector<JudgedStage>& stages) {
  std::vector<std::vector<std::string>> cells{
      {"file", "after", "your error", "emulation's", "ratio", ""}};
  for (const JudgedStage& stage : stages)
    cells.push_back(
        {stage.file, stage.title, text::error_text(stage.found.error),
         text::error_text(stage.found.emulated),
         stage.found.emulated > 0 ? short_number(stage.found.error / stage.found.emulated) : "-",
         stage.found.same       ? "same values"
         : stage.found.diverges ? "DIVERGES"
                                : "within rounding"});
  return text::terminal_table({cells, 2});
}

/// "stage_02.npy, stage_04.npy"; of more than four the first three and the last.
std::string list_of(const std::vector<std::string>& files) {
  constexpr std::size_t shown = 4;
  if (files.size() <= shown) return fmt::format("{}", fmt::join(files, ", "));
  return fmt::format("{}, ... {}", fmt::join(files.begin(), files.begin() + shown - 1, ", "),
                     files.back());
}

std::string number_text(std::complex<double> value) {
  return exact_number(value.real()) + (std::signbit(value.imag()) ? " - " : " + ") +
         exact_number(std::fabs(value.imag())) + "i";
}

std::string verdict_of(const std::vector<JudgedStage>& stages, const Case& where, double factor) {
  const auto first =
      std::ranges::find_if(stages, [](const JudgedStage& stage) { return stage.found.diverges; });
  if (first == stages.end())
    return fmt::format("no divergence: no stage errs by more than {} times the emulation\n",
                       exact_number(factor));
  return fmt::format(
      "diverges at {} ({}): its error is {}, the emulation's {}\n"
      "  worst at item {}, index {}\n  yours      {}\n  emulation  {}\n",
      first->title, first->file, text::error_text(first->found.error),
      text::error_text(first->found.emulated), first->found.worst / where.n,
      first->found.worst % where.n, number_text(first->yours), number_text(first->emulated));
}

ExitCode diverge(const DivergeArguments& arguments, Context& context) {
  const Case where = case_on_file(arguments.which, arguments.input);
  const ComplexArray<double> input =
      transform_named(where.transform)
          .make_input(input_named(where.input), where.n, where.batch, where.seed);
  const std::vector<attribution::StageData> emulated = attribution::stage_data(where, input);
  const std::vector<attribution::StageData> exact =
      attribution::stage_data(where, input, ErrorSources{});
  const double unit = unit_roundoff(storage_format(mode_named(where.mode)));
  std::vector<JudgedStage> stages;
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < emulated.size(); ++i) {
    const std::string file = stage_file(i + 1);
    const std::filesystem::path path = std::filesystem::path(arguments.stages) / file;
    if (!std::filesystem::exists(path)) {
      missing.push_back(file);
      continue;
    }
    const Samples yours = read_samples(path, 0, {.dtype = {}, .finite = false});
    require(yours.values.size() == emulated[i].values.size(),
            fmt::format("{} holds {} values; {} leaves {}", path.string(), yours.values.size(),
                        emulated[i].title, emulated[i].values.size()));
    const attribution::StageDivergence found = attribution::stage_divergence(
        yours.values, emulated[i].values, exact[i].values, unit, arguments.factor);
    stages.push_back({file, emulated[i].title, found, element(yours.values, found.worst),
                      element(emulated[i].values, found.worst)});
  }
  if (stages.empty())
    throw InputError(arguments.stages + " holds none of stage_01.npy to " +
                     stage_file(emulated.size()));
  if (!missing.empty())
    context.err << fmt::format("{} lacks {}: {} of {} stages not judged\n",
                               printable(arguments.stages), list_of(missing), missing.size(),
                               emulated.size());
  context.out << table_of(stages) << "\n" << verdict_of(stages, where, arguments.factor);
  const bool any =
      std::ranges::any_of(stages, [](const JudgedStage& stage) { return stage.found.diverges; });
  return any ? ExitCode::gate_failed : ExitCode::ok;
}

}  // namespace

void add_diverge_command(CLI::App& app, Context& context) {
  Command command(
      app, "diverge", "Find the stage at which your arrays leave the emulation",
      "Examples:\n"
      "  fftprec compute -a algorithm=radix2-dit -a n=256 -o y.npy --stages emulated\n"
      "  fftprec diverge --stages mine -a algorithm=radix2-dit -a n=256\n"
      "The files have the names and the order of elements that `compute --stages` "
      "writes:\nstage_01.npy, ... Errors are relative to exact stages, in the 2-norm.\n"
      "Exit codes: 0 no divergence, 1 a stage diverges, 2 names or files, 4 the case has no "
      "stages.");
  const auto arguments = std::make_shared<DivergeArguments>();
  add_one_case(command, arguments->which);
  add_input_file(command, arguments->input);
  command.add("--stages DIR", arguments->stages, "Where your arrays are").required();
  command
      .add("--factor", arguments->factor,
           "A stage diverges if its error is more than this many times\nthe emulation's, or the "
           "unit roundoff; default 4")
      .range(1.0, 1e300);
  command.run_if_applicable(context,
                            [arguments, &context] { return diverge(*arguments, context); });
}

}  // namespace fftprec::commands
