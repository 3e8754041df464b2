/// Radix-4 and split-radix FFTs of fused multiply-adds, in time.
#pragma once

#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/fft/radix2_fused.hpp"
#include "algorithms/fft/radix_plan.hpp"
#include "algorithms/fft/split_radix.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/theory/predictor.hpp"

namespace fftprec {

/// How the even half of the data is transformed, and which elements form the second odd quarter.
enum class EvenHalf {
  two_quarters,  ///< radix 4: its own quarters, then a radix-2 butterfly; n = 4^k
  half,          ///< split radix: F_{n/2}; n = 2^k
  conjugate      ///< split radix by conjugate pairs
};

/// An FFT of QuartersByRatio.
struct QuarterForm {
  EvenHalf even;
  RatioForm ratio;

  bool in_radix_4() const { return even == EvenHalf::two_quarters; }
  bool is_conjugate() const { return even == EvenHalf::conjugate; }
  FactorPair pair() const { return is_conjugate() ? FactorPair::conjugate : FactorPair::cubed; }
  std::size_t radix() const { return in_radix_4() ? 4 : 2; }
  /// The powers of w^j that have tables of ratios and factors.
  std::vector<std::size_t> powers() const {
    if (in_radix_4()) return {1, 2, 3};
    return is_conjugate() ? std::vector<std::size_t>{1} : std::vector<std::size_t>{1, 3};
  }
  /// The name of a stage, which is all butterflies of one size.
  std::string_view name() const { return in_radix_4() ? "butterflies, stage #" : "level #"; }
  std::size_t level_of(std::size_t size) const {
    const std::size_t doublings = static_cast<std::size_t>(std::countr_zero(size));
    return in_radix_4() ? doublings / 2 : doublings;
  }
};

/// Decimation in time, F_n of n = 4 q points, w = exp(-+2 pi i/n), j = 0..q-1:
///   1. U = F_{2q}(x_{2m}), B = F_q(x_{4m+1}), D = F_q(x_{4m+3}); for conjugate pairs
///      D = F_q(x_{4m-1}), with conj(w^j) in place of w^(3j) below;
///   2. in radix 4, U from A = F_q(x_{4m}) and C = F_q(x_{4m+2}): (A + w^(2j) C, A - w^(2j) C), as
///      in Radix2ByRatio;
///   3. u = w^j B_j / f, v = w^(3j) D_j / f', the brackets of RatioForm;
///      (s, d) <- (u + g v, u - g v), g = f'/f;
///   4. X_j, X_{j+2q} = U_j +- f s and X_{j+q}, X_{j+3q} = U_{j+q} -+ i f d (exchanged for the
///      inverse).
/// F_2 is one sum and one difference.
///
/// Rounds: each of these once for each part. For conjugate pairs g is 1, so s and d are sums; for
/// j = 0 all are sums. Ratios and factors as in Radix2ByRatio. Real operations, fused or sums: 22 a
/// butterfly in radix 4, 16 for j = 0, (11/4) n log2 n - 2 n + 2 in all; 16 and 12 in split radix,
/// (8/3) n t - (16/9) n + 2 - (2/9) (-1)^t, n = 2^t.
///
/// Bound: B(n) = (1 + e)(1 + max(B_even, (1 + p)(1 + B(n/4)) - 1)) - 1 with e of a sum and p of
/// step 3; B_even = B(n/2), in radix 4 (1 + r)(1 + B(n/4)) - 1 with r of step 2. Proof: as
/// SplitRadixBy::predict, in the order of time. For p: |f u^ - w^j B| <= b |B| and
/// |f g^ v^ - w^(3j) D| <= b' |D|, b and b' of Predictor::ratio_product; (s, d) is sqrt(2) times a
/// unitary map of both, so its error before it rounds is at most max(b, b').
///
/// Sources: Linzer, Feig, Math. Comp. 60, 1993, 347-361 (split radix and its count); Goedecker,
/// SIAM J. Sci. Comput. 18, 1997, 1605-1611 (radix 4).
template <ArrayArithmetic Arithmetic>
class QuartersByRatio {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, QuarterForm form) {
    return form.in_radix_4() ? stockham_r4_plan(n).unsupported
                             : SplitRadixBy<Arithmetic>::unsupported(n, form.pair());
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            QuarterForm form) {
    ErrorModel quarter;  // of length size / 4
    ErrorModel half;     // of length size / radix
    for (std::size_t size = form.radix(); size <= n; size *= form.radix()) {
      const std::size_t q = size / 4;
      const auto mark = predictor.stage(form.name(), form.level_of(size));
      ErrorModel whole;
      if (form.in_radix_4()) {
        ErrorModel stage =
            predictor.stage_begun(4, q, size)
                .compose(
                    even_butterflies(predictor, q, form).mix(odd_pairs(predictor, q, form), 0.5))
                .compose(last_sums(predictor, q));
        stage.cost = (n / size) * stage.cost;
        whole = half.compose(stage);
      } else if (size == 2) {
        whole = predictor.stage_begun(2, 1, size).compose(predictor.sums(1, 4));
      } else {
        const ErrorModel odd = quarter.mix(quarter, 0.5)
                                   .compose(predictor.stage_begun(2, q, 2 * q))
                                   .compose(odd_pairs(predictor, q, form));
        whole = half.mix(odd, 0.5)
                    .compose(predictor.stage_begun(2, 2 * q, size))
                    .compose(last_sums(predictor, q));
      }
      if (size < n) whole = predictor.stage_ended(whole, form.level_of(size));
      quarter = half;
      half = whole;
    }
    half.cost = on_vector_engine(batch * half.cost, std::max<std::size_t>(1, batch * n / 4));
    half.table_entries = n < 8 ? 0 : form.powers().size() * n;
    half.theorem = form.in_radix_4() ? "stockham-stages" : "split-radix-stages";
    if (form.ratio != RatioForm::smaller && hides_overflow(predictor.arithmetic()))
      half.bound = unknown;
    const auto mark = predictor.stage(norm_scaling, form.level_of(n) + 1);
    return half.compose(predictor.reorder()).compose(predictor.scale(n, batch * n));
  }

