#include "algorithms/theory/table_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/theory/expectation.hpp"
#include "arith/formats/round.hpp"
#include "arith/splitting/split.hpp"

namespace fftprec {

namespace {

double square(double x) { return x * x; }

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

}  // namespace

TableStatistics table_statistics(std::size_t size,
                                 const std::function<RootIndex(std::size_t)>& index,
                                 const RootFunction& roots, const RootFunction& exact,
                                 const Format& format, const Format& word) {
  TableStatistics sum{.nontrivial = 0};
  const std::size_t count = std::min(size, sample_size);
  for (std::size_t i = 0; i < count; ++i) {
    // A fixed multiplicative sequence visits the table without a period of its own.
    const std::size_t place = size <= sample_size ? i : (i * 2654435761u + 12345u) % size;
    const RootIndex root = index(place);
    const std::complex<double> stored = roots(root.exponent, root.order, format);
    const std::complex<double> truth = exact(root.exponent % root.order, root.order, fp64);
    sum.error_square += square(stored.real() - truth.real()) + square(stored.imag() - truth.imag());
    sum.nontrivial += 4 * (root.exponent % root.order) % root.order != 0;
    if (word.precision >= format.precision) continue;
    for (double left : {stored.real(), stored.imag()})
      for (double* square_of_rest : {&sum.low_square, &sum.rest_square, &sum.last_square}) {
        left -= round(left, word, Rounding::rne);
        *square_of_rest += square(left);
      }
  }
  const double entries = static_cast<double>(count);
  TableStatistics mean{sum.error_square / entries, sum.low_square / entries,
                       sum.rest_square / entries,  sum.nontrivial / entries,
                       size <= sample_size,        sum.last_square / entries};
  if (format == fp64 && mean.error_square < square(0x1p-53))
    mean.error_square = uniform_phase_variance * square(0x1p-53) * mean.nontrivial;
  return mean;
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
