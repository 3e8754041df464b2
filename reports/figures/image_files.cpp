#include "reports/figures/image_files.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ostream>
#include <utility>

#include "arith/support/error.hpp"
#include "reports/figures/svg.hpp"
#include "reports/results/durable.hpp"

namespace fftprec::figures {

namespace {

constexpr int not_started = 127;  // what a shell says of a program it does not find

/// How a child process ended, and what it wrote to stderr.
struct Ended {
  int exit_code;
  std::string diagnostics;
};

/// Runs `arguments` and waits. The program is looked up in PATH.
Ended run_program(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {not_started, std::strerror(errno)};
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    execvp(argv[0], argv.data());
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

constexpr std::array<std::pair<std::string_view, ImageFormat>, 3> formats_by_name = {
    {{"svg", ImageFormat::svg}, {"png", ImageFormat::png}, {"pdf", ImageFormat::pdf}}};

std::string ending_of(ImageFormat format) {
  for (const auto& [name, each] : formats_by_name)
    if (each == format) return std::string(name);
  return {};
}

std::string problem_of(const Ended& ended, const std::string& program,
                       const std::filesystem::path& svg) {
  if (ended.exit_code == not_started)
    return "'" + program + "' was not found: install the package librsvg2-bin for PNG and PDF; " +
           "the SVGs are in " + svg.parent_path().string();
  return program + " failed on " + svg.string() + ": " + ended.diagnostics;
}

}  // namespace

ImageFormat image_format_named(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [each, format] : formats_by_name) {
    if (each == name) return format;
    known.emplace_back(each);
  }
  throw unknown_name("plot format", name, known);
}

ImageFiles write_images(std::span<const Figure> figures, const std::filesystem::path& directory,
                        std::span<const ImageFormat> formats, const std::string& program) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) throw InputError(directory.string() + ": cannot be made: " + failed.message());
  ImageFiles files;
  for (const Figure& figure : figures) {
    const std::filesystem::path svg = directory / (figure.name + ".svg");
    results::replace_file(svg, svg_document(figure));
    for (const ImageFormat format : formats) {
      const std::string ending = ending_of(format);
      const std::filesystem::path image = directory / (figure.name + "." + ending);
      if (format != ImageFormat::svg) {
        if (!files.problem.empty()) continue;
        const Ended ended =
            run_program({program, "--format", ending, "--output", image.string(), svg.string()});
        if (ended.exit_code != 0) {
          files.problem = problem_of(ended, program, svg);
          continue;
        }
      }
      files.written.push_back(image);
    }
  }
  return files;
}

void check_image_file(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".svg" && ending != ".png")
    throw InputError("--plot " + file + ": the name must end in .svg or .png");
}

void write_image_file(const std::string& file, Figure figure, std::ostream& err) {
  check_image_file(file);
  const std::filesystem::path path = file;
  figure.name = path.stem().string();
  const ImageFormat format = image_format_named(path.extension().string().substr(1));
  const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : ".";
  const ImageFiles files = write_images({&figure, 1}, directory, {&format, 1});
  if (!files.problem.empty()) throw InputError("--plot " + file + ": " + files.problem);
  for (const std::filesystem::path& written : files.written) err << written.string() << "\n";
}

}  // namespace fftprec::figures
