/// FFTs of fused multiply-adds, radix 2, radix 4 and split radix, against their bounds, against
/// their definitions, and against the counts that they were published with.
#include <cmath>

#include "algorithms/fft/radix2_fused.hpp"
#include "algorithms/fft/radix4_fused.hpp"
#include "arith/support/error.hpp"
#include "tests/algorithms/transform_checks.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

namespace {

/// x + w a of fp32, and of narrower formats by MPFR.
template <class T>
T fused_by_judge(T w, T a, T x) {
  if constexpr (std::is_same_v<T, float>) {
    return std::fma(w, a, x);
  } else {
    IeeeJudge judge(T::format);
    return T(judge(Operation::fused, Rounding::rne, static_cast<double>(w), static_cast<double>(a),
                   static_cast<double>(x)));
  }
}

template <class Scalars>
typename Scalars::Scalar rounded(double value) {
  return typename Scalars::Scalar(
      static_cast<float>(round(value, storage_format(mode_named(Scalars::mode)), Rounding::rne)));
}

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
  const bool middle =
      form == RatioForm::smaller ? 8 * angle > order && 8 * angle < 3 * order : 4 * angle == order;
  const bool second = form == RatioForm::sine || (middle && form != RatioForm::clamped);
  const double before = second ? s : c;
  const double least = unit_roundoff(storage_format(mode_named(Scalars::mode)));
  const double outer =
      is_clamped(form) && std::fabs(before) < least ? std::copysign(least, before) : before;
  const T ratio = rounded<Scalars>((second ? c : s) / outer);
  const bool down = (direction == Direction::forward) != conjugate;
  const Complex<T> turned = down ? Complex<T>{x.im, -x.re} : Complex<T>{-x.im, x.re};
  const Complex<T> p = second ? turned : x, q = second ? x : turned;
  return {{fused_by_judge(ratio, q.re, p.re), fused_by_judge(ratio, q.im, p.im)}, outer};
}

/// (a + w b, a - w b).
template <class Scalars, class T>
std::array<Complex<T>, 2> sums_of(Complex<T> a, Complex<T> b, double factor) {
  const T w = rounded<Scalars>(factor);
  return {Complex<T>{fused_by_judge(w, b.re, a.re), fused_by_judge(w, b.im, a.im)},
          Complex<T>{fused_by_judge(-w, b.re, a.re), fused_by_judge(-w, b.im, a.im)}};
}

