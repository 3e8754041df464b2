/// Cosine and sine transforms of types I and IV, sine transforms of types II and III, and the
/// Hartley transform, each by one complex FFT and without a norm: as FFTW's REDFT, RODFT and DHT,
/// and scipy.fft.dct and dst with norm="backward".
///
/// Shapes of all: rows of n with im = 0 in and out.
/// Each plan has `points(n)`, the length of its FFT, 0 if n is not supported, and `needs`, what n
/// must be then.
#pragma once

#include <algorithm>
#include <numbers>
#include <utility>

#include "algorithms/transforms/cosine.hpp"

namespace fftprec {

/// The names of the stages.
inline constexpr std::string_view product_before_fft = "product before the FFT";
inline constexpr std::string_view product_after_fft = "product after the FFT";
inline constexpr std::string_view part_difference = "difference of the parts";

/// exp(-2 pi i (8j+1)/(16n)), j < n/2.
inline TableSpec centred_turns(std::size_t n) {
  return {n / 2,
          [n](std::size_t j) {
            return RootIndex{8 * j + 1, 16 * n};
          },
          {static_cast<double>(4 * n - 7) / static_cast<double>(16 * n), 4 * n - 7}};
}

/// Type IV of pairs, the core of Dct4 and of the lapped transforms (lapped.hpp), n even:
/// Z_k = sum over j < n/2 of z_j exp(-pi i (4j+1)(4k+1)/(4n)).
/// If z_j = x_2j + i x_(n-1-2j), then Z_k = (y_2k - i y_(n-1-2k))/2, y of type IV. Proof: with
/// t = pi (4j+1)(4k+1)/(4n), the cosine of elements 2j and 2k is cos t, of n-1-2j and 2k sin t, of
/// 2j and n-1-2k sin t, and of n-1-2j and n-1-2k -cos t for even n.
/// Since (4j+1)(4k+1) = 16 jk + (4j+1/2) + (4k+1/2), it is an FFT of n/2 between two products with
/// one table, exp(-2 pi i (8j+1)/(16n)).
/// Rounds: the product, as the arithmetic forms it; the FFT; its result to the storage format; the
/// product.
/// Error: product, FFT, store and product in series, since each is unitary up to a scale.
/// Source: Britanak, Rao 1999, Signal Processing 79, 135-150; the table split evenly as in FFmpeg.
template <ArrayArithmetic Arithmetic>
class PairedDct4 {
 public:
  using Real = typename Arithmetic::Real;

  static ErrorModel predict(const Predictor& any, std::size_t n, std::size_t batch,
                            const FftModel& fft) {
    const Predictor predictor = any.of(Direction::forward);
    const Predictor on_lines = predictor.on_lines(n / 2, batch);
    const std::uint64_t count = n / 2 * batch;
    ErrorModel done;
    {
      const auto mark = predictor.stage(product_before_fft, 1);
      done = on_lines.stage_ended(predictor.product(centred_turns(n), 1, count), end_of_pass);
    }
    {
      const auto mark = predictor.stage(cosine_fft, 2);
      done = done.compose(fft.predict(predictor, n / 2, batch));
    }
    const auto mark = predictor.stage(product_after_fft, 3);
    return on_lines.stored(done).compose(predictor.product(centred_turns(n), 1, count));
  }

  PairedDct4(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots,
             const MakeFft<Arithmetic>& make)
      : half_(n / 2),
        fft_(in_stage(arithmetic, cosine_fft, 2,
                      [&] { return make(arithmetic, n / 2, Dft(Direction::forward), roots); })),
        turns_(arithmetic.factors(centred_turns(n), Direction::forward, roots)) {}

  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& z) const {
    {
      const auto mark = arithmetic.stage(product_before_fft, 1);
      const View<Real> rows = view_of(z, z.size() / half_, half_);
      arithmetic.multiply(rows, turns_.view(0, 0, 1));
      arithmetic.end_stage(rows, end_of_pass);
    }
    {
      const auto mark = arithmetic.stage(cosine_fft, 2);
      fft_(arithmetic, z);
    }
    const auto mark = arithmetic.stage(product_after_fft, 3);
    const View<Real> rows = view_of(z, z.size() / half_, half_);  // an FFT may give a new array
    arithmetic.store(rows);
    arithmetic.multiply(rows, turns_.view(0, 0, 1));
  }

