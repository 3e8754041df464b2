#include "reports/plots/plot_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "reports/results/durable.hpp"

namespace fftprec {

namespace {

constexpr int not_started = 127;  // what a shell says of a program it does not find

/// How a child process ended, and what it wrote to stderr.
struct Ended {
  int exit_code;
  std::string diagnostics;
};

/// Runs `arguments` in `directory` and waits. The program is looked up in PATH.
Ended run_program(std::vector<std::string> arguments, const std::string& directory) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {not_started, std::strerror(errno)};
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    if (chdir(directory.c_str()) == 0) execvp(argv[0], argv.data());
    _exit(not_started);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count > 0)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
      break;
  }
  close(ends[0]);
  if (child < 0) return {not_started, "no process left"};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text};
}

/// A new folder that goes with its contents.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "fftprec.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw InputError(name + ": cannot be made: " + std::strerror(errno));
    path_ = name;
  }
  ~ScratchDirectory() {
    std::error_code left_behind;
    std::filesystem::remove_all(path_, left_behind);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Without waiting for the disk, as replace_file does.
void write_scratch(const std::filesystem::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream) throw InputError(path.string() + ": cannot be written");
}

constexpr std::array<std::pair<std::string_view, PlotFormat>, 5> plot_formats = {
    {{"svg", PlotFormat::svg},
     {"png", PlotFormat::png},
     {"pdf", PlotFormat::pdf},
     {"gnuplot", PlotFormat::gnuplot},
     {"vega-lite", PlotFormat::vega_lite}}};

/// Of an image: as the script takes it.
std::string ending_of(PlotFormat format) {
  return format == PlotFormat::png ? "png" : format == PlotFormat::pdf ? "pdf" : "svg";
}

std::string problem_of(const Ended& ended, const std::string& program,
                       const std::filesystem::path& script) {
  if (ended.exit_code == not_started)
    return "'" + program + "' was not found: install gnuplot; SVGs are drawn plainly, and the " +
           "scripts *.gp in " + script.parent_path().string() + " stand ready for it";
  return program + " failed on " + script.string() + ": " + ended.diagnostics;
}

}  // namespace

PlotFormat plot_format_named(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [each, format] : plot_formats) {
    if (each == name) return format;
    known.emplace_back(each);
  }
  throw unknown_name("plot format", name, known);
}

PlotFiles write_drawings(std::span<const Drawing> drawings, const std::filesystem::path& directory,
                         std::span<const PlotFormat> formats, const std::string& program) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) throw InputError(directory.string() + ": cannot be made: " + failed.message());
  const bool needs_script = std::any_of(formats.begin(), formats.end(), [](PlotFormat format) {
    return format != PlotFormat::vega_lite;
  });
  PlotFiles files;
  for (const Drawing& drawing : drawings) {
    const std::string& name = drawing.name;
    const auto file = [&](const std::string& ending) { return directory / (name + ending); };
    if (needs_script) {
      replace_file(file(".dat"), drawing.data);
      replace_file(file(".gp"), drawing.script);
    }
    for (const PlotFormat format : formats) {
      if (format == PlotFormat::gnuplot) {
        files.written.push_back(file(".gp"));
        continue;
      }
      if (format == PlotFormat::vega_lite) {
        replace_file(file(".vl.json"), drawing.vega);
        files.written.push_back(file(".vl.json"));
        continue;
      }
      const std::string ending = ending_of(format);
      if (files.problem.empty()) {
        const Ended ended = run_program({program, "-c", name + ".gp", ending}, directory.string());
        if (ended.exit_code == 0) {
          files.written.push_back(file("." + ending));
          continue;
        }
        files.problem = problem_of(ended, program, file(".gp"));
      }
      if (format == PlotFormat::svg && !drawing.plain.empty()) {
        replace_file(file(".svg"), drawing.plain);
        files.written.push_back(file(".svg"));
      } else {
        files.missing = true;
      }
    }
  }
  return files;
}

SvgTexts draw_svgs(std::span<const Drawing> drawings, const std::string& program) {
  const ScratchDirectory scratch;
  std::vector<std::string> arguments = {program};
  for (const Drawing& drawing : drawings) {
    write_scratch(scratch.path() / (drawing.name + ".dat"), drawing.data);
    write_scratch(scratch.path() / (drawing.name + ".gp"), drawing.script);
    arguments.push_back(drawing.name + ".gp");
  }
  if (drawings.empty()) return {};
  const Ended ended = run_program(arguments, scratch.path().string());
  SvgTexts svgs;
  if (ended.exit_code == not_started)
    svgs.problem = "'" + program + "' was not found: install gnuplot";
  else if (ended.exit_code != 0)
    svgs.problem = program + " failed: " + ended.diagnostics;
  else
    for (const Drawing& drawing : drawings)
      svgs.texts.push_back(read_file(scratch.path() / (drawing.name + ".svg")));
  return svgs;
}

}  // namespace fftprec
