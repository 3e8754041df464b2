/// Independent pieces of work on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace fftprec::truth {

/// Calls work(workspace, i) for i < count, each once, on at most `threads` threads, each of which
/// makes a workspace of its own by make_workspace(). `work` must not throw.
template <class MakeWorkspace, class Work>
void in_parallel(std::size_t count, unsigned threads, MakeWorkspace make_workspace, Work work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    auto workspace = make_workspace();
    for (std::size_t i; (i = next++) < count;) work(workspace, i);
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads && i < count; ++i) others.emplace_back(run);
  run();
}

}  // namespace fftprec::truth
