#include "algorithms/theory/units.hpp"

#include <cmath>

#include "algorithms/theory/accumulators.hpp"
#include "algorithms/theory/roundings.hpp"
#include "algorithms/theory/storage_errors.hpp"
#include "algorithms/theory/words.hpp"
#include "arith/formats/round.hpp"

namespace fftprec {

int bits_of_products(const TableStatistics& factors, int data_bits) {
  return data_bits + (factors.are_data ? data_bits : fp64.precision);
}

SmallErrors UnitTheory::small_errors() const {
  const double least = arithmetic_.least_error();
  if (least == 0) return errors_below_normal();
  const bool stores = arithmetic_.operation_format() == arithmetic_.storage_format();
  return stores ? SmallErrors{least, least} : SmallErrors{};
}

ErrorBound UnitTheory::fp32_sum() const { return random_rounding(unit_roundoff(fp32)); }

Format UnitTheory::table_word() const { return word_of(element_words(arithmetic_)); }

namespace {

/// To nearest; of other casts than these two nothing is known. Stochastic: a sum that loses d bits
/// errs by (1 - 4^-d)/6 of a squared unit, where to nearest it is (1 + 2 4^-d)/12: with 0.181 for
/// large d, what is 0.199 and 0.213 becomes 0.344 and 0.330.
Roundings of_format(double u, Rounding rounding) {
  const double v = square(u);
  if (rounding == Rounding::sr) return {0.362 * v, 0.344 * v, 0.330 * v, 0.362 * v};
  if (!is_nearest(rounding)) return {unknown, unknown, unknown, unknown};
  return {variance_of_value * v, variance_of_products * v, variance_of_sum * v,
          variance_of_value * v};
}

/// Errors of integers are absolute, and counted where results are stored.
class IntegerUnit final : public UnitTheory {
  using UnitTheory::UnitTheory;
  RealErrors errors() const override { return {}; }
  Roundings roundings() const override { return {}; }
  SmallErrors errors_below_normal() const override { return {}; }
};

/// fp32 on the machine's vector engine.
class VectorUnit final : public UnitTheory {
  using UnitTheory::UnitTheory;
  RealErrors errors() const override {
    const VectorEngine& engine = arithmetic_.machine().vector;
    return {rounding_error(product_format(engine), engine.product_rounding),
            rounding_error(fp32, engine.sum_rounding)};
  }
  Roundings roundings() const override {
    Roundings result = of_format(unit_roundoff(fp32), Rounding::rne);
    const VectorEngine& engine = arithmetic_.machine().vector;
    if (engine.product_rounding != Rounding::rne) result.product = unknown;
    if (engine.product_bits < fp32.precision)
      result.product *= square(std::ldexp(1.0, fp32.precision - engine.product_bits));
    if (engine.sum_rounding != Rounding::rne) result.products = result.sum = result.step = unknown;
    return result;
  }
  /// A flush takes both operands and the result.
  SmallErrors errors_below_normal() const override {
    const VectorEngine& engine = arithmetic_.machine().vector;
    const double flushed = engine.flush ? 3 * min_normal(fp32) : 0;
    const double once = small_error(product_format(engine), engine.product_rounding);
    return {once + flushed, flushed};
  }
  bool narrows_products() const override {
    return arithmetic_.machine().vector.product_bits < fp32.precision;
  }
  bool fuses() const override { return arithmetic_.machine().vector.fused; }
  ErrorBound fp32_sum() const override { return errors().sum; }

  static Format product_format(const VectorEngine& engine) {
    return {engine.product_bits, fp32.emin, fp32.emax};
  }
};

/// Results of a wider type, then stored: to nearest in one rounding or two.
class StoringUnit : public UnitTheory {
 public:
  using UnitTheory::UnitTheory;

 private:
  SmallErrors errors_below_normal() const override {
    const Format& stored = arithmetic_.operation_format();
    const Format wide = wide_format(arithmetic_.type());
    const double once = stored == wide ? 0 : small_error(stored, arithmetic_.machine().casts);
    return {once + small_error(wide, Rounding::rne),
            stored.subnormals && !stored.tapers() ? 0 : once};
  }

