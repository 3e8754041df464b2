/// radix2-dif: the decimation-in-frequency FFT of Gentleman and Sande, n = 2^t.
#pragma once

#include <string>

#include "algorithms/fft/bit_reversal.hpp"
#include "algorithms/fft/radix2_stages.hpp"
#include "algorithms/fft/transpose.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// Stages with half = n/2, n/4, ..., 1: elements at distance `half` within groups of 2 half are
/// combined as (a, b) <- (a + b, w (a - b)), w = exp(-+2 pi i j / (2 half)), j the place of a in
/// its group; then bit reversal. Every butterfly takes its product, the trivial factors included.
///
/// Rounds: per butterfly 4 sums, then the product as the arithmetic forms it (fast: 4 products and
/// 2 sums); the inverse ends with one product by fl(1/n) per part. n/2 log2 n butterflies in all.
/// The operations are those of radix2-dit, the bits are not: there a product is rounded before it
/// meets a sum, here the rounded difference is multiplied; and here the first stage takes the
/// factors of all n/2 angles, there the last one. The bound is the same, for it looks at stages one
/// by one.
///
/// The stages run in an order that keeps the inner loop long and the data in cache, which changes
/// no operand of any butterfly: with n = rows * cols, the first log2(cols) stages work on the data
/// as a cols x rows matrix whose columns are the independent direction, the others on its
/// transpose, both in blocks of columns.
///
/// Source: Gentleman, Sande, AFIPS Fall Joint Computer Conference 1966.
template <ArrayArithmetic Arithmetic>
class Radix2Dif {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n) {
    return std::has_single_bit(n) ? "" : "radix2-dif needs n = 2^k, got " + std::to_string(n);
  }

  static Prediction predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
    return predict_radix2(predictor, n, batch);
  }

  /// Throws InputError unless n is a power of two.
  Radix2Dif(const Arithmetic& arithmetic, std::size_t n, Direction direction,
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
      if (gap == 0) {
        combine_rows<Decimation::in_frequency>(arithmetic, data, factors_, rows_, 1);
      } else {
        copy(data, rows);
        combine_rows<Decimation::in_frequency>(arithmetic, rows, factors_, rows_, 1);
        copy(rows, data);
      }
      transpose(data, columns);
      combine_rows<Decimation::in_frequency>(arithmetic, columns, factors_, 1, 0);
      scatter_bit_reversed(columns, data, reversed_);
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
