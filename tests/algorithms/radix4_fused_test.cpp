/// Radix 4 and split radix of fused multiply-adds against their bounds, against their definition,
/// and against the counts that they were published with.
#include "algorithms/fft/radix4_fused.hpp"

#include "arith/support/error.hpp"
#include "tests/algorithms/fused_checks.hpp"

namespace fftprec::testing {

namespace {

/// The product of x with the root of that exponent, 1/factor times it, and its factor as a double
/// of 50 digits.
template <class T>
struct Bracket {
  Complex<T> value;
  double factor;
};

template <RatioForm form, class Scalars, class T>
Bracket<T> bracket_of(Complex<T> x, const RootFunction& roots, std::size_t exponent,
                      std::size_t order, bool conjugate, Direction direction) {
  const std::complex<double> w = roots(exponent, order, {50, -450, 450});
  const double c = w.real(), s = -w.imag();
  const std::size_t angle = exponent % (order / 2);
  const bool second =
      form == RatioForm::smaller ? 8 * angle > order && 8 * angle < 3 * order : 4 * angle == order;
  const Format format = storage_format(mode_named(Scalars::mode));
  const T ratio(static_cast<float>(round(second ? c / s : s / c, format, Rounding::rne)));
  const bool down = (direction == Direction::forward) != conjugate;
  const Complex<T> turned = down ? Complex<T>{x.im, -x.re} : Complex<T>{-x.im, x.re};
  const Complex<T> p = second ? turned : x, q = second ? x : turned;
  return {{fused_by_judge(ratio, q.re, p.re), fused_by_judge(ratio, q.im, p.im)}, second ? s : c};
}

/// (a + w b, a - w b).
template <class Scalars, class T>
std::array<Complex<T>, 2> sums_of(Complex<T> a, Complex<T> b, double factor) {
  const Format format = storage_format(mode_named(Scalars::mode));
  const T w(static_cast<float>(round(factor, format, Rounding::rne)));
  return {Complex<T>{fused_by_judge(w, b.re, a.re), fused_by_judge(w, b.im, a.im)},
          Complex<T>{fused_by_judge(-w, b.re, a.re), fused_by_judge(-w, b.im, a.im)}};
}

/// Decimation in time by its definition.
template <EvenHalf even, RatioForm form, class Scalars>
auto quarters_textbook(const std::vector<Complex<typename Scalars::Scalar>>& x,
                       const RootFunction& roots, Direction direction) {
  using T = typename Scalars::Scalar;
  const std::size_t n = x.size();
  if (n == 1) return x;
  if (n == 2) return std::vector<Complex<T>>{x[0] + x[1], x[0] - x[1]};
  constexpr bool conjugate = even == EvenHalf::conjugate;
  const std::size_t q = n / 4;
  const auto every = [&](std::size_t step, std::size_t from) {
    std::vector<Complex<T>> some(n / step);
    for (std::size_t m = 0; m < some.size(); ++m) some[m] = x[(from + step * m) % n];
    return quarters_textbook<even, form, Scalars>(some, roots, direction);
  };
  std::vector<Complex<T>> u(n / 2), result(n);
  if (even == EvenHalf::two_quarters) {
    const auto a = every(4, 0), c = every(4, 2);
    for (std::size_t j = 0; j < q; ++j) {
      const auto product = bracket_of<form, Scalars>(c[j], roots, 2 * j, n, false, direction);
      const auto both = j == 0 ? std::array{a[0] + c[0], a[0] - c[0]}
                               : sums_of<Scalars>(a[j], product.value, product.factor);
      u[j] = both[0];
      u[j + q] = both[1];
    }
  } else {
    u = every(2, 0);
  }
  const auto b = every(4, 1), d = every(4, conjugate ? n - 1 : 3);
  for (std::size_t j = 0; j < q; ++j) {
    const auto first = bracket_of<form, Scalars>(b[j], roots, j, n, false, direction);
    const auto second =
        bracket_of<form, Scalars>(d[j], roots, conjugate ? j : 3 * j, n, conjugate, direction);
    const auto odd =
        j == 0      ? std::array{b[0] + d[0], b[0] - d[0]}
        : conjugate ? std::array{first.value + second.value, first.value - second.value}
                    : sums_of<Scalars>(first.value, second.value, second.factor / first.factor);
    const Complex<T> turned = direction == Direction::forward ? Complex<T>{odd[1].im, -odd[1].re}
                                                              : Complex<T>{-odd[1].im, odd[1].re};
    const auto put = [&](std::size_t k, Complex<T> add) {
      const auto both =
          j == 0 ? std::array{u[k] + add, u[k] - add} : sums_of<Scalars>(u[k], add, first.factor);
      result[k] = both[0];
      result[k + 2 * q] = both[1];
    };
    put(j, odd[0]);
    put(j + q, turned);
  }
  return result;
}

template <EvenHalf even, RatioForm form>
struct QuartersIn {
  template <class Arithmetic>
  using Algorithm = With<QuartersByRatio, Arithmetic, QuarterForm{even, form}>;
};

/// check.operator()<even, form>() for all there are.
template <class Check>
void each_algorithm(Check check) {
  check.template operator()<EvenHalf::two_quarters, RatioForm::cosine>();
  check.template operator()<EvenHalf::two_quarters, RatioForm::smaller>();
  check.template operator()<EvenHalf::half, RatioForm::cosine>();
  check.template operator()<EvenHalf::half, RatioForm::smaller>();
  check.template operator()<EvenHalf::conjugate, RatioForm::cosine>();
  check.template operator()<EvenHalf::conjugate, RatioForm::smaller>();
}

constexpr std::size_t step(EvenHalf even) { return even == EvenHalf::two_quarters ? 4 : 2; }

/// Multiply-adds and sums of real numbers: (11/4) n log2 n - 2 n + 2, and (8/3) n t - (16/9) n + 2
/// - (2/9) (-1)^t (Linzer, Feig, Math. Comp. 60, 1993).
std::uint64_t known_count(EvenHalf even, std::uint64_t n) {
  const auto t = static_cast<std::uint64_t>(std::countr_zero(n));
  if (even == EvenHalf::two_quarters) return 11 * n * t / 4 + 2 - 2 * n;
  return (24 * n * t + 18 - 16 * n - (t % 2 == 0 ? 2 : 0) + (t % 2 == 0 ? 0 : 2)) / 9;
}

}  // namespace

TEST(FusedQuarters, StayBelowTheirBound) {
  each_algorithm([]<EvenHalf even, RatioForm form>() {
    for (const char* mode : {"fast", "bf16", "fp16", "custom(p=5,emin=-60,emax=60)"})
      for (const char* machine : {"trn", "ieee", "ieee{vector.fused=on}", "ieee{casts=rz}"})
        for (const std::size_t n : {4u, 16u, 256u})
          for (const Direction direction : {Direction::forward, Direction::inverse}) {
            const auto known = resolve(mode_named(mode), machine_named(machine));
            if (known.operation_format() != fp32 && known.machine().vector != VectorEngine{})
              continue;
            const Subject<QuartersIn<even, form>::template Algorithm, float> subject{known};
            const double bound = subject.predict(n, 2, direction).bound.worst;
            // Where an overflow does not show, nothing is stated.
            const bool cut =
                known.operation_format().emax < fp32.emax && known.machine().casts == Rounding::rz;
            EXPECT_EQ(std::isfinite(bound), form == RatioForm::smaller || !cut) << mode << machine;
            if (std::isfinite(bound)) subject.expect_dft(normal_values(2 * n, 5), n, direction);
          }
  });
}

TEST(FusedQuarters, HaveTheBitsOfTheirDefinition) {
  each_algorithm([]<EvenHalf even, RatioForm form>() {
    for (std::size_t n = 1; n <= 1024; n *= step(even))
      expect_bits_of<QuartersIn<even, form>::template Algorithm, FastScalars>(
          n, quarters_textbook<even, form, FastScalars>);
    for (const std::size_t n : {4u, 16u, 256u})
      expect_bits_of<QuartersIn<even, form>::template Algorithm, Bf16Scalars>(
          n, quarters_textbook<even, form, Bf16Scalars>);
  });
}

/// A sum takes an addition, a fused operation a multiplication, too. What is not fused are the 12
/// sums of place 0, in radix 4 16, and of conjugate pairs 4 more of the others.
TEST(FusedQuarters, TakeThePublishedNumberOfOperations) {
  each_algorithm([]<EvenHalf even, RatioForm form>() {
    for (std::size_t n = step(even); n <= 4096; n *= step(even))
      for (const char* mode : {"fast", "bf16"}) {
        const ArithmeticSpec resolved = resolve(mode_named(mode), machine_named("trn"));
        const OperationCounts done = operations<QuartersIn<even, form>::template Algorithm, float>(
            resolved, n, 3, Direction::forward);
        EXPECT_EQ(done.additions, 3 * known_count(even, n)) << mode << ", n = " << n;
        if (n == 64 && even == EvenHalf::two_quarters) {
          EXPECT_EQ(done.additions - done.multiplications, 3 * 16 * (16 + 4 + 1));
        }
        const Cost cost =
            QuartersIn<even, form>::template Algorithm<MachineArithmetic<float>>::predict(
                Predictor(resolved, Direction::forward, {}), n, 3)
                .cost;
        EXPECT_EQ(cost.operations, done) << mode << ", n = " << n;
      }
  });
}

TEST(FusedQuarters, ErrAsExpected) {
  each_algorithm([]<EvenHalf even, RatioForm form>() {
    for (const char* mode : {"fast", "bf16"})
      for (const std::size_t n : {16u, 1024u}) {
        const double ratio =
            error_over_expected<QuartersIn<even, form>::template Algorithm>(mode, n);
        EXPECT_NEAR(ratio, 1, n == 16 ? 0.25 : 0.1)
            << mode << ", n = " << n << ", " << static_cast<int>(even) << static_cast<int>(form);
      }
  });
}

/// Its table has the one ratio and factor of a place, and its sums round once less.
TEST(FusedQuarters, ByConjugatePairsHaveTheSmallerBoundAndTable) {
  const auto predicted = []<template <class> class Algorithm>() {
    return Subject<Algorithm, float>{resolve(mode_named("fast"), machine_named("ieee"))}.predict(
        1024, 1, Direction::forward);
  };
  const ErrorModel cubed = predicted.template operator()<SplitDualSelect>();
  const ErrorModel conjugate = predicted.template operator()<ConjugateDualSelect>();
  EXPECT_LT(conjugate.bound.worst, cubed.bound.worst);
  EXPECT_LT(conjugate.variance, cubed.variance);
  EXPECT_EQ(2 * conjugate.table_entries, cubed.table_entries);
}

TEST(FusedQuarters, AreForPlainProducts) {
  for (const char* mode : {"kahan", "ozaki"}) {
    const MachineArithmetic<float> arithmetic(resolve(mode_named(mode), machine_named("trn")));
    const SplitDualSelect<MachineArithmetic<float>> fft(arithmetic, 8, Direction::forward,
                                                        exact_roots());
    ComplexArray<float> x(8);
    EXPECT_THROW(fft.transform(arithmetic, x), NotApplicable) << mode;
  }
}

}  // namespace fftprec::testing
