/// Radix 2 of fused butterflies against its bound, against its definition, and what it costs.
#include "algorithms/fft/radix2_fused.hpp"

#include <cmath>

#include "arith/support/error.hpp"
#include "tests/algorithms/fused_checks.hpp"

namespace fftprec::testing {

namespace {

/// Decimation in time by its definition.
template <RatioForm form, class Scalars>
auto textbook(const std::vector<Complex<typename Scalars::Scalar>>& x, const RootFunction& roots,
              Direction direction) {
  using T = typename Scalars::Scalar;
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::vector<Complex<T>> even(n / 2), odd(n / 2), result(n);
  for (std::size_t j = 0; j < n / 2; ++j) even[j] = x[2 * j], odd[j] = x[2 * j + 1];
  even = textbook<form, Scalars>(even, roots, direction);
  odd = textbook<form, Scalars>(odd, roots, direction);
  const Format format = storage_format(mode_named(Scalars::mode));
  for (std::size_t j = 0; j < n / 2; ++j) {
    const std::complex<double> w = roots(j, n, {50, -450, 450});
    const double c = w.real(), s = -w.imag();
    const bool middle = form == RatioForm::smaller ? 8 * j > n && 8 * j < 3 * n : 4 * j == n;
    const bool second = form == RatioForm::sine || (middle && form != RatioForm::clamped);
    const auto rounded = [&](double value) {
      return T(static_cast<float>(round(value, format, Rounding::rne)));
    };
    const double before = second ? s : c, after = second ? c : s;
    const double least = unit_roundoff(format);
    const double outer =
        is_clamped(form) && std::fabs(before) < least ? std::copysign(least, before) : before;
    const T ratio = rounded(after / outer), factor = rounded(outer);
    const Complex<T> b = odd[j];
    const Complex<T> other =
        direction == Direction::forward ? Complex<T>{b.im, -b.re} : Complex<T>{-b.im, b.re};
    const Complex<T> p = second ? other : b, q = second ? b : other;
    const Complex<T> u{fused_by_judge(ratio, q.re, p.re), fused_by_judge(ratio, q.im, p.im)};
    const Complex<T> a = even[j];
    result[j] = {fused_by_judge(factor, u.re, a.re), fused_by_judge(factor, u.im, a.im)};
    result[j + n / 2] = {fused_by_judge(-factor, u.re, a.re), fused_by_judge(-factor, u.im, a.im)};
  }
  return result;
}

template <RatioForm form>
struct In {
  template <class Arithmetic>
  using Algorithm = With<Radix2ByRatio, Arithmetic, form>;
};

template <RatioForm form>
void expect_bound() {
  for (const char* mode : {"fast", "bf16", "fp16", "custom(p=5,emin=-60,emax=60)"})
    for (const char* machine : {"trn", "ieee", "ieee{vector.fused=on}", "ieee{casts=rz}"})
      for (const std::size_t n : {2u, 8u, 256u})
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
          const auto known = resolve(mode_named(mode), machine_named(machine));
          if (known.operation_format() != fp32 && known.machine().vector != VectorEngine{})
            continue;
          // 2^11 of a value in every butterfly: fp16 ends at 2^16.
          if (form == RatioForm::sine && known.operation_format() == fp16 && n > 8) continue;
          const Subject<In<form>::template Algorithm, float> subject{known};
          const double bound = subject.predict(n, 2, direction).bound.worst;
          // Where an overflow does not show, nothing is stated.
          const bool cut =
              known.operation_format().emax < fp32.emax && known.machine().casts == Rounding::rz;
          EXPECT_EQ(std::isfinite(bound), form == RatioForm::smaller || !cut) << mode << machine;
          if (std::isfinite(bound)) subject.expect_dft(normal_values(2 * n, 5), n, direction);
        }
}

template <RatioForm form>
void expect_bits() {
  for (const std::size_t n : {1u, 2u, 4u, 8u, 32u, 1024u})
    expect_bits_of<In<form>::template Algorithm, FastScalars>(n, textbook<form, FastScalars>);
  for (const std::size_t n : {2u, 8u, 128u})
    expect_bits_of<In<form>::template Algorithm, Bf16Scalars>(n, textbook<form, Bf16Scalars>);
}

}  // namespace

TEST(FusedButterflies, StayBelowTheirBound) {
  expect_bound<RatioForm::cosine>();
  expect_bound<RatioForm::clamped>();
  expect_bound<RatioForm::sine>();
  expect_bound<RatioForm::smaller>();
}

TEST(FusedButterflies, HaveTheBitsOfTheirDefinition) {
  expect_bits<RatioForm::cosine>();
  expect_bits<RatioForm::clamped>();
  expect_bits<RatioForm::sine>();
  expect_bits<RatioForm::smaller>();
}

/// Six to a butterfly, each a multiplication and an addition.
TEST(FusedButterflies, TakeSixOperationsEach) {
  for (const char* mode : {"fast", "bf16"})
    for (std::size_t n = 1; n <= 1024; n *= 2) {
      const ArithmeticSpec resolved = resolve(mode_named(mode), machine_named("trn"));
      const OperationCounts done =
          operations<DualSelect, float>(resolved, n, 3, Direction::forward);
      const std::uint64_t fused = 6 * 3 * (n / 2) * static_cast<std::uint64_t>(std::countr_zero(n));
      EXPECT_EQ(done.multiplications, fused) << mode << ", n = " << n;
      EXPECT_EQ(done.additions, fused) << mode << ", n = " << n;
      const Cost cost = DualSelect<MachineArithmetic<float>>::predict(
                            Predictor(resolved, Direction::forward, {}), n, 3)
                            .cost;
      EXPECT_EQ(cost.operations, done) << mode << ", n = " << n;
    }
}

TEST(FusedButterflies, ErrAsExpected) {
  for (const char* mode : {"fast", "bf16"}) {
    EXPECT_NEAR(error_over_expected<LinzerFeig>(mode, 1024), 1, 0.1) << mode;
    EXPECT_NEAR(error_over_expected<DualSelect>(mode, 1024), 1, 0.1) << mode;
    EXPECT_NEAR(error_over_expected<LinzerFeigClamped>("fast", 1024), 1, 0.1) << mode;
    const auto resolved = resolve(mode_named(mode), machine_named("ieee"));
    const Subject<LinzerFeigSine, float> sine{resolved};  // whose clamp errs alike in all stages
    EXPECT_FALSE(sine.predict(1024, 1, Direction::forward).expected().has_value()) << mode;
  }
}

/// u is as large as |b|/f: what a large ratio costs in formats of a small range.
TEST(FusedButterflies, OverflowByTheRatioThatIsLarge) {
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
TEST(FusedButterflies, ClampWhatIsSmallerThanARounding) {
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

TEST(FusedButterflies, AreForPlainProducts) {
  for (const char* mode : {"kahan", "ozaki"}) {
    const MachineArithmetic<float> arithmetic(resolve(mode_named(mode), machine_named("trn")));
    const DualSelect<MachineArithmetic<float>> fft(arithmetic, 8, Direction::forward,
                                                   exact_roots());
    ComplexArray<float> x(8);
    EXPECT_THROW(fft.transform(arithmetic, x), NotApplicable) << mode;
  }
}

}  // namespace fftprec::testing
