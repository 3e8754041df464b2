#include "arith/truth/products.hpp"

#include <gmp.h>

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "arith/support/error.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/storage.hpp"

namespace fftprec::truth {
namespace {

constexpr std::size_t word_bits = 64;
static_assert(GMP_NUMB_BITS == word_bits && sizeof(mp_limb_t) == sizeof(std::uint64_t));

/// GMP ends the program if memory is short, so operands are limited: 6 GB at most in all.
constexpr std::size_t most_words = std::size_t{1} << 26;

/// An integer of GMP that frees itself.
class Integer {
 public:
  Integer() { mpz_init(value_); }
  Integer(Integer&& other) noexcept : Integer() { mpz_swap(value_, other.value_); }
  Integer& operator=(Integer&&) = delete;
  ~Integer() { mpz_clear(value_); }

  operator mpz_ptr() { return value_; }
  operator mpz_srcptr() const { return value_; }

 private:
  mpz_t value_;
};

mp_size_t gmp_size(std::size_t words) { return static_cast<mp_size_t>(words); }

/// |x| = significand 2^exponent, exactly; the significand has all its digits. Requires: x is finite
/// and not zero.
struct Magnitude {
  static constexpr int digits = 53;

  explicit Magnitude(double x) {
    const double fraction = std::frexp(std::fabs(x), &exponent);
    exponent -= digits;
    significand = static_cast<std::uint64_t>(std::ldexp(fraction, digits));
  }

  std::uint64_t significand = 0;
  int exponent = 0;
};

/// What the values of a sequence have in common: each is an integer below 2^bits in magnitude,
/// times 2^exponent. No bits if all are zero.
struct Grid {
  int exponent = 0;
  std::size_t bits = 0;
};

Grid grid_of(std::span<const double> x) {
  int lowest = INT_MAX;
  int end = INT_MIN;
  for (const double value : x) {
    if (value == 0) continue;
    const Magnitude magnitude(value);
    lowest = std::min(lowest, magnitude.exponent + std::countr_zero(magnitude.significand));
    end = std::max(end, magnitude.exponent + Magnitude::digits);
  }
  return end == INT_MIN ? Grid{} : Grid{lowest, static_cast<std::size_t>(end - lowest)};
}

/// slot = |x| 2^-exponent. Requires: x is not zero; the slot is zero and has room.
void put_magnitude(double x, int exponent, mp_limb_t* slot) {
  Magnitude magnitude(x);
  int shift = magnitude.exponent - exponent;
  if (shift < 0) {  // only zeros below the lowest bit
    magnitude.significand >>= -shift;
    shift = 0;
  }
  const std::size_t word = static_cast<std::size_t>(shift) / word_bits;
  const std::size_t bit = static_cast<std::size_t>(shift) % word_bits;
  slot[word] = magnitude.significand << bit;
  const std::uint64_t above = bit == 0 ? 0 : magnitude.significand >> (word_bits - bit);
  if (above != 0) slot[word + 1] = above;
}

/// sum_i x_i 2^-exponent X^i, X = 2^(64 words). A slot holds x_i modulo X; if the sum up to x_i is
/// negative, the next slot lends X.
Integer packed(std::span<const double> x, int exponent, std::size_t words) {
  Integer sum;
  const mp_size_t slot_size = gmp_size(words);
  const mp_size_t size = gmp_size(words * x.size());
  mp_limb_t* const limbs = mpz_limbs_write(sum, size);
  std::fill_n(limbs, size, mp_limb_t{0});
  mp_limb_t borrow = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mp_limb_t* const slot = limbs + i * words;
    if (x[i] != 0) put_magnitude(x[i], exponent, slot);
    if (x[i] < 0) mpn_neg(slot, slot, slot_size);
    const mp_limb_t lent = mpn_sub_1(slot, slot, slot_size, borrow);  // by a slot of zero
    borrow = x[i] < 0 ? 1 : lent;
  }
  if (borrow != 0) mpn_neg(limbs, limbs, size);
  mpz_limbs_finish(sum, borrow != 0 ? -size : size);
  return sum;
}

/// The digits c_k of sum_k c_k X^k, X = 2^(64 words), `count` of them, each in two's complement in
/// its slot. Requires: |c_k| < X/2, so |sum| < X^count.
/// Proof: c_0 is the lowest slot modulo X. It is negative exactly if its top bit is set, and then
/// it has taken X from the next slot.
mp_limb_t* unpack(Integer& sum, std::size_t count, std::size_t words) {
  const mp_size_t slot_size = gmp_size(words);
  const mp_size_t size = gmp_size(words * count);
  const auto used = static_cast<mp_size_t>(mpz_size(sum));
  const bool negative = mpz_sgn(mpz_srcptr(sum)) < 0;
  mp_limb_t* const limbs = mpz_limbs_modify(sum, size);
  std::fill(limbs + used, limbs + size, mp_limb_t{0});
  if (negative) mpn_neg(limbs, limbs, size);
  mp_limb_t carry = 0;
  for (std::size_t k = 0; k < count; ++k) {
    mp_limb_t* const slot = limbs + k * words;
    const mp_limb_t passed = mpn_add_1(slot, slot, slot_size, carry);  // by a slot of ones
    carry = passed | (slot[words - 1] >> (word_bits - 1));
  }
  return limbs;
}

/// c_k + c_(k+n), or c_k - c_(k+n), into slot k. Requires: 2n - 1 slots.
void wrap_around(mp_limb_t* slots, std::size_t n, std::size_t words, Wrap wrap) {
  const mp_size_t size = gmp_size(words);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    mp_limb_t* const slot = slots + k * words;
    const mp_limb_t* const above = slots + (k + n) * words;
    if (wrap == Wrap::cyclic)
      mpn_add_n(slot, slot, above, size);
    else
      mpn_sub_n(slot, slot, above, size);
  }
}

