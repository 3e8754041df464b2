/// Radix-2 FFTs of fused multiply-adds, n = 2^t: butterflies whose product is formed by a ratio.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/arithmetic.hpp"
#include "algorithms/arithmetic/tables.hpp"
#include "algorithms/fft/bit_reversal.hpp"
#include "algorithms/fft/fft.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/fft/transpose.hpp"
#include "algorithms/theory/predictor.hpp"
#include "arith/support/error.hpp"

namespace fftprec {

/// In a butterfly (a, b) <- (a + w b, a - w b), with w = c -+ i s and b' = -+i b:
///   w b = c (b + (s/c) b') = s (b' + (c/s) b).
enum class RatioForm {
  cosine,   ///< the first form; the second where c = 0
  clamped,  ///< the first form, with u for a smaller |c|, u = 2^-p of the table, p the most digits
  sine,     ///< the second form, with u for a smaller |s|
  smaller   ///< the form whose ratio is at most 1
};

constexpr bool is_clamped(RatioForm form) {
  return form == RatioForm::clamped || form == RatioForm::sine;
}

/// Whether the product with the root exp(-+2 pi i exponent/order) takes the second form.
inline bool takes_second_form(RatioForm form, std::size_t exponent, std::size_t order) {
  const std::size_t angle = exponent % std::max<std::size_t>(order / 2, 1);  // modulo pi
  if (form == RatioForm::smaller) return 8 * angle > order && 8 * angle < 3 * order;
  return form == RatioForm::sine || (form == RatioForm::cosine && 4 * angle == order);
}

/// For each root, the ratio as the real part and the factor before the bracket as the imaginary
/// part: quotients of entries of `roots`, each rounded to the format. If `as_root`, the root that
/// ratio and factor represent.
inline RootFunction ratio_entries(RatioForm form, const RootFunction& roots, bool as_root) {
  return {[=](std::span<const RootIndex> all, const Format& format, double* re, double* im) {
    roots.fill(all, parts_of_quotients(format), re, im);
    const double least = is_clamped(form) ? power_of_two(-format.precision) : 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool turned = takes_second_form(form, all[i].exponent(), all[i].order);
      double before = turned ? -im[i] : re[i];
      const double other = turned ? re[i] : -im[i];
      if (std::abs(before) < least) before = std::copysign(least, before);
      const double ratio = round(other / before, format, Rounding::rne);
      before = round(before, format, Rounding::rne);
      re[i] = !as_root ? ratio : turned ? before * ratio : before;
      im[i] = !as_root ? before : turned ? -before : -(before * ratio);
    }
  }};
}

/// Cuts j = 0..count-1 into the longest ranges in which all products with
/// exp(-+2 pi i power (first + j)/order) take one form. Calls, in order,
/// take(begin, size, whether it is the second form).
template <class Take>
void each_ratio_form(RatioForm form, std::size_t power, std::size_t order, std::size_t first,
                     std::size_t count, Take take) {
  const auto second = [&](std::size_t j) {
    return takes_second_form(form, power * (first + j), order);
  };
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && second(end) == second(begin)) ++end;
    take(begin, end - begin, second(begin));
  }
}

/// b <- p + r q, the bracket of a product.
template <ArrayArithmetic Arithmetic>
void take_bracket(const Arithmetic& arithmetic, bool second, View<typename Arithmetic::Real> b,
                  FactorView<typename Arithmetic::Real> r, Direction direction,
                  View<typename Arithmetic::Real> turned) {
  copy(b, turned);
  turn(turned, direction);
  arithmetic.fused(second ? turned : b, second ? b : turned, r);
  if (second) copy(turned, b);
}

/// (a, b) <- (a + w b, a - w b).
template <ArrayArithmetic Arithmetic>
void fused_sum_difference(const Arithmetic& arithmetic, View<typename Arithmetic::Real> a,
                          View<typename Arithmetic::Real> b,
                          FactorView<typename Arithmetic::Real> w,
                          View<typename Arithmetic::Real> kept) {
  copy(a, kept);
  arithmetic.fused(a, b, w);
  turn(b, Direction::forward);
  turn(b, Direction::forward);
  arithmetic.fused(kept, b, w);
  copy(kept, b);
}

/// Whether a bracket may overflow without becoming infinite, so that nothing shows it. Then only
/// RatioForm::smaller has a bound.
inline bool hides_overflow(const ArithmeticSpec& arithmetic) {
  const Format& storage = arithmetic.operation_format();
  return storage.emax < fp32.emax &&
         (storage.overflow != Overflow::infinity || storage.saturates() ||
          !is_nearest(arithmetic.machine().casts));
}

/// Radix2Dit whose butterflies are six fused operations: u = p + r q, both parts, then (a + f u,
/// a - f u). p and q are b and b' or b' and b, r and f the ratio and the factor of RatioForm.
/// Trivial factors are multiplied like the others.
///
/// Rounds: u, a + f u and a - f u once for each part. r and f are quotients of the table source's
/// roots (parts_of_quotients), divided in fp64 and rounded to the format of tables.
///
/// Bound: per stage, Predictor::ratio_butterfly. It does not depend on the size of the ratio: f r
/// is a part of w, and the rounding error of a large u, relative to u, is multiplied by a small f.
/// A large ratio costs range: u is up to |b|/f. Where a narrow range hides an overflow
/// (hides_overflow), only RatioForm::smaller has a bound.
///
/// Source: cosine form, Linzer, Feig, IEEE Trans. Signal Process. 41, 1993, 93-107; the smaller
/// ratio, "dual select", https://arxiv.org/abs/2604.00567.
template <ArrayArithmetic Arithmetic>
class Radix2ByRatio {
 public:
  using Real = typename Arithmetic::Real;

