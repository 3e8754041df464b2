#include "algorithms/arithmetic/stages.hpp"

namespace fftprec {

std::string title_of(const StagePath& path) {
  std::string title;
  for (const auto& [index, name] : path) {
    if (!title.empty()) title += " | ";
    const std::size_t number = name.find('#');
    title += name.substr(0, number);
    if (number == std::string_view::npos) continue;
    title += std::to_string(index);
    title += name.substr(number + 1);
  }
  return title;
}

}  // namespace fftprec
