/// run_cli as a test calls it: words in; exit code and both outputs back.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "reports/commands/cli.hpp"

namespace fftprec::testing {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

/// A run keeps no truths unless its words say where: no test may touch the user's own.
inline Outcome run_line(std::vector<std::string> words, const CaseFunctions& functions) {
  if (!words.empty() && words[0] == "run")
    words.insert(words.begin() + 1, {"--truth-cache", "none"});
  words.insert(words.begin(), "fftprec");
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream out;
  std::ostringstream err;
  const int code = run_cli(static_cast<int>(argv.size()), argv.data(), out, err, functions);
  return {code, out.str(), err.str()};
}

}  // namespace fftprec::testing
