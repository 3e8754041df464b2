/// split-radix, with cubed and with conjugate factors, against its definition and against the
/// operation count that made it famous.
#include "algorithms/fft/split_radix.hpp"

#include "tests/algorithms/transform_checks.hpp"

namespace fftprec::testing {

namespace {

/// (1 -+ i) x, then -+i for the cube, then both parts times cos pi/4.
template <class T>
Complex<T> eighth_turned(Complex<T> x, T cosine, bool cube, Direction direction) {
  const bool forward = direction == Direction::forward;
  Complex<T> turned =
      forward ? Complex<T>{x.re + x.im, x.im - x.re} : Complex<T>{x.re - x.im, x.im + x.re};
  if (cube)
    turned = forward ? Complex<T>{turned.im, -turned.re} : Complex<T>{-turned.im, turned.re};
  return {cosine * turned.re, cosine * turned.im};
}

Direction other(Direction direction) {
  return direction == Direction::forward ? Direction::inverse : Direction::forward;
}

template <class Scalars>
auto textbook(const std::vector<Complex<typename Scalars::Scalar>>& x, const RootFunction& roots,
              Direction direction, bool conjugate) {
  using T = typename Scalars::Scalar;
  const std::size_t n = x.size();
  if (n == 1) return x;
  if (n == 2) return std::vector<Complex<T>>{x[0] + x[1], x[0] - x[1]};
  const std::size_t q = n / 4;
  std::vector<Complex<T>> even(n / 2), once(q), thrice(q), result(n);
  for (std::size_t j = 0; j < q; ++j) {
    even[j] = x[j] + x[j + 2 * q];
    even[j + q] = x[j + q] + x[j + 3 * q];
    const Complex<T> c = x[j] - x[j + 2 * q];
    const Complex<T> d = x[j + q] - x[j + 3 * q];
    const Complex<T> turned =
        direction == Direction::forward ? Complex<T>{d.im, -d.re} : Complex<T>{-d.im, d.re};
    once[j] = c + turned;
    thrice[j] = c - turned;
    if (j == 0) continue;
    if (2 * j == q) {
      const T cosine = factor_of<Scalars>(roots, 1, 8, direction).re;
      once[j] = eighth_turned(once[j], cosine, false, direction);
      thrice[j] = conjugate ? eighth_turned(thrice[j], cosine, false, other(direction))
                            : eighth_turned(thrice[j], cosine, true, direction);
    } else {
      once[j] = Scalars::product(factor_of<Scalars>(roots, j, n, direction), once[j]);
      const auto second = conjugate ? factor_of<Scalars>(roots, j, n, other(direction))
                                    : factor_of<Scalars>(roots, 3 * j, n, direction);
      thrice[j] = Scalars::product(second, thrice[j]);
    }
  }
  even = textbook<Scalars>(even, roots, direction, conjugate);
  once = textbook<Scalars>(once, roots, direction, conjugate);
  thrice = textbook<Scalars>(thrice, roots, direction, conjugate);
  for (std::size_t k = 0; k < n / 2; ++k) result[2 * k] = even[k];
  for (std::size_t k = 0; k < q; ++k) {
    result[4 * k + 1] = once[k];
    result[conjugate ? (4 * k + n - 1) % n : 4 * k + 3] = thrice[k];
  }
  return result;
}

template <class Scalars>
auto textbook_split_radix(const std::vector<Complex<typename Scalars::Scalar>>& x,
                          const RootFunction& roots, Direction direction) {
  return textbook<Scalars>(x, roots, direction, false);
}
template <class Scalars>
auto textbook_conjugate_pair(const std::vector<Complex<typename Scalars::Scalar>>& x,
                             const RootFunction& roots, Direction direction) {
  return textbook<Scalars>(x, roots, direction, true);
}

/// 4 n log2 n - 6 n + 8.
std::uint64_t known_count(std::uint64_t n) {
  return 4 * n * static_cast<std::uint64_t>(std::countr_zero(n)) + 8 - 6 * n;
}

ErrorModel predicted(const char* mode, std::size_t n) {
  const Subject<SplitRadix, float> subject{resolve(mode_named(mode), machine_named("trn"))};
  return subject.predict(n, 1, Direction::forward);
}

}  // namespace

/// From 2^12 on quarters take several chunks, from 2^16 on small parts several blocks.
TEST(SplitRadix, HasTheBitsOfItsDefinition) {
  for (const std::size_t n : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 1024u, 1u << 13, 1u << 17})
    expect_bits_of<SplitRadix, FastScalars>(n, textbook_split_radix<FastScalars>);
  for (const std::size_t n : {2u, 4u, 8u, 128u, 2048u}) {
    expect_bits_of<SplitRadix, Bf16Scalars>(n, textbook_split_radix<Bf16Scalars>);
    expect_bits_of<SplitRadix, KahanScalars>(n, textbook_split_radix<KahanScalars>);
  }
}

