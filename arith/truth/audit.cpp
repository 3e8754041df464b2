#include "arith/truth/audit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "arith/support/isa_tables.hpp"
#include "arith/truth/bound.hpp"
#include "arith/truth/parallel.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec::truth {

namespace {

/// Lines up to this length have a weight for each element in a table.
constexpr std::size_t longest_tabulated = 4096;

ComplexReal product(const ComplexReal& a, const ComplexReal& b) {
  Multiplier multiply(ComplexReal::precision);
  ComplexReal result;
  multiply(result.re, result.im, a.re, a.im, b.re, b.im);
  return result;
}

ComplexReal one() { return exact_root(0, 1); }

/// z, z w, z w^2, ... one after the other.
class Powers {
 public:
  Powers(const ComplexReal& z, const ComplexReal& w) : power_(z), factor_(w) {}

  const ComplexReal& current() const { return power_; }
  void advance() {
    multiply_(next_.re, next_.im, power_.re, power_.im, factor_.re, factor_.im);
    power_ = next_;
  }

 private:
  ComplexReal power_;
  ComplexReal factor_;
  ComplexReal next_;
  Multiplier multiply_{ComplexReal::precision};
};

DoubleDouble nearest_pair(mpfr_srcptr x) {
  FixedReal<ComplexReal::precision> rest;
  return nearest_pair(x, rest);
}

/// 1, w, w^2, ..., each part rounded to nearest.
ComplexPairs powers_of(const ComplexReal& w, std::size_t count) {
  ComplexPairs powers(count);
  Powers power(one(), w);
  for (std::size_t k = 0; k < count; ++k, power.advance())
    powers.set(k, {nearest_pair(power.current().re), nearest_pair(power.current().im)});
  return powers;
}

ComplexPairs ones(std::size_t count) {
  ComplexPairs all(count);
  std::fill(all.hi.re.begin(), all.hi.re.end(), 1.0);
  return all;
}

/// z^exponent.
ComplexReal power_of(ComplexReal z, std::size_t exponent) {
  ComplexReal result = one();
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product(result, z);
    z = product(z, z);
  }
  return result;
}

/// i^quarters z.
ComplexDoubleDouble turned(ComplexDoubleDouble z, unsigned quarters) {
  for (; quarters > 0; --quarters) z = {-z.im, z.re};
  return z;
}

bool is_one(const ComplexDoubleDouble& z) {
  return z.re.hi == 1 && z.re.lo == 0 && z.im.hi == 0 && z.im.lo == 0;
}

/// So many neighbours share a factor: about half the root of all, as the factors of the neighbours
/// and those that they share are MPFR's.
std::size_t columns_for(std::size_t n, std::size_t lines) {
  const int log2_all = std::countr_zero(std::bit_floor(n * lines));
  const std::size_t half_root = std::size_t{1} << std::max(3, log2_all / 2 - 1);
  return std::min(n, half_root);
}

