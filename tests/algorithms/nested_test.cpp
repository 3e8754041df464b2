/// good-thomas, row-column and batch-split: FFTs that move data between smaller ones.
#include "algorithms/fft/batch_split.hpp"
#include "algorithms/fft/dft_gemm.hpp"
#include "algorithms/fft/good_thomas.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/fft/row_column.hpp"
#include "tests/algorithms/around.hpp"
#include "tests/algorithms/transform_checks.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

template <class Arithmetic>
using GemmGoodThomas = Around<GoodThomas, DftGemm>::Fft<Arithmetic>;
template <class Arithmetic>
using PlainRowColumn = Around<RowColumn, Radix2Dit>::Fft<Arithmetic>;

/// The definition on the vector engine: from zero, k ascending.
template <class Scalars>
Values<Scalars> definition(const Values<Scalars>& x, const RootFunction& roots,
                           Direction direction) {
  using T = typename Scalars::Scalar;
  const std::size_t n = x.size();
  Values<Scalars> y(n, {T(0.0F), T(0.0F)});
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      y[k] = y[k] + Scalars::product(factor_of<Scalars>(roots, j * k, n, direction), x[j]);
  return y;
}

/// In place on the indices of the input: along the axis of q lie the elements n/q apart. The
/// outputs (k mod q_1, k mod q_2, ...) then lie at sum_i (n/q_i) (k mod q_i).
template <class Scalars>
Values<Scalars> textbook_good_thomas(Values<Scalars> x, const RootFunction& roots,
                                     const std::vector<std::size_t>& axes) {
  const std::size_t n = x.size();
  for (const std::size_t q : axes)
    for (std::size_t start = 0; start < n; start += q) {
      Values<Scalars> line(q);
      for (std::size_t i = 0; i < q; ++i) line[i] = x[(start + i * (n / q)) % n];
      line = definition<Scalars>(line, roots, Direction::forward);
      for (std::size_t i = 0; i < q; ++i) x[(start + i * (n / q)) % n] = line[i];
    }
  Values<Scalars> y(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t place = 0;
    for (const std::size_t q : axes) place += (n / q) * (k % q);
    y[k] = x[place % n];
  }
  return y;
}

/// The twiddle product in float with float factors, whatever the scalars.
template <class T>
Complex<T> on_host(const RootFunction& roots, std::size_t exponent, std::size_t order,
                   Direction direction, const Complex<T>& x) {
  const std::complex<double> w = roots(exponent, order, fp32);
  const double sign = direction == Direction::forward ? 1 : -1;
  const Complex<float> factor{static_cast<float>(w.real()), static_cast<float>(sign * w.imag())};
  const Complex<float> y = multiply(factor, {static_cast<float>(x.re), static_cast<float>(x.im)});
  return {T(y.re), T(y.im)};
}

template <class Scalars, std::size_t n1>
Values<Scalars> textbook_row_column(const Values<Scalars>& x, const RootFunction& roots,
                                    Direction direction) {
  const std::size_t n = x.size();
  const std::size_t n2 = n / n1;
  std::vector<Values<Scalars>> rows(n1, Values<Scalars>(n2));
  for (std::size_t j2 = 0; j2 < n2; ++j2) {
    Values<Scalars> column(n1);
    for (std::size_t j1 = 0; j1 < n1; ++j1) column[j1] = x[n2 * j1 + j2];
    column = radix2<Scalars>(column, roots, direction);
    // Each inner inverse divides by its own length: exactly, both being powers of two.
    for (std::size_t k1 = 0; k1 < n1; ++k1)
      rows[k1][j2] = on_host(roots, j2 * k1, n, direction, column[k1]);
  }
  Values<Scalars> y(n);
  for (std::size_t k1 = 0; k1 < n1; ++k1) {
    const Values<Scalars> row = radix2<Scalars>(rows[k1], roots, direction);
    for (std::size_t k2 = 0; k2 < n2; ++k2) y[k1 + n1 * k2] = row[k2];
  }
  return y;
}

