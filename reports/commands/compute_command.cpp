/// `fftprec compute`: the result of a case, its truth and its data after each stage, as arrays.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

#include "experiments/attribution/stage_data.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/arrays.hpp"
#include "reports/commands/options.hpp"
#include "reports/results/csv.hpp"

namespace fftprec::commands {

namespace {

struct ComputeArguments {
  OneCaseRequest which;
  InputFile input;
  std::string output;
  std::string output_lo;
  std::string dtype;
  std::string truth;
  std::string truth_lo;
  std::string radius;
  std::string stages;
};

void write_truth(const ComputeArguments& arguments, const truth::Truth& truth,
                 const ArrayForm& form) {
  if (!arguments.truth.empty()) write_array(arguments.truth, truth.hi, form);
  if (!arguments.truth_lo.empty()) write_array(arguments.truth_lo, truth.lo, form);
  if (arguments.radius.empty()) return;
  ComplexArray<double> radius(truth.element_radius.size());
  std::ranges::copy(truth.element_radius, radius.re.begin());
  write_array(arguments.radius, radius, {.batch = radius.size(), .item = {}, .real = true});
}

/// One file for each stage whose data are one array, and stages.csv, which names them in order.
void write_stages(const std::string& directory, const Case& where,
                  const ComplexArray<double>& input, const TransformEntry& transform) {
  std::string index = "file,stage\n";
  std::size_t number = 0;
  for (const attribution::StageData& stage : attribution::stage_data(where, input)) {
    const std::string file = stage_file(++number);
    index += file + "," + results::csv_cell(stage.title) + "\n";
    ArrayForm form = results_form(where, transform);
    form.real = false;
    write_array((std::filesystem::path(directory) / file).string(), stage.values, form);
  }
  replace_file(std::filesystem::path(directory) / "stages.csv", index);
}

ExitCode compute(ComputeArguments arguments, Context& context) {
  const Case where = case_on_file(arguments.which, arguments.input);
  for (const std::string& path : {arguments.output, arguments.output_lo, arguments.truth,
                                  arguments.truth_lo, arguments.radius})
    if (!path.empty()) check_array_path(path);
  if (!arguments.stages.empty()) create_writable_folder(arguments.stages);

  const CasePlan plan = Session().plan(where);
  check_applicable(plan);
  const TransformEntry& transform = plan.resolved().transform;
  const ComplexArray<double> input =
      transform.make_input(input_named(where.input), where.n, where.batch, where.seed);
  if (!arguments.stages.empty()) write_stages(arguments.stages, where, input, transform);
  const Output output = run_case(plan, input, {.round_trip = false});
  ArrayForm form = results_form(where, transform);
  if (!arguments.output_lo.empty()) {
    const bool none = output.rest.size() == 0;
    write_array(arguments.output_lo,
                none ? ComplexArray<double>(output.values.size()) : output.rest, form);
  }
  if (!(arguments.truth.empty() && arguments.truth_lo.empty() && arguments.radius.empty())) {
    ArrayForm wide = form;
    wide.dtype = form.real ? "f8" : "c16";
    write_truth(arguments, transform.truth(input, where.n, where.batch, {}), wide);
  }
  form.dtype = arguments.dtype;
  write_array(arguments.output, output.values, form);
  context.out << fmt::format("{}: {}, output_hash {}\n", printable(arguments.output),
                             counted(output.values.size(), "value"), output_hash(output));
  return ExitCode::ok;
}

}  // namespace

void add_compute_command(CLI::App& app, Context& context) {
  Command command(
      app, "compute", "Write the results of a case as arrays",
      "Examples:\n"
      "  fftprec compute -a algorithm=stockham-r4 -a mode=bf16 -a n=1024 -o y.npy\n"
      "  fftprec compute -a mode=bf16 --input x.npy -o y.npy --truth t.npy --truth-lo l.npy\n"
      "  fftprec compute -a algorithm=radix2-dit -a n=256 -o y.npy --stages stages\n"
      "The output has the output_hash of the row that `fftprec run` gives for the case.\n"
      "Exit codes: 0, 2 names or files, 4 the case has no meaning.");
  const auto arguments = std::make_shared<ComputeArguments>();
  add_one_case(command, arguments->which);
  add_input_file(command, arguments->input);
  command.add("-o,--output FILE.npy", arguments->output, "The result").required();
  command.add("--output-lo FILE.npy", arguments->output_lo,
              "Low parts of a double-word result; else zeros");
  command.add(
      "--dtype", arguments->dtype,
      "Type of the result; it must hold every value; default the\nnarrowest of f4, f8 or c8, c16");
  command.add("--truth FILE.npy", arguments->truth, "The certified truth, rounded to fp64");
  command.add("--truth-lo FILE.npy", arguments->truth_lo, "The truth minus its rounded value");
  command.add("--radius FILE.npy", arguments->radius,
              "For each item the largest error of truth + truth-lo in any\nelement");
  command.add("--stages DIR", arguments->stages,
              "The data after each stage that has them in one array:\nstage_01.npy, ..., and "
              "stages.csv with the stages' names");
  command.run_if_applicable(context,
                            [arguments, &context] { return compute(*arguments, context); });
}

}  // namespace fftprec::commands
