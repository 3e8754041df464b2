/// Independent pieces of work on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace fftprec::truth {

/// Calls work(workspace, i) once for each i < count, on at most `threads` threads. Each thread
/// makes its own workspace by make_workspace().
/// Throws the exception of `work` for the smallest i that throws, independent of the number of
/// threads, or the exception of make_workspace. Running work finishes first, and no other work
/// begins.
template <class MakeWorkspace, class Work>
void in_parallel(std::size_t count, unsigned threads, MakeWorkspace make_workspace, Work work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  std::size_t failed = count;
  const auto run = [&] {
    std::size_t i = 0;
    try {
      auto workspace = make_workspace();
      while ((i = next++) < count) work(workspace, i);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure || i < failed) {
        failure = std::current_exception();
        failed = i;
      }
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads && t < count; ++t) others.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fftprec::truth