  /// Throws InputError unless n is supported.
  QuartersByRatio(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
                  QuarterForm form)
      : n_(n), dft_(dft), form_(form) {
    require(unsupported(n, form).empty(), unsupported(n, form));
    places_ = SplitRadixBy<Arithmetic>::results_of(n, form.pair());
    collect_parts(0, n);
    const RootFunction entries = ratio_entries(form.ratio, roots, false);
    const auto table = [&](auto value) {
      return arithmetic.real_factors([n, value](const Format& format) {
        std::vector<double> values(n / 2, 0.0);
        for (std::size_t q = 2; q < n / 2; q *= 2)
          for (std::size_t j = 1; j < q; ++j) values[q + j] = value(j, 4 * q, format);
        return values;
      });
    };
    for (const std::size_t power : form.powers()) {
      if (n < 8) return;
      ratios_[power] = table([=](std::size_t j, std::size_t order, const Format& format) {
        return entries(power * j, order, format).real();
      });
      factors_[power] = table([=](std::size_t j, std::size_t order, const Format& format) {
        return power == 3 ? factor_quotient(entries, 3 * j, order, format)
                          : entries(power * j, order, format).imag();
      });
    }
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    ComplexArray<Real> work(x.size()), spare(x.size() / 4);
    for (std::size_t item = 0; item < batch; ++item)
      for (std::size_t j = 0; j < n_; ++j) put(work, j * batch + item, x, item * n_ + places_[j]);
    const View<Real> data = view_of(work, n_, batch);
    for (std::size_t size = form_.radix(); size <= n_; size *= form_.radix()) {
      const std::size_t level = form_.level_of(size);
      const auto mark = arithmetic.stage(form_.name(), level);
      for (const std::size_t start : parts_[level])
        combine(arithmetic, data.middle_rows(start, size), spare);
      const Places place{1, n_, 0};
      if (form_.in_radix_4()) {
        if (size < n_) arithmetic.end_stage(data, level, n_, place);
        mark.leaves(data, place);
      } else if (size < n_) {
        for (const std::size_t start : parts_[level])
          arithmetic.end_stage(data.middle_rows(start, size), level, n_, {1, n_, start});
      }
    }
    transpose(data, view_of(x, batch, n_));
    const auto mark = arithmetic.stage(norm_scaling, form_.level_of(n_) + 1);
    arithmetic.scale(view_of(x, batch, n_), dft_, n_);
  }

