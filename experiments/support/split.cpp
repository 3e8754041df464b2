#include "experiments/support/split.hpp"

#include "arith/support/error.hpp"

namespace fftprec {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> split_list(std::string_view text) {
  const auto unpaired = [text] {
    return InputError("brackets do not pair in '" + std::string(text) + "'");
  };
  std::vector<std::string> pieces;
  std::string closing;  // the brackets that are open
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(') closing += ')';
    if (c == '[') closing += ']';
    if (c == '{') closing += '}';
    if (c == ')' || c == ']' || c == '}') {
      if (closing.empty() || closing.back() != c) throw unpaired();
      closing.pop_back();
    }
    if (c == ',' && closing.empty()) {
      pieces.emplace_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (!closing.empty()) throw unpaired();
  pieces.emplace_back(trimmed(text.substr(begin)));
  return pieces;
}

}  // namespace fftprec
