/// `fftprec probe`: matrix products whose results tell what a device computes.
#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "arith/support/error.hpp"
#include "experiments/identify/fft_probes.hpp"
#include "experiments/identify/probe_files.hpp"
#include "experiments/support/decimal.hpp"
#include "experiments/support/names.hpp"
#include "experiments/support/printable.hpp"
#include "reports/commands/options.hpp"

namespace fftprec::commands {

namespace {

struct ProbeArguments {
  std::string directory;
  std::string operands = "bf16";
  std::uint64_t m = 64;
  std::uint64_t n = 64;
  std::string depths = "16,128,512";
  std::string lengths;
};

std::vector<std::size_t> numbers_in(const char* option, const std::string& list) {
  std::vector<std::size_t> numbers;
  for (const std::string& text : split_list(list)) {
    const std::optional<std::uint64_t> number = parse_count(text);
    require(number.has_value(), fmt::format("{}: '{}' is no whole number", option, text));
    numbers.push_back(*number);
  }
  return numbers;
}

ExitCode write_probes(const ProbeArguments& arguments, Context& context) {
  if (!arguments.lengths.empty()) {
    const std::size_t bytes =
        identify::write_fft_probes(arguments.directory, numbers_in("--fft", arguments.lengths));
    context.out << fmt::format(
        "{0}: inputs of FFTs, {1:.1f} MB. In each folder transform the rows of x.npy on the "
        "device, "
        "forward\nand without a factor; save X.npy there. Then: fftprec identify {0}\n",
        printable(arguments.directory), static_cast<double>(bytes) / 1e6);
    return ExitCode::ok;
  }
  const identify::ProbeOptions options{
      identify::operands_named(arguments.operands), static_cast<std::size_t>(arguments.m),
      static_cast<std::size_t>(arguments.n), numbers_in("--k", arguments.depths)};
  const std::size_t bytes = identify::write_probes(arguments.directory, options);
  context.out << fmt::format(
      "{0}: products of {1}, {2:.1f} MB. For each folder compute A.npy times B.npy, plus C.npy "
      "where\nthere is one, on the device; save D.npy there. Then: fftprec identify {0}\n",
      printable(arguments.directory), to_string(options.operands),
      static_cast<double>(bytes) / 1e6);
  return ExitCode::ok;
}

}  // namespace

void add_probe_command(CLI::App& app, Context& context) {
  Command command(
      app, "probe", "Write matrix products or FFT inputs that identify a device",
      "Examples:\n"
      "  fftprec probe -o probes                     bf16 operands\n"
      "  fftprec probe -o probes --operands fp32 --k 16,256,4096\n"
      "  fftprec probe -o probes --operands fp8_e4m3fn,fp8_e5m2\n"
      "  fftprec probe -o probes --fft 16,64,100     for a device that only has an FFT\n"
      "Each folder of DIR holds A.npy, B.npy and perhaps C.npy; DIR/probes.toml says what "
      "each\ndecides. Multiply them on the device and save D.npy beside them: docs/identify.md has "
      "the\ncode.\n"
      "Exit codes: 0, 2 names or files.");
  const auto arguments = std::make_shared<ProbeArguments>();
  command.add("-o,--output DIR", arguments->directory, "Directory for the probes").required();
  command.add("--operands FORMAT,...", arguments->operands,
              "Format of A and B, or one format each; default bf16");
  command.add("--m", arguments->m, "Rows of A; default 64")
      .range(std::uint64_t{8}, std::uint64_t{4096});
  command.add("--n", arguments->n, "Columns of B; default 64")
      .range(std::uint64_t{8}, std::uint64_t{4096});
  command.add("--k K,...", arguments->depths, "Lengths of the sums; default 16,128,512");
  command.add("--fft N,...", arguments->lengths, "FFT inputs of these lengths in place of products")
      .check(not_empty);
  command.run(context, [arguments, &context] { return write_probes(*arguments, context); });
}

}  // namespace fftprec::commands
