/// Cosine transforms of types II and III by one complex FFT of equal length, with the norms of
/// scipy.fft.dct: `forward` divides by 2n, `ortho` by sqrt(2n), and y_0 of type II by another
/// sqrt(2). The FFT divides by n or sqrt(n). A weight does the rest: 1/2, which is exact except on
/// underflow and in fixed point, or a product with fl(1/sqrt 2), since tables of roots hold only
/// roots.
#pragma once

#include <numbers>

#include "algorithms/fft/fft.hpp"
#include "algorithms/transforms/half_spectrum.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// exp(-pi i k/(2n)), k < n.
inline TableSpec quarter_turns(std::size_t n) {
  return {n,
          [n](std::size_t k) {
            return RootIndex{k, 4 * n};
          },
          {static_cast<double>(n - 1) / static_cast<double>(4 * n), n - 1}};
}

/// The place of element j in a reordered row: even elements ascending, then odd ones descending.
constexpr std::size_t cosine_place(std::size_t j, std::size_t n) {
  return j % 2 == 0 ? j / 2 : n - 1 - j / 2;
}

/// The names of the stages.
inline constexpr std::string_view cosine_fft = "FFT";
inline constexpr std::string_view cosine_product = "product with quarter turns";

/// The weight of a norm. Under ortho it applies to all elements of a row but the first, else to
/// all.
inline double cosine_weight(Norm norm) {
  return norm == Norm::ortho ? std::numbers::sqrt2 / 2 : 0.5;
}
template <class Real, ArrayArithmetic Arithmetic>
void weigh(const Arithmetic& arithmetic, const View<Real>& rows, Norm norm) {
  const std::size_t from = norm == Norm::ortho ? 1 : 0;
  arithmetic.scale_by(rows.middle_cols(from, rows.cols - from), cosine_weight(norm));
}
inline ErrorModel weighing(const Predictor& predictor, std::size_t n, std::size_t batch) {
  const Norm norm = predictor.dft().norm;
  ErrorModel result =
      predictor.scale_by(cosine_weight(norm), (norm == Norm::ortho ? n - 1 : n) * batch);
  if (norm == Norm::ortho) result.growth = 1;  // of an error in the first
  return result;
}

/// Type II: y_k = 2 sum over j of x_j cos(pi k (2j+1)/(2n)).
/// v_j = x_2j, v_(n-1-j) = x_(2j+1); V = fft(v); y_k = 2 Re(V_k exp(-pi i k/(2n))).
/// Shapes: rows of n with im = 0 in and out.
/// Norms: forward does not double; ortho weights by 1/sqrt(2) and doubles all but y_0.
/// Rounds: the FFT; its result to the storage format; the complex product, as the arithmetic forms
/// it; the weights. Dropping the imaginary part and doubling are exact.
/// Error: FFT, store, product and weights in series, since ||2 Re e|| <= 2 ||e||. It is relative to
/// 2 ||V|| = 2 sqrt(n) ||x||, divided by 1, sqrt(2n) or 2n as the norm says. This is at most
/// sqrt(2) ||y||: the rows of the transform are orthogonal with norms sqrt(4n) for k = 0 and
/// sqrt(2n) else, so ||y||^2 >= 2n ||x||^2; and ||y|| = ||x|| under ortho.
/// Source: Makhoul 1980, IEEE Trans. ASSP 28(1), 27-34.
template <ArrayArithmetic Arithmetic>
class Dct2 {
 public:
  using Real = typename Arithmetic::Real;

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& fft) {
    ErrorModel done;
    {
      const auto mark = predictor.stage(cosine_fft, 1);
      done = fft.predict(predictor, n, batch).from_real();
    }
    const auto mark = predictor.stage(cosine_product, 2);
    done = predictor.on_lines(n, batch).stored(done).compose(
        predictor.product(quarter_turns(n), 1, n * batch));
    if (predictor.dft().norm == Norm::ortho) done = done.compose(weighing(predictor, n, batch));
    if (predictor.dft().norm != Norm::forward)
      done = done.compose({.growth = 4, .result_range = 2});
    done.theorem = "cosine";
    return done;
  }

  Dct2(const Arithmetic& arithmetic, std::size_t n, Norm norm, const RootFunction& roots,
       const MakeFft<Arithmetic>& make)
      : n_(n),
        norm_(norm),
        fft_(in_stage(arithmetic, cosine_fft, 1,
                      [&] { return make(arithmetic, n, Dft(Direction::forward, norm), roots); })),
        turns_(arithmetic.factors(quarter_turns(n), Direction::forward, roots)) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, const ComplexArray<Real>& x) const {
    ComplexArray<Real> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      y.re[i - i % n_ + cosine_place(i % n_, n_)] = x.re[i];
    {
      const auto mark = arithmetic.stage(cosine_fft, 1);
      fft_(arithmetic, y);
    }
    const auto mark = arithmetic.stage(cosine_product, 2);
    const View<Real> rows = view_of(y, y.size() / n_, n_);
    arithmetic.store(rows);
    arithmetic.multiply(rows, turns_.view(0, 0, 1));
    if (norm_ == Norm::ortho) weigh(arithmetic, rows, norm_);
    for (std::size_t i = 0; norm_ != Norm::forward && i < y.size(); ++i)
      if (norm_ == Norm::backward || i % n_ != 0) y.re[i] = y.re[i] + y.re[i];
    drop_imaginary(y);
    return y;
  }

 private:
  std::size_t n_;
  Norm norm_;
  Fft<Arithmetic> fft_;
  typename Arithmetic::Table turns_;
};