  /// Why length n cannot be transformed, or an empty string.
  static std::string unsupported(std::size_t n, RatioForm) {
    return Radix2Dit<Arithmetic>::unsupported(n);
  }

  static ErrorModel predict(const Predictor& predictor, std::size_t n, std::size_t batch,
                            RatioForm form) {
    const RootFunction& roots = predictor.tables().roots;
    const RootFunction as_roots = roots ? ratio_entries(form, roots, true) : RootFunction();
    ErrorModel result;
    for (std::size_t half = 1; half < n; half *= 2) {
      const std::size_t stage = radix2_number(half);
      const auto mark = predictor.stage(radix2_butterflies, stage);
      if (half == 1) result = predictor.stored(result);
      result = result.compose(predictor.stage_begun(2, half, batch * n))
                   .compose(predictor.ratio_butterfly(radix2_stage(half), as_roots,
                                                      meets_clamp(form, half), batch * (n / 2)));
      if (2 * half < n) result = predictor.stage_ended(result, stage);
    }
    result.theorem = "radix2-stages";
    if (form == RatioForm::sine) result.variance = unknown;  // the clamp errs alike in all stages
    if (form != RatioForm::smaller && hides_overflow(predictor.arithmetic()))
      result.bound = unknown;
    result.table_entries = n > 1 ? 2 * (n - 1) : 0;
    const auto mark = predictor.stage(norm_scaling, radix2_number(n));
    return result.compose(predictor.reorder()).compose(predictor.scale(n, batch * n));
  }

  /// Throws InputError unless n is a power of two.
  Radix2ByRatio(const Arithmetic& arithmetic, std::size_t n, Dft dft, const RootFunction& roots,
                RatioForm form)
      : n_(n), dft_(dft), form_(form) {
    require(unsupported(n, form).empty(), unsupported(n, form));
    const RootFunction entries = ratio_entries(form, roots, false);
    const auto part = [&](auto of) {
      return arithmetic.real_factors([entries, n, of](const Format& format) {
        ComplexArray<double> table =
            root_entries<double>(radix2_factors(n), format, Direction::forward, entries);
        const auto& values = table.*of;
        return std::vector<double>(values.begin(), values.end());
      });
    };
    ratios_ = part(&ComplexArray<double>::re);
    factors_ = part(&ComplexArray<double>::im);
  }

  /// x <- transform of each of its size/n rows.
  void transform(const Arithmetic& arithmetic, ComplexArray<Real>& x) const {
    const std::size_t batch = x.size() / n_;
    ComplexArray<Real> work(x.size()), spare(x.size() / 2);
    for (std::size_t item = 0; item < batch; ++item)
      for (std::size_t j = 0; j < n_; ++j)
        put(work, j * batch + item, x, item * n_ + bit_reversed(j, n_));
    const View<Real> data = view_of(work, n_, batch);
    for (std::size_t half = 1; half < n_; half *= 2) {
      const std::size_t number = radix2_number(half);
      const auto mark = arithmetic.stage(radix2_butterflies, number);
      arithmetic.begin_stage(data, 2, half);
      for (std::size_t group = 0; group < n_; group += 2 * half) {
        const auto butterflies = [&](std::size_t j, std::size_t rows, bool second) {
          const View<Real> b = data.middle_rows(group + half + j, rows);
          const View<Real> other = view_of(spare, rows, batch);
          take_bracket(arithmetic, second, b, ratios_.view(half + j, 1, 0), dft_, other);
          fused_sum_difference(arithmetic, data.middle_rows(group + j, rows), b,
                               factors_.view(half + j, 1, 0), other);
        };
        each_ratio_form(form_, 1, 2 * half, 0, half, butterflies);
      }
      const Places place{1, n_, 0};
      if (2 * half < n_) arithmetic.end_stage(data, number, n_, place);
      mark.leaves(data, place);
    }
    transpose(data, view_of(x, batch, n_));
    const auto mark = arithmetic.stage(norm_scaling, radix2_number(n_));
    arithmetic.scale(view_of(x, batch, n_), dft_, n_);
  }

 private:
  /// Whether a factor of the stage is clamped: the root at a quarter turn, or at no turn.
  static bool meets_clamp(RatioForm form, std::size_t half) {
    return form == RatioForm::sine || (form == RatioForm::clamped && half > 1);
  }

  std::size_t n_;
  Dft dft_;
  RatioForm form_;
  typename Arithmetic::Table ratios_;  ///< both laid out as radix2_factors
  typename Arithmetic::Table factors_;
};

template <ArrayArithmetic Arithmetic>
using LinzerFeig = With<Radix2ByRatio, Arithmetic, RatioForm::cosine>;
template <ArrayArithmetic Arithmetic>
using LinzerFeigClamped = With<Radix2ByRatio, Arithmetic, RatioForm::clamped>;
template <ArrayArithmetic Arithmetic>
using LinzerFeigSine = With<Radix2ByRatio, Arithmetic, RatioForm::sine>;
template <ArrayArithmetic Arithmetic>
using DualSelect = With<Radix2ByRatio, Arithmetic, RatioForm::smaller>;

}  // namespace fftprec