/// `Outer` in bf16 hands nothing but bf16 numbers to its inner FFTs, though those deliver fp32.
template <template <class> class Outer>
void expect_stored_data_inside(std::size_t n) {
  using Arithmetic = MachineArithmetic<float>;
  const Arithmetic arithmetic(resolve(mode_named("bf16"), machine_named("trn")));
  std::size_t calls = 0;
  const MakeFft<Arithmetic> watched = [&](const Arithmetic& with, std::size_t length,
                                          Direction direction,
                                          const RootFunction& roots) -> Fft<Arithmetic> {
    return [&calls, fft = make_fft<DftGemm, Arithmetic>()(with, length, direction, roots)](
               const Arithmetic& by, ComplexArray<float>& x) {
      ++calls;
      EXPECT_TRUE(is_stored_in(bf16, x)) << "call " << calls << ", seed 9";
      fft(by, x);
      EXPECT_FALSE(is_stored_in(bf16, x)) << "call " << calls << ", seed 9";
    };
  };
  ComplexArray<float> x = arithmetic.stored(normal_values(2 * n, 9));

  Outer<Arithmetic>(arithmetic, n, Direction::forward, exact_roots(), watched)
      .transform(arithmetic, x);

  EXPECT_EQ(calls, 2u);
}

/// All rows by one call, or shared out over cores: equal in every bit.
template <class Real>
void expect_bits_of_one_core(const Mode& mode, std::size_t n, std::size_t batch,
                             std::size_t cores) {
  using Arithmetic = MachineArithmetic<Real>;
  const Arithmetic arithmetic(resolve(mode, machine_named("trn")));
  const MakeFft<Arithmetic> inner = make_fft<DftGemm, Arithmetic>();
  ComplexArray<Real> together = arithmetic.stored(normal_values(n * batch, 5));
  ComplexArray<Real> split = together;

  inner(arithmetic, n, Direction::forward, exact_roots())(arithmetic, together);
  BatchSplit<Arithmetic>(arithmetic, n, Direction::forward, exact_roots(), inner, cores)
      .transform(arithmetic, split);

  EXPECT_EQ(split, together) << mode.name << ", n = " << n << ", batch " << batch << ", " << cores
                             << " cores, seed 5";
}

}  // namespace

TEST(GoodThomas, HasTheBitsOfTheTextbook) {
  const MachineArithmetic<float> arithmetic(resolve(mode_named("kahan"), machine_named("trn")));
  const std::vector<std::size_t> all_axes[] = {{3, 2}, {5, 3}, {7, 4}, {5, 4, 3}, {11, 9, 8}};
  for (const std::vector<std::size_t>& axes : all_axes) {
    std::size_t n = 1;
    for (const std::size_t q : axes) n *= q;
    ComplexArray<float> y = arithmetic.stored(normal_values(n, 6));
    Values<KahanScalars> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = {y.re[i], y.im[i]};

    const auto expected = textbook_good_thomas<KahanScalars>(x, rational_factors(), axes);
    GemmGoodThomas<MachineArithmetic<float>>(arithmetic, n, Direction::forward, rational_factors())
        .transform(arithmetic, y);

    for (std::size_t k = 0; k < n; ++k) {
      ASSERT_EQ(y.re[k], expected[k].re) << "n = " << n << ", output " << k << ", seed 6";
      ASSERT_EQ(y.im[k], expected[k].im) << "n = " << n << ", output " << k << ", seed 6";
    }
  }
}

TEST(GoodThomas, RoundsBetweenItsAxes) { expect_stored_data_inside<GoodThomas>(63); }

