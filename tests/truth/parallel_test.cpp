/// Work on several threads: each piece once, and one exception, the same with any number of them.
#include "arith/truth/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/error_text.hpp"

namespace fftprec::testing {

namespace {

using truth::in_parallel;

struct Nothing {};

constexpr std::chrono::milliseconds a_while{5};

/// Piece 1 throws at once. Piece 0, on the other of two threads, waits for that; `then` is what it
/// does after, and what pieces 2 to 99 do.
template <class Then>
void with_failing_piece_1(Then then) {
  std::atomic<bool> failing = false;
  in_parallel(
      100, 2, [] { return Nothing{}; },
      [&](Nothing, std::size_t i) {
        if (i == 1) {
          failing = true;
          throw InputError("1");
        }
        while (!failing) std::this_thread::yield();
        std::this_thread::sleep_for(a_while);
        then(i);
      });
}

}  // namespace

TEST(InParallel, DoesEveryPieceOnce) {
  for (const unsigned threads : {0u, 1u, 2u, 7u, 200u}) {
    std::vector<int> done(100);
    in_parallel(
        done.size(), threads, [] { return Nothing{}; }, [&](Nothing, std::size_t i) { ++done[i]; });
    EXPECT_EQ(done, std::vector<int>(100, 1)) << threads;
  }
}

TEST(InParallel, MakesAWorkspaceForEachThreadAtMost) {
  std::atomic<int> made = 0;
  in_parallel(
      100, 4, [&] { return ++made; }, [](int, std::size_t) {});
  EXPECT_GE(made, 1);
  EXPECT_LE(made, 4);
}

TEST(InParallel, ThrowsWhatTheSmallestFailingPieceThrowsThoughAnotherWasFaster) {
  const auto fail = [](std::size_t i) { throw InputError(std::to_string(i)); };
  EXPECT_EQ(error_text([&] { with_failing_piece_1(fail); }), "0");
  EXPECT_EQ(error_text([&] { with_failing_piece_1([](std::size_t) {}); }), "1");
}

TEST(InParallel, BeginsNothingAfterAFailure) {
  int done = 0;
  EXPECT_THROW(with_failing_piece_1([&](std::size_t) { ++done; }), InputError);
  EXPECT_GE(done, 1);
  EXPECT_LT(done, 98);
}

TEST(InParallel, PassesOnThatAWorkspaceCannotBeMade) {
  for (const unsigned threads : {1u, 3u})
    EXPECT_THROW(
        in_parallel(
            8, threads, []() -> Nothing { throw std::bad_alloc(); }, [](Nothing, std::size_t) {}),
        std::bad_alloc);
}

}  // namespace fftprec::testing
