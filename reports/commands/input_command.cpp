/// `fftprec input`: the input of a case as an array, for other programs.
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <ostream>

#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/arrays.hpp"
#include "reports/commands/options.hpp"

namespace fftprec::commands {

namespace {

struct InputArguments {
  Case where;
  std::string output;
  std::string dtype;
  NamedWords words;
};

/// A list for `fftprec measure`, to which the user adds a result.
std::string text_of(const InputArguments& from, const ComplexArray<double>& values) {
  return fmt::format(
             "# {} holds this input; the hash of its values is {}.\n"
             "[[result]]\n# output = \"y.npy\"\n# algorithm = \"mine\"\n",
             printable(from.output), array_hash(values)) +
         axes_toml(from.where, {"transform", "n", "batch", "input", "seed"});
}

ExitCode write_input(InputArguments arguments, Context& context) {
  const bool in_words = takes_words(arguments.output, arguments.dtype);
  const TransformEntry transform = transform_named(arguments.where.transform);
  const std::optional<WordForm> words = input_words(arguments.words, "", transform.real_input);
  std::string& name = arguments.where.input;
  if (in_words && words && !name.starts_with("rounded:") && !name.starts_with(file_kind))
    name = "rounded:to=" + to_string(words->format) + ":inner=" + name;
  context.session->check_names(arguments.where);
  name = canonical_input(name);
  const Case& where = arguments.where;
  const ComplexArray<double> values =
      transform.make_input(input_named(where.input), where.n, where.batch, where.seed);
  ArrayForm form = operands_form(where, transform);
  form.dtype = arguments.dtype;
  form.words = words;
  check_form(arguments.output, form);
  write_array(arguments.output, values, form);
  replace_file(toml_beside(arguments.output), text_of(arguments, values));
  context.out << fmt::format("{}: {}, hash {}; described in {}\n", printable(arguments.output),
                             counted(values.size(), "value"), array_hash(values),
                             printable(toml_beside(arguments.output)));
  return ExitCode::ok;
}

}  // namespace

void add_input_command(CLI::App& app, Context& context) {
  Command command(
      app, "input", "Write the input of a case as an array",
      "Examples:\n"
      "  fftprec input gaussian -n 1024 -o x.npy\n"
      "  fftprec input wide:phi=2 -n 4096 --batch 8 --seed 5 -o x.npy\n"
      "  fftprec input gaussian -n 1024 --transform rfft -o x.npy      real values\n"
      "  fftprec input uniform -n 1024 --words q1.15 -o x.hex          words of fixed point\n"
      "The array has shape (n), or (batch, n) with several items; a transform over several "
      "axes\nhas its axes in place of n.\n"
      "x.toml beside it names the axes of the case, for a list that `fftprec measure` reads.\n"
      "Exit codes: 0, 2 names or files, 4 there is no such input.");
  const auto arguments = std::make_shared<InputArguments>();
  arguments->where.n = 0;
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  command.add("kind INPUT", arguments->where.input, "Name of the input (fftprec list inputs)")
      .required();
  command.add("-n,--n", arguments->where.n, "The length").range(std::uint64_t{1}, most).required();
  command.add("--batch", arguments->where.batch, "Items; default 1").range(std::uint64_t{1}, most);
  command.add("--seed", arguments->where.seed, "Default 1").range(std::uint64_t{0}, most);
  command.add("--transform TRANSFORM", arguments->where.transform,
              "Transform that takes the input; default fft");
  command.add(
      "--dtype", arguments->dtype,
      "f2, f4, f8, c8, c16, bfloat16, float8_e4m3,\nfloat8_e4m3fn or float8_e5m2; it must "
      "hold every value;\ndefault the narrowest of f4, f8 or c8, c16; int8 .. int64: words");
  command
      .add("-o,--output FILE", arguments->output,
           "Where to write it: .npy, or words, to whose format values\nare rounded: .hex, .mem, "
           ".csv")
      .required();
  add_words(command, arguments->words);
  command.run_if_applicable(context,
                            [arguments, &context] { return write_input(*arguments, context); });
}

}  // namespace fftprec::commands