/// sum_j x_j w_j
ComplexDoubleDouble dot(const ConstPairView& x, const ConstPairView& w, std::size_t count,
                        Isa isa) {
  return with_tables<PairTables>(isa, [&](auto tables) { return tables.dot(x, w, count); });
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

/// A stretch of data that counts with one factor.
struct Row {
  std::size_t first;
  std::size_t count;
  ComplexDoubleDouble factor;
};

/// sum over rows of factor times data, column by column.
ComplexPairs column_sums(const ComplexPairs& x, const std::vector<Row>& rows, std::size_t columns,
                         const Loops& loops) {
  ComplexPairs sums(columns);
  in_pieces(columns, loops.threads_for(x.size()), loops.isa,
            [&](auto tables, std::size_t column, std::size_t count) {
              for (const auto& [first, length, f] : rows) {
                if (length <= column) continue;
                const std::array factor{f.re.hi, f.re.lo, f.im.hi, f.im.lo};
                tables.accumulate(from(view(sums), column), from(view(x), first + column),
                                  factor.data(), std::min(length - column, count));
              }
            });
  return sums;
}

/// w_(r width + j) = rows_r columns_j, the weights of the elements of a line.
class Weights {
 public:
  /// Of all elements.
  explicit Weights(ComplexPairs table) : rows_(ones(1)), columns_(std::move(table)) {}

  /// z^k, k < n.
  static Weights tone(const ComplexReal& z, std::size_t n, std::size_t lines) {
    Weights weights(powers_of(z, columns_for(n, n <= longest_tabulated ? 1 : lines)));
    const std::size_t width = weights.columns_.size();
    weights.rows_ = powers_of(power_of(z, width), (n + width - 1) / width);
    return n <= longest_tabulated ? Weights(weights.table(n)) : weights;
  }

  /// sum_l c_l sum_k x_l[k] w_k
  ComplexDoubleDouble sum(const WeighedLines& lines, const Loops& loops) const {
    return lines.stride == 1 ? sum_of_rows(lines, loops) : sum_of_columns(lines, loops);
  }
  std::size_t elements() const { return rows_.size() + columns_.size(); }

 private:
  ComplexPairs table(std::size_t n) const {
    ComplexPairs all(n);
    for (std::size_t k = 0; k < n; ++k) all.set(k, at(k));
    return all;
  }

  ComplexDoubleDouble at(std::size_t k) const {
    const std::size_t width = columns_.size();
    return k < width ? columns_.at(k) : rows_.at(k / width) * columns_.at(k % width);
  }

  ComplexDoubleDouble sum_of_rows(const WeighedLines& lines, const Loops& loops) const {
    const auto& [x, first, n, stride, factors] = lines;
    const std::size_t width = columns_.size();
    if (factors.size() == 1 && width == n && is_one(factors.at(0)))
      return dot(from(view(x), first), view(columns_), n, loops.isa);
    std::vector<Row> rows;
    for (std::size_t l = 0; l < factors.size(); ++l)
      for (std::size_t r = 0; r < rows_.size(); ++r)
        rows.push_back({first + l * n + r * width, std::min(width, n - r * width),
                        rows_.at(r) * factors.at(l)});
    return dot(view(column_sums(x, rows, width, loops)), view(columns_), width, loops.isa);
  }

  /// Over the columns of blocks of n x stride.
  ComplexDoubleDouble sum_of_columns(const WeighedLines& lines, const Loops& loops) const {
    const auto& [x, first, n, stride, factors] = lines;
    std::vector<Row> rows;
    for (std::size_t k = 0; k < n; ++k) rows.push_back({first + k * stride, stride, at(k)});
    ComplexDoubleDouble total{};
    for (std::size_t block = 0; block < factors.size(); block += stride) {
      total = total + dot(view(column_sums(x, rows, stride, loops)), from(view(factors), block),
                          stride, loops.isa);
      for (Row& row : rows) row.first += n * stride;
    }
    return total;
  }

  ComplexPairs rows_;
  ComplexPairs columns_;
};

/// 1 + i cot(pi (2 (s - j) + 1)/(2n)), j < n, in rows of `width` elements: cot(a + b) from cot a of
/// each row and tan b of each place in it. Rows within a quarter of one from the pole are MPFR's
/// own.
class CotangentRows {
 public:
  CotangentRows(std::size_t s, std::size_t n) : n_(n), s_(s) {
    width_ = n < fewest_rows * fewest_rows ? n : columns_for(n, 1);
    for (std::size_t row = 0; row < n; row += width_)
      if (near_pole(row)) near_.push_back({row, exactly(row, std::min(width_, n - row), 1)});
    if (width_ == n) return;
    const ComplexPairs cotangents = exactly(0, (n + width_ - 1) / width_, width_);
    for (std::size_t row = 0; row < n; row += width_)
      if (!near_pole(row)) far_.push_back({row, cotangents.at(row / width_).im});
    set_tangents();
  }

  ComplexPairs table() const {
    const ComplexPairs of_row = ones(width_);
    ComplexPairs all(n_);
    for (const Far& row : far_)
      with_tables<PairTables>(best_isa(), [&](auto tables) {
        accumulate(tables, row, from(view(all), row.first), view(of_row), 0, width_);
      });
    for (const Near& row : near_)
      for (std::size_t j = 0; j < row.weights.size(); ++j)
        all.set(row.first + j, row.weights.at(j));
    return all;
  }

  /// sum_j x_j w_j
  ComplexDoubleDouble sum(const ConstPairView& x, const Loops& loops) const {
    ComplexPairs sums(width_);
    in_pieces(width_, loops.threads_for(n_), loops.isa,
              [&](auto tables, std::size_t column, std::size_t count) {
                for (const Far& row : far_)
                  accumulate(tables, row, from(view(sums), column), from(x, row.first + column),
                             column, count);
              });
    ComplexDoubleDouble total{};
    for (std::size_t j = 0; j < width_; ++j) total = total + sums.at(j);
    for (const Near& row : near_)
      total = total + dot(from(x, row.first), view(row.weights), row.weights.size(), loops.isa);
    return total;
  }

  std::size_t elements() const { return far_.size() + (near_.size() + 1) * width_; }

 private:
  static constexpr std::size_t fewest_rows = 16;

  struct Far {
    std::size_t first;
    DoubleDouble cotangent;  ///< of its first element
  };
  struct Near {
    std::size_t first;
    ComplexPairs weights;
  };

  /// Adds the elements x of a row from a column on, with their weights, to `sums`.
  template <class Tables>
  void accumulate(Tables tables, const Far& row, const PairView& sums, const ConstPairView& x,
                  std::size_t column, std::size_t count) const {
    if (row.first + column >= n_) return;
    const std::array cotangent{row.cotangent.hi, row.cotangent.lo};
    tables.accumulate_cotangents(sums, x, cotangent.data(), tan_.hi.re.data() + column,
                                 tan_.lo.re.data() + column,
                                 std::min(n_ - row.first - column, count));
  }

  bool near_pole(std::size_t row) const {
    const std::size_t to_begin = (n_ + s_ - row + width_ / 4) % n_;
    return to_begin < width_ + width_ / 2;
  }

  /// The weights of elements first, first + step, ...
  ComplexPairs exactly(std::size_t first, std::size_t count, std::size_t step) const {
    const std::size_t s = (n_ + s_ - first) % n_;
    Powers power(exact_root(4 * n_ - (2 * s + 1), 4 * n_), exact_root(step, 2 * n_));
    ComplexPairs weights(count);
    FixedReal<ComplexReal::precision> cotangent;
    for (std::size_t j = 0; j < count; ++j, power.advance()) {
      mpfr_div(cotangent, power.current().re, power.current().im, MPFR_RNDN);
      weights.set(j, {{1, 0}, nearest_pair(cotangent)});
    }
    return weights;
  }

  /// tan(-pi l/n)
  void set_tangents() {
    tan_ = ComplexPairs(width_);
    Powers power(one(), exact_root(1, 2 * n_));
    FixedReal<ComplexReal::precision> tangent;
    for (std::size_t l = 0; l < width_; ++l, power.advance()) {
      mpfr_div(tangent, power.current().im, power.current().re, MPFR_RNDN);
      tan_.set(l, {nearest_pair(tangent), {0, 0}});
    }
  }

  std::size_t n_;
  std::size_t s_;
  std::size_t width_;
  ComplexPairs tan_;
  std::vector<Far> far_;
  std::vector<Near> near_;
};

/// The cotangents of a line: all of them, or in rows for long contiguous lines.
class Cotangents {
 public:
  Cotangents(std::size_t s, std::size_t n, std::size_t stride) : of_(CotangentRows(s, n)) {
    if (n <= longest_tabulated || stride > 1) of_ = Weights(std::get<CotangentRows>(of_).table());
  }

  ComplexDoubleDouble sum(const WeighedLines& lines, const Loops& loops) const {
    if (const Weights* weights = std::get_if<Weights>(&of_)) return weights->sum(lines, loops);
    const CotangentRows& of_line = std::get<CotangentRows>(of_);
    const auto& [x, first, n, stride, factors] = lines;
    if (factors.size() == 1 && is_one(factors.at(0)))
      return of_line.sum(from(view(x), first), loops);
    std::vector<Row> rows;
    for (std::size_t l = 0; l < factors.size(); ++l)
      rows.push_back({first + l * n, n, factors.at(l)});
    const ComplexPairs together = column_sums(x, rows, n, loops);
    return of_line.sum(view(together), loops);
  }
  std::size_t elements() const {
    return std::visit([](const auto& of) { return of.elements(); }, of_);
  }

 private:
  std::variant<CotangentRows, Weights> of_;
};

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

ComplexPairs factors_of_lines(const std::vector<unsigned>& factors) {
  const unsigned phases = *std::max_element(factors.begin(), factors.end()) / 4 + 1;
  const ComplexPairs roots = powers_of(exact_root(phases > 1 ? 1 : 0, line_factors), phases);
  ComplexPairs result(factors.size());
  for (std::size_t l = 0; l < factors.size(); ++l)
    result.set(l, turned(roots.at(factors[l] / 4), factors[l] % 4));
  return result;
}

ComplexDoubleDouble tone_sum(const WeighedLines& lines, const ComplexReal& z, const Loops& loops) {
  return Weights::tone(z, lines.n, lines.factors.size()).sum(lines, loops);
}

ComplexDoubleDouble cotangent_sum(const WeighedLines& lines, std::size_t s, const Loops& loops) {
  return Cotangents(s, lines.n, lines.stride).sum(lines, loops);
}

namespace {

/// |a - b|, rounded upward.
double distance(const ComplexDoubleDouble& a, const ComplexDoubleDouble& b) {
  const auto square_of_difference = [](const DoubleDouble& x, const DoubleDouble& y) {
    FixedReal<ComplexReal::precision> difference;
    mpfr_set_d(difference, x.hi, MPFR_RNDN);
    mpfr_sub_d(difference, difference, y.hi, MPFR_RNDN);
    mpfr_add_d(difference, difference, x.lo, MPFR_RNDN);
    mpfr_sub_d(difference, difference, y.lo, MPFR_RNDN);
    mpfr_abs(difference, difference, MPFR_RNDN);
    const Bound size{mpfr_srcptr(difference)};
    return size * size;
  };
  return sqrt(square_of_difference(a.re, b.re) + square_of_difference(a.im, b.im)).to_double();
}

CertificateError refuted(const std::string& what, double difference, double allowed) {
  return CertificateError("truth: " + what + " differs by " + std::to_string(difference / allowed) +
                          " times what is certified: the computation or the memory is at fault");
}

/// Between frequencies s and s + 1. z^k = 1 for no k < n, so that no two outputs could be
/// exchanged unseen: 2s + 1 is prime to n.
std::size_t random_frequency(std::size_t n, std::mt19937_64& generator) {
  std::size_t s = generator() % n;
  while (std::gcd(2 * s + 1, n) != 1) s = generator() % n;
  return s;
}

std::vector<unsigned> random_factors(std::size_t lines, std::mt19937_64& generator) {
  std::vector<unsigned> factors(lines, 0);
  for (std::size_t l = 1; l < lines; ++l)
    factors[l] = static_cast<unsigned>(generator() % line_factors);
  return factors;
}

/// The sum over all outputs times a tone.
class ToneProbe {
 public:
  ToneProbe(std::size_t n, std::size_t stride, std::size_t lines, std::mt19937_64& generator)
      : s_(random_frequency(n, generator)),
        factors_(factors_of_lines(random_factors(lines, generator))),
        tone_(Weights::tone(exact_root(2 * n - (2 * s_ + 1), 2 * n), n, lines)),
        cotangents_(s_, n, stride) {}

  double difference(const ComplexPairs& x, const ComplexPairs& y, std::size_t n, std::size_t stride,
                    const Loops& loops) const {
    return distance(tone_.sum({y, 0, n, stride, factors_}, loops),
                    cotangents_.sum({x, 0, n, stride, factors_}, loops));
  }
  std::string name() const { return "the tone above frequency " + std::to_string(s_); }
  std::size_t elements() const {
    return factors_.size() + tone_.elements() + cotangents_.elements();
  }

 private:
  std::size_t s_;
  ComplexPairs factors_;
  Weights tone_;
  Cotangents cotangents_;
};

/// One output by its definition.
class DirectOutput {
 public:
  DirectOutput(std::size_t n, std::size_t lines, std::mt19937_64 generator)
      : line_(generator() % lines),
        k_(generator() % n),
        roots_(Weights::tone(exact_root(k_, n), n, 1)),
        alone_(ones(1)) {}

  double difference(const ComplexPairs& x, const ComplexPairs& y, std::size_t n, std::size_t stride,
                    const Loops& loops) const {
    const std::size_t start = line_ / stride * n * stride + line_ % stride;
    const ComplexDoubleDouble found = y.at(start + k_ * stride);
    if (stride == 1) return distance(found, roots_.sum({x, start, n, 1, alone_}, loops));
    ComplexPairs gathered(n);
    for (std::size_t j = 0; j < n; ++j) gathered.set(j, x.at(start + j * stride));
    return distance(found, roots_.sum({gathered, 0, n, 1, alone_}, loops));
  }
  std::string name() const { return "output " + std::to_string(k_); }
  std::size_t elements() const { return roots_.elements(); }

 private:
  std::size_t line_;
  std::size_t k_;
  Weights roots_;
  ComplexPairs alone_;
};

}  // namespace

struct Audit::Tables {
  Tables(std::size_t n, std::size_t stride, std::size_t size)
      : generator(n + size),
        probe(n, stride, size / n, generator),
        direct(n, size / n, generator) {}

  std::mt19937_64 generator;  ///< draws the second probe
  ToneProbe probe;
  DirectOutput direct;
};

Audit::Audit(std::size_t n, std::size_t stride, std::size_t size)
    : n_(n), stride_(stride), size_(size) {
  const MpfrCacheScope scope;
  tables_ = std::make_unique<const Tables>(n, stride, size);
}

Audit::~Audit() = default;

void Audit::operator()(const ComplexPairs& x, const ComplexPairs& y, double allowed,
                       const Loops& loops) const {
  assert(x.size() == size_ && y.size() == size_);
  const auto difference = [&](const auto& probe) {
    return probe.difference(x, y, n_, stride_, loops);
  };
  const auto check = [&](const auto& probe) {
    const double found = difference(probe);
    if (!(found <= allowed)) throw refuted(probe.name(), found, allowed);
  };
  if (!(difference(tables_->probe) <= allowed)) {
    const MpfrCacheScope scope;
    std::mt19937_64 generator = tables_->generator;
    check(ToneProbe(n_, stride_, size_ / n_, generator));
  }
  check(tables_->direct);
}

std::size_t Audit::elements() const {
  return tables_->probe.elements() + tables_->direct.elements();
}

}  // namespace fftprec::truth
