/// The RMS model: how large the relative error of a random signal is, to 10 or 20 per cent.
///
/// Errors are independent, so variances add; those of a growing sum weigh as much as the sum has
/// grown. One rounding to nearest of a value x adds variance ulp(x)^2 / 12. For a normal x that is
/// 0.181 u^2 of its own variance (the mean of ulp^2 over the normal density), for the sum of two
/// like terms 0.213 u^2 and for the sum of two products 0.199 u^2: where only one or two bits are
/// lost, the error is not uniform but mostly 0 or half a unit, and larger in the mean. What tables
/// contribute is known exactly (table_statistics.hpp).
#include "algorithms/theory/variances.hpp"

#include <cmath>

#include "algorithms/theory/accumulation.hpp"
#include "algorithms/theory/rounding_errors.hpp"
#include "algorithms/theory/sum_variances.hpp"
#include "algorithms/theory/word_variances.hpp"

namespace fftprec {

namespace {

constexpr double value_of_normal = 0.181;
constexpr double sum_of_two = 0.213;
constexpr double sum_of_products = 0.199;

double square(double x) { return x * x; }

/// Roundings of single operations, of results of variance 1.
struct Roundings {
  double store;
  double product;   ///< a real product
  double products;  ///< the sum of two products
  double sum;       ///< the sum of two like terms
  double step;      ///< one more term to a long sum
};

/// To nearest; stochastic: a sum that loses d bits errs by (1 - 4^-d)/6 of a squared unit, where to
/// nearest it is (1 + 2 4^-d)/12: with 0.181 for large d, what is 0.199 and 0.213 becomes 0.344 and
/// 0.330.
Roundings of_format(double u, bool stochastic) {
  const double v = square(u);
  if (stochastic) return {0.362 * v, 0.362 * v, 0.344 * v, 0.330 * v, 0.362 * v};
  return {value_of_normal * v, value_of_normal * v, sum_of_products * v, sum_of_two * v,
          value_of_normal * v};
}

/// fp32 pairs, in u^4, u = 2^-24: measured over 2e6 normal values each, to 1 per cent. A low word
/// is uniform, of variance l = 0.181 u^2, and rounds by l/7 u^2. Of a product two cross products
/// round, then their sum of variance 2 l, then that with the error of the high product, 3 l; the
/// product of the low words is left out. Of a sum the error of the high sum and the low words meet
/// in one rounding: 0.19 (0.213 + 0.181).
Roundings of_pairs() {
  constexpr double v = 0x1p-96;
  return {.store = 0.181 / 7 * v,
          .product = 0.247 * v,
          .products = 0.075 * v,
          .sum = 0.074 * v,
          .step = 0.080 * v};
}

Roundings roundings(const Mode& mode, const Machine& machine) {
  if (mode.carrier == DataCarrier::pairs) return of_pairs();
  const double u = unit_roundoff(mode.storage);
  const bool stochastic = machine.casts == Rounding::sr;
  if (mode.carrier == DataCarrier::doubles) return of_format(u, false);
  if (mode.storage != fp32) return of_format(u, stochastic);
  Roundings result = of_format(u, false);
  if (stochastic) result.store *= 2;
  const VectorEngine& engine = machine.vector;
  if (engine.product_rounding != Rounding::rne) result.product = unknown;
  if (engine.product_bits < fp32.precision)
    result.product *= square(std::ldexp(1.0, fp32.precision - engine.product_bits));
  if (engine.sum_rounding != Rounding::rne) result.products = result.sum = result.step = unknown;
  return result;
}

/// Roundings of one complex product with a factor other than 1, -1, i, -i. Plain: both products of
/// a part, each of half its variance, then their sum. Fused: one product less. 2Prod: the sum of
/// the high words, then that with the tails. Once or by Dot2: once.
double rounded_product(const Mode& mode, const Machine& machine, const TableStatistics& table) {
  const Roundings r = roundings(mode, machine);
  switch (mode.product) {
    case ProductScheme::two_prod:
      return machine.vector.product_bits < fp32.precision ? unknown : r.products + r.step;
    case ProductScheme::rounded_once:
    case ProductScheme::dot2:
      return r.products;
    case ProductScheme::split:
      return r.products + rounded_terms(element_words(mode), mode, machine, table, 1, r.step);
    default:
      return (machine.vector.fused && mode.storage == fp32 ? 0.5 : 1) * r.product + r.products;
  }
}

/// The sums of r products on the vector engine. Compensated ones leave the last rounding.
double rounded_sums(const Mode& mode, const Machine& machine, std::size_t r) {
  const double step = roundings(mode, machine).step;
  switch (mode.product) {
    case ProductScheme::kahan_sum:
    case ProductScheme::neumaier:
    case ProductScheme::dot2:
      return step;
    default:
      return chain_variance(static_cast<double>(r), step);
  }
}

/// Of one sum of a term to those before, outside of PSUM. Pairs: the error of the high sum,
/// uniform, is the low word, and rounds.
double term_variance(TermSum sum) {
  if (sum == TermSum::in_pairs) return 0.181 / 7 * 0x1p-96;
  return value_variance(sum == TermSum::in_fp64 ? 0x1p-53 : 0x1p-24);
}

/// Variance of the product of two words before it is added.
double product_rounding_variance(const GemmScheme& gemm) {
  const double u = product_roundoff(gemm);
  if (gemm.accumulate.product.rounding == Rounding::rne) return value_variance(u);
  // Truncation acts as a gain on the whole sum, and spreads like a rounding.
  return value_variance(u / 2) + square(truncation_loss * u / 2);
}

/// What happens to terms once they leave PSUM. Those of residuals: the leading one first. Those of
/// slices: the leading one last, whose stretches of k let the sum grow step by step.
double after_psum(const GemmScheme& gemm, const Mode& mode, const Machine& machine,
                  const TableStatistics& table, std::size_t r) {
  const double cast = machine.casts == Rounding::sr ? 2 : 1;
  double variance = 0;
  if (machine.eviction != fp32) variance += cast * value_variance(unit_roundoff(machine.eviction));
  if (!gemm.evict_each()) return variance;
  if (machine.demotion != Demotion::none && is_split(mode))
    variance += cast * value_variance(unit_roundoff(bf16));
  const std::size_t tiles = gemm.evict_tiles ? (r + machine.k_tile - 1) / machine.k_tile : 1;
  const double once = term_variance(gemm.sum);
  if (gemm.words != Words::slices)
    return variance + rounded_terms(gemm, mode, machine, table, r, once);
  return variance + (static_cast<double>(tiles) + 1) / 2 * once;
}

}  // namespace

double value_variance(double u) { return value_of_normal * square(u); }

double store_variance(const Mode& mode, const Machine& machine) {
  return roundings(mode, machine).store;
}
double sum_variance(const Mode& mode, const Machine& machine) {
  return roundings(mode, machine).sum;
}
double scaling_variance(const Mode& mode, const Machine& machine) {
  return roundings(mode, machine).product;
}

double table_variance(const Mode& mode, const Machine& machine, const TableStatistics& table) {
  return table.error_square +
         left_out(element_words(mode), mode, machine, table, 1, fp64.precision).factor;
}

double gemm_table_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                           std::size_t r) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  if (gemm.engine == Engine::vector) return table_variance(mode, machine, table);
  return table.error_square + left_out(gemm, mode, machine, table, r, fp64.precision).factor;
}

