/// run_cli as a test calls it: words in; exit code and both outputs back.
#pragma once

#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reports/commands/cli.hpp"
#include "tests/support/no_programs.hpp"

namespace fftprec::testing {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

/// A run keeps no truths unless its words say where: no test may touch the user's own. It converts
/// no figures into images, which takes most of a small run's time; those are tested where they are
/// made.
inline Outcome run_line(std::vector<std::string> words, const commands::CaseFunctions& functions) {
  if (!words.empty() && words[0] == "run")
    words.insert(words.begin() + 1, {"--truth-cache", "none"});
  std::optional<NoPrograms> without_converter;
  if (!words.empty() && words[0] == "run") without_converter.emplace();
  words.insert(words.begin(), "fftprec");
  std::ostringstream out;
  std::ostringstream err;
  commands::Context context{out, err, std::move(words), functions};
  const int code = run_cli(context);
  return {code, out.str(), err.str()};
}

/// The words after `fftprec` of the first command that a text shows on a line of its own, as a
/// shell cuts them; none where it shows no command.
inline std::vector<std::string> shown_command(const std::string& text) {
  const std::string program = "  fftprec ";
  const std::size_t at = text.find(program);
  if (at == std::string::npos) return {};
  const std::size_t start = at + program.size();
  std::string rest = text.substr(start, text.find('\n', start) - start) + " ";
  std::erase(rest, '\'');
  std::vector<std::string> words;
  for (std::size_t space; (space = rest.find(' ')) != std::string::npos; rest.erase(0, space + 1))
    words.push_back(rest.substr(0, space));
  return words;
}

}  // namespace fftprec::testing
