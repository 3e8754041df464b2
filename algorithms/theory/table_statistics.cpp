#include "algorithms/theory/table_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/theory/roundings.hpp"
#include "arith/formats/eft.hpp"
#include "arith/formats/round.hpp"
#include "arith/splitting/split.hpp"

namespace fftprec {

namespace {

/// E |w^ - w|^2 / u^2 for w of uniform phase: a part in [2^e, 2^(e+1)) errs with variance
/// (2u 2^e)^2 / 12; |cos| lies in [1/2, 1) for 2/3 of all phases, in [1/4, 1/2) for 0.1724, ...;
/// summed over both parts 0.119.
constexpr double uniform_phase_variance = 0.119;

constexpr std::size_t sample_size = std::size_t{1} << 14;

bool is_trivial(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return fraction == 0 || std::abs(fraction) == 0.5;
}

/// |w|^2 - 1, exact but for the last bits of a result of about 2^-53.
double square_less_one(double re, double im) {
  const double larger = std::max(std::abs(re), std::abs(im));
  const double smaller = std::min(std::abs(re), std::abs(im));
  const Pair<double> most = two_prod(larger, larger);
  const Pair<double> rest = two_prod(smaller, smaller);
  return ((most.high - 1) + rest.high) + (most.low + rest.low);
}

}  // namespace

/// One fill for each format: both may come from whole circles, of which a source keeps few.
TableStatistics table_statistics(std::size_t size, const RootIndices& index,
                                 const RootFunction& roots, const RootFunction& exact,
                                 const Format& format, const Format& word) {
  const std::size_t count = std::min(size, sample_size);
  std::vector<RootIndex> indices(count);
  if (size <= sample_size)
    index.fill(0, indices);
  else  // a fixed multiplicative sequence visits the table without a period of its own
    for (std::size_t i = 0; i < count; ++i) indices[i] = index((i * 2654435761u + 12345u) % size);
  ComplexArray<double> stored(count), true_root(count);
  roots.fill(indices, format, stored.re.data(), stored.im.data());
  for (RootIndex& root : indices) root = {root.exponent() % root.order, root.order};
  exact.fill(indices, fp64, true_root.re.data(), true_root.im.data());
  const bool is_fixed = format.is_fixed();
  TableStatistics sum{.nontrivial = 0};
  for (std::size_t i = 0; i < count; ++i) {
    const bool trivial = 4 * indices[i].row % indices[i].order == 0;
    sum.nontrivial += !trivial;
    // In fixed point 1 less a quantum times x rounds to x, but where cut bits are jammed.
    if (is_fixed)
      sum.next_to_one +=
          true_root.re[i] > max_finite(format) || true_root.im[i] > max_finite(format);
    const double re = true_root.re[i] - stored.re[i];
    const double im = true_root.im[i] - stored.im[i];
    sum.loss += re * true_root.re[i] + im * true_root.im[i];
    if (!trivial || !is_fixed) sum.error_square += square(re) + square(im);
    if (word.precision >= format.precision) continue;
    for (double left : {stored.re[i], stored.im[i]})
      for (double* square_of_rest : {&sum.low_square, &sum.rest_square, &sum.last_square}) {
        left -= round(left, word, Rounding::rne);
        *square_of_rest += square(left);
      }
  }
  const double entries = static_cast<double>(count);
  TableStatistics mean{sum.error_square / entries, sum.low_square / entries,
                       sum.rest_square / entries,  sum.nontrivial / entries,
                       size <= sample_size,        sum.last_square / entries,
                       sum.next_to_one / entries};
  const bool unseen = mean.error_square < square(0x1p-53);
  if (!is_fixed && !unseen) mean.loss = sum.loss / entries;
  if (format == fp64 && unseen) {
    mean.error_square = uniform_phase_variance * square(0x1p-53) * mean.nontrivial;
    for (std::size_t i = 0; i < count; ++i)
      mean.fp64_loss -= square_less_one(stored.re[i], stored.im[i]) / (2 * entries);
  }
  return mean;
}

void add_blocks(TableStatistics& entries, const BlockFormat& blocks, const RootIndices& matrix,
                std::size_t r, const RootFunction& roots, const Format& format) {
  const std::size_t size = std::min(blocks.block, r);
  const std::size_t per_column = (r + size - 1) / size;
  const std::size_t all = r * per_column;
  const std::size_t count = std::min(all, std::max(std::size_t{1}, sample_size / size));
  std::vector<RootIndex> indices(size);
  std::vector<double> part[2] = {std::vector<double>(size), std::vector<double>(size)};
  std::vector<float> held(size);
  double square_sum = 0, lost = 0, product = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t block = count == all ? i : (i * 2654435761u + 12345u) % all;
    const std::size_t first = block % per_column * size;
    const std::size_t length = std::min(size, r - first);
    for (std::size_t k = 0; k < length; ++k)
      indices[k] = matrix((first + k) * r + block / per_column);
    roots.fill({indices.data(), length}, format, part[0].data(), part[1].data());
    for (const std::vector<double>& v : part) {
      quantise_blocks(blocks, v.data(), length, 1, 1, length, held.data(), 1, length);
      for (std::size_t k = 0; k < length; ++k) {
        square_sum += square(v[k]);
        lost += square(v[k] - static_cast<double>(held[k]));
        product += v[k] * static_cast<double>(held[k]);
      }
    }
  }
  entries.low_loss = 1 - product / square_sum;
  entries.low_square = lost / square_sum - square(entries.low_loss);
}

TableStatistics real_table_statistics(const std::vector<double>& stored,
                                      const std::vector<double>& exact,
                                      const std::vector<double>& power, const Format& format) {
  TableStatistics sum{.nontrivial = 0};
  double whole = 0;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const double weight = power[i] * square(exact[i]);
    whole += weight;
    sum.error_square += power[i] * square(stored[i] - exact[i]);
    if (!is_trivial(stored[i])) sum.nontrivial += weight;
    const Complex<float> word{static_cast<float>(stored[i]), 0};
    const Factor<float, 2> words = split_words<bf16, 2, 0>(word);
    const double low = static_cast<double>(words.word[1].re);
    sum.low_square += power[i] * square(low);
    sum.rest_square += power[i] * square(static_cast<double>(word.re - words.word[0].re) - low);
  }
  if (whole == 0) return {.nontrivial = 0};
  TableStatistics mean{sum.error_square / whole, sum.low_square / whole, sum.rest_square / whole,
                       sum.nontrivial / whole};
  if (format == fp64 && mean.error_square < square(unit_roundoff(fp64)))
    mean.error_square = mean.nontrivial * value_variance(unit_roundoff(fp64));
  return mean;
}

}  // namespace fftprec