TEST(GoodThomas, RefusesPowersOfOnePrimeAndWhatTheInnerRefuses) {
  using Any = GoodThomas<MachineArithmetic<float>>;
  const FftModel radix2 = Around<GoodThomas, Radix2Dit>::inner_model();
  for (const std::size_t n : {0u, 1u, 7u, 64u, 81u})
    EXPECT_EQ(Any::unsupported(n, radix2),
              "good-thomas needs n with two different prime factors, got " + std::to_string(n));
  EXPECT_EQ(Any::unsupported(12, radix2), "good-thomas of n = 12: radix2-dit needs n = 2^k, got 3");
}

TEST(RowColumn, HasTheBitsOfTheTextbookWithTwiddlesInFp32) {
  expect_bits_of<PlainRowColumn, FastScalars>(64, textbook_row_column<FastScalars, 8>);
  expect_bits_of<PlainRowColumn, Bf16Scalars>(64, textbook_row_column<Bf16Scalars, 8>);
  expect_bits_of<PlainRowColumn, KahanScalars>(128, textbook_row_column<KahanScalars, 8>);
  expect_bits_of<PlainRowColumn, Bf16Scalars>(128, textbook_row_column<Bf16Scalars, 8>);
}

TEST(RowColumn, RoundsAfterTheTwiddles) { expect_stored_data_inside<RowColumn>(64); }

TEST(RowColumn, RefusesPrimes) {
  using Any = RowColumn<MachineArithmetic<float>>;
  const FftModel radix2 = Around<RowColumn, Radix2Dit>::inner_model();
  for (const std::size_t n : {0u, 1u, 2u, 3u, 127u})
    EXPECT_EQ(Any::unsupported(n, radix2),
              "row-column needs a composite n, got " + std::to_string(n));
  EXPECT_EQ(Any::unsupported(6, radix2), "row-column of n = 6: radix2-dit needs n = 2^k, got 3");
}

TEST(BatchSplit, HasTheBitsOfOneCore) {
  for (const Mode& mode : trnfft_modes())
    for (const std::size_t cores : {1u, 2u, 3u, 8u})
      for (const std::size_t batch : {1u, 5u, 7u})
        if (on_host(mode))
          expect_bits_of_one_core<double>(mode, 12, batch, cores);
        else
          expect_bits_of_one_core<float>(mode, 12, batch, cores);
}

TEST(BatchSplit, CostsTheSumOfItsCores) {
  using Any = BatchSplit<MachineArithmetic<float>>;
  const FftModel inner = Around<GoodThomas, DftGemm>::inner_model();
  const Predictor predictor(resolve(mode_named("bf16"), machine_named("trn")), Direction::forward,
                            {});

  // 1025 rows take three moves of 512; over 4 cores 257 + 257 + 257 + 254 take one each.
  EXPECT_EQ(inner.predict(predictor, 64, 1025).cost.matmul_passes, 4u * 3);
  EXPECT_EQ(Any::predict(predictor, 64, 1025, inner, 4).cost.matmul_passes, 4u * 4);
  EXPECT_EQ(Any::predict(predictor, 64, 1025, inner, 4).cost.operations,
            inner.predict(predictor, 64, 1025).cost.operations);
  // 1024 over 2 cores are two full moves.
  EXPECT_EQ(Any::predict(predictor, 64, 1024, inner, 2).cost.matmul_passes, 4u * 2);
  // 5 over 4 cores: 2 + 2 + 1, the fourth idles.
  EXPECT_EQ(Any::predict(predictor, 64, 5, inner, 4).cost.matmul_passes, 4u * 3);
  EXPECT_EQ(Any::predict(predictor, 64, 3, inner, 8).cost.matmul_passes, 4u * 3);
}

TEST(BatchSplit, TakesNoFewerThanOneCore) {
  using Arithmetic = MachineArithmetic<float>;
  const Arithmetic arithmetic(resolve(mode_named("fp32"), machine_named("trn")));
  EXPECT_THROW(BatchSplit<Arithmetic>(arithmetic, 4, Direction::forward, exact_roots(),
                                      make_fft<DftGemm, Arithmetic>(), 0),
               InputError);
}

}  // namespace fftprec::testing
