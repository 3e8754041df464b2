/// Lengths by their factors: what n[smooth] and n[primes] stand for.
#pragma once

#include <cstdint>
#include <vector>

namespace fftprec {

/// The 7-smooth numbers in first..last, ascending: 2^a 3^b 5^c 7^d, those without a prime factor
/// above 7, which FFT libraries have fast radices for. 1 is one of them.
std::vector<std::uint64_t> smooth_numbers(std::uint64_t first, std::uint64_t last);

/// The primes in first..last, ascending. Requires: last < 2^32.
std::vector<std::uint64_t> primes(std::uint64_t first, std::uint64_t last);

}  // namespace fftprec
