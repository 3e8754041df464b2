/// Fourier transforms over several axes, of complex data, of real data, and to real data: one FFT
/// per axis.
///
/// An item is a row-major array of `lengths`, the last axis contiguous. Along an axis of length n
/// it is [outer][n][inner]. All outer * inner lines are one batch of the FFT of length n; two
/// transpositions, which change no bit, move them there and back.
///
/// Order: the last axis first, then the others down to the first. For real output the last axis
/// comes last, after the others in that order. Between axes, a result in the format that a matrix
/// product delivers is rounded to the storage format. The inverse FFTs scale axis by axis.
/// Rounds: as the FFTs do, and once per element between axes.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/transforms/half_spectrum.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

using Lengths = std::vector<std::size_t>;

/// The name of the stage of one axis, numbered in order.
inline constexpr std::string_view axis_pass = "pass #";

/// Elements of an item.
inline std::size_t elements(const Lengths& lengths) {
  std::size_t product = 1;
  for (const std::size_t length : lengths) product *= length;
  return product;
}

/// The lengths of the one-sided spectrum: the last axis is cut.
inline Lengths half_lengths(Lengths lengths) {
  lengths.back() = half_length(lengths.back());
  return lengths;
}

/// Why an FFT cannot do one of the axes, or an empty string.
inline std::string unsupported_axis(const Lengths& lengths, const FftModel& fft) {
  for (const std::size_t length : lengths)
    if (std::string reason = fft.unsupported(length); !reason.empty()) return reason;
  return "";
}

/// The lengths in the order of the passes: the last axis comes first, or last.
inline Lengths in_order_of_passes(const Lengths& lengths, bool last_axis_first = true) {
  require(!lengths.empty(), "a transform over no axes");
  Lengths passes(lengths.rbegin(), lengths.rend());
  if (!last_axis_first) std::rotate(passes.begin(), passes.begin() + 1, passes.end());
  return passes;
}

/// FFTs along single axes of arrays. Axes of equal length share tables.
template <ArrayArithmetic Arithmetic>
class AxisFfts {
 public:
  using Real = typename Arithmetic::Real;

  /// `passes`: the length of each pass.
  AxisFfts(const Arithmetic& arithmetic, const Lengths& passes, Dft dft, const RootFunction& roots,
           const MakeFft<Arithmetic>& make) {
    for (std::size_t i = 0; i < passes.size(); ++i) {
      if (of_length_.contains(passes[i])) continue;
      const auto mark = arithmetic.stage(axis_pass, i + 1);
      of_length_.emplace(passes[i], make(arithmetic, passes[i], dft, roots));
    }
  }

  /// x <- transform of each of its contiguous rows of `length`.
  void rows(const Arithmetic& arithmetic, std::size_t length, ComplexArray<Real>& x) const {
    of_length_.at(length)(arithmetic, x);
  }

  /// x <- transform along the first `count` axes of each item of `lengths`, from axis `count` - 1
  /// down to 0, rounded to the storage format between axes. `first` is the number of the first
  /// pass.
  void leading(const Arithmetic& arithmetic, const Lengths& lengths, std::size_t count,
               std::size_t first, ComplexArray<Real>& x) const {
    std::size_t inner = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0;) {
      if (axis < count) {
        const auto mark = arithmetic.stage(axis_pass, first + (count - 1 - axis));
        if (axis + 1 < count)
          arithmetic.store(view_of(x, x.size() / lengths.back(), lengths.back()));
        along(arithmetic, lengths[axis], inner, x);
      }
      inner *= lengths[axis];
    }
  }

 private:
  void along(const Arithmetic& arithmetic, std::size_t n, std::size_t inner,
             ComplexArray<Real>& x) const {
    if (inner == 1) return rows(arithmetic, n, x);
    ComplexArray<Real> lines(x.size());
    transpose_each(x, n, inner, lines);
    rows(arithmetic, n, lines);
    transpose_each(lines, inner, n, x);
  }

  std::map<std::size_t, Fft<Arithmetic>> of_length_;
};

/// Lines of one length, transformed as one batch.
struct AxisPass {
  std::size_t length;
  std::size_t lines;
};

/// The passes of AxisFfts::leading over `batch` items.
inline std::vector<AxisPass> leading_passes(const Lengths& lengths, std::size_t count,
                                            std::size_t batch) {
  std::vector<AxisPass> passes;
  for (std::size_t axis = count; axis-- > 0;)
    passes.push_back({lengths[axis], batch * elements(lengths) / lengths[axis]});
  return passes;
}

/// The pass along the last axis of `batch` items of full length.
inline AxisPass last_pass(const Lengths& lengths, std::size_t batch) {
  return {lengths.back(), batch * elements(lengths) / lengths.back()};
}

/// Which side is real. The other side is then a spectrum, one-sided along the last axis.
enum class RealSide { none, input, output };

/// The model of passes in sequence, with results rounded to the storage format between them, in
/// lines of `line`. Requires: at least one pass.
inline ErrorModel predict_passes(const Predictor& predictor, const std::vector<AxisPass>& passes,
                                 const FftModel& fft, std::size_t line, RealSide real) {
  ErrorModel done;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const auto mark = predictor.stage(axis_pass, i + 1);
    ErrorModel pass = fft.predict(predictor, passes[i].length, passes[i].lines);
    if (i + 1 == passes.size() && real == RealSide::output) pass = pass.to_real();
    const auto size = [&](std::size_t at) { return passes[at].length * passes[at].lines; };
    const std::size_t lines = i == 0 ? 0 : std::min(size(i - 1), size(i)) / line;
    done = i == 0 ? pass : predictor.on_lines(line, lines).stored(done).compose(pass);
  }
  if (passes.size() > 1) done.theorem = "axes";
  return real == RealSide::input ? done.from_real() : done;
}