/// x = the number in two's complement in `slot`, which becomes its magnitude, times 2^exponent.
/// Requires: x has the precision.
void set_from_slot(mpfr_ptr x, mp_limb_t* slot, std::size_t words, int exponent) {
  const mp_size_t size = gmp_size(words);
  const bool negative = (slot[words - 1] >> (word_bits - 1)) != 0;
  if (negative) mpn_neg(slot, slot, size);
  mpz_t number;
  mpfr_set_z_2exp(x, mpz_roinit_n(number, slot, negative ? -size : size), exponent, MPFR_RNDN);
}

}  // namespace

Truth product(const ComplexArray<double>& operands, std::size_t n, Wrap wrap, bool square,
              const TruthOptions& options) {
  const Tier tier = options.tier.value_or(Tier::gmp);
  require(tier == Tier::gmp, "truth: products of integers are computed in gmp alone, not in ",
          name_of(tier));
  const std::size_t item_size = square ? n : 2 * n;
  check_items("product", operands, item_size);
  check_real("product", operands);

  Truth truth;
  truth.n = product_size(n, wrap);
  truth.tier = Tier::gmp;
  truth.method = "Kronecker substitution by GMP";
  const std::size_t items = operands.size() / item_size;
  truth.element_radius.resize(items);
  for (std::size_t item = 0; item < items; ++item) {
    const std::span<const double> both(operands.re.data() + item * item_size, item_size);
    const std::span<const double> a = both.first(n);
    const std::span<const double> b = both.last(n);
    const Grid a_grid = grid_of(a);
    const Grid b_grid = grid_of(b);
    const bool is_zero = a_grid.bits == 0 || b_grid.bits == 0;
    // |c_k| <= n (2^a - 1)(2^b - 1) < 2^(bits - 1)
    const std::size_t bits = a_grid.bits + b_grid.bits + std::bit_width(n - 1) + 1;
    const std::size_t words = (bits + word_bits - 1) / word_bits;
    require(is_zero || n <= most_words / words, "product: ", n, " results of ", bits,
            " bits are more than ", most_words, " words of ", word_bits, " bits");
    Integer sum;
    if (!is_zero) {
      const Integer left = packed(a, a_grid.exponent, words);
      if (square) {
        mpz_mul(sum, left, left);
      } else {
        const Integer right = packed(b, b_grid.exponent, words);
        mpz_mul(sum, left, right);
      }
    }
    if (item == 0) {  // not earlier, while GMP needs memory
      truth.hi = ComplexArray<double>(items * truth.n);
      truth.lo = ComplexArray<double>(items * truth.n);
    }
    if (is_zero) continue;
    mp_limb_t* const slots = unpack(sum, 2 * n - 1, words);
    if (wrap != Wrap::linear) wrap_around(slots, n, words, wrap);
    const auto precision = static_cast<mpfr_prec_t>(bits);
    Storage storage(Bound(), precision);
    Real value(precision);
    for (std::size_t k = 0; k < truth.n; ++k) {
      set_from_slot(value, slots + k * words, words, a_grid.exponent + b_grid.exponent);
      const std::size_t i = item * truth.n + k;
      storage.store(value, truth.hi.re[i], truth.lo.re[i]);
    }
    truth.radius_rel = std::max(truth.radius_rel, storage.radius());
    truth.element_radius[item] = storage.of_element();
  }
  truth.bits = bits_of_radius(truth.radius_rel);
  return truth;
}

}  // namespace fftprec::truth
