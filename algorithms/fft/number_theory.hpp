/// Number theory for the index maps of Rader's and Good's algorithms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fftprec {

/// base^exponent mod modulus. Requires: 0 < modulus <= 2^32.
std::uint64_t power_mod(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus);

/// The x in [0, modulus) with value * x = 1 (mod modulus). Requires: value and modulus coprime,
/// 0 < modulus <= 2^32.
std::uint64_t inverse_mod(std::uint64_t value, std::uint64_t modulus);

/// By trial division, O(sqrt n).
bool is_prime(std::uint64_t n);

/// A prime and its highest power that divides a number.
struct PrimePower {
  std::uint64_t prime;
  std::uint64_t power;  ///< prime^k, k >= 1

  friend bool operator==(const PrimePower&, const PrimePower&) = default;
};

/// The prime powers whose product is n, primes ascending; none for n = 1. By trial division.
/// Requires: n >= 1.
std::vector<PrimePower> prime_powers(std::uint64_t n);

/// The smallest generator of the multiplicative group modulo the prime: its powers take all values
/// 1, ..., prime - 1. Requires: a prime <= 2^32.
std::uint64_t primitive_root(std::uint64_t prime);

/// The largest divisor of n that is at most sqrt(n): 1 for primes. Requires: n >= 1.
std::size_t divisor_below_root(std::size_t n);

}  // namespace fftprec
