/// Random bits for stochastic rounding, from a counter: the same in any order and on any number of
/// threads.
///
/// Philox 4x32-10, because it is a pure function of (key, counter) made of 32-bit products, which
/// every instruction set has.
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <cstdint>

namespace fftprec {

struct PhiloxCounter {
  std::uint32_t word[4];

  friend constexpr bool operator==(const PhiloxCounter&, const PhiloxCounter&) = default;
};

struct PhiloxKey {
  std::uint32_t word[2];
};

/// Ten rounds of Philox 4x32: a bijection of the counter for every key.
[[gnu::always_inline]] inline constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  std::uint32_t x0 = counter.word[0];
  std::uint32_t x1 = counter.word[1];
  std::uint32_t x2 = counter.word[2];
  std::uint32_t x3 = counter.word[3];
  std::uint32_t k0 = key.word[0];
  std::uint32_t k1 = key.word[1];
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53} * x0;
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57} * x2;
    x0 = static_cast<std::uint32_t>(product1 >> 32) ^ x1 ^ k0;
    x1 = static_cast<std::uint32_t>(product1);
    x2 = static_cast<std::uint32_t>(product0 >> 32) ^ x3 ^ k1;
    x3 = static_cast<std::uint32_t>(product0);
    k0 += 0x9E3779B9;  // the golden ratio
    k1 += 0xBB67AE85;  // sqrt(3) - 1
  }
  return {{x0, x1, x2, x3}};
}

/// How to round stochastically: how many random bits, and which.
struct StochasticRounding {
  int bits = 32;             ///< random bits below the last kept place, 1 to 53
  std::uint64_t seed = 0;    ///< the key
  std::uint64_t stream = 0;  ///< tells uses apart that share a seed: a step, a row, a stage
};

/// The first `bits` bits of a 64-bit word are random, the others zero; a function of
/// (seed, stream, counter).
/// Requires: 1 <= stochastic.bits <= 53.
[[gnu::always_inline]] inline constexpr std::uint64_t random_bits(
    const StochasticRounding& stochastic, std::uint64_t counter) {
  const PhiloxCounter block =
      philox({{static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
               static_cast<std::uint32_t>(stochastic.stream),
               static_cast<std::uint32_t>(stochastic.stream >> 32)}},
             {{static_cast<std::uint32_t>(stochastic.seed),
               static_cast<std::uint32_t>(stochastic.seed >> 32)}});
  const std::uint64_t word = (std::uint64_t{block.word[0]} << 32) | block.word[1];
  return word & ~((std::uint64_t{1} << (64 - stochastic.bits)) - 1);
}

}  // namespace fftprec