 private:
  /// g of the root `cubed`, w^(3j).
  static double factor_quotient(const RootFunction& entries, std::uint64_t cubed,
                                std::uint64_t order, const Format& format) {
    const Format parts = parts_of_quotients(format);
    const double first = entries(cubed / 3, order, parts).imag();
    return round(entries(cubed, order, parts).imag() / first, format, Rounding::rne);
  }

  /// The roots that the ratios and factors of this power of w^j represent.
  static RootFunction as_roots(std::size_t power, const RootFunction& roots, RatioForm form) {
    if (power != 3 || !roots) return roots ? ratio_entries(form, roots, true) : RootFunction();
    return [form, entries = ratio_entries(form, roots, false)](
               std::uint64_t cubed, std::uint64_t order, const Format& format) {
      const double factor =
          entries(cubed / 3, order, format).imag() * factor_quotient(entries, cubed, order, format);
      const double other = factor * entries(cubed, order, format).real();
      return takes_second_form(form, cubed, order) ? std::complex<double>(other, -factor)
                                                   : std::complex<double>(factor, -other);
    };
  }

  /// The factors at places j > 0.
  static TableSpec roots_of(std::size_t q, std::size_t power) {
    return {q - 1,
            [=](std::size_t i) {
              return RootIndex{power * (i + 1), 4 * q};
            },
            {0.25 * static_cast<double>(power), power * q}};
  }

  static ErrorModel in_places(std::size_t q, const ErrorModel& first, const ErrorModel& others) {
    return q == 1 ? first : others.mix(first, 1 / static_cast<double>(q));
  }

  static ErrorModel even_butterflies(const Predictor& predictor, std::size_t q, QuarterForm form) {
    const ErrorModel first = predictor.sums(1, 4);
    if (q == 1) return first;
    const RootFunction of = as_roots(2, predictor.tables().roots, form.ratio);
    return in_places(q, first, predictor.ratio_butterfly(roots_of(q, 2), of, false, q - 1));
  }

  static ErrorModel odd_pairs(const Predictor& predictor, std::size_t q, QuarterForm form) {
    const ErrorModel first = predictor.sums(1, 4);
    if (q == 1) return first;
    const auto product = [&](std::size_t power, std::size_t factors) {
      return predictor.ratio_product(roots_of(q, power),
                                     as_roots(power, predictor.tables().roots, form.ratio), factors,
                                     q - 1);
    };
    const ErrorModel both =
        product(1, 1).mix(form.is_conjugate() ? product(1, 1) : product(3, 2), 0.5);
    return in_places(q, first, both.compose(predictor.sums(1, 4 * (q - 1), !form.is_conjugate())));
  }

  static ErrorModel last_sums(const Predictor& predictor, std::size_t q) {
    return in_places(q, predictor.sums(1, 8), predictor.sums(1, 8 * (q - 1), true));
  }

  /// Where the parts of each level start.
  void collect_parts(std::size_t start, std::size_t size) {
    if (size < form_.radix()) return;
    parts_.resize(std::max(parts_.size(), form_.level_of(size) + 1));
    parts_[form_.level_of(size)].push_back(start);
    if (form_.in_radix_4()) {
      collect_parts(start, size / 4);
      collect_parts(start + size / 4, size / 4);
    } else {
      collect_parts(start, size / 2);
    }
    collect_parts(start + size / 2, size / 4);
    collect_parts(start + 3 * (size / 4), size / 4);
  }

