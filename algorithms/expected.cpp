/// The RMS model: how large the relative error of a random signal is, to 10 or 20 per cent.
///
/// Errors are independent, so variances add; those of a growing sum weigh as much as the sum has
/// grown. One rounding to nearest of a value x adds variance ulp(x)^2 / 12. For a normal x that is
/// 0.181 u^2 of its own variance (the mean of ulp^2 over the normal density), for the sum of two
/// like terms 0.213 u^2 and for the sum of two products 0.199 u^2: where only one or two bits are
/// lost, the error is not uniform but mostly 0 or half a unit, and larger in the mean. What tables
/// contribute is known exactly (table_statistics.hpp).
#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/bounds.hpp"

namespace fftprec {

namespace {

constexpr double value_variance = 0.181;
constexpr double sum_variance = 0.213;
constexpr double product_sum_variance = 0.199;

double square(double x) { return x * x; }

/// Variance of one rounding to a unit roundoff u.
double rounding(double u) { return value_variance * square(u); }

/// Mean relative error of one truncation in the accumulator, in u. A sum that loses d bits of a
/// product is off by (1 - 2^-d)/2 units: 0.72 u for large d. Narrow operands have short products,
/// of which a sum loses few bits or none. Fitted to chains of 8 to 128 normal products.
double truncation_bias(const GemmScheme& gemm) {
  if (!gemm.wide_operands) return 0.06;
  return gemm.words == Words::slices12 ? 0.58 : 0.68;
}
constexpr double full_truncation_bias = 0.72;

/// Variance of the product of two bf16 words before it is added.
double bf16_product_variance(const Machine& machine) {
  if (machine.product == ProductRounding::bf16_rne) return rounding(0x1p-8);
  // Truncation acts as a gain on the whole sum, and spreads like a rounding.
  if (machine.product == ProductRounding::bf16_rz)
    return rounding(0x1p-8) + square(full_truncation_bias * 0x1p-8);
  return 0;
}

/// Variance of what the two bf16 words of `ozaki` leave of normal data, whatever the factor: the
/// low word has variance 0.181 u^2, u = 2^-8, and the rest, uniform in its binade, u^2/7 of that.
/// Three words leave nothing.
double data_rest_variance(const Mode& mode) {
  return mode.product == ProductScheme::split3 ? rounding(0x1p-8) * square(0x1p-8) / 7 : 0;
}

/// Variance of what else a split scheme leaves out of w x: the product of the low words if it is
/// not kept, and what two words leave of w.
double dropped_variance(const Mode& mode, const TableStatistics& table) {
  if (!is_split(mode)) return 0;
  const bool low_kept = mode.product == ProductScheme::split6;
  return table.rest_square + (low_kept ? 0 : table.low_square * rounding(0x1p-8));
}

/// Variance of a chain of additions, the first of them to zero: after k of `length` the sum has
/// k/length of its final variance.
double chain_variance(double length, double u) {
  return rounding(u) * std::max(0.0, (length + 1) / 2 - 1 / length);
}

/// Variance of the additions in PSUM for a sum of 2n real products. A truncating accumulator adds
/// its bias to every partial sum; the sums of a chain are correlated, so their biases add up to the
/// integral of a random walk, length^2 / 3.
double psum_variance(const GemmScheme& gemm, const Machine& machine, std::size_t n) {
  const bool truncates = machine.accumulator == AccumulatorRounding::rz;
  const double length = 2 * static_cast<double>(n);
  if (gemm.engine == Engine::host) return chain_variance(length, 0x1p-53);
  const double u = 0x1p-24;
  const double bias = truncation_bias(gemm) * u;
  if (machine.across_tiles == AcrossTiles::through)
    return chain_variance(length, u) + (truncates ? square(bias * length) / 3 : 0);
  const double in_tile = static_cast<double>(std::min(n, machine.k_tile));
  const double tiles = 2.0 * static_cast<double>((n + machine.k_tile - 1) / machine.k_tile);
  const double passes = gemm.evict_each ? 1 : static_cast<double>(gemm.terms.size());
  // Each pass of a tile rounds the whole PSUM value once, the first of all to an empty one.
  const double into_psum = passes * (tiles + 1) / 2 - 1 / tiles;
  const double spread = chain_variance(in_tile, u) + rounding(u) * into_psum;
  if (!truncates) return spread;
  const double inside = bias * in_tile;
  const double across = full_truncation_bias * u * passes * tiles;
  return spread + square(inside) / 3 + square(across) / 3 + inside * across / 2;
}

/// Roundings of one elementwise product with a factor other than 1, -1, i, -i, its table entry not
/// counted.
double product_variance(const Mode& mode, const Machine& machine, const TableStatistics& table) {
  const double u = unit_roundoff(mode.storage);
  if (!is_split(mode)) return (value_variance + product_sum_variance) * square(u);
  const double terms = static_cast<double>(gemm_scheme(mode, machine).terms.size());
  return dropped_variance(mode, table) + bf16_product_variance(machine) +
         product_sum_variance * square(accumulator_roundoff(machine)) +
         (terms - 1) * rounding(0x1p-24);
}

double input_variance(const BoundCase& where) {
  return where.input_rounded ? rounding(unit_roundoff(where.mode.storage)) : 0;
}

}  // namespace

/// Per stage: every output is the rounded sum of two like terms; half of the outputs went through a
/// product.
double radix2_dit_expected(const BoundCase& where, std::span<const TableStatistics> tables) {
  const Mode& mode = where.mode;
  const double u = unit_roundoff(mode.storage);
  double variance = input_variance(where);
  for (const TableStatistics& stage : tables)
    variance += sum_variance * square(u) +
                (stage.error_square + data_rest_variance(mode) +
                 stage.nontrivial * product_variance(mode, where.machine, stage)) /
                    2;
  return std::sqrt(variance);
}

double dft_gemm_expected(const BoundCase& where, std::span<const TableStatistics> tables) {
  const Mode& mode = where.mode;
  const TableStatistics& table = tables.front();
  const GemmScheme gemm = gemm_scheme(mode, where.machine);
  double variance = input_variance(where) + table.error_square;
  if (gemm.engine == Engine::vector) {
    variance += table.nontrivial * product_variance(mode, where.machine, table) +
                chain_variance(static_cast<double>(where.n), unit_roundoff(mode.storage));
  } else {
    variance += psum_variance(gemm, where.machine, where.n) + data_rest_variance(mode) +
                dropped_variance(mode, table);
    if (gemm.words == Words::whole && (gemm.wide_operands || gemm.engine == Engine::host))
      variance += rounding(unit_roundoff(mode.storage));
    if (!gemm.wide_operands && gemm.engine == Engine::tensor)
      variance += table.nontrivial * bf16_product_variance(where.machine);
    if (gemm.evict_each) variance += static_cast<double>(gemm.terms.size() - 1) * rounding(0x1p-24);
    if (gemm.engine == Engine::tensor && where.machine.eviction != fp32)
      variance += rounding(unit_roundoff(where.machine.eviction));
  }
  if (where.direction == Direction::inverse && !std::has_single_bit(where.n))
    variance += 2 * rounding(on_host(mode) ? 0x1p-53 : 0x1p-24);
  return std::sqrt(variance);
}

}  // namespace fftprec
