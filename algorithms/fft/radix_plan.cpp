#include "algorithms/fft/radix_plan.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <map>
#include <string_view>

#include "algorithms/fft/number_theory.hpp"
#include "arith/support/error.hpp"

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

bool is_odd_radix(std::size_t x) { return x % 2 == 1 && x <= largest_prime && is_prime(x); }

SmallDft small_dft(std::size_t radix, OddRadices odd) {
  if (radix % 2 == 0) return SmallDft::sums;
  switch (odd) {
    case OddRadices::products:
      break;
    case OddRadices::fftpack:
      return SmallDft::pairs;
    case OddRadices::kissfft:
      return radix <= 5 ? SmallDft::pairs_of_sums : SmallDft::vector_product;
    case OddRadices::kissfft_cpp:
      return radix <= 5 ? SmallDft::pairs_of_products : SmallDft::vector_product;
    case OddRadices::gsl:
      return radix == 5 ? SmallDft::golden_pairs : SmallDft::pairs;
  }
  return SmallDft::vector_product;
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

std::vector<std::size_t> parse_radices(std::string_view text) {
  std::vector<std::size_t> radices;
  for (std::size_t first = 0, last = 0; last < text.size(); first = last + 1) {
    last = std::min(text.find('-', first), text.size());
    const std::string digits(text.substr(first, last - first));
    std::size_t radix = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), radix);
    const bool is_number = error == std::errc() && end == digits.data() + digits.size();
    require(is_number && (radix == 2 || radix == 4 || radix == 8 || is_odd_radix(radix)), "radix '",
            digits, "' in radices=", text, " is not 2, 4, 8 or an odd prime up to ", largest_prime);
    require(std::ranges::find(radices, radix) == radices.end(), "radices=", text, " has ", digits,
            " twice");
    radices.push_back(radix);
  }
  require(std::ranges::find(radices, std::size_t{2}) != radices.end(), "radices=", text,
          " lacks 2, which takes what 4 and 8 leave");
  return radices;
}

RadixPlan mixed_radix_plan(std::size_t n, const MixedRadices& choice) {
  const bool is_gsl = choice.odd == OddRadices::gsl;
  const std::size_t largest = is_gsl ? 5 : largest_prime;
  const std::string need = "n >= 1 without a prime factor above " + std::to_string(largest);
  if (n == 0) return no_plan("mixed-radix", need, n);
  std::vector<std::size_t> listed = choice.radices;
  for (std::size_t prime = 3; prime <= largest; prime += 2)
    if (is_odd_radix(prime) && std::ranges::find(listed, prime) == listed.end())
      listed.push_back(prime);
  std::map<std::size_t, std::size_t, std::greater<>> counts;  // the largest radix comes first
  for (const std::size_t radix : listed) counts[radix] = 0;
  std::size_t rest = n;
  for (auto& [radix, count] : counts) count = take_out(rest, radix);
  if (rest != 1) return no_plan("mixed-radix", need, n);
  RadixPlan plan{.stages = {}, .decimation = choice.decimation};
  for (const std::size_t radix : listed)
    append(plan, counts[radix], {radix, small_dft(radix, choice.odd)});
  if (choice.reversed) std::ranges::reverse(plan.stages);
  return plan;
}

RadixPlan mixed_radix_plan(std::size_t n) { return mixed_radix_plan(n, {}); }

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
