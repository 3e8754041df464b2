#include "arith/truth/products.hpp"

#include <gmp.h>

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/audit.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/storage.hpp"

namespace fftprec::truth {
namespace {

constexpr std::size_t word_bits = GMP_NUMB_BITS;
static_assert(sizeof(mp_limb_t) * CHAR_BIT == word_bits);

/// GMP ends the program if memory is short, so operands are limited: 6 GB at most in all, or 3 GB
/// where words have 32 bits.
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
struct Dyadic {
  static constexpr int digits = 53;

  explicit Dyadic(double x) {
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
    const Dyadic magnitude(value);
    lowest = std::min(lowest, magnitude.exponent + std::countr_zero(magnitude.significand));
    end = std::max(end, magnitude.exponent + Dyadic::digits);
  }
  return end == INT_MIN ? Grid{} : Grid{lowest, static_cast<std::size_t>(end - lowest)};
}

/// slot = |x| 2^-exponent. Requires: x is not zero; the slot is zero and has room.
void put_magnitude(double x, int exponent, mp_limb_t* slot) {
  Dyadic magnitude(x);
  int shift = magnitude.exponent - exponent;
  if (shift < 0) {  // only zeros below the lowest bit
    magnitude.significand >>= -shift;
    shift = 0;
  }
  std::size_t word = static_cast<std::size_t>(shift) / word_bits;
  const std::size_t bit = static_cast<std::size_t>(shift) % word_bits;
  slot[word] = static_cast<mp_limb_t>(magnitude.significand << bit);
  std::uint64_t above = (magnitude.significand >> 1) >> (word_bits - 1 - bit);
  for (; above != 0; above = (above >> 1) >> (word_bits - 1))
    slot[++word] = static_cast<mp_limb_t>(above);
}

/// sum_i x_i 2^-exponent X^i, X = 2^(word_bits words). A slot holds x_i modulo X; if the sum up to
/// x_i is negative, the next slot lends X.
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

/// The digits c_k of sum_k c_k X^k, X = 2^(word_bits words), `count` of them, each in two's
/// complement in its slot. Requires: |c_k| < X/2, so |sum| < X^count. Proof: c_0 is the lowest slot
/// modulo X. It is negative exactly if its top bit is set, and then it has taken X from the next
/// slot.
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

/// The parts of a sequence, each followed by n zeros: products of parts then lie side by side.
std::vector<double> spaced(std::span<const double> x, std::size_t n) {
  std::vector<double> result(2 * x.size());
  for (std::size_t part = 0; part < x.size() / n; ++part)
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(part * n), n,
                result.begin() + static_cast<std::ptrdiff_t>(2 * part * n));
  return result;
}

/// The integer of GMP nearest to 2^(numerator/denominator + bits), off by 1 at most.
Integer power_of_two_scaled(std::uint64_t numerator, std::uint64_t denominator, std::size_t bits) {
  Real power(static_cast<mpfr_prec_t>(bits) + 64);
  mpfr_set_ui(power, numerator, MPFR_RNDN);
  mpfr_div_ui(power, power, denominator, MPFR_RNDN);
  mpfr_exp2(power, power, MPFR_RNDN);
  mpfr_mul_2ui(power, power, bits, MPFR_RNDN);
  Integer result;
  mpfr_get_z(result, power, MPFR_RNDN);
  return result;
}

/// 2^f_j of every digit, f_j = ceil(E j/n) - E j/n = r_j/n, as integers scaled by 2^bits: products
/// of two powers from tables of about sqrt(n) each, made with 32 bits more. Error: 1 at most, since
/// 2^-32 (2 + 2 + 1) remains of the tables' errors and of the product.
class DigitWeights {
 public:
  DigitWeights(std::uint64_t exponent, std::size_t n, std::size_t bits)
      : exponent_(exponent), n_(n), bits_(bits) {
    while (step_ * step_ < n) step_ *= 2;
    for (std::size_t r = 0; r < step_; ++r)
      fine_.push_back(power_of_two_scaled(r, n, table_bits()));
    for (std::size_t r = 0; r < n; r += step_)
      coarse_.push_back(power_of_two_scaled(r, n, table_bits()));
  }