  /// Steps 2 to 4 on a part.
  void combine(const Arithmetic& arithmetic, View<Real> x, ComplexArray<Real>& spare) const {
    const std::size_t q = x.rows / 4;
    if (q == 0) {
      arithmetic.begin_stage(x, 2, 1);
      return arithmetic.sum_difference(x.middle_rows(0, 1), x.middle_rows(1, 1));
    }
    const auto place = [&](std::size_t quarter) { return x.middle_rows(quarter * q, 1); };
    const auto others = [&](std::size_t quarter) { return x.middle_rows(quarter * q + 1, q - 1); };
    const View<Real> work = view_of(spare, q - 1, x.cols);
    const auto bracket = [&](std::size_t quarter, std::size_t power, Direction direction) {
      each_ratio_form(form_.ratio, power, 4 * q, 1, q - 1,
                      [&](std::size_t j, std::size_t rows, bool second) {
                        take_bracket(arithmetic, second, x.middle_rows(quarter * q + 1 + j, rows),
                                     ratios_[power].view(q + 1 + j, 1, 0), direction,
                                     view_of(spare, rows, x.cols));
                      });
    };
    const auto sums = [&](std::size_t a, std::size_t b, std::size_t power) {
      fused_sum_difference(arithmetic, others(a), others(b), factors_[power].view(q + 1, 1, 0),
                           work);
    };
    if (form_.in_radix_4()) {
      arithmetic.begin_stage(x, 4, q);
      arithmetic.sum_difference(place(0), place(1));
      bracket(1, 2, dft_);
      sums(0, 1, 2);
    } else {
      arithmetic.begin_stage(x.middle_rows(2 * q, 2 * q), 2, q);
    }
    arithmetic.sum_difference(place(2), place(3));
    bracket(2, 1, dft_);
    const bool forward = (dft_.direction == Direction::forward) != form_.is_conjugate();
    bracket(3, form_.is_conjugate() ? 1 : 3, forward ? Direction::forward : Direction::inverse);
    if (form_.is_conjugate())
      arithmetic.sum_difference(others(2), others(3));
    else
      sums(2, 3, 3);
    if (!form_.in_radix_4()) arithmetic.begin_stage(x, 2, 2 * q);
    arithmetic.sum_difference(place(0), place(2));
    arithmetic.rotated(place(1), place(3), dft_);
    turn(others(3), dft_);
    sums(0, 2, 1);
    sums(1, 3, 1);
  }

  std::size_t n_;
  Dft dft_;
  QuarterForm form_;
  std::vector<std::size_t> places_;                ///< the input element of each row
  std::vector<std::vector<std::size_t>> parts_{};  ///< by level: where its parts start
  /// By power: the ratio of w^(power j), and its factor; for the third power g. A part of 4 q
  /// elements has the entries [q, 2q); entry 0 is not used.
  std::array<typename Arithmetic::Table, 4> ratios_{};
  std::array<typename Arithmetic::Table, 4> factors_{};
};

template <class Arithmetic>
using Radix4Goedecker =
    With<QuartersByRatio, Arithmetic, QuarterForm{EvenHalf::two_quarters, RatioForm::cosine}>;
template <class Arithmetic>
using Radix4DualSelect =
    With<QuartersByRatio, Arithmetic, QuarterForm{EvenHalf::two_quarters, RatioForm::smaller}>;
template <class Arithmetic>
using SplitLinzerFeig =
    With<QuartersByRatio, Arithmetic, QuarterForm{EvenHalf::half, RatioForm::cosine}>;
template <class Arithmetic>
using SplitDualSelect =
    With<QuartersByRatio, Arithmetic, QuarterForm{EvenHalf::half, RatioForm::smaller}>;
template <class Arithmetic>
using ConjugateLinzerFeig =
    With<QuartersByRatio, Arithmetic, QuarterForm{EvenHalf::conjugate, RatioForm::cosine}>;
template <class Arithmetic>
using ConjugateDualSelect =
    With<QuartersByRatio, Arithmetic, QuarterForm{EvenHalf::conjugate, RatioForm::smaller}>;

}  // namespace fftprec
