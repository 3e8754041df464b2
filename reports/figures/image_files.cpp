#include "reports/figures/image_files.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <sstream>

#include "arith/support/error.hpp"
#include "experiments/support/files.hpp"
#include "reports/figures/svg.hpp"

namespace fftprec::figures {

namespace {

constexpr int not_started = 127;  // what a shell says of a program it does not find

/// How a child process ended, and what it wrote to stderr.
struct Ended {
  int exit_code;
  std::string diagnostics;
};

/// Runs `arguments`, the first the path of a program, and waits. It reads `input` and writes
/// `output`.
Ended run_program(std::vector<std::string> arguments, int input, int output) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {not_started, std::strerror(errno)};
  const pid_t child = fork();
  if (child == 0) {
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execv(argv[0], argv.data());
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

constexpr std::string_view endings[] = {"svg", "png", "pdf"};

std::string ending_of(ImageFormat format) {
  return std::string(endings[static_cast<std::size_t>(format)]);
}

/// Whether the bytes begin and end as a file of the format does.
bool is_whole(ImageFormat format, std::string_view bytes) {
  if (format == ImageFormat::png)
    return bytes.starts_with("\x89PNG\r\n") && bytes.ends_with("IEND\xAE\x42\x60\x82");
  while (bytes.ends_with('\n') || bytes.ends_with('\r')) bytes.remove_suffix(1);
  return bytes.starts_with("%PDF-") && bytes.ends_with("%%EOF");
}

/// Makes `image` of `svg`; what went wrong, or an empty text.
std::string converted(const std::string& program, ImageFormat format,
                      const std::filesystem::path& svg, const std::filesystem::path& image) {
  remove_abandoned(image.parent_path());
  NewFile file(image);
  if (file.reason() != 0) return write_error(image, file.reason()).what();
  const int input = ::open(svg.c_str(), O_RDONLY | O_CLOEXEC);
  if (input < 0) return svg.string() + ": cannot be read: " + std::strerror(errno);
  const Ended ended =
      run_program({program, "--format", ending_of(format)}, input, file.descriptor());
  ::close(input);
  if (ended.exit_code != 0 || !is_whole(format, read_file(file.temporary())))
    return program + " made no whole image of " + svg.string() +
           (ended.diagnostics.empty() ? "" : ": " + ended.diagnostics);
  return file.put_in_place() == 0 ? "" : write_error(image, file.reason()).what();
}

std::string not_found(const std::string& program) {
  return "'" + program + "' was not found: install the package librsvg2-bin for PNG and PDF";
}

}  // namespace

ImageFormat image_format_named(std::string_view name) {
  return static_cast<ImageFormat>(index_named(endings, "plot format", name));
}

std::string find_program(const std::string& name) {
  const auto runs = [](const std::string& path) {
    std::error_code unknown;
    return std::filesystem::is_regular_file(path, unknown) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return runs(name) ? name : "";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string file = folder + "/" + name; folder.starts_with('/') && runs(file)) return file;
  return {};
}

ImageFiles write_images(std::span<const Figure> figures, const std::filesystem::path& directory,
                        std::span<const ImageFormat> formats, const std::string& program) {
  create_folder(directory);
  const std::string converter = find_program(program);
  ImageFiles files;
  for (const Figure& figure : figures) {
    const std::filesystem::path svg = directory / (figure.name + ".svg");
    replace_file(svg, svg_document(figure));
    for (const ImageFormat format : formats) {
      const std::filesystem::path image = directory / (figure.name + "." + ending_of(format));
      std::string problem;
      if (format != ImageFormat::svg && converter.empty()) {
        problem = not_found(program) + "; the SVGs are in " + directory.string();
      } else if (format != ImageFormat::svg) {
        problem = converted(converter, format, svg, image);
        files.failed = files.failed || !problem.empty();
      }
      if (problem.empty()) files.written.push_back(image);
      if (files.problem.empty()) files.problem = problem;
    }
  }
  return files;
}

void convert_image(const std::filesystem::path& svg, const std::filesystem::path& image) {
  const std::string ending = image.extension().string();
  require(ending == ".png" || ending == ".pdf", image.string(),
          ": the name must end in .svg, .png or .pdf");
  const std::string program = "rsvg-convert";
  const std::string converter = find_program(program);
  require(!converter.empty(), image.string(), ": ", not_found(program));
  const std::string problem =
      converted(converter, image_format_named(ending.substr(1)), svg, image);
  require(problem.empty(), image.string(), ": ", problem);
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