  /// weight <- 2^f_j, scaled.
  void get(std::size_t j, mpz_ptr weight) const {
    __extension__ using Wide = unsigned __int128;
    const auto over = static_cast<std::size_t>(static_cast<Wide>(exponent_) * j % n_);
    const std::size_t r = over == 0 ? 0 : n_ - over;
    mpz_mul(weight, coarse_[r / step_], fine_[r % step_]);
    mpz_tdiv_q_2exp(weight, weight, 2 * table_bits() - bits_);
  }

 private:
  std::size_t table_bits() const { return bits_ + 32; }

  std::uint64_t exponent_;
  std::size_t n_;
  std::size_t bits_;
  std::size_t step_ = 1;
  std::vector<Integer> fine_{};
  std::vector<Integer> coarse_{};
};

/// sum_j x_j w_j X^j, X = 2^(word_bits words), of whole x_j and scaled weights.
Integer packed_weighted(std::span<const double> x, const DigitWeights& weights, std::size_t words) {
  Integer sums[2];  // of positive and of negative values
  Integer weight, digit;
  for (const bool negative : {false, true}) {
    const mp_size_t size = gmp_size(words * x.size());
    mp_limb_t* const limbs = mpz_limbs_write(sums[negative], size);
    std::fill_n(limbs, size, mp_limb_t{0});
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0 || (x[j] < 0) != negative) continue;
      weights.get(j, weight);
      mpz_set_d(digit, std::fabs(x[j]));
      mpz_mul(digit, digit, weight);
      std::copy_n(mpz_limbs_read(digit), mpz_size(digit), limbs + j * words);
    }
    mpz_limbs_finish(sums[negative], size);
  }
  mpz_sub(sums[0], sums[0], sums[1]);
  return std::move(sums[0]);
}

/// Bits of the largest of whole numbers.
std::size_t bits_of_digits(std::span<const double> x) {
  const Grid grid = grid_of(x);
  return grid.bits + static_cast<std::size_t>(std::max(grid.exponent, 0));
}

/// Bits of weights behind the point. All errors of a result together are then below 1/8: each of n
/// terms, below 2^(2 of_digits + 1), errs by three shares of 2^-bits.
constexpr std::size_t weight_bits(std::size_t of_digits, std::size_t n) {
  return 2 * of_digits + static_cast<std::size_t>(std::bit_width(n)) + 8;
}

/// c_k from its slot. Throws CertificateError unless it is near an integer.
void divide_weight(mpfr_ptr value, const DigitWeights& weights, std::size_t k, std::size_t bits,
                   mpfr_ptr nearest, mpz_ptr weight) {
  weights.get(k, weight);
  mpfr_div_z(value, value, weight, MPFR_RNDN);
  mpfr_div_2ui(value, value, bits, MPFR_RNDN);
  mpfr_rint(nearest, value, MPFR_RNDN);
  mpfr_sub(value, value, nearest, MPFR_RNDN);
  if (mpfr_cmp_d(value, 0.25) > 0 || mpfr_cmp_d(value, -0.25) < 0)
    throw CertificateError("product: result " + std::to_string(k) +
                           " of weighted digits is not near an integer");
  mpfr_set(value, nearest, MPFR_RNDN);
}

void check_task(const ComplexArray<double>& operands, const ProductTask& task) {
  require(task.n >= 1 && task.parts >= 1 && task.terms >= 1, "product: sequences without values");
  require(task.parts == 1 || task.terms == 1, "product: parts are not summed to terms");
  if (task.exponent == 0) return;
  require(task.wrap == Wrap::cyclic && task.parts == 1 && task.terms == 1,
          "product: weighted digits have cyclic products, not in parts or terms");
  require(task.exponent >= task.n, "product: exponent ", task.exponent, " has no bit for some of ",
          task.n, " digits");
  for (const double value : operands.re)
    require(value == std::trunc(value) && std::fabs(value) <= 0x1p53,
            "product: the weighted digit ", value, " is no integer of up to 53 bits");
}

}  // namespace