/// Decimation in time by its definition.
template <RatioForm form, class Scalars>
auto halves_textbook(const std::vector<Complex<typename Scalars::Scalar>>& x,
                     const RootFunction& roots, Direction direction) {
  using T = typename Scalars::Scalar;
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::vector<Complex<T>> even(n / 2), odd(n / 2), result(n);
  for (std::size_t j = 0; j < n / 2; ++j) even[j] = x[2 * j], odd[j] = x[2 * j + 1];
  even = halves_textbook<form, Scalars>(even, roots, direction);
  odd = halves_textbook<form, Scalars>(odd, roots, direction);
  for (std::size_t j = 0; j < n / 2; ++j) {
    const auto product = bracket_of<form, Scalars>(odd[j], roots, j, n, false, direction);
    const auto both = sums_of<Scalars>(even[j], product.value, product.factor);
    result[j] = both[0];
    result[j + n / 2] = both[1];
  }
  return result;
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

template <RatioForm form>
struct HalvesIn {
  template <class Arithmetic>
  using Algorithm = With<Radix2ByRatio, Arithmetic, form>;
};
template <EvenHalf even, RatioForm form>
struct QuartersIn {
  template <class Arithmetic>
  using Algorithm = With<QuartersByRatio, Arithmetic, QuarterForm{even, form}>;
};

/// check.operator()<form>() for all radices of 2, or <even, form>() for all others.
template <class Check>
void each_of_halves(Check check) {
  check.template operator()<RatioForm::cosine>();
  check.template operator()<RatioForm::clamped>();
  check.template operator()<RatioForm::sine>();
  check.template operator()<RatioForm::smaller>();
}
template <class Check>
void each_of_quarters(Check check) {
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

template <template <class> class Algorithm, RatioForm form>
void expect_bound(std::initializer_list<std::size_t> lengths) {
  for (const char* mode : {"fp32", "bf16", "fp16", "custom(p=5,emin=-60,emax=60)"})
    for (const char* machine : {"trn", "ieee", "ieee{vector.fused=on}", "ieee{casts=rz}"})
      for (const std::size_t n : lengths)
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
          const auto known = resolve(mode_named(mode), machine_named(machine));
          const Format format = known.operation_format();
          if (format != fp32 && known.machine().vector != VectorEngine{}) continue;
          // 2^11 of a value in every butterfly: fp16 ends at 2^16.
          if (form == RatioForm::sine && format == fp16 && n > 8) continue;
          const Subject<Algorithm, float> subject{known};
          const double bound = subject.predict(n, 2, direction).bound.worst;
          // Where an overflow does not show, nothing is stated.
          const bool cut = format.emax < fp32.emax && known.machine().casts == Rounding::rz;
          EXPECT_EQ(std::isfinite(bound), form == RatioForm::smaller || !cut) << mode << machine;
          if (std::isfinite(bound)) subject.expect_dft(normal_values(2 * n, 5), n, direction);
        }
}

/// As many additions as said, each a fused one but for `sums`; as predicted.
template <template <class> class Algorithm>
void expect_operations(std::size_t n, std::uint64_t additions, std::optional<std::uint64_t> sums) {
  for (const char* mode : {"fp32", "bf16"}) {
    SCOPED_TRACE(::testing::Message() << mode << ", n = " << n);
    const ArithmeticSpec resolved = resolve(mode_named(mode), machine_named("trn"));
    const OperationCounts done = operations<Algorithm, float>(resolved, n, 3, Direction::forward);
    EXPECT_EQ(done.additions, 3 * additions);
    if (sums) {
      EXPECT_EQ(done.additions - done.multiplications, 3 * *sums);
    }
    const Predictor predictor(resolved, Direction::forward, {});
    EXPECT_EQ(Algorithm<MachineArithmetic<float>>::predict(predictor, n, 3).cost.operations, done);
  }
}

template <template <class> class Algorithm>
double error_over_expected(const char* mode, std::size_t n) {
  const Subject<Algorithm, float> subject{resolve(mode_named(mode), machine_named("ieee"))};
  double sum = 0;
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    const ComplexArray<double> x = in_double(subject.arithmetic.stored(normal_values(n, seed)));
    const ComplexArray<double> y = in_double(subject.transform(x, n, Direction::forward));
    const double error = truth::measure(y, truth::dft(x, n, Direction::forward), fp32).l2_rel;
    sum += error * error / 4;
  }
  return std::sqrt(sum / subject.predict(n, 1, Direction::forward).variance);
}

template <template <class> class Algorithm>
void expect_plain_products_only() {
  for (const char* mode : {"kahan", "ozaki"}) {
    const MachineArithmetic<float> arithmetic(resolve(mode_named(mode), machine_named("trn")));
    const Algorithm<MachineArithmetic<float>> fft(arithmetic, 8, Direction::forward, exact_roots());
    ComplexArray<float> x(8);
    EXPECT_THROW(fft.transform(arithmetic, x), NotApplicable) << mode;
  }
}

}  // namespace

TEST(Fused, StayBelowTheirBound) {
  each_of_halves([]<RatioForm form>() {
    expect_bound<HalvesIn<form>::template Algorithm, form>({2, 8, 256});
  });
  each_of_quarters([]<EvenHalf even, RatioForm form>() {
    expect_bound<QuartersIn<even, form>::template Algorithm, form>({4, 16, 256});
  });
}

TEST(Fused, HaveTheBitsOfTheirDefinition) {
  each_of_halves([]<RatioForm form>() {
    for (const std::size_t n : {1u, 2u, 4u, 8u, 32u, 1024u})
      expect_bits_of<HalvesIn<form>::template Algorithm, FastScalars>(
          n, halves_textbook<form, FastScalars>);
    for (const std::size_t n : {2u, 8u, 128u})
      expect_bits_of<HalvesIn<form>::template Algorithm, Bf16Scalars>(
          n, halves_textbook<form, Bf16Scalars>);
  });
  each_of_quarters([]<EvenHalf even, RatioForm form>() {
    for (std::size_t n = 1; n <= 1024; n *= step(even))
      expect_bits_of<QuartersIn<even, form>::template Algorithm, FastScalars>(
          n, quarters_textbook<even, form, FastScalars>);
    for (const std::size_t n : {4u, 16u, 256u})
      expect_bits_of<QuartersIn<even, form>::template Algorithm, Bf16Scalars>(
          n, quarters_textbook<even, form, Bf16Scalars>);
  });
}

