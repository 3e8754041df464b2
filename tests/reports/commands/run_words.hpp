/// `fftprec run`, with words of a test's own.
#pragma once

#include <string>
#include <vector>

#include "tests/support/command_line.hpp"

namespace fftprec::testing {

/// What "fftprec run" and these words give.
inline Outcome run(Words words) {
  words.insert(words.begin(), "run");
  return run_line(words);
}

}  // namespace fftprec::testing
