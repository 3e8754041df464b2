/// The RMS model: how large the relative error of a random signal is, to 10 or 20 per cent.
///
/// Errors are independent, so variances add; those of a growing sum weigh as much as the sum has
/// grown. One rounding to nearest of a value x adds variance ulp(x)^2 / 12. For a normal x that is
/// 0.181 u^2 of its own variance (the mean of ulp^2 over the normal density), for the sum of two
/// like terms 0.213 u^2 and for the sum of two products 0.199 u^2: where only one or two bits are
/// lost, the error is not uniform but mostly 0 or half a unit, and larger in the mean. What tables
/// contribute is known exactly (table_statistics.hpp).
#include "algorithms/variances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fftprec {

namespace {

constexpr double value_of_normal = 0.181;
constexpr double sum_of_two = 0.213;
constexpr double sum_of_products = 0.199;

double square(double x) { return x * x; }

double rounding(double u) { return value_of_normal * square(u); }

constexpr double full_truncation_bias = 0.72;

/// Mean relative error of one truncation in the accumulator, in u, over a chain of `length`
/// products. A sum that loses d bits of a product is off by (1 - 2^-d)/2 units: 0.72 u for large d.
/// Products of narrow operands are short: a sum loses few of their bits or none. Those of slices
/// are as long as the sum, which after k of them loses about log2(k)/2 bits, so what is missing of
/// 0.72 falls with the root of the length. Fitted to chains of 6 to 128 normal products.
double truncation_bias(const GemmScheme& gemm, double length) {
  if (!gemm.wide_operands) return 0.06;
  if (gemm.words != Words::slices12) return 0.68;
  return full_truncation_bias * std::max(0.0, 1 - 1 / std::sqrt(length));
}

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

/// What the additions for one output do: errors to either side, and a loss of size.
struct Additions {
  double variance;
  double drift;
};

/// The additions for one output of a product with an n x n DFT matrix, whose column of the matrix
/// has the roots of unity of that order as entries, equally often. Of a root 1, -1, i or -i one
/// part is zero and takes no part in any sum; a column of nothing else has no second word, and
/// narrow operands times it are added within a tile without error. A truncating accumulator takes
/// its bias from every partial sum. Partial sums are on average half of the last, a loss of size of
/// half the bias a step; as they walk there at random, the square of the sum of all is a third,
/// which leaves 1/3 - 1/4 for errors to either side.
Additions column_additions(const GemmScheme& gemm, const Machine& machine, std::size_t n,
                           std::size_t order, GemmData data) {
  const bool is_real = order <= 2 || data == GemmData::real;
  const double trivial =
      static_cast<double>(std::gcd(order, std::size_t{4})) / static_cast<double>(order);
  const bool truncates = machine.accumulator == AccumulatorRounding::rz;
  // Of real data, a real column fills one part of the result, any other column both.
  const double parts = data == GemmData::real && order > 2 ? 1 - trivial / 2 : 2 - trivial;
  const double length = static_cast<double>(n) * parts;
  if (gemm.engine == Engine::host) return {chain_variance(length, 0x1p-53), 0};
  const double u = 0x1p-24;
  // Products of slices with 1, -1, i, -i are as short as the data's slice: sums lose none of them.
  const bool sliced = gemm.words == Words::slices12;
  const double long_products = 1 - trivial / (2 - trivial);
  const auto bias = [&](double chain) {
    return truncates ? truncation_bias(gemm, chain) * long_products * u : 0;
  };
  if (machine.across_tiles == AcrossTiles::through)
    return {chain_variance(length, u) + square(bias(length) * length) / 12,
            bias(length) * length / 2};
  const double halves = is_real ? 1 : 2;
  const double tiles = halves * static_cast<double>((n + machine.k_tile - 1) / machine.k_tile);
  const bool exact = trivial == 1 && (!gemm.wide_operands || gemm.words != Words::whole);
  const double in_tile =
      exact ? 1 : static_cast<double>(std::min(n, machine.k_tile)) * parts / halves;
  const std::size_t words = gemm.data_words * (trivial == 1 ? 1 : gemm.factor_words);
  const double passes = gemm.evict_each ? 1 : static_cast<double>(words);
  // Each pass of a tile rounds the whole PSUM value once, the first of all to an empty one.
  const double into_psum = passes * (tiles + 1) / 2 - 1 / tiles;
  const double inside = exact ? 0 : bias(in_tile) * in_tile;
  const double across = truncates ? full_truncation_bias * u * passes * tiles : 0;
  return {(sliced ? long_products : 1) * chain_variance(in_tile, u) + rounding(u) * into_psum +
              (square(inside) + square(across)) / 12,
          (inside + across) / 2};
}

/// The mean over all columns; what their drifts differ by is error to either side.
Additions additions(const GemmScheme& gemm, const Machine& machine, std::size_t n, GemmData data) {
  Additions sum{0, 0};
  double squares = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const Additions column = column_additions(gemm, machine, n, n / std::gcd(j, n), data);
    sum.variance += column.variance;
    sum.drift += column.drift;
    squares += square(column.drift);
  }
  const double count = static_cast<double>(n);
  const double drift = sum.drift / count;
  return {sum.variance / count + squares / count - square(drift), drift};
}

