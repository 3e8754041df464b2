/// radix2-dit: the decimation-in-time Cooley-Tukey FFT, n = 2^t.
#pragma once

#include <string>

#include "algorithms/fft/bit_reversal.hpp"
#include "algorithms/fft/radix2_stages.hpp"
#include "algorithms/fft/transpose.hpp"
#include "arith/support/error.hpp"

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

  static Prediction predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
    return predict_radix2(predictor, n, batch);
  }

  /// Throws InputError unless n is a power of two.
  Radix2Dit(const Arithmetic& arithmetic, std::size_t n, Direction direction,
            const RootFunction& roots)
      : n_(n), direction_(direction) {
    require(unsupported(n).empty(), unsupported(n));
    rows_ = std::size_t{1} << (std::countr_zero(n) / 2);
    reversed_ = bit_reversals(cols());
    factors_ = arithmetic.factors(radix2_factors(n), direction, roots);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t gap = rows_ >= crowded_cols ? row_gap : 0;
    ComplexArray<Real> work(n_ + gap * cols());
    const View<Real> columns{work.re.data(), work.im.data(), rows_, cols(), cols() + gap};
    const View<Real> rows{work.re.data(), work.im.data(), cols(), rows_, rows_ + gap};
    for (std::size_t first = 0; first < x.size(); first += n_) {
      const View<Real> data{x.re.data() + first, x.im.data() + first, cols(), rows_, rows_};
      gather_bit_reversed(data, columns, reversed_);
      combine_rows<Decimation::in_time>(arithmetic, columns, factors_, 1, 0);
      transpose(columns, data);
      if (gap == 0) {
        combine_rows<Decimation::in_time>(arithmetic, data, factors_, rows_, 1);
      } else {
        copy(data, rows);
        combine_rows<Decimation::in_time>(arithmetic, rows, factors_, rows_, 1);
        copy(rows, data);
      }
    }
    const auto mark = arithmetic.stage(inverse_scaling, radix2_number(n_));
    if (direction_ == Direction::inverse) arithmetic.scale(view_of(x, x.size() / n_, n_), n_);
  }

 private:
  std::size_t cols() const { return n_ / rows_; }

  std::size_t n_;
  std::size_t rows_;
  Direction direction_;
  std::vector<std::size_t> reversed_;  ///< the bit reversal of every column
  typename Arithmetic::Table factors_;
};

}  // namespace fftprec
