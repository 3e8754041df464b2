/// The modified discrete cosine transform of audio codecs and its inverse: 2n samples under a
/// window fold into n values of a transform of type IV. Neither is normalised: frames that overlap
/// by n, transformed there and back under the sine window and added, are n/2 times the signal
/// (time-domain alias cancellation, TDAC); without a window n times.
#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "algorithms/theory/table_statistics.hpp"
#include "algorithms/transforms/short_time.hpp"
#include "algorithms/transforms/trigonometric.hpp"

namespace fftprec {

/// The names of the stages.
inline constexpr std::string_view folding = "folding";
inline constexpr std::string_view type_4 = "DCT-IV";

/// exp(-2 pi i (2j+1)/(8n)), j < 2n, whose conjugates have the imaginary parts w_j of the sine
/// window.
inline TableSpec window_turns(std::size_t n) {
  return {2 * n,
          [n](std::size_t j) {
            return RootIndex{2 * j + 1, 8 * n};
          },
          {static_cast<double>(4 * n - 1) / static_cast<double>(8 * n), 4 * n - 1}};
}

/// w_j = sin(pi (2j+1)/(4n)), j < 2n, in a format.
inline std::vector<double> sine_window(std::size_t n, const RootFunction& roots,
                                       const Format& format) {
  const ComplexArray<double> turns =
      root_entries<double>(window_turns(n), format, Direction::inverse, roots);
  return {turns.im.begin(), turns.im.end()};
}

/// `multiply` of `batch` frames with the sine window. With mu the error of its entries and rho of
/// the product the bound is (1 + sqrt(2) mu)(1 + rho) - 1, relative to the result of the fold or of
/// the unfolding, as both lapped transforms need it: windows of two samples that meet have
/// w^2 + w'^2 = 1, so errors of rho w |x| fold into at most rho ||x||, and errors of mu |x| into at
/// most sqrt(2) mu ||x||.
inline ErrorModel windowed_frames(const Predictor& predictor, std::size_t n, std::size_t batch) {
  const TableSource& source = predictor.tables();
  TableStatistics window{};
  double error = 0;
  if (!predictor.costs_alone()) {
    const Format& format = predictor.arithmetic().table_format();
    window = real_table_statistics(sine_window(n, source.roots, format),
                                   sine_window(n, source.exact, fp64),
                                   std::vector<double>(2 * n, 1.0), format);
    error = std::numbers::sqrt2 * source.error_bound(window_turns(n).extent, format);
  }
  return predictor.real_product(window, error, 2 * n, 2 * n * batch);
}

/// The window's product of `frames` in rows of 2n.
template <ArrayArithmetic Arithmetic>
class SineWindow {
 public:
  using Real = typename Arithmetic::Real;

  SineWindow(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots)
      : table_(arithmetic.real_factors(
            [n, roots](const Format& format) { return sine_window(n, roots, format); })) {}

  void multiply(const Arithmetic& arithmetic, const View<Real>& frames) const {
    arithmetic.multiply(frames, table_.view(0, 0, 1));
  }

 private:
  typename Arithmetic::Table table_;
};

/// y_k = sum over j < 2n of w_j x_j cos(pi (2j+1+n)(2k+1)/(4n)), k < n, n even, w the sine window
/// sin(pi (2j+1)/(4n)), or 1.
/// Order: every sample times its window (w + 0i, the mode's complex product); with the quarters a,
/// b, c, d of a frame and r for reversed, u = (-c_r + (-d), a + (-b_r)); PairedDct4 of u.
/// Shapes: rows of 2n with im = 0 in, of n with im = 0 out.
/// Rounds: the product with the window; one sum for each u_i; as PairedDct4.
/// Error: window, fold and PairedDct4 in series, relative to sqrt(n/2) g ||x||, g = 1 with the
/// window and sqrt(2) without: the largest stretch of the fold, as u_i is one or two w_j x_j with
/// w^2 + w'^2 = g^2. No multiple of ||y||: the fold loses half of all data.
/// Source: Princen, Johnson, Bradley 1987, ICASSP, 2161-2164.
template <ArrayArithmetic Arithmetic>
class Mdct {
 public:
  using Real = typename Arithmetic::Real;

  static constexpr std::string_view needs = Dct4<Arithmetic>::needs;
  static constexpr std::size_t points(std::size_t n) { return Dct4<Arithmetic>::points(n); }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& fft, bool is_windowed) {
    ErrorModel done;
    if (is_windowed) {
      const auto mark = predictor.stage(window_product, 1);
      done = windowed_frames(predictor, n, batch);
      done.growth = 1;  // of an error, at most
      done = predictor.on_lines(2 * n, batch).stage_ended(done, end_of_pass);
    }
    {
      const auto mark = predictor.stage(folding, 2);
      done = done.compose(pairing()).compose(predictor.sums(1, n * batch));
      done = predictor.on_lines(n / 2, batch).stage_ended(done, end_of_pass);
    }
    const auto mark = predictor.stage(type_4, 3);
    done = done.compose(PairedDct4<Arithmetic>::predict(predictor, n, batch, fft));
    done = done.compose(unpairing());
    done.theorem = "lapped";
    return done;
  }

