/// The shared cache: what it keeps, what it drops, what its users see when a maker throws.
#include "experiments/support/lru_cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace fftprec::testing {

namespace {

using Cache = LruCache<int, std::string>;

/// True if the cache had to make the value of `key`.
bool made(Cache& cache, int key, std::size_t size = 1) {
  bool called = false;
  const auto value = cache.get(key, size, [&] {
    called = true;
    return std::to_string(key);
  });
  EXPECT_EQ(*value, std::to_string(key));
  return called;
}

std::string fail() { throw std::runtime_error("no value"); }

}  // namespace

TEST(LruCache, DropsTheLeastRecentlyUsedWhenFull) {
  Cache cache(3);
  for (const int key : {1, 2, 3}) EXPECT_TRUE(made(cache, key));
  for (const int key : {1, 2, 3}) EXPECT_FALSE(made(cache, key)) << "three fit";

  EXPECT_FALSE(made(cache, 1));  // 2 is now the oldest
  EXPECT_TRUE(made(cache, 4));

  for (const int key : {3, 1, 4}) EXPECT_FALSE(made(cache, key)) << key;
  EXPECT_TRUE(made(cache, 2));
}

TEST(LruCache, GivesBackTheRoomOfWhatItDrops) {
  Cache cache(10);
  for (int key = 0; key < 20; ++key) EXPECT_TRUE(made(cache, key, 5));
  EXPECT_FALSE(made(cache, 18, 5));
  EXPECT_FALSE(made(cache, 19, 5));
}

TEST(LruCache, KeepsAValueLargerThanItselfUntilTheNext) {
  Cache cache(10);
  EXPECT_TRUE(made(cache, 1, 100));
  EXPECT_FALSE(made(cache, 1, 100));
  EXPECT_TRUE(made(cache, 2, 1));
  EXPECT_TRUE(made(cache, 1, 1));
}

TEST(LruCache, AValueInUseOutlivesItsEntry) {
  Cache cache(1);
  const auto value = cache.get(1, 1, [] { return std::string("kept"); });
  made(cache, 2);
  EXPECT_EQ(*value, "kept");
}

TEST(LruCache, KeepsNothingOfAMakerThatThrows) {
  Cache cache(2);
  made(cache, 1);
  EXPECT_THROW(cache.get(2, 1, fail), std::runtime_error);
  EXPECT_TRUE(made(cache, 2)) << "the next caller makes it";
  EXPECT_FALSE(made(cache, 1)) << "the failure took no room";
}

TEST(LruCache, ThreadsThatWaitGetTheExceptionOfTheMaker) {
  Cache cache(2);
  std::atomic<int> refused = 0;
  const auto ask = [&](auto make) {
    try {
      cache.get(1, 1, make);
    } catch (const std::runtime_error&) {
      ++refused;
    } catch (...) {
    }
  };
  {
    std::jthread waiter;
    ask([&]() -> std::string {
      waiter = std::jthread([&] { ask(fail); });
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // let it come and wait
      return fail();
    });
  }
  EXPECT_EQ(refused, 2);
}

TEST(LruCache, ThreadsThatAskTogetherShareOneMaker) {
  Cache cache(2);
  std::atomic<int> calls = 0;
  std::vector<std::shared_ptr<const std::string>> values(4);
  {
    std::vector<std::jthread> threads;
    for (auto& value : values)
      threads.emplace_back([&] {
        value = cache.get(1, 1, [&] {
          ++calls;
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          return std::string("one");
        });
      });
  }
  EXPECT_EQ(calls, 1);
  for (const auto& value : values) EXPECT_EQ(value, values.front());
}

}  // namespace fftprec::testing