double product_variance(const Mode& mode, const Machine& machine, const TableStatistics& table) {
  const LeftOut words = left_out(element_words(mode), mode, machine, table, 1, fp64.precision);
  // A narrow multiplier rounds products with 1, -1, i, -i as well: one per part.
  const double trivial = products_are_narrow(mode, machine) ? roundings(mode, machine).product : 0;
  return table.error_square + words.factor + words.rest +
         table.nontrivial * rounded_product(mode, machine, table) +
         (1 - table.nontrivial) * trivial;
}

double real_product_variance(const Mode& mode, const Machine& machine,
                             const TableStatistics& table) {
  const LeftOut words = left_out(element_words(mode), mode, machine, table, 1, fp64.precision);
  const Roundings r = roundings(mode, machine);
  const double rounded = is_split(mode)
                             ? rounded_terms(element_words(mode), mode, machine, table, 1, r.step)
                             : r.product;
  return table.error_square + words.factor + words.rest + table.nontrivial * rounded;
}

double dot_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                    std::size_t r) {
  // Dot2 rounds no product: they are terms of its sums.
  const double products = mode.product == ProductScheme::dot2
                              ? table.error_square
                              : product_variance(mode, machine, table);
  return products + rounded_sums(mode, machine, r);
}

/// A share ((r - 1)/r)^2 of the terms is a product; the sums are those of dot, x0 in the place of
/// its first product.
double dft_core_variance(const Mode& mode, const Machine& machine, const TableStatistics& core,
                         std::size_t r) {
  const double length = static_cast<double>(r);
  const double products = mode.product == ProductScheme::dot2
                              ? core.error_square
                              : product_variance(mode, machine, core);
  return square((length - 1) / length) * products + rounded_sums(mode, machine, r);
}

double gemm_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                     std::size_t r, GemmData data, int data_bits) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  if (gemm.engine == Engine::vector) return dot_variance(mode, machine, table, r);
  const LeftOut words = left_out(gemm, mode, machine, table, r, data_bits);
  const double variance = table.error_square + words.factor + words.rest;
  if (gemm.engine == Engine::integer) return variance + value_variance(0x1p-53);
  if (gemm.engine == Engine::host)
    return variance + host_additions(r, data) + table.nontrivial * value_variance(0x1p-53);
  return variance + psum_additions(gemm, mode, machine, r, data).variance +
         table.nontrivial * product_rounding_variance(gemm) +
         after_psum(gemm, mode, machine, table, r);
}

double gemm_drift(const Mode& mode, const Machine& machine, const TableStatistics& table,
                  std::size_t r, GemmData data) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  if (gemm.engine != Engine::tensor) return 0;
  return psum_additions(gemm, mode, machine, r, data).drift +
         left_out(gemm, mode, machine, table, r, fp64.precision).drift;
}

/// X + F(x - G(X)): what F errs by it takes back, but for its own error of the residual, which is
/// the sum of both errors; what G errs by stays; the residual and the sum are fp32.
double refined_variance(double before, double forward, double backward) {
  return backward + forward * (before + backward) + value_variance(0x1p-24);
}

Format product_word(const Mode& mode) { return word_of(element_words(mode)); }

Format gemm_word(const Mode& mode, const Machine& machine) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  return gemm.engine == Engine::vector ? product_word(mode) : word_of(gemm);
}

}  // namespace fftprec
