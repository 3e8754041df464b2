#include "algorithms/theory/storage_errors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "algorithms/arithmetic/shared_exponent.hpp"
#include "arith/formats/round.hpp"
#include "arith/support/portable_math.hpp"

namespace fftprec {

namespace {

/// Data of doubles are not cast.
Rounding cast_of(const ArithmeticSpec& arithmetic) {
  const bool casts = arithmetic.type() == ArithmeticType::floats;
  return casts ? arithmetic.machine().casts : Rounding::rne;
}

/// One rounding of normal data in blocks of `size` values.
/// Of a normal value z in a block of K such, rounded with the scale of the block's largest, in
/// [2^k, 2^(k+1)): that is so, and z in [2^b, 2^(b+1)), with probability p_b (P_(k+1)^(K-1) -
/// P_k^(K-1)), P_k = P(|z| < 2^k), p_b = P_(b+1) - P_b, and p_k P_(k+1)^(K-1) for b = k. The error
/// is uniform to half a unit in the last place, which below the smallest normal number is the same;
/// where the largest may lie beyond the format, to what it is beyond.
///
/// Scales of e4m3: of a block whose largest is a, in steps of a; of the others the error is
/// uniform to half a unit of elements that end at a, and a itself is off as its scale is: by half a
/// unit of 4 bits, uniform, of a significand m whose logarithm is, mean 1/m^2 = 3 / (8 ln 2).
/// Neglected: the others' share in that, and scales below e4m3fn's normal numbers.
double block_variance(const BlockFormat& format, std::size_t size) {
  const Format& element = format.element;
  const auto below = [](double k) {
    return portable::erf(portable::exp2(k) / std::numbers::sqrt2);
  };
  const auto others = [&](double k) { return 1 + repeated_error(below(k) - 1, size - 1); };
  if (format.rule == ScaleRule::e4m3 || format.has_digits()) {
    const double off = square(0x1p-3) / 12 * 3 / (8 * std::numbers::ln2);
    const double rest = 1 - 1 / static_cast<double>(size);
    constexpr double step = 0x1p-4;
    double variance = 0;
    for (double k = -12; k < 4; k += step) {
      const double top = k + step / 2;  // log2 of a
      const double unit = top - portable::log2(max_finite(element));
      double inner = 0;
      for (int b = element.emin; b <= element.emax; ++b)
        inner += (below(std::min(b + 1 + unit, top)) - (b > element.emin ? below(b + unit) : 0)) *
                 square(portable::exp2(b + 1 - element.precision + unit)) / 12;
      const double share = below(k + step) * others(k + step) - below(k) * others(k);
      variance +=
          share * (rest * inner / below(top) + (1 - rest) * off * square(portable::exp2(top)));
    }
    return variance;
  }
  const int room = format.rule == ScaleRule::headroom ? 1 : 0;
  const double unit = portable::exp2(1 - element.precision) / std::sqrt(12.0);
  const double top = std::ldexp(max_finite(element), -element.emax);
  double variance = 0;
  for (int k = -12; k <= 3; ++k) {
    const int lowest = k - element.emax + room + element.emin;
    const double smaller = others(k + 1) - others(k);
    const int first = std::min(lowest, k - 1);
    for (int b = first; b < k; ++b)
      variance += (below(b + 1) - (b > first ? below(b) : 0)) * smaller *
                  square(unit * portable::exp2(std::max(b, lowest)));
    const double beyond = room == 0 ? below(k + 1) - below(k + portable::log2(top)) : 0;
    const double within = below(k + 1) - below(k) - beyond;
    variance += (within * square(unit) + beyond * square(2 - top) / 3) * others(k + 1) *
                square(portable::exp2(k));
  }
  return variance;
}

/// The distance between values of a format in [2^e, 2^(e+1)).
double unit_in_binade(const Format& format, int e) {
  if (!format.tapers())
    return e < format.emin ? min_subnormal(format) : std::ldexp(1.0, e - format.precision + 1);
  const double codes = codes_in_binade(*format.system, e);
  return codes > 0 ? std::ldexp(1.0, e) / codes : min_subnormal(format);
}

/// One rounding to nearest of normal data of `parts` parts that share an exponent (round_block). Of
/// the largest part a, in steps of a, the others are normal below a, and each errs uniformly to
/// half a unit of its binade.
double shared_exponent_variance(const Format& format, std::size_t parts) {
  const auto below = [](double k) {
    return portable::erf(portable::exp2(k) / std::numbers::sqrt2);
  };
  const auto all_below = [&](double k) { return 1 + repeated_error(below(k) - 1, parts); };
  const double top = block_top(format);
  constexpr double step = 0x1p-4;
  constexpr int lowest = -40;
  double variance = 0;
  for (double k = -12; k < 4; k += step) {
    const double largest = k + step / 2;
    const int exponent = block_exponent(portable::exp2(largest), top);
    const auto square_in = [&](int b) {
      return square(std::ldexp(unit_in_binade(format, b - exponent), exponent)) / 12;
    };
    const int binade = static_cast<int>(std::floor(largest));
    double others = 0;
    for (int b = lowest; b <= binade; ++b)
      others +=
          (below(std::min<double>(b + 1, largest)) - (b > lowest ? below(b) : 0)) * square_in(b);
    const double one = 1 / static_cast<double>(parts);
    variance += (all_below(k + step) - all_below(k)) *
                ((1 - one) * others / below(largest) + one * square_in(binade));
  }
  return variance;
}

}  // namespace

ErrorBound StorageTheory::bound() const {
  if (arithmetic_.storage_format() == fp64)
    return random_rounding(unit_roundoff(arithmetic_.operation_format()));
  return rounding_error(arithmetic_.storage_format(), arithmetic_.machine().casts,
                        arithmetic_.machine().stochastic_bits);
}

double StorageTheory::small_error() const {
  return fftprec::small_error(arithmetic_.storage_format(), arithmetic_.machine().casts);
}

AbsoluteErrors StorageTheory::absolute(int) const {
  const double least = arithmetic_.least_error();
  return {.largest = least > 0 ? least : small_error()};
}

double StorageTheory::variance() const {
  return expected_rounding(arithmetic_.storage_format(), cast_of(arithmetic_)).variance;
}

double StorageTheory::bias() const {
  if (arithmetic_.storage_format().tapers()) return 0;
  return expected_rounding(arithmetic_.storage_format(), cast_of(arithmetic_)).bias;
}

namespace {

/// No error is relative.
class FixedStorageTheory final : public StorageTheory {
  using StorageTheory::StorageTheory;
  ErrorBound bound() const override { return {}; }
  AbsoluteErrors absolute(int bits) const override {
    return fixed_errors(arithmetic_.storage_format(), arithmetic_.machine().casts, bits);
  }
  AbsoluteErrors next_to_one() const override {
    const double quantum = power_of_two(quantum_exponent(arithmetic_.storage_format()));
    const auto taken = [&](double share, double variance = 0) {
      return AbsoluteErrors{.variance = variance * square(quantum), .outwards = -share * quantum};
    };
    switch (arithmetic_.machine().casts) {
      case Rounding::rz:
        return taken(1);
      case Rounding::rd:
      case Rounding::ru:
        return taken(0.5);
      case Rounding::odd:
        return taken(0.25, 0.25 * 0.75);
      default:
        return {};
    }
  }
  double variance() const override { return 0; }
  double bias() const override { return 0; }
};

class WordStorageTheory final : public StorageTheory {
  using StorageTheory::StorageTheory;
  /// Of the low word, which is uniform.
  double variance() const override { return word_pair_variance; }
};

class BlockStorageTheory final : public StorageTheory {
 public:
  BlockStorageTheory(const ArithmeticSpec& arithmetic, const BlockFormat& blocks)
      : StorageTheory(arithmetic), blocks_(blocks) {}