/// Radix 2: six to a butterfly. What is not fused of the others are the 12 sums of place 0, in
/// radix 4 16, and of conjugate pairs 4 more of the others.
TEST(Fused, TakeThePublishedNumberOfOperations) {
  for (std::size_t n = 1; n <= 1024; n *= 2)
    expect_operations<DualSelect>(n, 3 * n * static_cast<std::uint64_t>(std::countr_zero(n)), 0);
  each_of_quarters([]<EvenHalf even, RatioForm form>() {
    for (std::size_t n = step(even); n <= 4096; n *= step(even))
      expect_operations<QuartersIn<even, form>::template Algorithm>(
          n, known_count(even, n),
          n == 64 && even == EvenHalf::two_quarters ? std::optional<std::uint64_t>(16 * 21)
                                                    : std::nullopt);
  });
}

TEST(Fused, ErrAsExpected) {
  for (const char* mode : {"fp32", "bf16"}) {
    EXPECT_NEAR(error_over_expected<LinzerFeig>(mode, 1024), 1, 0.1) << mode;
    EXPECT_NEAR(error_over_expected<DualSelect>(mode, 1024), 1, 0.1) << mode;
    EXPECT_NEAR(error_over_expected<LinzerFeigClamped>("fp32", 1024), 1, 0.1) << mode;
    const auto resolved = resolve(mode_named(mode), machine_named("ieee"));
    const Subject<LinzerFeigSine, float> sine{resolved};  // whose clamp errs alike in all stages
    EXPECT_FALSE(sine.predict(1024, 1, Direction::forward).expected().has_value()) << mode;
    each_of_quarters([mode]<EvenHalf even, RatioForm form>() {
      for (const std::size_t n : {16u, 1024u})
        EXPECT_NEAR((error_over_expected<QuartersIn<even, form>::template Algorithm>(mode, n)), 1,
                    n == 16 ? 0.25 : 0.1)
            << mode << ", n = " << n << ", " << static_cast<int>(even) << static_cast<int>(form);
    });
  }
}

/// u is as large as |b|/f: what a large ratio costs in formats of a small range.
TEST(Fused, OverflowByTheRatioThatIsLarge) {
  const std::size_t n = 256;
  ComplexArray<double> x(n);
  x.re[n - 1] = 100;
  const ArithmeticSpec fp16_mode = resolve(mode_named("fp16"), machine_named("ieee"));
  const auto finite = [](const ComplexArray<float>& y) {
    return std::all_of(y.re.begin(), y.re.end(), [](float part) { return std::isfinite(part); });
  };
  const auto clamped =
      Subject<LinzerFeigClamped, float>{fp16_mode}.transform(x, n, Direction::forward);
  const auto sine = Subject<LinzerFeigSine, float>{fp16_mode}.transform(x, n, Direction::forward);
  const auto smaller = Subject<DualSelect, float>{fp16_mode}.transform(x, n, Direction::forward);
  EXPECT_FALSE(finite(clamped));
  EXPECT_FALSE(finite(sine));
  EXPECT_TRUE(finite(smaller));
}

/// A cosine that another source makes small, not 0: its sign stays.
TEST(Fused, ClampWhatIsSmallerThanARounding) {
  const auto entry = [](double cosine) {
    const RootFunction roots = [=](std::uint64_t, std::uint64_t, const Format&) {
      return std::complex<double>(cosine, -1);
    };
    return ratio_entries(RatioForm::clamped, roots, false)(1, 4, fp16);
  };
  EXPECT_EQ(entry(-0x1p-25), std::complex<double>(-0x1p11, -0x1p-11));
  EXPECT_EQ(entry(0), std::complex<double>(0x1p11, 0x1p-11));
  EXPECT_EQ(entry(0x1p-10), std::complex<double>(0x1p10, 0x1p-10));
}

/// Its table has the one ratio and factor of a place, and its sums round once less.
TEST(Fused, ByConjugatePairsHaveTheSmallerBoundAndTable) {
  const auto predicted = []<template <class> class Algorithm>() {
    return Subject<Algorithm, float>{resolve(mode_named("fp32"), machine_named("ieee"))}.predict(
        1024, 1, Direction::forward);
  };
  const ErrorModel cubed = predicted.template operator()<SplitDualSelect>();
  const ErrorModel conjugate = predicted.template operator()<ConjugateDualSelect>();
  EXPECT_LT(conjugate.bound.worst, cubed.bound.worst);
  EXPECT_LT(conjugate.variance, cubed.variance);
  EXPECT_EQ(2 * conjugate.table_entries, cubed.table_entries);
}

TEST(Fused, AreForPlainProducts) {
  expect_plain_products_only<DualSelect>();
  expect_plain_products_only<SplitDualSelect>();
}

}  // namespace fftprec::testing