 private:
  std::size_t half_;
  Fft<Arithmetic> fft_;
  typename Arithmetic::Table turns_;
};

/// Two real values of size 1 at most become a complex one, and back.
inline constexpr ErrorModel pairing() { return {.growth = 2, .result_range = std::numbers::sqrt2}; }
inline constexpr ErrorModel unpairing() { return {.growth = 0.5}; }

/// z_j = u(2j) + i u(n-1-2j) for each row; `u(row, i)` is element i of it.
template <class Real, class Values>
ComplexArray<Real> paired(std::size_t rows, std::size_t n, Values u) {
  ComplexArray<Real> z(rows * (n / 2));
  for (std::size_t row = 0, i = 0; row < rows; ++row)
    for (std::size_t j = 0; j < n / 2; ++j, ++i) {
      z.re[i] = u(row, 2 * j);
      z.im[i] = u(row, n - 1 - 2 * j);
    }
  return z;
}

/// u_2k = Re Z_k, u_(n-1-2k) = -Im Z_k.
template <class Real>
ComplexArray<Real> unpaired(const ComplexArray<Real>& z, std::size_t n) {
  ComplexArray<Real> u(2 * z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const std::size_t first = i / (n / 2) * n;
    const std::size_t k = i % (n / 2);
    u.re[first + 2 * k] = z.re[i];
    u.re[first + n - 1 - 2 * k] = -z.im[i];
  }
  return u;
}

/// Type IV, its own inverse but for 2n: y_k = 2 sum over j of x_j cos(pi (2j+1)(2k+1)/(4n)).
/// Pairs z_j = x_2j + i x_(n-1-2j); PairedDct4; y_2k = 2 Re Z_k, y_(n-1-2k) = -2 Im Z_k.
/// Rounds: as PairedDct4; doubling is exact.
/// Error: as PairedDct4, relative to ||y|| = 2 ||Z||.
template <ArrayArithmetic Arithmetic>
class Dct4 {
 public:
  using Real = typename Arithmetic::Real;

  static constexpr std::string_view needs = "an even n";
  static constexpr std::size_t points(std::size_t n) { return n % 2 == 0 ? n / 2 : 0; }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& fft) {
    ErrorModel done = pairing().compose(PairedDct4<Arithmetic>::predict(predictor, n, batch, fft));
    done = done.compose(unpairing()).compose({.growth = 4, .result_range = 2});
    done.theorem = "cosine";
    return done;
  }

  Dct4(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots,
       const MakeFft<Arithmetic>& make)
      : n_(n), core_(arithmetic, n, roots, make) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, const ComplexArray<Real>& x) const {
    ComplexArray<Real> z = paired<Real>(
        x.size() / n_, n_, [&](std::size_t row, std::size_t i) { return x.re[row * n_ + i]; });
    core_.transform(arithmetic, z);
    ComplexArray<Real> y = unpaired(z, n_);
    for (Real& value : y.re) value = value + value;
    return y;
  }

 private:
  std::size_t n_;
  PairedDct4<Arithmetic> core_;
};

/// Types II and III with the constructor of the other plans.
template <ArrayArithmetic Arithmetic>
class PlainDct2 : public Dct2<Arithmetic> {
 public:
  PlainDct2(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots,
            const MakeFft<Arithmetic>& make)
      : Dct2<Arithmetic>(arithmetic, n, Norm::backward, roots, make) {}
  static constexpr std::string_view needs = "n >= 1";
  static constexpr std::size_t points(std::size_t n) { return n; }
};
template <ArrayArithmetic Arithmetic>
class PlainDct3 : public Dct3<Arithmetic> {
 public:
  PlainDct3(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots,
            const MakeFft<Arithmetic>& make)
      : Dct3<Arithmetic>(arithmetic, n, Norm::backward, roots, make) {}
  static constexpr std::string_view needs = "n >= 1";
  static constexpr std::size_t points(std::size_t n) { return n; }
};

