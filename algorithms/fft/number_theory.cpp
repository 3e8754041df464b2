#include "algorithms/fft/number_theory.hpp"

#include <algorithm>

namespace fftprec {

std::uint64_t power_mod(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1 % modulus;
  for (base %= modulus; exponent > 0; exponent /= 2, base = base * base % modulus)
    if (exponent % 2 == 1) result = result * base % modulus;
  return result;
}

/// Extended Euclid: every remainder r is a multiple of `value`, r = factor * value (mod modulus).
std::uint64_t inverse_mod(std::uint64_t value, std::uint64_t modulus) {
  std::uint64_t remainder = modulus;
  std::uint64_t next_remainder = value % modulus;
  std::uint64_t factor = 0;
  std::uint64_t next_factor = 1 % modulus;
  while (next_remainder != 0) {
    const std::uint64_t quotient = remainder / next_remainder % modulus;
    const std::uint64_t after = remainder % next_remainder;
    const std::uint64_t after_factor =
        (factor + (modulus - quotient) * next_factor % modulus) % modulus;
    remainder = next_remainder;
    next_remainder = after;
    factor = next_factor;
    next_factor = after_factor;
  }
  return factor;
}

std::vector<PrimePower> prime_powers(std::uint64_t n) {
  std::vector<PrimePower> result;
  const auto divide_out = [&](std::uint64_t prime) {
    PrimePower factor{prime, 1};
    for (; n % prime == 0; n /= prime) factor.power *= prime;
    if (factor.power > 1) result.push_back(factor);
  };
  for (std::uint64_t prime = 2; prime <= n / prime; ++prime) divide_out(prime);
  if (n > 1) divide_out(n);
  return result;
}

bool is_prime(std::uint64_t n) {
  if (n < 2) return false;
  for (std::uint64_t divisor = 2; divisor <= n / divisor; ++divisor)
    if (n % divisor == 0) return false;
  return true;
}

/// g generates the group iff no g^((prime - 1)/p), p a prime factor of the group's order, is 1.
std::uint64_t primitive_root(std::uint64_t prime) {
  const std::uint64_t order = prime - 1;
  const std::vector<PrimePower> factors = prime_powers(order);
  for (std::uint64_t candidate = 1;; ++candidate)
    if (std::none_of(factors.begin(), factors.end(), [&](const PrimePower& factor) {
          return power_mod(candidate, order / factor.prime, prime) == 1;
        }))
      return candidate;
}

std::size_t divisor_below_root(std::size_t n) {
  std::size_t largest = 1;
  for (std::size_t divisor = 2; divisor <= n / divisor; ++divisor)
    if (n % divisor == 0) largest = divisor;
  return largest;
}

}  // namespace fftprec