  Mdct(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots,
       const MakeFft<Arithmetic>& make, bool is_windowed)
      : n_(n), core_(in_stage(arithmetic, type_4, 3, [&] {
          return PairedDct4<Arithmetic>(arithmetic, n, roots, make);
        })) {
    if (is_windowed) window_.emplace(arithmetic, n, roots);
  }

  ComplexArray<Real> transform(const Arithmetic& arithmetic, ComplexArray<Real> x) const {
    const std::size_t frames = x.size() / (2 * n_);
    if (window_) {
      const auto mark = arithmetic.stage(window_product, 1);
      const View<Real> rows = view_of(x, frames, 2 * n_);
      window_->multiply(arithmetic, rows);
      arithmetic.end_stage(rows, end_of_pass);
    }
    const std::size_t half = n_ / 2;
    const auto sample = [&](std::size_t row, std::size_t i) { return x.re[row * 2 * n_ + i]; };
    ComplexArray<Real> z = paired<Real>(frames, n_, [&](std::size_t row, std::size_t i) {
      return i < half ? -sample(row, n_ + half - 1 - i) : sample(row, i - half);
    });
    ComplexArray<Real> other = paired<Real>(frames, n_, [&](std::size_t row, std::size_t i) {
      return i < half ? -sample(row, n_ + half + i) : -sample(row, n_ + half - 1 - i);
    });
    {
      const auto mark = arithmetic.stage(folding, 2);
      const View<Real> rows = view_of(z, frames, half);
      arithmetic.add(rows, rows, view_of(other, frames, half));
      arithmetic.end_stage(rows, end_of_pass);
    }
    const auto mark = arithmetic.stage(type_4, 3);
    core_.transform(arithmetic, z);
    return unpaired(z, n_);
  }

 private:
  std::size_t n_;
  std::optional<SineWindow<Arithmetic>> window_{};
  PairedDct4<Arithmetic> core_;
};

/// y_j = w_j sum over k < n of x_k cos(pi (2j+1+n)(2k+1)/(4n)), j < 2n, n even, w as in Mdct.
/// Order: v = PairedDct4 of x, rounded to the storage format; with its halves v1, v2 the frame
/// (v2, -v2_r, -v1_r, -v1); every sample times its window.
/// Shapes: rows of n with im = 0 in, of 2n with im = 0 out.
/// Rounds: as PairedDct4; to the storage format; the product with the window.
/// Error: PairedDct4, store and window in series, relative to ||y||: the frame holds each v_i
/// twice, at w and w' with w^2 + w'^2 = 1, or 2 without a window.
/// Source: as Mdct.
template <ArrayArithmetic Arithmetic>
class Imdct {
 public:
  using Real = typename Arithmetic::Real;

  static constexpr std::string_view needs = Dct4<Arithmetic>::needs;
  static constexpr std::size_t points(std::size_t n) { return Dct4<Arithmetic>::points(n); }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& fft, bool is_windowed) {
    ErrorModel done;
    {
      const auto mark = predictor.stage(type_4, 1);
      done = pairing().compose(PairedDct4<Arithmetic>::predict(predictor, n, batch, fft));
      done = done.compose(unpairing());
    }
    if (is_windowed) {
      const auto mark = predictor.stage(window_product, 2);
      ErrorModel window = windowed_frames(predictor, n, batch);
      window.growth = 1;
      done = predictor.on_lines(2 * n, batch).stored(done).compose(window);
    }
    done.theorem = "lapped";
    return done;
  }

  Imdct(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots,
        const MakeFft<Arithmetic>& make, bool is_windowed)
      : n_(n), core_(in_stage(arithmetic, type_4, 1, [&] {
          return PairedDct4<Arithmetic>(arithmetic, n, roots, make);
        })) {
    if (is_windowed) window_.emplace(arithmetic, n, roots);
  }

  ComplexArray<Real> transform(const Arithmetic& arithmetic, const ComplexArray<Real>& x) const {
    const std::size_t frames = x.size() / n_;
    ComplexArray<Real> z = paired<Real>(
        frames, n_, [&](std::size_t row, std::size_t i) { return x.re[row * n_ + i]; });
    {
      const auto mark = arithmetic.stage(type_4, 1);
      core_.transform(arithmetic, z);
    }
    const ComplexArray<Real> v = unpaired(z, n_);
    const std::size_t half = n_ / 2;
    ComplexArray<Real> y(2 * v.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::size_t first = i / (2 * n_) * n_;
      const std::size_t j = i % (2 * n_);
      y.re[i] = j < half        ? v.re[first + half + j]
                : j < n_ + half ? -v.re[first + n_ + half - 1 - j]
                                : -v.re[first + j - n_ - half];
    }
    if (window_) {
      const auto mark = arithmetic.stage(window_product, 2);
      const View<Real> rows = view_of(y, frames, 2 * n_);
      arithmetic.store(rows);
      window_->multiply(arithmetic, rows);
    }
    return y;
  }

 private:
  std::size_t n_;
  std::optional<SineWindow<Arithmetic>> window_{};
  PairedDct4<Arithmetic> core_;
};

}  // namespace fftprec
