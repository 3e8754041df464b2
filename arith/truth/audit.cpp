#include "arith/truth/audit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "arith/support/isa_tables.hpp"
#include "arith/truth/parallel.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec::truth {

namespace {

ComplexReal product(const ComplexReal& a, const ComplexReal& b) {
  Multiplier multiply(ComplexReal::precision);
  ComplexReal result;
  multiply(result.re, result.im, a.re, a.im, b.re, b.im);
  return result;
}

/// sum <- sum + term
void add(ComplexReal& sum, const ComplexReal& term) {
  mpfr_add(sum.re, sum.re, term.re, MPFR_RNDN);
  mpfr_add(sum.im, sum.im, term.im, MPFR_RNDN);
}

/// z, z w, z w^2, ... one after the other.
class Powers {
 public:
  Powers(ComplexReal z, ComplexReal w) : power_(std::move(z)), factor_(std::move(w)) {}

  const ComplexReal& current() const { return power_; }
  void advance() {
    multiply_(next_.re, next_.im, power_.re, power_.im, factor_.re, factor_.im);
    std::swap(power_, next_);
  }

 private:
  ComplexReal power_;
  ComplexReal factor_;
  ComplexReal next_;
  Multiplier multiply_{ComplexReal::precision};
};

using Factor = std::array<double, 4>;  ///< re hi, re lo, im hi, im lo

/// Both parts rounded to nearest. `rest` is of ComplexReal::precision.
Factor to_factor(const ComplexReal& z, Real& rest) {
  const DoubleDouble re = nearest_pair(z.re, rest);
  const DoubleDouble im = nearest_pair(z.im, rest);
  return {re.hi, re.lo, im.hi, im.lo};
}

/// i^quarters z.
Factor turned(Factor z, unsigned quarters) {
  for (; quarters > 0; --quarters) z = {-z[2], -z[3], z[0], z[1]};
  return z;
}

/// sum <- sum + i^quarters x_j
void add_turned(ComplexReal& sum, const ComplexPairs& x, std::size_t j, unsigned quarters) {
  const ComplexDoubleDouble v = x.at(j);
  const Factor value = turned({v.re.hi, v.re.lo, v.im.hi, v.im.lo}, quarters);
  mpfr_add_d(sum.re, sum.re, value[0], MPFR_RNDN);
  mpfr_add_d(sum.re, sum.re, value[1], MPFR_RNDN);
  mpfr_add_d(sum.im, sum.im, value[2], MPFR_RNDN);
  mpfr_add_d(sum.im, sum.im, value[3], MPFR_RNDN);
}

/// So many neighbours share a factor of double-double: about half the root of all, as the factors
/// of the neighbours and those that they share are MPFR's.
std::size_t columns_for(std::size_t n, std::size_t lines) {
  const int log2_all = std::countr_zero(std::bit_floor(n * lines));
  const std::size_t half_root = std::size_t{1} << std::max(3, log2_all / 2 - 1);
  return std::min(n, half_root);
}

/// add(tables, first column, columns) for pieces of columns, on several threads.
template <class Add>
void in_pieces(std::size_t columns, unsigned threads, Isa isa, Add add) {
  constexpr std::size_t piece = 256;
  struct Nothing {};
  in_parallel((columns + piece - 1) / piece, threads, [] { return Nothing{}; },
              [&](Nothing, std::size_t i) {
                const std::size_t first = i * piece;
                with_tables<PairTables>(isa, [&](auto tables) {
                  add(tables, first, std::min(columns - first, piece));
                });
              });
}

/// cot(pi (2 (s - j) + 1)/(2n)) for j = 0, step, 2 step, ... one after the other.
class Cotangents {
 public:
  Cotangents(std::size_t s, std::size_t n, std::size_t step)
      : powers_(exact_root(4 * n - (2 * s + 1), 4 * n), exact_root(step, 2 * n)) {}

  mpfr_srcptr next() {
    mpfr_div(value_, powers_.current().re, powers_.current().im, MPFR_RNDN);
    powers_.advance();
    return value_;
  }

 private:
  Powers powers_;
  Real value_{ComplexReal::precision};
};

/// The sum over one line, in rows of `width` elements: cot(a + b) from cot a of each row and tan b
/// of each place in it. Rows within a quarter of one from the pole are MPFR's own.
class CotangentSum {
 public:
  CotangentSum(ConstPairView x, std::size_t n, std::size_t s) : x_(x), n_(n), s_(s) {
    width_ = n < fewest_rows * fewest_rows ? n : columns_for(n, 1);
  }

