/// recursive: the Cooley-Tukey FFT as its definition reads, depth first, n = 2^t.
#pragma once

#include <string>

#include "algorithms/fft/bit_reversal.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/fft/transpose.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// F_n(x): E = F_{n/2}(x_0, x_2, ...), O = F_{n/2}(x_1, x_3, ...), then (X_j, X_{j+n/2}) <- (E_j +
/// w^j O_j, E_j - w^j O_j), w = exp(-+2 pi i / n): all of E is done before any of O. Each part is
/// transformed to its end while it is in cache, whatever the size of that cache (cache-oblivious:
/// Frigo, Leiserson, Prokop, Ramachandran, FOCS 1999).
///
/// Rounds: the butterflies, their factors and operands are those of radix2-dit, visited in another
/// order: the result is the same in every bit.
///
/// What is done: the splits into even and odd places of all levels come first, as one bit reversal
/// out of place, which makes every part contiguous. The parts of 2^min(5, t/2) elements, the leaves
/// of the recursion, are gathered into the columns of a matrix and transformed all together, so
/// that inner loops run over columns; from there on the recursion is carried out, with inner loops
/// over j.
template <ArrayArithmetic Arithmetic>
class Recursive {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n) {
    return std::has_single_bit(n) ? "" : "recursive needs n = 2^k, got " + std::to_string(n);
  }

  static Prediction predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
    return predict_radix2(predictor, n, batch);
  }

  /// Throws InputError unless n is a power of two.
  Recursive(const Arithmetic& arithmetic, std::size_t n, Direction direction,
            const RootFunction& roots)
      : n_(n), direction_(direction) {
    require(unsupported(n).empty(), unsupported(n));
    constexpr int largest_leaf = 5;
    leaf_ = std::size_t{1} << std::min(largest_leaf, std::countr_zero(n) / 2);
    reversed_ = bit_reversals(n / leaf_);
    factors_ = arithmetic.factors(radix2_factors(n), direction, roots);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t leaves = n_ / leaf_;
    const std::size_t stride = leaves + (leaves >= crowded_cols ? row_gap : 0);
    ComplexArray<Real> work(leaf_ * stride);
    const View<Real> columns{work.re.data(), work.im.data(), leaf_, leaves, stride};
    for (std::size_t first = 0; first < x.size(); first += n_) {
      const View<Real> data{x.re.data() + first, x.im.data() + first, leaves, leaf_, leaf_};
      gather_bit_reversed(data, columns, reversed_);
      combine_rows<Decimation::in_time>(arithmetic, columns, factors_, 1, 0, first);
      transpose(columns, data);
      combine(arithmetic, {data.re, data.im, 1, n_, n_}, first);
    }
    const auto mark = arithmetic.stage(inverse_scaling, radix2_number(n_));
    if (direction_ == Direction::inverse) arithmetic.scale(view_of(x, x.size() / n_, n_), n_);
  }

 private:
  /// One part, whose leaves are transformed, from the place `first` of the batch on.
  void combine(const Arithmetic& arithmetic, View<Real> x, std::size_t first) const {
    if (x.cols == leaf_) return;
    const std::size_t half = x.cols / 2;
    combine(arithmetic, x.middle_cols(0, half), first);
    combine(arithmetic, x.middle_cols(half, half), first + half);
    const auto mark = arithmetic.stage(radix2_butterflies, radix2_number(half));
    arithmetic.butterfly(x.middle_cols(0, half), x.middle_cols(half, half),
                         factors_.view(half, 0, 1));
    mark.leaves(x, [first](std::size_t, std::size_t col) { return first + col; });
  }

  std::size_t n_;
  std::size_t leaf_;
  Direction direction_;
  std::vector<std::size_t> reversed_;  ///< the bit reversal of every leaf's place
  typename Arithmetic::Table factors_;
};

}  // namespace fftprec