/// The sine transform of a type II, III or IV, from the cosine transform of that type.
/// Type II: the signs of odd x_j change, and the result is reversed: y_(n-1-k) is the cosine
/// transform at k, as sin(pi (2j+1)(n-k)/(2n)) = (-1)^j cos(pi (2j+1) k/(2n)).
/// Types III and IV: x is reversed, and the signs of odd y_k change.
/// Rounds and Error: as the cosine transform. Where -1 has no negative, as in fixed point, the sums
/// and products after it take 1.
/// Source: Wang 1984, IEEE Trans. ASSP 32(4), 803-816.
template <template <class> class Cosine, bool reverses_result, ArrayArithmetic Arithmetic>
class ReflectedCosine : public Cosine<Arithmetic> {
 public:
  using Real = typename Arithmetic::Real;

  ReflectedCosine(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots,
                  const MakeFft<Arithmetic>& make)
      : Cosine<Arithmetic>(arithmetic, n, roots, make), length_(n) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, ComplexArray<Real> x) const {
    reverses_result ? alternate(x) : reverse(x);
    ComplexArray<Real> y = Cosine<Arithmetic>::transform(arithmetic, std::move(x));
    reverses_result ? reverse(y) : alternate(y);
    return y;
  }

 private:
  void alternate(ComplexArray<Real>& x) const {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (i % length_ % 2 == 1) x.re[i] = -x.re[i];
  }
  void reverse(ComplexArray<Real>& x) const {
    for (std::size_t first = 0; first < x.size(); first += length_)
      std::reverse(x.re.data() + first, x.re.data() + first + length_);
  }

  std::size_t length_;
};
template <class Arithmetic>
using Dst2 = ReflectedCosine<PlainDct2, true, Arithmetic>;
template <class Arithmetic>
using Dst3 = ReflectedCosine<PlainDct3, false, Arithmetic>;
template <class Arithmetic>
using Dst4 = ReflectedCosine<Dct4, false, Arithmetic>;

/// Type I, its own inverse but for N, by the FFT of the even or odd extension of N points.
/// Cosine, N = 2(n-1): y_k = x_0 + (-1)^k x_(n-1) + 2 sum over 0 < j < n-1 of x_j
/// cos(pi jk/(n-1)), the real part at k of the FFT of x_0 ... x_(n-1), x_(n-2) ... x_1.
/// Sine, N = 2(n+1): y_k = 2 sum over j of x_j sin(pi (j+1)(k+1)/(n+1)), the imaginary part at
/// k + 1 of the FFT of 0, -x_0 ... -x_(n-1), 0, x_(n-1) ... x_0.
/// Rounds: the FFT. The other parts are dropped.
/// Error: of the FFT, relative to sqrt(N) times the norm of the extension, the norm of its whole
/// transform, which holds each y_k twice but for the ends of the cosine transform: at most sqrt(2)
/// ||y||, and exactly that for the sine transform.
/// Rejected: an FFT of n-1 points and a recurrence y_(k+1) = y_(k-1) + ..., which is four times as
/// fast, but carries errors along: they grow as sqrt(n).
/// Source: the FFTW manual on REDFT00,
/// https://www.fftw.org/fftw3_doc/1d-Real_002deven-DFTs-_0028DCTs_0029.html
template <bool is_sine, ArrayArithmetic Arithmetic>
class ExtendedType1 {
 public:
  using Real = typename Arithmetic::Real;

  static constexpr std::string_view needs = "n >= 2";
  static constexpr std::size_t points(std::size_t n) {
    return is_sine ? 2 * (n + 1) : n < 2 ? 0 : 2 * (n - 1);
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            const FftModel& fft) {
    const auto mark = predictor.stage(cosine_fft, 1);
    ErrorModel done =
        fft.predict(predictor.of(Direction::forward), points(n), batch).from_real().to_real();
    done.theorem = "cosine";
    return done;
  }

