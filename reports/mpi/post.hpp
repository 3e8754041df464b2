/// How the processes of one run reach each other.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace fftprec {

/// Text from another process.
struct Letter {
  int from = 0;
  std::string text;
};

/// Called by one thread of each process. What one process sends another arrives in that order.
struct Post {
  int processes = 1;  ///< numbered from 0
  std::function<void(int to, std::string text)> send;
  std::function<std::optional<Letter>()> receive;  ///< what has arrived; does not wait
};

}  // namespace fftprec
