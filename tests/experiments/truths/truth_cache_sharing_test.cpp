/// The cache under threads, processes, kills and a full disk: never a wrong truth.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <random>
#include <thread>

#include "experiments/truths/truth_cache.hpp"
#include "tests/experiments/truths/stored_truths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

namespace fs = std::filesystem;

class SharedTruthCache : public ::testing::Test {
 protected:
  fs::path place() const { return directory_ / "made/when/needed"; }

  TemporaryDirectory directory_;
};

/// Does `work` in a process of its own, whose exit code is 0 if it returns true.
pid_t start(const std::function<bool()>& work) {
  const pid_t process = ::fork();
  if (process == 0) ::_exit(work() ? 0 : 1);
  return process;
}

/// The exit code, or 1000 + the signal that ended the process.
int outcome(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST_F(SharedTruthCache, LeavesNothingBehindOnAFullDisk) {
  const pid_t process = start([this] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10000, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    TruthCache cache(place(), keep_all);
    const truth::Truth small = cache.get(name(1), [] { return truth_of(1, 16); });
    const truth::Truth large = cache.get(name(2), [] { return truth_of(2, 4096); });
    return same(small, truth_of(1, 16)) && same(large, truth_of(2, 4096)) &&
           cache.counts().stored == 1 && !cache.trouble().empty();
  });
  EXPECT_EQ(outcome(process), 0);
  EXPECT_EQ(files_in(place()).size(), 1u);
}

TEST_F(SharedTruthCache, ServesSeveralThreads) {
  const std::uint64_t size = truth_file_size(name(1), truth_of(1));
  TruthCache cache(place(), {.limit_bytes = 6 * size, .least_time = {}});
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        std::mt19937 generator(t);
        for (int round = 0; round < 80; ++round) {
          const int i = static_cast<int>(generator() % 10);
          if (!same(cache.get(name(i), [i] { return truth_of(i); }), truth_of(i))) ++wrong;
        }
      });
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(cache.counts().hits + cache.counts().misses, 320u);
  EXPECT_EQ(cache.counts().damaged, 0u) << "no entry is seen before it is whole";
  EXPECT_EQ(cache.trouble(), "");
}

/// Two processes store, read and evict; a third spoils entries under them.
TEST_F(SharedTruthCache, ServesSeveralProcessesWhileOneDestroysEntries) {
  const std::uint64_t size = truth_file_size(name(1), truth_of(1));
  const auto serve = [&](unsigned seed) {
    return [&, seed] {
      TruthCache cache(place(), {.limit_bytes = 8 * size, .least_time = {}});
      std::mt19937 generator(seed);
      for (int round = 0; round < 150; ++round) {
        const int i = static_cast<int>(generator() % 12);
        if (!same(cache.get(name(i), [i] { return truth_of(i); }), truth_of(i))) return false;
      }
      return cache.trouble().empty() && cache.counts().hits > 0;
    };
  };
  const pid_t vandal = start([&]() -> bool {
    std::mt19937 generator(3);
    for (;;) {
      std::error_code gone;
      for (fs::directory_iterator at(place(), gone), end; !gone && at != end; at.increment(gone)) {
        if (generator() % 8 != 0) continue;
        if (generator() % 2 == 0)
          fs::remove(at->path(), gone);
        else
          fs::resize_file(at->path(), generator() % size, gone);
        gone.clear();
      }
      ::usleep(500);
    }
  });
  const pid_t one = start(serve(1));
  const pid_t two = start(serve(2));
  EXPECT_EQ(outcome(one), 0);
  EXPECT_EQ(outcome(two), 0);
  ::kill(vandal, SIGKILL);
  EXPECT_EQ(outcome(vandal), 1000 + SIGKILL);
}

TEST_F(SharedTruthCache, SurvivesKillsWhileItWrites) {
  constexpr std::size_t n = 20000;
  fs::create_directories(place());
  for (unsigned kill = 0; kill < 10; ++kill) {
    const pid_t writer = start([&]() -> bool {
      for (int i = 0;; i = (i + 1) % 4) {
        TruthCache cache(place(), keep_all);
        cache.get(name(i), [&] { return truth_of(i, n); });
        for (const fs::path& file : files_in(place())) fs::remove(file);
      }
    });
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + 1400 * kill));
    ::kill(writer, SIGKILL);
    EXPECT_EQ(outcome(writer), 1000 + SIGKILL);
    TruthCache cache(place(), keep_all);
    for (int i = 0; i < 4; ++i)
      EXPECT_TRUE(same(cache.get(name(i), [&] { return truth_of(i, n); }), truth_of(i, n)));
    EXPECT_EQ(cache.counts().damaged, 0u) << "half an entry under its own name";
  }
}

}  // namespace
}  // namespace fftprec::testing
