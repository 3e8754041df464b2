#include "tests/exhaustive/sweep.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace fftprec::exhaustive {

Outcome sweep(const std::string& name, const Options& options,
              const std::function<CheckChunk()>& make_check) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  Outcome total;
  std::uint64_t first_failing = options.chunks;
  std::uint64_t done = 0;
  double shown = 0;
  const std::uint64_t count = (options.chunks + options.stride - 1) / options.stride;

  const auto work = [&] {
    const CheckChunk check = make_check();
    for (std::uint64_t i = next++; i < count; i = next++) {
      const std::uint64_t chunk = i * options.stride;
      const Outcome outcome = check(static_cast<std::uint32_t>(chunk));
      const std::lock_guard lock(mutex);
      total.cases += outcome.cases;
      total.failures += outcome.failures;
      if (outcome.failures > 0 && chunk < first_failing) {
        first_failing = chunk;
        total.first_failure = outcome.first_failure;
      }
      ++done;
      if (elapsed() - shown < 1 && done < count) continue;
      shown = elapsed();
      const double share = static_cast<double>(done) / static_cast<double>(count);
      std::fprintf(stderr, "\r%s: %5.1f %%, %llu failures, %.0f s, %.0f s left   ", name.c_str(),
                   100 * share, static_cast<unsigned long long>(total.failures), shown,
                   shown / share - shown);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < options.threads; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  std::fputc('\n', stderr);
  std::printf("%s: %llu cases, %llu failures, %.1f s on %u threads%s%s\n", name.c_str(),
              static_cast<unsigned long long>(total.cases),
              static_cast<unsigned long long>(total.failures), elapsed(), options.threads,
              total.failures > 0 ? "; first: " : "", total.first_failure.c_str());
  std::fflush(stdout);
  return total;
}

}  // namespace fftprec::exhaustive
