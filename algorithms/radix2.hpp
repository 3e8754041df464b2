/// radix2-dit: the decimation-in-time Cooley-Tukey FFT, n = 2^t.
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "algorithms/arithmetic.hpp"
#include "algorithms/table_statistics.hpp"
#include "arith/error.hpp"

namespace fftprec {

/// Bit reversal, then stages s = 0..t-1: elements at distance 2^s within groups of 2^(s+1) are
/// combined as (e, o) <- (e + w o, e - w o), w = exp(-+2 pi i j / 2^(s+1)), j the place of e in its
/// group. Every butterfly takes its product, the trivial factors 1 and -i included.
///
/// Rounds: per butterfly the product as the arithmetic forms it (fast: 4 products and 2 sums), then
/// 4 sums; the inverse ends with one product by fl(1/n) per part. n/2 log2 n butterflies in all.
///
/// The stages run in an order that keeps the inner loop long and the data in cache, which changes
/// no operand of any butterfly: with n = rows * cols, the first log2(rows) stages work on a
/// rows x cols matrix whose columns are the independent direction, the others on its transpose,
/// both in blocks of columns.
template <ArrayArithmetic Arithmetic>
class Radix2Dit {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n) {
    return std::has_single_bit(n) ? "" : "radix2-dit needs n = 2^k, got " + std::to_string(n);
  }

  /// The factor of place j in a group of the stage with half-size `half`.
  static RootIndex stage_root(std::size_t half, std::size_t j) { return {j, 2 * half}; }

  /// Statistics of each stage's factors, the first stage first.
  static std::vector<TableStatistics> statistics(std::size_t n, const RootFunction& roots,
                                                 const RootFunction& exact, const Format& format) {
    std::vector<TableStatistics> stages;
    for (std::size_t half = 1; half < n; half *= 2)
      stages.push_back(table_statistics(
          half, [half](std::size_t j) { return stage_root(half, j); }, roots, exact, format));
    return stages;
  }

  /// Throws InputError unless n is a power of two.
  Radix2Dit(const Arithmetic& arithmetic, std::size_t n, Direction direction,
            const RootFunction& roots)
      : n_(n), direction_(direction) {
    require(unsupported(n).empty(), unsupported(n));
    const int stages = std::countr_zero(n);
    rows_ = std::size_t{1} << (stages / 2);
    reversed_.resize(cols());
    for (std::size_t g = 0; g < cols(); ++g) reversed_[g] = bit_reversed(g, cols());
    // The factors of the stage with half-size h stand at [h, 2h); entry 0 is not used.
    factors_ = arithmetic.factors(
        n,
        [](std::size_t i) {
          const std::size_t half = std::bit_floor(std::max<std::size_t>(i, 1));
          return stage_root(half, i == 0 ? 0 : i - half);
        },
        direction, roots);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t padding = n_ >= crowded_size ? 16 : 0;
    ComplexArray<Real> work(n_ + padding * cols());
    const auto matrix_in_work = [&](std::size_t rows, std::size_t cols) {
      return View<Real>{work.re.data(), work.im.data(), rows, cols, cols + padding};
    };
    const View<Real> columns = matrix_in_work(rows_, cols());
    const View<Real> rows = matrix_in_work(cols(), rows_);
    for (std::size_t first = 0; first < x.size(); first += n_) {
      const View<Real> data{x.re.data() + first, x.im.data() + first, cols(), rows_, rows_};
      gather_bit_reversed(data, columns);
      early_stages(arithmetic, columns);
      transpose(columns, data);
      if (padding == 0) {
        late_stages(arithmetic, data);
      } else {
        copy(data, rows);
        late_stages(arithmetic, rows);
        copy(rows, data);
      }
    }
    if (direction_ == Direction::inverse) arithmetic.scale(view_of(x, x.size() / n_, n_), n_);
  }

 private:
  /// Columns per block: 64 columns of 1024 rows stay in a second-level cache of 1 MiB.
  static constexpr std::size_t block_cols = 64;
  /// From here on rows are 2 KiB or more apart, a power of two, and compete for the same few places
  /// of every cache: stages then work on rows with a gap between them.
  static constexpr std::size_t crowded_size = std::size_t{1} << 18;

  std::size_t cols() const { return n_ / rows_; }

  static std::size_t bit_reversed(std::size_t i, std::size_t size) {
    std::size_t reversed = 0;
    for (std::size_t bit = 1; bit < size; bit <<= 1, i >>= 1) reversed = (reversed << 1) | (i & 1);
    return reversed;
  }

  /// columns(i, g) = x[bit reversal of g * rows + i] = x[rev(i) * cols + rev(g)].
  void gather_bit_reversed(View<Real> x, View<Real> columns) const {
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::size_t from = bit_reversed(i, rows_) * cols();
      const std::size_t to = i * columns.stride;
      for (std::size_t g = 0; g < cols(); ++g) {
        columns.re[to + g] = x.re[from + reversed_[g]];
        columns.im[to + g] = x.im[from + reversed_[g]];
      }
    }
  }

  static void copy(View<Real> from, View<Real> to) {
    for (std::size_t i = 0; i < from.rows; ++i) {
      std::copy_n(from.re + i * from.stride, from.cols, to.re + i * to.stride);
      std::copy_n(from.im + i * from.stride, from.cols, to.im + i * to.stride);
    }
  }

  /// to(g, i) = from(i, g).
  static void transpose(View<Real> from, View<Real> to) {
    constexpr std::size_t tile = 16;
    for (std::size_t i0 = 0; i0 < from.rows; i0 += tile)
      for (std::size_t g0 = 0; g0 < from.cols; g0 += tile)
        for (std::size_t g = g0; g < std::min(g0 + tile, from.cols); ++g)
          for (std::size_t i = i0; i < std::min(i0 + tile, from.rows); ++i) {
            to.re[g * to.stride + i] = from.re[i * from.stride + g];
            to.im[g * to.stride + i] = from.im[i * from.stride + g];
          }
  }

  /// All stages that combine rows of x. The factor of row j of a group with `half` rows above is
  /// given by factor(half, column): a view whose row j is the factor's.
  template <class Factor>
  static void combine_rows(const Arithmetic& arithmetic, View<Real> x, Factor factor) {
    for (std::size_t col = 0; col < x.cols; col += block_cols) {
      const View<Real> block = x.middle_cols(col, std::min(block_cols, x.cols - col));
      for (std::size_t half = 1; half < x.rows; half *= 2)
        for (std::size_t group = 0; group < x.rows; group += 2 * half)
          arithmetic.butterfly(block.middle_rows(group, half),
                               block.middle_rows(group + half, half), factor(half, col));
    }
  }

  /// Stages within groups of `rows_` elements: the factor depends on the row alone.
  void early_stages(const Arithmetic& arithmetic, View<Real> columns) const {
    combine_rows(arithmetic, columns,
                 [this](std::size_t half, std::size_t) { return factors_.view(half, 1, 0); });
  }

  /// Stages across them: row j, column c of a group is its element j * rows_ + c.
  void late_stages(const Arithmetic& arithmetic, View<Real> x) const {
    combine_rows(arithmetic, x, [this](std::size_t half, std::size_t col) {
      return factors_.view(half * rows_ + col, rows_, 1);
    });
  }

  std::size_t n_;
  std::size_t rows_;
  Direction direction_;
  std::vector<std::size_t> reversed_;  ///< the bit reversal of every column
  typename Arithmetic::Table factors_;
};

}  // namespace fftprec
