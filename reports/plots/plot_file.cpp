#include "reports/plots/plot_file.hpp"

#include <filesystem>
#include <ostream>

#include "arith/support/error.hpp"

namespace fftprec {

void check_plot_file(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".svg" && ending != ".png")
    throw InputError("--plot " + file + ": the name must end in .svg or .png");
}

std::string plot_file_name(const std::string& file) {
  return std::filesystem::path(file).stem().string();
}

void write_plot_file(const std::string& file, const Drawing& drawing, std::ostream& err) {
  check_plot_file(file);
  const std::filesystem::path path = file;
  const PlotFormat format = plot_format_named(path.extension().string().substr(1));
  const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : ".";
  const PlotFiles files = write_drawings({&drawing, 1}, directory, {&format, 1});
  if (!files.problem.empty()) throw InputError("--plot " + file + ": " + files.problem);
  for (const std::filesystem::path& written : files.written) err << written.string() << "\n";
}

}  // namespace fftprec