  ExtendedType1(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots,
                const MakeFft<Arithmetic>& make)
      : n_(n), fft_(in_stage(arithmetic, cosine_fft, 1, [&] {
          return make(arithmetic, points(n), Dft(Direction::forward), roots);
        })) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, const ComplexArray<Real>& x) const {
    const std::size_t length = points(n_);
    const std::size_t rows = x.size() / n_;
    constexpr std::size_t shift = is_sine ? 1 : 0;
    ComplexArray<Real> whole(rows * length);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t j = 0; j < n_; ++j) {
        const Real value = x.re[row * n_ + j];
        whole.re[row * length + (length - j - shift) % length] = value;
        whole.re[row * length + j + shift] = is_sine ? -value : value;
      }
    {
      const auto mark = arithmetic.stage(cosine_fft, 1);
      fft_(arithmetic, whole);
    }
    ComplexArray<Real> y(x.size());
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < n_; ++k)
        y.re[row * n_ + k] = (is_sine ? whole.im : whole.re)[row * length + k + shift];
    return y;
  }

 private:
  std::size_t n_;
  Fft<Arithmetic> fft_;
};
template <class Arithmetic>
using Dct1 = ExtendedType1<false, Arithmetic>;
template <class Arithmetic>
using Dst1 = ExtendedType1<true, Arithmetic>;

/// The Hartley transform, its own inverse but for n: y_k = sum over j of x_j (cos(2 pi jk/n) +
/// sin(2 pi jk/n)) = Re F_k - Im F_k, F the FFT of x.
/// Rounds: the FFT; its result to the storage format; one sum for each element.
/// Error: FFT, store and sum in series, relative to sqrt(2) ||F|| = sqrt(2n) ||x|| = sqrt(2) ||y||:
/// an error e of F moves y by at most sqrt(2) ||e||.
/// Source: Bracewell 1983, J. Opt. Soc. Am. 73(12), 1832-1835.
template <ArrayArithmetic Arithmetic>
class Hartley {
 public:
  using Real = typename Arithmetic::Real;

  static constexpr std::string_view needs = "n >= 1";
  static constexpr std::size_t points(std::size_t n) { return n; }

  static ErrorModel predict(const Predictor& any, std::size_t n, std::size_t batch,
                            const FftModel& fft) {
    const Predictor predictor = any.of(Direction::forward);
    ErrorModel done;
    {
      const auto mark = predictor.stage(cosine_fft, 1);
      done = fft.predict(predictor, n, batch).from_real();
    }
    const auto mark = predictor.stage(part_difference, 2);
    done = predictor.on_lines(n, batch).stored(done).compose(unpairing());
    done = done.compose(predictor.sums(1, 2 * n * batch));
    done.theorem = "hartley";
    return done;
  }

  Hartley(const Arithmetic& arithmetic, std::size_t n, const RootFunction& roots,
          const MakeFft<Arithmetic>& make)
      : n_(n), fft_(in_stage(arithmetic, cosine_fft, 1, [&] {
          return make(arithmetic, n, Dft(Direction::forward), roots);
        })) {}

  ComplexArray<Real> transform(const Arithmetic& arithmetic, ComplexArray<Real> x) const {
    {
      const auto mark = arithmetic.stage(cosine_fft, 1);
      fft_(arithmetic, x);
    }
    const auto mark = arithmetic.stage(part_difference, 2);
    const View<Real> rows = view_of(x, x.size() / n_, n_);
    arithmetic.store(rows);
    ComplexArray<Real> subtracted(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) subtracted.re[i] = -x.im[i];
    drop_imaginary(x);
    arithmetic.add(rows, rows, view_of(subtracted, x.size() / n_, n_));
    return x;
  }

 private:
  std::size_t n_;
  Fft<Arithmetic> fft_;
};

}  // namespace fftprec