/// Roundings of one elementwise product with a factor other than 1, -1, i, -i, its table entry not
/// counted.
double rounded_product(const Mode& mode, const Machine& machine, const TableStatistics& table) {
  const double u = unit_roundoff(mode.storage);
  if (!is_split(mode)) return (value_of_normal + sum_of_products) * square(u);
  const double terms = static_cast<double>(gemm_scheme(mode, machine).terms.size());
  return dropped_variance(mode, table) + bf16_product_variance(machine) +
         sum_of_products * square(accumulator_roundoff(machine)) + (terms - 1) * rounding(0x1p-24);
}

}  // namespace

double value_variance(double u) { return rounding(u); }
double sum_variance(double u) { return sum_of_two * square(u); }

double table_variance(const Mode& mode, const TableStatistics& table) {
  return table.error_square + (is_split(mode) ? table.rest_square : 0);
}

double product_variance(const Mode& mode, const Machine& machine, const TableStatistics& table) {
  return table.error_square + data_rest_variance(mode) +
         table.nontrivial * rounded_product(mode, machine, table);
}

double real_product_variance(const Mode& mode, const Machine& machine,
                             const TableStatistics& table) {
  double rounded = rounding(unit_roundoff(mode.storage));
  if (is_split(mode)) {
    const double terms = static_cast<double>(gemm_scheme(mode, machine).terms.size());
    rounded = dropped_variance(mode, table) + bf16_product_variance(machine) +
              (terms - 1) * rounding(0x1p-24);
  }
  return table.error_square + data_rest_variance(mode) + table.nontrivial * rounded;
}

double dot_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                    std::size_t r) {
  return product_variance(mode, machine, table) +
         chain_variance(static_cast<double>(r), unit_roundoff(mode.storage));
}

/// A share ((r - 1)/r)^2 of the terms is a product; the sums are those of dot, x0 in the place of
/// its first product.
double dft_core_variance(const Mode& mode, const Machine& machine, const TableStatistics& core,
                         std::size_t r) {
  const double length = static_cast<double>(r);
  return square((length - 1) / length) * product_variance(mode, machine, core) +
         chain_variance(length, unit_roundoff(mode.storage));
}

double gemm_variance(const Mode& mode, const Machine& machine, const TableStatistics& table,
                     std::size_t r, GemmData data) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  if (gemm.engine == Engine::vector) return dot_variance(mode, machine, table, r);
  double variance = table.error_square + additions(gemm, machine, r, data).variance +
                    data_rest_variance(mode) + dropped_variance(mode, table);
  if (gemm.words == Words::whole && (gemm.wide_operands || gemm.engine == Engine::host))
    variance += table.nontrivial * rounding(unit_roundoff(mode.storage));
  if (!gemm.wide_operands && gemm.engine == Engine::tensor)
    variance += table.nontrivial * bf16_product_variance(machine);
  if (gemm.evict_each) variance += static_cast<double>(gemm.terms.size() - 1) * rounding(0x1p-24);
  if (gemm.engine == Engine::tensor && machine.eviction != fp32)
    variance += rounding(unit_roundoff(machine.eviction));
  return variance;
}

double gemm_drift(const Mode& mode, const Machine& machine, std::size_t r, GemmData data) {
  const GemmScheme gemm = gemm_scheme(mode, machine);
  return gemm.engine == Engine::vector ? 0 : additions(gemm, machine, r, data).drift;
}

}  // namespace fftprec
