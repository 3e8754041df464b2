#include "experiments/cases/lengths.hpp"

#include <algorithm>
#include <cassert>

namespace fftprec {

std::vector<std::uint64_t> smooth_numbers(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> numbers = {1};
  for (const std::uint64_t prime : {2u, 3u, 5u, 7u})
    for (std::size_t i = 0; i < numbers.size(); ++i)  // grows: each is multiplied again
      if (numbers[i] <= last / prime) numbers.push_back(numbers[i] * prime);
  std::erase_if(numbers, [=](std::uint64_t n) { return n < first || n > last; });
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<std::uint64_t> primes(std::uint64_t first, std::uint64_t last) {
  assert(last < std::uint64_t{1} << 32);
  first = std::max<std::uint64_t>(first, 2);
  if (last < first) return {};
  // Eratosthenes, on this segment only; a composite factor crosses out what its primes do.
  std::vector<bool> composite(last - first + 1);
  for (std::uint64_t factor = 2; factor * factor <= last; ++factor)
    for (std::uint64_t multiple = std::max(factor, (first - 1) / factor + 1) * factor;
         multiple <= last; multiple += factor)
      composite[multiple - first] = true;
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < composite.size(); ++i)
    if (!composite[i]) numbers.push_back(first + i);
  return numbers;
}

}  // namespace fftprec
