/// `fftprec compute`: the result of a case, its truth and its data after each stage, as arrays.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

#include "experiments/attribution/stage_data.hpp"
#include "experiments/attribution/vectors.hpp"
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
  std::string overflows;
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

/// The ending of a file of words, else ".npy".
std::string ending_of(const std::string& output) {
  return is_word_file(output) ? std::filesystem::path(output).extension().string() : ".npy";
}

/// One file for each stage whose data are one array, of the form of the result, and stages.csv,
/// which names them in order.
void write_stages(const ComputeArguments& arguments, const Case& where,
                  const ComplexArray<double>& input, ArrayForm form) {
  const std::string ending = ending_of(arguments.output);
  std::string index = "file,stage\n";
  std::size_t number = 0;
  form.real = false;
  const std::string& directory = arguments.stages;
  if (!takes_words(arguments.output, form.dtype)) form.dtype.clear();
  if (form.words)
    form.words->layout = result_words(arguments.input.words, where.mode, false)->layout;
  for (const attribution::StageData& stage : attribution::stage_data(where, input)) {
    const std::string file = stage_file(++number, ending);
    index += file + "," + results::csv_cell(stage.title) + "\n";
    if (form.words) form.words->exponents = stage.exponents;
    write_array((std::filesystem::path(directory) / file).string(), stage.values, form);
  }
  replace_file(std::filesystem::path(directory) / "stages.csv", index);
}

ExitCode compute(ComputeArguments arguments, Context& context) {
  const Case where = case_on_file(arguments.which, arguments.input);
  for (const std::string& path :
       {arguments.output_lo, arguments.truth, arguments.truth_lo, arguments.radius})
    if (!path.empty()) check_array_path(path);
  if (!arguments.stages.empty()) create_writable_folder(arguments.stages);
  if (!arguments.overflows.empty()) check_writable(arguments.overflows);

  const CasePlan plan = Session().plan(where);
  check_applicable(plan);
  const TransformEntry& transform = plan.resolved().transform;
  const ComplexArray<double> input =
      transform.make_input(input_named(where.input), where.n, where.batch, where.seed);
  ArrayForm form = results_form(where, transform);
  ArrayForm kept = form;
  kept.dtype = arguments.dtype;
  kept.words = result_words({arguments.input.words.format, arguments.input.words.layout},
                            where.mode, form.real);
  if (takes_words(arguments.output, arguments.dtype) && arguments.input.words.format.empty())
    check_has_words(plan);
  check_form(arguments.output, kept);
  if (!arguments.stages.empty()) write_stages(arguments, where, input, kept);
  if (!arguments.overflows.empty())
    write_overflows(arguments.overflows, attribution::overflows_of(plan, input));
  const Output output = run_case(plan, input, {.round_trip = false});
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
  if (takes_words(arguments.output, arguments.dtype)) {
    const attribution::TestVectors words = attribution::vectors_of(plan, input);
    kept.words->exponents = words.output_exponents;
    write_array(arguments.output, words.output, kept);
  } else {
    write_array(arguments.output, output.values, kept);
  }
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
      "  fftprec compute -a mode=q1.15 -a scale=stage:1/2 --input x.hex -o y.hex\n"
      "Words of fixed point (.hex, .mem, .csv, integers in .npy) are what the machine holds, with "
      "the\n"
      "scale of the case; other results have their true scale.\n"
      "The output has the output_hash of the row that `fftprec run` gives for the case.\n"
      "Exit codes: 0, 2 names or files, 4 the case has no meaning.");
  const auto arguments = std::make_shared<ComputeArguments>();
  add_one_case(command, arguments->which);
  add_input_file(command, arguments->input);
  command.add("-o,--output FILE", arguments->output, "The result: .npy, or words: .hex, .mem, .csv")
      .required();
  command.add("--output-lo FILE.npy", arguments->output_lo,
              "Low parts of a double-word result; else zeros");
  command.add(
      "--dtype", arguments->dtype,
      "Type of the result; it must hold every value; default the\nnarrowest of f4, f8 or c8, c16; "
      "int8 .. int64: words");
  command.add("--truth FILE.npy", arguments->truth, "The certified truth, rounded to fp64");
  command.add("--truth-lo FILE.npy", arguments->truth_lo, "The truth minus its rounded value");
  command.add("--radius FILE.npy", arguments->radius,
              "For each item the largest error of truth + truth-lo in any\nelement");
  command.add("--overflows FILE.csv", arguments->overflows,
              "Each result that leaves the range of fixed point: stage,\nindex, part, value "
              "and by how much");
  command.add(
      "--stages DIR", arguments->stages,
      "The data after each stage that has them in one array:\nstage_01.npy, ..., or words as the "
      "result's, and\nstages.csv with the stages' names");
  command.run_if_applicable(context,
                            [arguments, &context] { return compute(*arguments, context); });
}

}  // namespace fftprec::commands
