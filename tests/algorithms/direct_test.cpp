/// direct against two plain loops.
#include "algorithms/fft/direct.hpp"

#include "tests/algorithms/transform_checks.hpp"

namespace fftprec::testing {

namespace {

template <class Scalars>
auto textbook_sums(const std::vector<Complex<typename Scalars::Scalar>>& x,
                   const RootFunction& roots, Direction direction) {
  const std::size_t n = x.size();
  std::vector<Complex<typename Scalars::Scalar>> result(n, x[0]);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 1; k < n; ++k) {
      const auto w = factor_of<Scalars>(roots, j * k % n, n, direction);
      result[j] = result[j] + (j == 0 ? x[k] : Scalars::product(w, x[k]));
    }
  return result;
}

}  // namespace

/// From 1026 on outputs take several blocks.
TEST(Direct, HasTheBitsOfTwoPlainLoops) {
  expect_bits_of<Direct, FastScalars>(1025, textbook_sums<FastScalars>);
  expect_bits_of<Direct, FastScalars>(1030, textbook_sums<FastScalars>);
  for (const std::size_t n : {1u, 2u, 3u, 12u, 131u}) {
    expect_bits_of<Direct, FastScalars>(n, textbook_sums<FastScalars>);
    expect_bits_of<Direct, Bf16Scalars>(n, textbook_sums<Bf16Scalars>);
    expect_bits_of<Direct, KahanScalars>(n, textbook_sums<KahanScalars>);
  }
}

/// (n-1)^2 products of 6 operations, n (n-1) sums of 2: 8 n^2 - 14 n + 6.
TEST(Direct, LeavesOutTheProductsOfTheFirstTermAndTheFirstOutput) {
  for (const std::size_t n : {1u, 2u, 9u, 50u}) {
    const OperationCounts done = operations<Direct, float>(
        resolve(mode_named("fp32"), machine_named("trn")), n, 1, Direction::forward);
    EXPECT_EQ(done.multiplications + done.additions + 14 * n, 8 * n * n + 6) << "n = " << n;
  }
}

TEST(Direct, KeepsTablesProportionalToTheLength) {
  const Subject<Direct, float> subject{resolve(mode_named("fp32"), machine_named("trn"))};
  EXPECT_EQ(subject.predict(1000, 1, Direction::forward).table_entries, 1000u);
}

}  // namespace fftprec::testing
