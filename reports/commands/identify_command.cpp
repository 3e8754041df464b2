/// `fftprec identify`: which machine computes what a device computed.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/files/machine_file.hpp"
#include "experiments/identify/fft_probes.hpp"
#include "experiments/identify/probe_files.hpp"
#include "experiments/support/files.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/identification_text.hpp"
#include "reports/commands/options.hpp"

namespace fftprec::commands {

namespace {

struct IdentifyArguments {
  std::string directory;
  std::string output;
  bool presets = false;
  std::string operands = "bf16";
};

ExitCode show_presets(const IdentifyArguments& arguments, Context& context) {
  const identify::ProbeOptions options{.operands = identify::operands_named(arguments.operands)};
  context.out << preset_groups_text(
      identify::preset_groups(options.operands, identify::probe_batches(options)));
  return ExitCode::ok;
}

/// Where an FFT answered.
ExitCode identify_ffts(const std::filesystem::path& directory, Context& context) {
  bool fits = true;
  for (const identify::FftAnswer& answer : identify::read_fft_probes(directory)) {
    const identify::FftIdentification found = identify::identify_fft(answer);
    context.out << fft_identification_text(found);
    fits = fits && found.fits;
  }
  return fits ? ExitCode::ok : ExitCode::gate_failed;
}

ExitCode identify_device(const IdentifyArguments& arguments, Context& context) {
  if (arguments.presets) return show_presets(arguments, context);
  require(!arguments.directory.empty(), "identify: name the directory of the probes, or --presets");
  const std::filesystem::path directory = arguments.directory;
  if (identify::holds_fft_probes(directory)) return identify_ffts(directory, context);
  identify::ProbeFiles probes = identify::read_probes(directory);
  const std::filesystem::path file = arguments.output.empty()
                                         ? directory / "machine.toml"
                                         : std::filesystem::path(arguments.output);
  check_writable(file);
  const identify::Identification found = identify::identify(
      probes.answers, {.operands = probes.operands, .unanswered = std::move(probes.unanswered)});
  context.out << identification_text(found, probes.operands);
  if (!found.fits) {
    if (std::filesystem::exists(file))
      context.out << fmt::format("\n{}: from before, not of these outputs.\n",
                                 printable(file.string()));
    return ExitCode::gate_failed;
  }
  std::size_t outputs = 0;
  for (const identify::BatchResult& batch : found.batches) outputs += batch.outputs;
  replace_file(file,
               machine_file(found.machine, fmt::format("Agrees with all {} outputs in {}.", outputs,
                                                       printable(arguments.directory))));
  context.out << fmt::format("\n{0}: the machine; -a machine=file:{0} runs sweeps on it.\n",
                             printable(file.string()));
  return ExitCode::ok;
}

}  // namespace

void add_identify_command(CLI::App& app, Context& context) {
  Command command(
      app, "identify", "Find the machine that a device is, by its products or FFTs",
      "Examples:\n"
      "  fftprec probe -o probes       then run them on the device: docs/identify.md\n"
      "  fftprec identify probes       writes probes/machine.toml if a machine fits\n"
      "  fftprec run smoke -a machine=file:probes/machine.toml -o out\n"
      "  fftprec identify --presets --operands fp16    presets that no probe tells "
      "apart\n"
      "For FFTs it prints the algorithm, mode, tables and machine that give equal bits.\n"
      "Exit codes: 0, 1 no machine fits, 2 names or files.");
  const auto arguments = std::make_shared<IdentifyArguments>();
  command.add("directory", arguments->directory,
              "The directory of `fftprec probe`, with D.npy or X.npy files");
  command.add("-o,--output", arguments->output, "The machine's file; default DIR/machine.toml")
      .type("FILE.toml")
      .check(not_empty);
  command.add_flag("--presets", arguments->presets,
                   "List the presets that the probes tell apart; needs no\ndevice");
  command.add("--operands", arguments->operands, "For --presets; default bf16").type("FORMAT,...");
  command.run(context, [arguments, &context] { return identify_device(*arguments, context); });
}

}  // namespace fftprec::commands