 private:
  /// Of blocks: see block_sizes; line_error is of each value, relative to the largest of its line.
  ErrorBound bound() const override {
    const auto [batch, n] = arithmetic_.lines();
    if (blocks_.depends_on_lines() && n == 0) return not_modelled(unknown);
    const auto root = [](std::size_t of) { return std::sqrt(static_cast<double>(of)); };
    const std::size_t size = blocks_.block_in(n, batch);
    return not_modelled(block_error(blocks_) * root(size) +
                        line_error(blocks_) * root(std::max(size, blocks_.line_in(n, batch))));
  }
  double small_error() const override { return fftprec::small_error(blocks_); }
  double variance() const override {
    const auto [batch, n] = arithmetic_.lines();
    return blocks_.depends_on_lines() && n == 0
               ? unknown
               : block_variance(blocks_, blocks_.block_in(n, batch));
  }
  double bias() const override { return 0; }

  const BlockFormat& blocks_;
};

/// Floats and number systems whose values share an exponent.
class SharedExponentStorageTheory final : public StorageTheory {
  using StorageTheory::StorageTheory;
  /// Of N values that share an exponent e at most, top and e as block_exponent has them, L the
  /// largest part. A part x is rounded with an error of at most c max(|x|, 2^e z), where c is that
  /// of a rounding to nearest or otherwise and 2^e z the least value with all digits; z of a
  /// tapered system is that of any golden zone, since top lies within it. As 2^e < 2L/top, all 2N
  /// parts err by at most
  ///   c hypot(||x||, sqrt(2N) 2z/top L) <= c ||x|| hypot(1, f), f = sqrt(2N) 2z/top,
  /// and what is below z, whose error is known once it is given, by at most c f ||x||. Errors of
  /// several blocks add in squares, as their ||x|| do.
  ErrorBound bound() const override {
    const Machine& machine = arithmetic_.machine();
    const Format& format = arithmetic_.storage_format();
    const std::size_t values = arithmetic_.lines().n * arithmetic_.lines().batch;
    if (values == 0) return {unknown, unknown, unknown};
    const auto bound_in = [&](const Format& digits, double lowest) {
      const ErrorBound once = rounding_error(digits, machine.casts, machine.stochastic_bits);
      const double small =
          std::sqrt(static_cast<double>(2 * values)) * 2 * lowest / block_top(format);
      return ErrorBound{once.worst * portable::hypot(1.0, small), once.certain + once.worst * small,
                        once.square};
    };
    if (!format.tapers())
      return bound_in(format, min_subnormal(format) / (2 * unit_roundoff(format)));
    ErrorBound least{unknown, unknown, unknown};
    for (int precision = format.precision; precision >= 2 && !format.system->is_listed; --precision)
      if (const auto zone = golden_zone(*format.system, precision)) {
        const ErrorBound bound = bound_in(*zone, min_normal(*zone));
        if (!(bound.worst >= least.worst)) least = bound;
      }
    return least;
  }
  /// Below, no exponent is shared.
  double small_error() const override {
    return std::ldexp(min_subnormal(arithmetic_.storage_format()),
                      fp32.emin - quantum_exponent(arithmetic_.storage_format()));
  }
  /// Unknown of lists of values, and of truncating stores where the digits of small values taper,
  /// since what they lose of the size does, too.
  double variance() const override {
    const Format& format = arithmetic_.storage_format();
    const Rounding casts = arithmetic_.machine().casts;
    const std::size_t parts = 2 * arithmetic_.lines().n * arithmetic_.lines().batch;
    if (parts == 0 || (format.system && format.system->is_listed)) return unknown;
    const double to_nearest = shared_exponent_variance(format, parts);
    const double all_digits = value_variance(std::ldexp(1.0, -format.precision));
    const bool is_even = casts == Rounding::rne || casts == Rounding::sr;
    if (!is_even && to_nearest > 1.05 * all_digits) return unknown;
    return to_nearest * expected_rounding(fp16, casts).variance /
           expected_rounding(fp16, Rounding::rne).variance;
  }
};

}  // namespace

std::unique_ptr<const StorageTheory> storage_theory(const ArithmeticSpec& arithmetic) {
  using Theory = std::unique_ptr<const StorageTheory>;
  return std::visit(Overloaded{[&](const FixedStorage&) -> Theory {
                                 return std::make_unique<FixedStorageTheory>(arithmetic);
                               },
                               [&](const WordStorage&) -> Theory {
                                 return std::make_unique<WordStorageTheory>(arithmetic);
                               },
                               [&](const BlockStorage& of) -> Theory {
                                 return std::make_unique<BlockStorageTheory>(arithmetic, of.blocks);
                               },
                               [&](const auto&) -> Theory {
                                 if (arithmetic.scale().is_block())
                                   return std::make_unique<SharedExponentStorageTheory>(arithmetic);
                                 return std::make_unique<StorageTheory>(arithmetic);
                               }},
                    arithmetic.storage());
}

double line_variance(const BlockFormat& format, std::size_t depth) {
  const std::size_t size = std::min(format.block, depth);
  const std::size_t last = depth % size;
  const double whole = static_cast<double>(depth - last) * block_variance(format, size);
  const double rest = last == 0 ? 0 : static_cast<double>(last) * block_variance(format, last);
  return (whole + rest) / static_cast<double>(depth);
}

double small_error(const BlockFormat& blocks) {
  switch (blocks.rule) {
    case ScaleRule::e4m3:
      return 0x1p-113;
    case ScaleRule::ue4m3:
      return 2 * max_finite(blocks.element) * 0x1p-10;
    default:
      return min_subnormal(blocks.element) * 0x1p-127;
  }
}

}  // namespace fftprec