TEST(SplitRadix, TakesTheKnownNumberOfRealOperations) {
  for (std::size_t n = 2; n <= 4096; n *= 2)
    for (const char* mode : {"fp32", "bf16"}) {
      const OperationCounts done = operations<SplitRadix, float>(
          resolve(mode_named(mode), machine_named("trn")), n, 1, Direction::forward);
      EXPECT_EQ(done.multiplications + done.additions, known_count(n)) << mode << ", n = " << n;
      EXPECT_EQ(done.conversions, 0u) << mode << ", n = " << n;
    }
}

/// Also shows that a prediction looks at each size once: the parts are more than could be visited.
TEST(SplitRadix, PredictsTheKnownNumberForAnyLength) {
  const Predictor predictor(resolve(mode_named("fp32"), machine_named("trn")), Direction::forward,
                            {});
  for (std::size_t n = 2; n <= std::size_t{1} << 40; n *= 2) {
    const Cost cost = SplitRadix<MachineArithmetic<float>>::predict(predictor, n, 1).cost;
    EXPECT_EQ(cost.operations.multiplications + cost.operations.additions, known_count(n))
        << "n = " << n;
  }
}

/// n = 8: the longest way is sum, sum, sums and product of the eighth, sum.
TEST(SplitRadix, ComposesItsBoundAlongTheLongestWay) {
  const double u = 0x1p-24;
  EXPECT_DOUBLE_EQ(predicted("fp32", 2).bound.worst, u);
  EXPECT_DOUBLE_EQ(predicted("fp32", 4).bound.worst, repeated_error(u, 2));
  EXPECT_DOUBLE_EQ(predicted("fp32", 8).bound.worst,
                   compose(repeated_error(u, 5), rounded_table_error(fp32)));
}

/// n = 8: three sums on every way; half of the odd half, a quarter of the energy, meets the product
/// of the eighth.
TEST(SplitRadix, WeightsExpectedErrorsWithTheEnergyTheyMeet) {
  const Predictor predictor(resolve(mode_named("fp32"), machine_named("trn")), Direction::forward,
                            exact_source());
  const double sum = predictor.sums(1, 1).variance;
  const double eighth = predictor.eighth(1, 1).variance;
  EXPECT_DOUBLE_EQ(predicted("fp32", 4).variance, 2 * sum);
  EXPECT_DOUBLE_EQ(predicted("fp32", 8).variance, 3 * sum + 0.25 * eighth);
}

TEST(SplitRadix, KeepsTablesProportionalToTheLength) {
  EXPECT_EQ(predicted("fp32", 4096).table_entries, 4096u);
}

TEST(ConjugatePair, HasTheBitsOfItsDefinition) {
  for (const std::size_t n : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 1024u, 1u << 13, 1u << 17})
    expect_bits_of<ConjugatePair, FastScalars>(n, textbook_conjugate_pair<FastScalars>);
  for (const std::size_t n : {2u, 8u, 128u, 2048u}) {
    expect_bits_of<ConjugatePair, Bf16Scalars>(n, textbook_conjugate_pair<Bf16Scalars>);
    expect_bits_of<ConjugatePair, KahanScalars>(n, textbook_conjugate_pair<KahanScalars>);
  }
}

/// The same operations on half the table.
TEST(ConjugatePair, CostsWhatSplitRadixDoesWithHalfTheTable) {
  const Subject<ConjugatePair, float> subject{resolve(mode_named("fp32"), machine_named("trn"))};
  const ErrorModel pair = subject.predict(4096, 1, Direction::forward);
  const ErrorModel cubed = predicted("fp32", 4096);
  EXPECT_EQ(pair.cost.operations, cubed.cost.operations);
  EXPECT_EQ(pair.bound.worst, cubed.bound.worst);
  EXPECT_EQ(pair.table_entries, 2048u);
}

}  // namespace fftprec::testing