/// Type III: y_k = x_0 + 2 sum over j >= 1 of x_j cos(pi j (2k+1)/(2n)), 2n times the inverse of
/// type II.
/// a_0 = x_0, a_j = x_j + i x_(n-j); v = Re fft(a_j exp(-pi i j/(2n))); y_2j = v_j,
/// y_(2j+1) = v_(n-1-j). Proof: invert type II. V_k exp(-pi i k/(2n)) = (y_k - i y_(n-k))/2 with
/// y_n = 0, and 2n times the inverse of a real V is twice the forward FFT of its conjugate.
/// Shapes: rows of n with im = 0 in and out.
/// Norms: the products are weighted before the FFT, all by 1/2 under forward, all but the first by
/// 1/sqrt(2) under ortho.
/// Rounds: the complex product, as the arithmetic forms it; the weights; the FFT.
/// Error: product, weights and FFT in series, relative to ||y||: the exact fft(...) is real,
/// weights act on single elements, the FFT is unitary up to a scale, the real part is a projection.
/// Source: Makhoul 1980.
template <ArrayArithmetic Arithmetic>
class Dct3 {
 public:
  using Real = typename Arithmetic::Real;

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& fft) {
    ErrorModel done;
    {
      const auto mark = predictor.stage(cosine_product, 1);
      done = predictor.product(quarter_turns(n), 1, n * batch);
      if (predictor.dft().norm != Norm::backward)
        done = done.compose(weighing(predictor, n, batch));
      done = predictor.on_lines(n, batch).stage_ended(done, end_of_pass);
    }
    const auto mark = predictor.stage(cosine_fft, 2);
    done = done.compose(fft.predict(predictor, n, batch).to_real());
    done.theorem = "cosine";
    return done;
  }

  Dct3(const Arithmetic& arithmetic, std::size_t n, Norm norm, const RootFunction& roots,
       const MakeFft<Arithmetic>& make)
      : n_(n),
        norm_(norm),
        fft_(in_stage(arithmetic, cosine_fft, 2,
                      [&] { return make(arithmetic, n, Dft(Direction::forward, norm), roots); })),
        turns_(arithmetic.factors(quarter_turns(n), Direction::forward, roots)) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, ComplexArray<Real> x) const {
    for (std::size_t first = 0; first < x.size(); first += n_)
      for (std::size_t j = 1; j < n_; ++j) x.im[first + j] = x.re[first + n_ - j];
    {
      const auto mark = arithmetic.stage(cosine_product, 1);
      const View<Real> rows = view_of(x, x.size() / n_, n_);
      arithmetic.multiply(rows, turns_.view(0, 0, 1));
      if (norm_ != Norm::backward) weigh(arithmetic, rows, norm_);
      arithmetic.end_stage(rows, end_of_pass);
    }
    {
      const auto mark = arithmetic.stage(cosine_fft, 2);
      fft_(arithmetic, x);
    }
    ComplexArray<Real> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      y.re[i] = x.re[i - i % n_ + cosine_place(i % n_, n_)];
    return y;
  }

 private:
  std::size_t n_;
  Norm norm_;
  Fft<Arithmetic> fft_;
  typename Arithmetic::Table turns_;
};

}  // namespace fftprec
