#include "arith/truth/audit_sums.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "arith/truth/cotangent_sum.hpp"

namespace fftprec::truth {
namespace {

constexpr mpfr_prec_t precision = ComplexReal::precision;

ComplexReal one() { return exact_root(0, 1); }

/// z^exponent.
ComplexReal power_of(ComplexReal z, std::size_t exponent) {
  ComplexReal result = one();
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product(result, z);
    z = product(z, z);
  }
  return result;
}

/// exp(-2 pi i phase/line_factors), phase < count.
std::vector<ComplexReal> phase_roots(std::size_t count) {
  std::vector<ComplexReal> roots;
  Powers power(one(), exact_root(count > 1 ? 1 : 0, line_factors));
  for (; roots.size() < count; power.advance()) roots.push_back(power.current());
  return roots;
}

std::size_t phases_in(const std::vector<unsigned>& factors) {
  return *std::max_element(factors.begin(), factors.end()) / 4 + 1;
}

/// A number times every factor of lines: one product for each phase.
class PhaseFactors {
 public:
  explicit PhaseFactors(const std::vector<unsigned>& factors)
      : roots_(phase_roots(phases_in(factors))), values_(roots_.size()) {}

  void set(const ComplexReal& z) {
    for (std::size_t phase = 0; phase < roots_.size(); ++phase)
      values_[phase] = to_factor(product(z, roots_[phase]), rest_);
  }
  Factor operator[](unsigned f) const { return turned(values_[f / 4], f % 4); }

 private:
  std::vector<ComplexReal> roots_;
  std::vector<Factor> values_;
  Real rest_{ComplexReal::precision};
};

/// The sum of elements of lines times the factors of these: one product for each phase.
class PhaseSums {
 public:
  explicit PhaseSums(const std::vector<unsigned>& factors) : sums_(phases_in(factors)) {}

  void add_element(const ComplexPairs& x, std::size_t j, unsigned f) {
    add_turned(sums_[f / 4], x, j, f % 4);
  }
  ComplexReal total() const {
    const std::vector<ComplexReal> roots = phase_roots(sums_.size());
    ComplexReal all;
    for (std::size_t phase = 0; phase < roots.size(); ++phase)
      add(all, product(sums_[phase], roots[phase]));
    return all;
  }

 private:
  std::vector<ComplexReal> sums_;
};

/// A stretch of data that counts with one factor.
struct Row {
  std::size_t first;
  std::size_t count;
  Factor factor;
};

/// sum over rows of factor times data, column by column.
ComplexPairs column_sums(const ComplexPairs& x, const std::vector<Row>& rows, std::size_t columns,
                         const Loops& loops) {
  ComplexPairs sums(columns);
  in_pieces<ExpansionTables>(columns, loops.threads_for(x.size()), loops.isa,
                             [&](auto tables, std::size_t column, std::size_t count) {
                               for (const Row& row : rows)
                                 if (row.count > column)
                                   tables.accumulate(
                                       from(view(sums), column), from(view(x), row.first + column),
                                       row.factor.data(), std::min(row.count - column, count));
                             });
  return sums;
}

/// sum of z^j times element j.
ComplexReal polynomial(const ComplexPairs& x, const ComplexReal& z) {
  ComplexReal sum;
  ComplexReal term;
  Multiplier multiply(precision);
  Powers power(one(), z);
  for (std::size_t j = 0; j < x.size(); ++j, power.advance()) {
    ComplexReal value;
    add_turned(value, x, j, 0);
    multiply(term.re, term.im, value.re, value.im, power.current().re, power.current().im);
    add(sum, term);
  }
  return sum;
}

/// The sum over columns of blocks of n x stride, row k of a block with the factor next().
template <class Next>
ComplexReal sum_of_columns(const WeighedLines& lines, Next next, const Loops& loops) {
  std::vector<Factor> factors;
  Real rest(precision);
  for (std::size_t k = 0; k < lines.n; ++k) factors.push_back(to_factor(next(), rest));
  PhaseSums total(lines.factors);
  for (std::size_t block = 0; block < lines.factors.size(); block += lines.stride) {
    std::vector<Row> rows;
    for (std::size_t k = 0; k < lines.n; ++k)
      rows.push_back({lines.first + block * lines.n + k * lines.stride, lines.stride, factors[k]});
    const ComplexPairs sums = column_sums(lines.x, rows, lines.stride, loops);
    for (std::size_t s = 0; s < lines.stride; ++s)
      total.add_element(sums, s, lines.factors[block + s]);
  }
  return total.total();
}

}  // namespace

ComplexReal element_sum(const WeighedLines& lines, std::size_t j) {
  PhaseSums sums(lines.factors);
  for (std::size_t l = 0; l < lines.factors.size(); ++l) {
    const std::size_t start = l / lines.stride * lines.n * lines.stride + l % lines.stride;
    sums.add_element(lines.x, lines.first + start + j * lines.stride, lines.factors[l]);
  }
  return sums.total();
}

ComplexReal tone_sum(const WeighedLines& lines, const ComplexReal& z, const Loops& loops) {
  const auto& [x, first, n, stride, factors] = lines;
  if (stride > 1) {
    Powers power(one(), z);
    ComplexReal current;
    return sum_of_columns(
        lines,
        [&]() -> const ComplexReal& {
          current = power.current();
          power.advance();
          return current;
        },
        loops);
  }
  const std::size_t width = columns_for(n, factors.size());
  std::vector<Row> rows;
  PhaseFactors of_line(factors);
  Powers power(one(), power_of(z, width));
  for (std::size_t k = 0; k < n; k += width, power.advance()) {
    of_line.set(power.current());
    for (std::size_t l = 0; l < factors.size(); ++l)
      rows.push_back({first + l * n + k, std::min(width, n - k), of_line[factors[l]]});
  }
  return polynomial(column_sums(x, rows, width, loops), z);
}

ComplexReal cotangent_sum(const WeighedLines& lines, std::size_t s, const Loops& loops) {
  const auto& [x, first, n, stride, factors] = lines;
  if (stride > 1) {
    Cotangents cotangent(s, n, 1);
    ComplexReal current = one();
    return sum_of_columns(
        lines,
        [&]() -> const ComplexReal& {
          mpfr_set(current.im, cotangent.next(), MPFR_RNDN);
          return current;
        },
        loops);
  }
  PhaseFactors of_line(factors);
  of_line.set(one());
  if (factors.size() == 1 && factors[0] == 0)
    return cotangent_sum(from(view(x), first), n, s, loops);
  std::vector<Row> rows;
  for (std::size_t l = 0; l < factors.size(); ++l)
    rows.push_back({first + l * n, n, of_line[factors[l]]});
  const ComplexPairs together = column_sums(x, rows, n, loops);
  return cotangent_sum(view(together), n, s, loops);
}

}  // namespace fftprec::truth