  ComplexReal operator()(const Loops& loops) {
    if (width_ == n_) {
      add_exactly(0);
      return std::move(sum_);
    }
    set_tangents();
    std::vector<std::array<double, 2>> cotangents;
    std::vector<std::size_t> first;
    Cotangents cotangent(s_, n_, width_);
    Real rest(ComplexReal::precision);
    for (std::size_t row = 0; row < n_; row += width_) {
      const DoubleDouble c = nearest_pair(cotangent.next(), rest);
      if (near_pole(row)) {
        add_exactly(row);
      } else {
        first.push_back(row);
        cotangents.push_back({c.hi, c.lo});
      }
    }
    ComplexPairs sums(width_);
    in_pieces(width_, loops.threads_for(n_), loops.isa,
              [&](auto tables, std::size_t column, std::size_t count) {
                for (std::size_t i = 0; i < first.size(); ++i)
                  if (first[i] + column < n_)
                    tables.accumulate_cotangents(
                        from(view(sums), column), from(x_, first[i] + column), cotangents[i].data(),
                        tan_.hi.re.data() + column, tan_.lo.re.data() + column,
                        std::min(n_ - first[i] - column, count));
              });
    for (std::size_t j = 0; j < width_; ++j) add_turned(sum_, sums, j, 0);
    return std::move(sum_);
  }

 private:
  static constexpr std::size_t fewest_rows = 16;

  /// tan(-pi l/n)
  void set_tangents() {
    tan_ = ComplexPairs(width_);
    Powers power(exact_root(0, 1), exact_root(1, 2 * n_));
    Real tangent(ComplexReal::precision);
    Real rest(ComplexReal::precision);
    for (std::size_t l = 0; l < width_; ++l, power.advance()) {
      mpfr_div(tangent, power.current().im, power.current().re, MPFR_RNDN);
      tan_.set(l, {nearest_pair(tangent, rest), {0, 0}});
    }
  }

  bool near_pole(std::size_t row) const {
    const std::size_t to_begin = (n_ + s_ - row + width_ / 4) % n_;
    return to_begin < width_ + width_ / 2;
  }

  void add_exactly(std::size_t row) {
    const std::size_t count = std::min(width_, n_ - row);
    Cotangents cotangent((n_ + s_ - row) % n_, n_, 1);
    Real re(ComplexReal::precision);
    Real im(ComplexReal::precision);
    Real term(ComplexReal::precision);
    for (std::size_t j = row; j < row + count; ++j) {
      const mpfr_srcptr q = cotangent.next();
      mpfr_set_d(re, x_.re_hi[j], MPFR_RNDN);
      mpfr_add_d(re, re, x_.re_lo[j], MPFR_RNDN);
      mpfr_set_d(im, x_.im_hi[j], MPFR_RNDN);
      mpfr_add_d(im, im, x_.im_lo[j], MPFR_RNDN);
      mpfr_add(sum_.re, sum_.re, re, MPFR_RNDN);
      mpfr_mul(term, q, im, MPFR_RNDN);
      mpfr_sub(sum_.re, sum_.re, term, MPFR_RNDN);
      mpfr_add(sum_.im, sum_.im, im, MPFR_RNDN);
      mpfr_mul(term, q, re, MPFR_RNDN);
      mpfr_add(sum_.im, sum_.im, term, MPFR_RNDN);
    }
  }

  ConstPairView x_;
  std::size_t n_;
  std::size_t s_;
  std::size_t width_;
  ComplexPairs tan_;
  ComplexReal sum_;
};

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
  in_pieces(columns, loops.threads_for(x.size()), loops.isa,
            [&](auto tables, std::size_t column, std::size_t count) {
              for (const Row& row : rows)
                if (row.count > column)
                  tables.accumulate(from(view(sums), column), from(view(x), row.first + column),
                                    row.factor.data(), std::min(row.count - column, count));
            });
  return sums;
}