Truth product(const ComplexArray<double>& operands, const ProductTask& task,
              const TruthOptions& options) {
  const Tier tier = options.tier.value_or(Tier::gmp);
  require(tier == Tier::gmp, "truth: products of integers are computed in gmp alone, not in ",
          name_of(tier));
  const std::size_t n = task.n;
  const std::size_t operand = task.parts * task.terms * n;
  const std::size_t item_size = task.square ? operand : 2 * operand;
  check_items("product", operands, item_size);
  check_real("product", operands);
  check_task(operands, task);

  const std::size_t results = 2 * task.parts - 1;
  const std::size_t size = product_size(n, task.wrap);
  const std::size_t digit_bits = bits_of_digits(operands.re);
  const std::size_t extra = task.exponent == 0 ? 0 : weight_bits(digit_bits, n);
  std::optional<DigitWeights> weights;
  if (task.exponent > 0 && digit_bits > 0) weights.emplace(task.exponent, n, extra);
  Truth truth;
  truth.n = results * size;
  truth.tier = Tier::gmp;
  truth.method = "Kronecker substitution by GMP";
  const std::size_t items = operands.size() / item_size;
  truth.element_radius.resize(items);
  for (std::size_t item = 0; item < items; ++item) {
    const std::span<const double> both(operands.re.data() + item * item_size, item_size);
    const std::span<const double> a = both.first(operand);
    const std::span<const double> b = both.last(operand);
    const Grid a_grid = grid_of(a);
    const Grid b_grid = grid_of(b);
    const bool is_zero = a_grid.bits == 0 || b_grid.bits == 0;
    // |c_k| <= size of an operand (2^a - 1)(2^b - 1) < 2^(bits - 1), and weights below 2^(extra +
    // 1)
    const std::size_t bits =
        (task.exponent == 0 ? a_grid.bits + b_grid.bits : 2 * (digit_bits + extra + 1)) +
        static_cast<std::size_t>(std::bit_width(operand - 1)) + 1;
    const std::size_t words = (bits + word_bits - 1) / word_bits;
    const std::size_t slots_of_one = task.parts == 1 ? n : 2 * operand;
    require(is_zero || slots_of_one <= most_words / words, "product: ", slots_of_one,
            " results of ", bits, " bits are more than ", most_words, " words of ", word_bits,
            " bits");
    Integer sum;
    if (!is_zero) {
      const auto packed_term = [&](std::span<const double> x, std::size_t term, const Grid& grid) {
        x = x.subspan(term * task.parts * n, task.parts * n);
        if (weights) return packed_weighted(x, *weights, words);
        if (task.parts == 1) return packed(x, grid.exponent, words);
        return packed(spaced(x, n), grid.exponent, words);
      };
      for (std::size_t term = 0; term < task.terms; ++term) {
        const auto add = term == 0 ? mpz_mul : mpz_addmul;  // which takes memory for the product
        const Integer left = packed_term(a, term, a_grid);
        if (task.square)
          add(sum, left, left);
        else
          add(sum, left, packed_term(b, term, b_grid));
      }
    }
    if (item == 0) {  // not earlier, while GMP needs memory
      truth.hi = ComplexArray<double>(items * truth.n);
      truth.lo = ComplexArray<double>(items * truth.n);
    }
    if (is_zero) continue;
    mp_limb_t* const slots = unpack(sum, task.parts == 1 ? 2 * n - 1 : results * 2 * n, words);
    const auto precision = static_cast<mpfr_prec_t>(bits);
    const int exponent = weights ? 0 : a_grid.exponent + b_grid.exponent;
    Storage storage(Bound(), precision);
    Real value(precision);
    Real nearest(precision);
    Integer weight;
    for (std::size_t s = 0; s < results; ++s) {
      mp_limb_t* const first = slots + 2 * s * n * words;
      if (task.wrap != Wrap::linear) wrap_around(first, n, words, task.wrap);
      for (std::size_t k = 0; k < size; ++k) {
        set_from_slot(value, first + k * words, words, exponent);
        if (weights) divide_weight(value, *weights, k, extra, nearest, weight);
        const std::size_t i = item * truth.n + s * size + k;
        storage.store(value, truth.hi.re[i], truth.lo.re[i]);
      }
    }
    truth.radius_rel = std::max(truth.radius_rel, storage.radius());
    truth.element_radius[item] = storage.of_element();
  }
  truth.bits = bits_of_radius(truth.radius_rel);
  return truth;
}

}  // namespace fftprec::truth