 protected:
  /// `cast` is what an operation errs by where stores do not round to nearest even.
  RealErrors stored(const ErrorBound& cast) const {
    const bool casts = arithmetic_.machine().casts != Rounding::rne;
    const ErrorBound operation =
        casts ? cast : random_rounding(unit_roundoff(arithmetic_.operation_format()));
    return {operation, operation};
  }
};

/// A store rounds what an fp32 operation has rounded to nearest.
class FloatUnit final : public StoringUnit {
  using StoringUnit::StoringUnit;
  RealErrors errors() const override {
    return stored(
        compose(storage_theory(arithmetic_)->bound(), random_rounding(unit_roundoff(fp32))));
  }
  Roundings roundings() const override {
    return of_format(unit_roundoff(arithmetic_.operation_format()), arithmetic_.machine().casts);
  }
};

/// Number systems that no float holds. A store rounds the exact result.
class DoubleUnit final : public StoringUnit {
  using StoringUnit::StoringUnit;
  RealErrors errors() const override { return stored(storage_theory(arithmetic_)->bound()); }
  Roundings roundings() const override {
    return of_format(unit_roundoff(arithmetic_.operation_format()), Rounding::rne);
  }
};

/// fp64. Short operands have exact products, sums of two of them are short as well.
class HostUnit final : public UnitTheory {
  using UnitTheory::UnitTheory;
  RealErrors errors() const override {
    const ErrorBound once = random_rounding(unit_roundoff(fp64));
    return {once, once};
  }
  Roundings roundings() const override { return of_format(unit_roundoff(fp64), Rounding::rne); }
  Roundings roundings_of_short(const TableStatistics& factors, int data_bits) const override {
    Roundings result = roundings();
    const int bits = bits_of_products(factors, data_bits);
    if (bits > fp64.precision) return result;
    result.product = 0;
    result.products *= cut_sum_of_two(bits, fp64.precision);
    return result;
  }
  SmallErrors errors_below_normal() const override { return {small_error(fp64, Rounding::rne), 0}; }
  bool holds_sums_of(int data_bits) const override { return data_bits <= fp32.precision; }
};

/// fp32 pairs, in u^4, u = 2^-24: a product of values with low words of these squares, relative to
/// the values, in u^2. What a rounding of high words loses, and a low word itself, is uniform, of
/// variance 0.181 u^2 of a normal value. Of a product both cross products round, then their sum;
/// the product of the low words is left out. The sum with the error of the high product is one of
/// values that end at half a last place, about uniform, of which a rounding has 1/7.
double pair_product(double data, double factor) {
  constexpr double low = variance_of_value;
  const double cross = data + factor;
  if (cross == 0) return 0;
  const double sum = data > 0 && factor > 0 ? variance_of_sum * cross : 0;
  return low * cross + sum + (cross + low) / 7 + data * factor;
}

/// Of a sum the error of the high sum and the low words meet in one rounding. In a long sum the
/// term's low bits round once more, into a low word, which is uniform: 1/7 of it.
Roundings of_pairs() {
  constexpr double v = 0x1p-96;
  constexpr double low = variance_of_value;
  return {.product = pair_product(low, low) * v,
          .products = low * (variance_of_products + low) * v,
          .sum = low * (variance_of_sum + low) * v,
          .step = low * (low + low + 1.0 / 7) * v};
}

/// Pairs of fp32: DWTimesDW and AccurateDWPlusDW (arith/formats/double_word.hpp). Their errors are
/// no single roundings.
class PairUnit final : public UnitTheory {
  using UnitTheory::UnitTheory;
  RealErrors errors() const override {
    constexpr double u = 0x1p-24;
    return {not_modelled(5 * u * u), not_modelled(3 * u * u / (1 - 4 * u))};
  }
  Roundings roundings() const override { return of_pairs(); }
  /// Short data have no low words.
  Roundings roundings_of_short(const TableStatistics& factors, int data_bits) const override {
    constexpr double v = 0x1p-48;
    Roundings result = of_pairs();
    const int bits = bits_of_products(factors, data_bits);
    const double data = data_bits <= fp32.precision ? 0 : variance_of_value;
    const double entries = factors.nontrivial > 0 ? factors.low_square / factors.nontrivial / v : 0;
    result.product = pair_product(data, factors.are_data ? data : entries) * square(v);
    if (bits <= fp64.precision) result.products *= cut_sum_of_two(bits, fp32_pair.precision);
    return result;
  }
  SmallErrors errors_below_normal() const override {
    return {8 * small_error(fp32, Rounding::rne), 0};
  }
  /// A product with a factor of one word: DWTimesDW1.
  Cost scaling_cost() const override { return {{9, 15, 0}, 0, 0}; }
  Cost sum_cost() const override { return {{0, 20, 0}, 0, 0}; }
  bool holds_sums_of(int data_bits) const override { return data_bits <= fp32.precision; }
  Format table_word() const override { return fp32; }
};

}  // namespace

std::unique_ptr<const UnitTheory> unit_theory(const ArithmeticSpec& arithmetic) {
  const Format& format = arithmetic.operation_format();
  if (arithmetic.on_integers()) return std::make_unique<IntegerUnit>(arithmetic);
  switch (arithmetic.type()) {
    case ArithmeticType::pairs:
      return std::make_unique<PairUnit>(arithmetic);
    case ArithmeticType::doubles:
      if (format == fp64) return std::make_unique<HostUnit>(arithmetic);
      return std::make_unique<DoubleUnit>(arithmetic);
    case ArithmeticType::floats:
      break;
  }
  if (format == fp32) return std::make_unique<VectorUnit>(arithmetic);
  return std::make_unique<FloatUnit>(arithmetic);
}

}  // namespace fftprec
