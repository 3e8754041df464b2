/// `fftprec run`, with words of a test's own.
#pragma once

#include <string>
#include <vector>

#include "tests/reports/commands/fake_functions.hpp"
#include "tests/support/command_line.hpp"

namespace fftprec::testing {

/// What "fftprec run" and these words give.
inline Outcome run(Words words, const commands::CaseFunctions& functions = fake_functions()) {
  words.insert(words.begin(), "run");
  return run_line(words, functions);
}

}  // namespace fftprec::testing