/// The model of SeparableFft on `batch` items.
inline ErrorModel predict_separable(const Predictor& predictor, const Lengths& lengths,
                                    RealSide real, std::size_t batch, const FftModel& fft) {
  if (real == RealSide::none)
    return predict_passes(predictor, leading_passes(lengths, lengths.size(), batch), fft,
                          lengths.back(), real);
  std::vector<AxisPass> passes = leading_passes(half_lengths(lengths), lengths.size() - 1, batch);
  passes.insert(real == RealSide::input ? passes.begin() : passes.end(), last_pass(lengths, batch));
  return predict_passes(predictor, passes, fft, half_length(lengths.back()), real);
}

/// y_k = sum over j of x_j exp(-+2 pi i sum_a j_a k_a / n_a), the inverse divided by all n_a.
///
/// RealSide::none: fft, fft2, fftn and their inverses. Shapes: items of `lengths` in and out.
/// Error: each axis is a stage, since its transform is unitary up to a scale.
///
/// RealSide::input: rfft, rfft2, rfftn, and ihfft as the inverse direction. The complex FFT of (x,
/// 0) along the last axis, its first n/2 + 1 outputs, then the complex FFT along the other axes.
/// Shapes: items of `lengths` with im = 0 in, of half_lengths(lengths) out.
/// Error: as for complex data, relative to the norm of the two-sided spectrum, sqrt(prod n_a)
/// ||x||.
/// Proof: let the lines that are not computed be exact. The error of each stage is then at most b_i
/// times the norm of the two-sided array, and the error in the kept half is part of it. The
/// two-sided norm is at most sqrt(2) times the one-sided norm, since the dropped outputs are the
/// conjugates of different kept outputs.
///
/// RealSide::output: irfft, irfft2, irfftn, and hfft as the forward direction. The complex FFT
/// along every axis but the last, the Hermitian extension along the last, its complex FFT, the real
/// part.
/// Shapes: items of half_lengths(lengths) in, of `lengths` with im = 0 out. Requires: in the planes
/// 0 and n/2 of the last axis, x_-k = conj(x_k). Parts that are not Hermitian are dropped.
/// Error: as for complex data, relative to the norm of the result. Proof: the Hermitian extension
/// is exact, and its transform is the result. Let the lines that are not computed be the conjugates
/// of computed lines. A stage has an error of at most b_i on each line, hence on the two-sided
/// array. In the planes 0 and n/2, which are their own mirror images, dropping the part that is not
/// Hermitian is an orthogonal projection. So is taking the real part at the end.
template <ArrayArithmetic Arithmetic>
class SeparableFft {
 public:
  using Real = typename Arithmetic::Real;

  SeparableFft(const Arithmetic& arithmetic, Lengths lengths, RealSide real, Dft dft,
               const RootFunction& roots, const MakeFft<Arithmetic>& make)
      : lengths_(std::move(lengths)),
        real_(real),
        ffts_(arithmetic, in_order_of_passes(lengths_, real != RealSide::output), dft, roots,
              make) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, ComplexArray<Real> x) const {
    if (real_ == RealSide::input) return from_real(arithmetic, std::move(x));
    if (real_ == RealSide::output) return to_real(arithmetic, std::move(x));
    ffts_.leading(arithmetic, lengths_, lengths_.size(), 1, x);
    return x;
  }

 private:
  ComplexArray<Real> from_real(const Arithmetic& arithmetic, ComplexArray<Real> x) const {
    {
      const auto mark = arithmetic.stage(axis_pass, 1);
      ffts_.rows(arithmetic, lengths_.back(), x);
    }
    ComplexArray<Real> half = one_sided(x, lengths_.back());
    if (lengths_.size() == 1) return half;
    {
      const auto mark = arithmetic.stage(axis_pass, 2);
      store(arithmetic, half);
    }
    ffts_.leading(arithmetic, half_lengths(lengths_), lengths_.size() - 1, 2, half);
    return half;
  }

  ComplexArray<Real> to_real(const Arithmetic& arithmetic, ComplexArray<Real> half) const {
    if (lengths_.size() > 1)
      ffts_.leading(arithmetic, half_lengths(lengths_), lengths_.size() - 1, 1, half);
    const auto mark = arithmetic.stage(axis_pass, lengths_.size());
    if (lengths_.size() > 1) store(arithmetic, half);
    ComplexArray<Real> x = two_sided(half, lengths_.back());
    ffts_.rows(arithmetic, lengths_.back(), x);
    drop_imaginary(x);
    return x;
  }

  /// Rounds one-sided spectra to the storage format, between two passes.
  void store(const Arithmetic& arithmetic, ComplexArray<Real>& half) const {
    const std::size_t line = half_length(lengths_.back());
    arithmetic.store(view_of(half, half.size() / line, line));
  }

  Lengths lengths_;
  RealSide real_;
  AxisFfts<Arithmetic> ffts_;
};

}  // namespace fftprec
