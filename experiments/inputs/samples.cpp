#include "experiments/inputs/samples.hpp"

#include <algorithm>

namespace fftprec {

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string shown(text.substr(0, longest));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > longest ? shown + "..." : shown;
}

}  // namespace fftprec
