/// good-thomas: the prime-factor algorithm, a DFT of coprime factors without twiddles.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/number_theory.hpp"
#include "algorithms/fft/transpose.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// n = q_1 q_2 ... q_d, the powers of its d >= 2 primes, ascending in size. With j = sum_i (n/q_i)
/// j_i mod n (Good's map) and k = sum_i (n/q_i) ((n/q_i)^-1 mod q_i) k_i mod n (Chinese remainders)
/// the DFT of n is the d-dimensional DFT of q_1 x ... x q_d, without factors between the axes.
///
/// Order: the largest q first, the smallest last. The inner FFT transforms each axis, and its
/// result is rounded to the storage format before the next axis.
/// Rounds: as the inner FFTs do. The inverse runs their inverses, each of which scales its axis.
/// Error: each axis is a stage: prod (1 + b_i) - 1.
/// Source: Good, J. R. Statist. Soc. B 20 (1958), 361-372; Thomas 1963.
template <ArrayArithmetic Arithmetic>
class GoodThomas {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, const FftModel& inner) {
    const std::vector<std::size_t> lengths = axes(n);
    if (lengths.size() < 2) return refusal(n);
    for (const std::size_t length : lengths)
      if (const std::string reason = inner.unsupported(length); !reason.empty())
        return "good-thomas of n = " + std::to_string(n) + ": " + reason;
    return "";
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& inner) {
    const std::vector<std::size_t> lengths = axes(n);
    ErrorModel result;
    std::size_t number = 0;
    for (const std::size_t length : lengths) {
      const auto mark = predictor.stage(numbered, ++number);
      result = predictor.stored(result)
                   .compose(inner.predict(predictor, length, batch * (n / length)))
                   .compose(predictor.reorder());
    }
    result.theorem = "axes";
    return result;
  }

  /// Throws InputError unless n has two different prime factors, and for a factor that the inner
  /// FFT refuses.
  GoodThomas(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
             const MakeFft<Arithmetic>& inner)
      : n_(n), lengths_(axes(n)), in_(n), out_(n) {
    require(lengths_.size() >= 2, refusal(n));
    std::size_t inside = 1;
    for (const std::size_t length : lengths_) {
      inner_.push_back(in_stage(arithmetic, numbered, inner_.size() + 1,
                                [&] { return inner(arithmetic, length, dft, roots); }));
      // Adds an axis outside the present ones: the first axis is the last of the row-major grid.
      const std::size_t step = n / length;
      const std::size_t unit = step * inverse_mod(step, length) % n;
      for (std::size_t place = inside; place < inside * length; ++place) {
        in_[place] = (in_[place - inside] + step) % n;
        out_[place] = (out_[place - inside] + unit) % n;
      }
      inside *= length;
    }
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    ComplexArray<Real> grid(x.size());
    for (std::size_t first = 0; first < x.size(); first += n_)
      for (std::size_t place = 0; place < n_; ++place)
        put(grid, first + place, x, first + in_[place]);
    for (std::size_t axis = 0; axis < lengths_.size(); ++axis) {
      const auto mark = arithmetic.stage(numbered, axis + 1);
      if (axis > 0) arithmetic.store(view_of(grid, batch, n_));
      inner_[axis](arithmetic, grid);
      transpose_each(grid, n_ / lengths_[axis], lengths_[axis], x);
      std::swap(grid, x);
    }
    for (std::size_t first = 0; first < x.size(); first += n_)
      for (std::size_t place = 0; place < n_; ++place)
        put(x, first + out_[place], grid, first + place);
  }

 private:
  static constexpr std::string_view numbered = "axis #";

  static std::string refusal(std::size_t n) {
    return "good-thomas needs n with two different prime factors, got " + std::to_string(n);
  }

  /// The prime powers of n in the order in which they are transformed.
  static std::vector<std::size_t> axes(std::size_t n) {
    std::vector<std::size_t> lengths;
    for (const PrimePower& factor : prime_powers(n)) lengths.push_back(factor.power);
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    return lengths;
  }

  std::size_t n_;
  std::vector<std::size_t> lengths_;
  std::vector<Fft<Arithmetic>> inner_;
  std::vector<std::size_t> in_;   ///< place in the grid -> index of the input
  std::vector<std::size_t> out_;  ///< place in the grid -> index of the output
};

}  // namespace fftprec
