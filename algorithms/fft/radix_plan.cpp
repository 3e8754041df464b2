#include "algorithms/fft/radix_plan.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

namespace fftprec {

namespace {

constexpr std::size_t largest_prime = 127;
constexpr std::size_t largest_matrix = 128;

RadixPlan no_plan(std::string_view algorithm, std::string_view need, std::size_t n) {
  return {{},
          std::string(algorithm) + " needs " + std::string(need) + ", got " + std::to_string(n)};
}

std::size_t log2_of(std::size_t n) { return static_cast<std::size_t>(std::countr_zero(n)); }

void append(RadixPlan& plan, std::size_t count, RadixStage stage) {
  plan.stages.insert(plan.stages.end(), count, stage);
}

/// The radix 2^bits alone.
RadixPlan powers_plan(std::string_view algorithm, std::size_t bits, SmallDft dft, std::size_t n) {
  const std::size_t radix = std::size_t{1} << bits;
  if (!std::has_single_bit(n) || log2_of(n) % bits != 0)
    return no_plan(algorithm, "n = " + std::to_string(radix) + "^k", n);
  RadixPlan plan;
  append(plan, log2_of(n) / bits, {radix, dft});
  return plan;
}

/// Takes every factor `radix` out of n.
std::size_t take_out(std::size_t& n, std::size_t radix) {
  std::size_t count = 0;
  for (; n % radix == 0; n /= radix) ++count;
  return count;
}

/// Appends `count` factors of n, descending, none above `largest`; the first is the smallest that
/// allows it. Returns whether there are such factors.
bool factorise(std::size_t n, std::size_t count, std::size_t largest,
               std::vector<std::size_t>& factors) {
  if (count == 0) return n == 1;
  for (std::size_t factor = 2; factor <= std::min(n, largest); ++factor) {
    if (n % factor != 0) continue;
    // The others are no larger: too small a first factor cannot reach n.
    std::size_t rest = n;
    for (std::size_t i = 0; i < count; ++i) rest = (rest + factor - 1) / factor;
    if (rest > 1) continue;
    factors.push_back(factor);
    if (factorise(n / factor, count - 1, factor, factors)) return true;
    factors.pop_back();
  }
  return false;
}

}  // namespace

RadixPlan stockham_r2_plan(std::size_t n) {
  return powers_plan("stockham-r2", 1, SmallDft::sums, n);
}

RadixPlan stockham_r4_plan(std::size_t n) {
  return powers_plan("stockham-r4", 2, SmallDft::sums, n);
}

RadixPlan stockham_r8_plan(std::size_t n) {
  return powers_plan("stockham-r8", 3, SmallDft::matrix_product, n);
}

RadixPlan stockham_mixed_plan(std::size_t n) {
  if (!std::has_single_bit(n) || n < 4) return no_plan("stockham-mixed", "n = 2^k, k >= 2", n);
  const std::size_t bits = log2_of(n);
  std::size_t eights = bits / 3;
  if ((bits - 3 * eights) % 2 != 0) --eights;
  RadixPlan plan;
  append(plan, eights, {8, SmallDft::matrix_product});
  append(plan, (bits - 3 * eights) / 2, {4, SmallDft::sums});
  return plan;
}

RadixPlan mixed_radix_plan(std::size_t n) {
  constexpr std::string_view need = "n >= 1 without a prime factor above 127";
  if (n == 0) return no_plan("mixed-radix", need, n);
  RadixPlan plan;
  std::size_t rest = n;
  append(plan, take_out(rest, 4), {4, SmallDft::sums});
  append(plan, take_out(rest, 2), {2, SmallDft::sums});
  for (std::size_t prime = 3; prime <= largest_prime; prime += 2)
    append(plan, take_out(rest, prime), {prime, SmallDft::vector_product});
  return rest == 1 ? plan : no_plan("mixed-radix", need, n);
}

RadixPlan four_step_plan(std::size_t n) {
  constexpr std::string_view need = "n >= 1 without a prime factor above 128";
  if (n == 0) return no_plan("four-step", need, n);
  std::size_t prime_factors = 0;
  std::size_t rest = n;
  for (std::size_t prime = 2; prime <= largest_matrix; ++prime)
    prime_factors += take_out(rest, prime);
  if (rest > 1) return no_plan("four-step", need, n);
  std::vector<std::size_t> factors;
  // A length is at least the product of its prime factors one by one.
  for (std::size_t count = 0; count <= prime_factors; ++count)
    if (factorise(n, count, largest_matrix, factors)) break;
  RadixPlan plan;
  std::reverse(factors.begin(), factors.end());
  for (const std::size_t factor : factors)
    plan.stages.push_back({factor, SmallDft::matrix_product});
  return plan;
}

}  // namespace fftprec