/// sum of z^j times element j.
ComplexReal polynomial(const ComplexPairs& x, const ComplexReal& z) {
  ComplexReal sum;
  ComplexReal term;
  Multiplier multiply(ComplexReal::precision);
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
  Real rest(ComplexReal::precision);
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

ComplexReal exact_root(std::uint64_t k, std::uint64_t order) {
  const OctantAngle angle = octant_angle(k, order);
  Real cos(ComplexReal::precision);
  Real sin(ComplexReal::precision);
  octant_cos_sin(cos, sin, angle.numerator, order);
  ComplexReal result;
  unfold(result.re, result.im, angle, cos, sin);
  return result;
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
    return CotangentSum(from(view(x), first), n, s)(loops);
  std::vector<Row> rows;
  for (std::size_t l = 0; l < factors.size(); ++l)
    rows.push_back({first + l * n, n, of_line[factors[l]]});
  const ComplexPairs together = column_sums(x, rows, n, loops);
  return CotangentSum(view(together), n, s)(loops);
}

namespace {

constexpr int probes = 1;
constexpr int direct_sums = 1;

double distance(const ComplexReal& a, const ComplexReal& b) {
  Real re(ComplexReal::precision);
  Real im(ComplexReal::precision);
  mpfr_sub(re, a.re, b.re, MPFR_RNDN);
  mpfr_sub(im, a.im, b.im, MPFR_RNDN);
  mpfr_hypot(re, re, im, MPFR_RNDU);
  return mpfr_get_d(re, MPFR_RNDU);
}

CertificateError refuted(const std::string& what, double difference, double allowed) {
  return CertificateError("truth: " + what + " differs by " + std::to_string(difference / allowed) +
                          " times what is certified: the computation or the memory is at fault");
}

/// A transform and its result.
struct Subject {
  const ComplexPairs& x;
  const ComplexPairs& y;
  std::size_t n;
  std::size_t stride;

  std::size_t lines() const { return x.size() / n; }
  std::size_t start(std::size_t line) const { return line / stride * n * stride + line % stride; }
};

/// Between frequencies s and s + 1. z^k = 1 for no k < n, so that no two outputs could be
/// exchanged unseen: 2s + 1 is prime to n.
std::size_t random_frequency(std::size_t n, std::mt19937_64& generator) {
  std::size_t s = generator() % n;
  while (std::gcd(2 * s + 1, n) != 1) s = generator() % n;
  return s;
}

double tone_difference(const Subject& subject, std::size_t s, std::mt19937_64& generator,
                       const Loops& loops) {
  const auto& [x, y, n, stride] = subject;
  std::vector<unsigned> factors(subject.lines(), 0);
  for (std::size_t l = 1; l < factors.size(); ++l)
    factors[l] = static_cast<unsigned>(generator() % line_factors);
  const ComplexReal tone = exact_root(2 * n - (2 * s + 1), 2 * n);
  return distance(tone_sum({y, 0, n, stride, factors}, tone, loops),
                  cotangent_sum({x, 0, n, stride, factors}, s, loops));
}

void probe(const Subject& subject, std::mt19937_64& generator, double allowed, const Loops& loops) {
  std::size_t s = random_frequency(subject.n, generator);
  if (tone_difference(subject, s, generator, loops) <= allowed) return;
  s = random_frequency(subject.n, generator);
  const double difference = tone_difference(subject, s, generator, loops);
  if (difference <= allowed) return;
  throw refuted("the tone above frequency " + std::to_string(s), difference, allowed);
}

/// sum_l c_l x_l[j]: one element of each line.
ComplexReal element_sum(const WeighedLines& lines, std::size_t j) {
  PhaseSums sums(lines.factors);
  for (std::size_t l = 0; l < lines.factors.size(); ++l) {
    const std::size_t start = l / lines.stride * lines.n * lines.stride + l % lines.stride;
    sums.add_element(lines.x, lines.first + start + j * lines.stride, lines.factors[l]);
  }
  return sums.total();
}

void sum_directly(const Subject& subject, std::mt19937_64& generator, double allowed,
                  const Loops& loops) {
  const std::size_t n = subject.n;
  const std::size_t start = subject.start(generator() % subject.lines());
  const std::size_t k = generator() % n;
  const std::vector<unsigned> alone(1, 0);
  const bool contiguous = subject.stride == 1;
  ComplexPairs gathered(contiguous ? 0 : n);
  for (std::size_t j = 0; j < gathered.size(); ++j)
    gathered.set(j, subject.x.at(start + j * subject.stride));
  const WeighedLines line{contiguous ? subject.x : gathered, contiguous ? start : 0, n, 1, alone};
  const ComplexReal expected = tone_sum(line, exact_root(k, n), loops);
  const ComplexReal found = element_sum({subject.y, start + k * subject.stride, 1, 1, alone}, 0);
  const double difference = distance(found, expected);
  if (difference > allowed) throw refuted("output " + std::to_string(k), difference, allowed);
}

}  // namespace

void audit(const ComplexPairs& x, const ComplexPairs& y, std::size_t n, std::size_t stride,
           double allowed, const Loops& loops) {
  const MpfrCacheScope scope;
  const Subject subject{x, y, n, stride};
  std::mt19937_64 generator(n + x.size());
  for (int i = 0; i < probes; ++i) probe(subject, generator, allowed, loops);
  for (int i = 0; i < direct_sums; ++i) sum_directly(subject, generator, allowed, loops);
}

}  // namespace fftprec::truth
