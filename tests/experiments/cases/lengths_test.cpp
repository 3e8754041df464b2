#include <gmock/gmock.h>

#include "experiments/cases/axes.hpp"

namespace fftprec {
namespace {

/// The largest prime factor, by the definition; 1 of 1.
std::uint64_t largest_prime_factor(std::uint64_t n) {
  std::uint64_t largest = 1;
  for (std::uint64_t factor = 2; n > 1; ++factor)
    for (; n % factor == 0; n /= factor) largest = factor;
  return largest;
}

template <class Holds>
std::vector<std::uint64_t> chosen(std::uint64_t first, std::uint64_t last, Holds&& holds) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t n = first; n <= last; ++n)
    if (n > 0 && holds(largest_prime_factor(n), n)) numbers.push_back(n);
  return numbers;
}

TEST(SmoothNumbers, AreThoseWithoutAPrimeFactorAboveSeven) {
  for (const auto& [first, last] : {std::pair{0u, 600u}, {60u, 64u}, {343u, 343u}, {11u, 11u}})
    EXPECT_EQ(smooth_numbers(first, last),
              chosen(first, last, [](std::uint64_t factor, std::uint64_t) { return factor <= 7; }))
        << first << ".." << last;
}

TEST(SmoothNumbers, ReachTheLargestInteger) {
  EXPECT_THAT(smooth_numbers(std::uint64_t{1} << 63, ~std::uint64_t{0}),
              ::testing::Contains(std::uint64_t{1} << 63));
  EXPECT_GT(smooth_numbers(1, ~std::uint64_t{0}).size(), 60000u);
}

TEST(Primes, AreThoseWithoutASmallerFactor) {
  for (const auto& [first, last] : {std::pair{0u, 600u},
                                    {0u, 1u},
                                    {2u, 2u},
                                    {3u, 4u},
                                    {24u, 28u},
                                    {289u, 293u},
                                    {65500u, 65600u}})
    EXPECT_EQ(primes(first, last),
              chosen(first, last,
                     [](std::uint64_t factor, std::uint64_t n) { return n > 1 && factor == n; }))
        << first << ".." << last;
}

TEST(Primes, AreFoundUpToTheirLimit) {
  EXPECT_THAT(primes(4294967270u, 4294967295u), ::testing::ElementsAre(4294967279u, 4294967291u));
}

}  // namespace
}  // namespace fftprec
