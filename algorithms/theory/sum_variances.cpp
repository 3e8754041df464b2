#include "algorithms/theory/sum_variances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fftprec {

namespace {

double square(double x) { return x * x; }

/// A rounding of the accumulator, of a result of variance 1. To odd: uniform to a whole unit on
/// either side, four times the variance of half a unit. Toward zero: uniform around its mean, which
/// is `loss` of the result.
struct Noise {
  double variance;
  double loss;

  Noise(const Format& format, Rounding rounding)
      : variance(value_variance(unit_roundoff(format))), loss(0) {
    if (rounding == Rounding::odd) variance *= 4;
    if (rounding == Rounding::rz) loss = truncation_loss * unit_roundoff(format);
  }
};

/// Products of bf16 or narrower operands: a sum loses bits only of those that are 2^8 times
/// smaller.
bool short_products(const GemmScheme& gemm) { return gemm.operands.precision <= bf16.precision; }

/// The share of its full loss that one truncation in a sequential chain of `length` products has. A
/// sum that loses d bits of a product is off by (1 - 2^-d)/2 units. Products of narrow operands are
/// short: a sum loses few of their bits or none. Those of slices are as long as the sum, which
/// after k of them loses about log2(k)/2 bits, so what is missing falls with the root of the
/// length. Fitted to chains of 6 to 128 normal products.
double truncated_share(const GemmScheme& gemm, double length) {
  if (short_products(gemm)) return 0.06 / truncation_loss;
  if (gemm.words != Words::leading) return 0.68 / truncation_loss;
  return std::max(0.0, 1 - 1 / std::sqrt(length));
}

/// The roundings of one column of products through the blocks of a model.
struct Column {
  double inside;   ///< within blocks, each of all of the column's variance
  double steps;    ///< of the chain through c
  bool from_zero;  ///< the first of them is exact
};

Column column_of(const AccumulatorModel& model, double length) {
  const double size =
      model.block == 0 ? length : std::min(length, static_cast<double>(model.block));
  const double blocks = std::max(1.0, length / size);
  const bool late = model.c == Inclusion::late;
  const double segment = std::min(size, static_cast<double>(model.segment));
  const auto chain = [](double steps) { return std::max(0.0, (steps + 1) / 2 - 1 / steps); };
  switch (model.sum) {
    case BlockSum::pairwise:
      return {std::ceil(std::log2(size)), late ? blocks : 0, late};
    case BlockSum::segments:
      return {chain(segment) + std::ceil(std::log2(std::ceil(size / segment))), blocks, true};
    case BlockSum::even_odd:
      return {chain(std::max(1.0, size / 2)) + (size > 1 ? 1.0 : 0.0), blocks, true};
    case BlockSum::exact:
    case BlockSum::aligned:
      return {late ? 1.0 : 0.0, blocks, late};
    default:
      return {0, length, true};
  }
}

/// Sum over the steps of the share of the variance that the sum then has.
double rounded_share(const Column& column) {
  const double first = column.from_zero && column.steps > 0 ? 1 / column.steps : 0;
  return column.inside + std::max(0.0, (column.steps > 0 ? (column.steps + 1) / 2 : 0) - first);
}

/// Of the entries of a column, the roots of unity of an order, those that are 1, -1, i, -i.
double trivial_share(std::size_t order) {
  return static_cast<double>(std::gcd(order, std::size_t{4})) / static_cast<double>(order);
}

/// Real products other than zero for one part of an output. Of real data, a real column fills one
/// part of the result, any other column both.
double products_of_column(std::size_t n, std::size_t order, GemmData data) {
  const double trivial = trivial_share(order);
  const bool halved = data == GemmData::real && order > 2;
  return static_cast<double>(n) * (halved ? 1 - trivial / 2 : 2 - trivial);
}

/// The sums for one output, whose column of the matrix has the roots of unity of an order as
/// entries, equally often. Of a root 1, -1, i or -i one part is zero and takes no part in any sum;
/// a column of nothing else has no second word, and narrow operands times it are added within a
/// tile without error. A truncating accumulator takes its bias from every partial sum. Partial sums
/// are on average half of the last, a loss of size of half the bias a step; as they walk there at
/// random, the square of the sum of all is a third, which leaves 1/3 - 1/4 for errors to either
/// side.
class OneColumn {
 public:
  OneColumn(const GemmScheme& gemm, const Machine& machine, std::size_t n, std::size_t order,
            GemmData data)
      : gemm_(gemm), machine_(machine), model_(gemm.accumulate) {
    const bool is_real = order <= 2 || data == GemmData::real;
    trivial_ = trivial_share(order);
    length_ = products_of_column(n, order, data);
    const double halves = is_real ? 1 : 2;
    tiles_ = halves * static_cast<double>((n + machine.k_tile - 1) / machine.k_tile);
    in_tile_ = static_cast<double>(std::min(n, machine.k_tile)) * length_ / static_cast<double>(n) /
               halves;
    const bool only_first = trivial_ == 1 && gemm.words != Words::whole;
    passes_ = gemm.evict_each() ? 1 : terms(only_first);
  }

