#include "algorithms/arithmetic/window_source.hpp"

#include <cmath>

#include "algorithms/theory/expectation.hpp"
#include "arith/splitting/split.hpp"

namespace fftprec {

namespace {

double square(double x) { return x * x; }

bool is_trivial(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return fraction == 0 || std::abs(fraction) == 0.5;
}

}  // namespace

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
