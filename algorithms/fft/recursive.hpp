/// recursive: the Cooley-Tukey FFT by its definition, depth first, n = 2^t; and over a base,
/// n = base 2^t.
#pragma once

#include <string>

#include "algorithms/fft/bit_reversal.hpp"
#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/fft/transpose.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// Combines the halves of x after it combined their halves, down to parts of `leaf` elements, which
/// are already transformed. x begins at place `first` of the batch. Stages are counted from parts
/// of `base` elements; if base > 1, their transforms are the first stage.
template <ArrayArithmetic Arithmetic>
void combine_halves(const Arithmetic& arithmetic, View<typename Arithmetic::Real> x,
                    const typename Arithmetic::Table& factors, std::size_t leaf, std::size_t base,
                    std::size_t first) {
  if (x.cols == leaf) return;
  const std::size_t half = x.cols / 2;
  const auto top = x.middle_cols(0, half);
  const auto bottom = x.middle_cols(half, half);
  combine_halves(arithmetic, top, factors, leaf, base, first);
  combine_halves(arithmetic, bottom, factors, leaf, base, first + half);
  const std::size_t before = base > 1 ? 1 : 0;
  const std::size_t stage = radix2_number(half / base);
  if (half > leaf) {
    const auto mark = arithmetic.stage(radix2_butterflies, stage - 1 + before);
    arithmetic.end_stage(x, stage - 1);
  }
  const auto mark = arithmetic.stage(radix2_butterflies, stage + before);
  arithmetic.begin_stage(x, 2, half);
  arithmetic.butterfly(top, bottom, factors.view(half, 0, 1));
  mark.leaves(x, [first](std::size_t, std::size_t col) { return first + col; });
}

/// F_n(x): E = F_{n/2}(x_0, x_2, ...), O = F_{n/2}(x_1, x_3, ...), then (X_j, X_{j+n/2}) <- (E_j +
/// w^j O_j, E_j - w^j O_j), w = exp(-+2 pi i / n). E is finished before O begins. Each part is
/// transformed completely while it is in cache, whatever the size of the cache (cache-oblivious:
/// Frigo, Leiserson, Prokop, Ramachandran, FOCS 1999).
///
/// Rounds: butterflies, factors and operands are those of radix2-dit in another order, so the
/// result has the bits of radix2-dit.
///
/// Implementation: one bit reversal out of place does the even-odd splits of all levels first,
/// which makes every part contiguous. The leaves of the recursion, parts of 2^min(5, t/2) elements,
/// are gathered into the columns of a matrix and transformed together, so that inner loops run over
/// columns. The recursion combines them, with inner loops over j.
template <ArrayArithmetic Arithmetic>
class Recursive {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n) {
    return std::has_single_bit(n) ? "" : "recursive needs n = 2^k, got " + std::to_string(n);
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch) {
    return predict_radix2(predictor, n, batch);
  }

  /// Throws InputError unless n is a power of two.
  Recursive(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots)
      : n_(n), dft_(dft) {
    require(unsupported(n).empty(), unsupported(n));
    constexpr int largest_leaf = 5;
    leaf_ = std::size_t{1} << std::min(largest_leaf, std::countr_zero(n) / 2);
    reversed_ = bit_reversals(n / leaf_);
    factors_ = arithmetic.factors(radix2_factors(n), dft, roots);
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
      combine_rows<Decimation::in_time>(arithmetic, columns, factors_, 1, 0, first, n_);
      transpose(columns, data);
      combine_halves(arithmetic, {data.re, data.im, 1, n_, n_}, factors_, leaf_, 1, first);
    }
    const auto mark = arithmetic.stage(norm_scaling, radix2_number(n_));
    arithmetic.scale(view_of(x, x.size() / n_, n_), dft_, n_);
  }

 private:
  std::size_t n_;
  std::size_t leaf_;
  Dft dft_;
  std::vector<std::size_t> reversed_;  ///< the bit reversal of every leaf's place
  typename Arithmetic::Table factors_;
};

/// The recursion ends at parts of `base` elements, every (n/base)-th of the input. An inner FFT
/// transforms all parts first, as one batch; then come the butterflies of radix2-dit. With base =
/// 128 and a matrix product this suits an engine that multiplies 128 x 128 matrices.
///
/// Rounds: as the inner FFTs do, then once to the storage format; then per butterfly as radix2-dit,
/// log2(n/base) stages. In the inverse the inner FFTs scale by fl(1/base), and each part ends with
/// one product by fl(base/n).
/// Error: stage by stage, as radix2-dit.
template <ArrayArithmetic Arithmetic>
class RecursiveOverBase {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, const FftModel& inner, std::size_t base) {
    const std::string reason = refusal(n, base);
    return reason.empty() ? inner.unsupported(base) : reason;
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& inner, std::size_t base) {
    ErrorModel result;
    {
      const auto mark = predictor.stage(base_dfts, 1);
      result = inner.predict(predictor, base, batch * (n / base));
    }
    return predict_radix2(predictor, n, batch, result, base);
  }

  /// Throws InputError unless n is base times a power of two, and for a base that the inner FFT
  /// refuses.
  RecursiveOverBase(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
                    const MakeFft<Arithmetic>& inner, std::size_t base)
      : n_(n), base_(base), dft_(dft) {
    require(refusal(n, base).empty(), refusal(n, base));
    inner_ =
        in_stage(arithmetic, base_dfts, 1, [&] { return inner(arithmetic, base, dft, roots); });
    reversed_ = bit_reversals(n / base);
    if (n > base) factors_ = arithmetic.factors(radix2_factors(n, base), dft, roots);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    const std::size_t parts = n_ / base_;
    ComplexArray<Real> work(x.size());
    for (std::size_t first = 0; first < x.size(); first += n_)
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t to = first + part * base_;
        for (std::size_t j = 0, from = first + reversed_[part]; j < base_; ++j, from += parts)
          put(work, to + j, x, from);
      }
    {
      const auto mark = arithmetic.stage(base_dfts, 1);
      inner_(arithmetic, work);
    }
    const auto number = [this](std::size_t half) { return radix2_number(half / base_) + 1; };
    if (parts > 1) {
      const auto mark = arithmetic.stage(radix2_butterflies, number(base_));
      arithmetic.store(view_of(work, batch, n_));
    }
    for (std::size_t first = 0; first < work.size(); first += n_)
      combine_halves(arithmetic,
                     View<Real>{work.re.data() + first, work.im.data() + first, 1, n_, n_},
                     factors_, base_, base_, first);
    x = std::move(work);
    const auto mark = arithmetic.stage(norm_scaling, number(n_));
    arithmetic.scale(view_of(x, batch, n_), dft_, parts);
  }

 private:
  static constexpr std::string_view base_dfts = "base DFTs";

  static std::string refusal(std::size_t n, std::size_t base) {
    if (n % base == 0 && std::has_single_bit(n / base)) return "";
    return "recursive over base " + std::to_string(base) + " needs n = base 2^k, got " +
           std::to_string(n);
  }

  std::size_t n_;
  std::size_t base_;
  Dft dft_;
  Fft<Arithmetic> inner_;
  std::vector<std::size_t> reversed_;  ///< the bit reversal of every part's place
  typename Arithmetic::Table factors_;
};

}  // namespace fftprec