  Additions additions() const {
    const Noise noise(model_.format, model_.rounding);
    const double written = psum_writes();
    if (machine_.across_tiles == AcrossTiles::through) {
      const Column column = column_of(model_, length_);
      // Passes after the first add next to nothing, but round the sum that is there.
      const double later = (passes_ - 1) * column.steps / tiles_ * (tiles_ + 1) / 2;
      const double bias = noise.loss * share(column);
      const double steps = passes_ * column.steps;
      return {
          noise.variance * (rounded_share(column) + later) + square(bias * steps) / 12 + written,
          bias * (column.inside + steps / 2)};
    }
    // Products of slices with 1, -1, i, -i are as short as the data's slice: sums lose none of
    // them.
    const bool sliced = gemm_.words == Words::leading;
    const double long_products = 1 - trivial_ / (2 - trivial_);
    const bool exact = trivial_ == 1 && gemm_.operands != fp32;
    const Column column = column_of(model_, exact ? 1 : in_tile_);
    const double steps = column.inside + column.steps;
    const double inside = exact ? 0 : noise.loss * share(column) * long_products * steps;
    const double full = model_.rounding == Rounding::rz ? truncation_loss * unit_roundoff(fp32) : 0;
    const double across = full * passes_ * tiles_;
    // Each pass of a tile rounds the whole PSUM value once, the first of all to an empty one.
    const double into_psum = passes_ * (tiles_ + 1) / 2 - 1 / tiles_;
    const Noise sum(fp32, model_.rounding);
    // Where products are short, most sums in a tile lose nothing.
    const double lossy = sliced ? long_products : short_products(gemm_) ? share(column) : 1;
    return {lossy * noise.variance * (exact ? 0 : rounded_share(column)) +
                sum.variance * into_psum + (square(inside) + square(across)) / 12 + written,
            (inside + across) / 2};
  }

 private:
  double terms(bool only_first) const {
    const auto of_first = [](const SplitTerm& term) { return term.factor == 0; };
    return static_cast<double>(only_first ? std::ranges::count_if(gemm_.terms, of_first)
                                          : static_cast<std::ptrdiff_t>(gemm_.terms.size()));
  }
  double share(const Column& column) const {
    return column.steps < in_tile_ || column.inside > 0 ? 1 : truncated_share(gemm_, in_tile_);
  }
  /// A narrower PSUM is rounded after every matmul; stochastically with twice the variance: f (1 -
  /// f) over all fractions f is 1/6, not 1/12. Passes of words that lie below its last place are
  /// lost, and round nothing.
  double psum_writes() const {
    if (machine_.psum == fp32) return 0;
    const double once = value_variance(unit_roundoff(machine_.psum)) *
                        (machine_.psum_rounding == Rounding::sr ? 2 : 1);
    const double passes = gemm_.operands.precision >= machine_.psum.precision ? 1 : passes_;
    return once * passes * (tiles_ + 1) / 2;
  }

  const GemmScheme& gemm_;
  const Machine& machine_;
  const AccumulatorModel& model_;
  double trivial_ = 0;
  double length_ = 0;
  double tiles_ = 0;
  double in_tile_ = 0;
  double passes_ = 1;
};

/// Aligned products lose bits only where they lie more than F - 2p binades below the largest; of
/// normal products that is rare for eight binades or more.
bool cuts_products(const AccumulatorModel& model) {
  constexpr int rare = 7;
  return model.sum == BlockSum::aligned &&
         model.fraction_bits - 2 * model.operands.precision < rare;
}

}  // namespace

double chain_variance(double length, double rounding) {
  return rounding * std::max(0.0, (length + 1) / 2 - 1 / length);
}

double host_additions(std::size_t n, GemmData data) {
  double sum = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t order = n / std::gcd(j, n);
    sum += chain_variance(products_of_column(n, order, data), value_variance(0x1p-53));
  }
  return sum / static_cast<double>(n);
}

Additions psum_additions(const GemmScheme& gemm, const Mode& mode, const Machine& machine,
                         std::size_t n, GemmData data) {
  if (gemm.words == Words::slices) {
    if (slice_bits(mode, machine, n).exact) return {0, 0};
    return {unknown, unknown};
  }
  if (cuts_products(gemm.accumulate)) return {unknown, unknown};
  // Of low words in a narrow PSUM a part is lost.
  if (machine.psum != fp32 && gemm.words == Words::residual && gemm.passes() > 1)
    return {unknown, unknown};
  Additions sum{0, 0};
  double squares = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const Additions column = OneColumn(gemm, machine, n, n / std::gcd(j, n), data).additions();
    sum.variance += column.variance;
    sum.drift += column.drift;
    squares += square(column.drift);
  }
  // What the drifts of columns differ by is error to either side.
  const double count = static_cast<double>(n);
  const double drift = sum.drift / count;
  return {sum.variance / count + squares / count - square(drift), drift};
}

}  // namespace fftprec
