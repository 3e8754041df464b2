#include "reports/commands/restart.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "arith/support/error.hpp"

namespace fftprec {

std::vector<std::string> without_rerun(std::vector<std::string> argv) {
  const std::string option = "--rerun";
  for (auto word = argv.begin(); word != argv.end();) {
    if (*word == option)
      word = argv.erase(word, word + std::min<std::ptrdiff_t>(2, argv.end() - word));
    else if (word->starts_with(option + "="))
      word = argv.erase(word);
    else
      ++word;
  }
  return argv;
}

void restart(std::vector<std::string> argv) {
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  ::execv("/proc/self/exe", words.data());
  throw InputError(std::string("this program cannot be started again: ") + std::strerror(errno));
}

}  // namespace fftprec
