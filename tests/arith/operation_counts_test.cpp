/// What each scheme costs: operations of the loops, counted, beside the closed formulas.
///
/// A lost or an added operation shows here even where no bit changes.
#include <gtest/gtest.h>

#include "arith/formats/double_word.hpp"
#include "arith/kernels/loops.hpp"
#include "tests/support/counting.hpp"

namespace fftprec::testing {

namespace {

struct CountingTag;
constexpr std::uint64_t elements = 10;
constexpr std::uint64_t summands = 2;
using Count = Counting<float>;

OperationCounts operator*(std::uint64_t times, const OperationCounts& each) {
  return {times * each.multiplications, times * each.additions, times * each.conversions};
}
OperationCounts operator+(const OperationCounts& a, const OperationCounts& b) {
  return {a.multiplications + b.multiplications, a.additions + b.additions,
          a.conversions + b.conversions};
}

/// Zeros for any carrier: a view of 2 rows and 5 columns, and a factor of up to 3 words for it.
template <class Real>
struct Arrays {
  static constexpr std::size_t rows = 2, cols = 5;
  std::vector<Real> re = std::vector<Real>(rows * cols * 3, Real(0.0)), im = re;
  View<Real> view() { return {re.data(), im.data(), rows, cols, cols}; }
  FactorView<Real> factors() { return {re.data(), im.data(), cols, 1, rows * cols}; }
};

template <class T, class Call>
OperationCounts counted(Call call) {
  using Real = typename Carrier<T>::type;
  Arrays<Real> a, b, w;
  Count::counts = {};
  Counting<Bf16>::counts = {};
  call(a, b, w);
  return Count::counts + Counting<Bf16>::counts;
}

/// Of one complex product, by each of the three loops that form some; the two forms of the loops
/// must agree. Every sum of two complex values is two additions of T.
template <class T, class Product>
void expect_product(const OperationCounts& product, const OperationCounts& addition = {0, 1, 0}) {
  const auto check = [&]<class L>(L*) {
    EXPECT_EQ(counted<T>([](auto& a, auto&, auto& w) { L::multiply(a.view(), w.factors()); }),
              elements * product);
    EXPECT_EQ(counted<T>(
                  [](auto& a, auto& b, auto& w) { L::butterfly(a.view(), b.view(), w.factors()); }),
              elements * (product + 4 * addition));
    EXPECT_EQ(counted<T>([](auto& a, auto& b, auto& w) {
                L::butterfly_dif(a.view(), b.view(), w.factors());
              }),
              elements * (product + 4 * addition));
    EXPECT_EQ(counted<T>([](auto& a, auto& b, auto& w) {
                auto x = b.view();
                x.cols = summands;
                L::multiply_accumulate(a.view(), x, w.factors());
              }),
              elements * summands * (product + 2 * addition));
    EXPECT_EQ(counted<T>([](auto& a, auto& b, auto& w) {
                L::accumulate_columns(a.view(), w.factors(), b.view());
              }),
              elements * summands * (product + 2 * addition));
  };
  check(static_cast<Loops<CountingTag, T, Product>*>(nullptr));
  check(static_cast<BlockedLoops<CountingTag, T, Product>*>(nullptr));
}

template <class Sum>
void expect_sum(const OperationCounts& step, const OperationCounts& total) {
  using L = CompensatedLoops<CountingTag, Count, Sum>;
  EXPECT_EQ(counted<Count>([](auto& a, auto& b, auto& w) {
              auto x = b.view();
              x.cols = summands;
              L::multiply_accumulate(a.view(), x, w.factors());
            }),
            elements * (summands * step + total));
  EXPECT_EQ(counted<Count>([](auto& a, auto& b, auto& w) {
              L::accumulate_columns(a.view(), w.factors(), b.view());
            }),
            elements * (summands * step + total));
}

/// Of a split with q terms and d data words: 4 multiplications and 2 additions per term, 2
/// additions per further term, 2 conversions per word and 2 additions per further word; with a
/// scale 2 multiplications per further word, and 2 per term that is not of leading words.
OperationCounts split_product(const SplitSpec& spec) {
  std::uint64_t scaled = 0;
  for (const SplitTerm& term : spec.terms())
    scaled += spec.scale != 0 && term.factor + term.data > 0 ? 1 : 0;
  const std::uint64_t d = spec.data_words, q = spec.count;
  return {4 * q + 2 * scaled + (spec.scale != 0 ? 2 * (d - 1) : 0),
          2 * q + 2 * (q - 1) + 2 * (d - 1), 2 * d};
}

template <std::size_t... i>
void expect_splits(std::index_sequence<i...>) {
  (expect_product<Count, SplitProduct<splits[i]>>(split_product(splits[i])), ...);
}

}  // namespace

TEST(OperationCounts, OfOneProduct) {
  expect_product<Count, PlainProduct>({4, 2, 0});
  expect_product<Counting<Bf16>, PlainProduct>({4, 2, 0});
  expect_product<Count, TwoProdProduct>({4 * 7, 4 * 10 + 6, 0});
  expect_product<Count, FusedProduct>({4, 2, 0});
  expect_product<Count, RoundedOnceProduct>({4, 2, 0});
  expect_product<Count, Dot2Product>({4 * 7, 4 * 10 + 2 * 9, 0});
}

TEST(OperationCounts, OfSplits) {
  expect_splits(std::make_index_sequence<std::size(splits)>{});
  EXPECT_EQ(split_product(ozaki_split), (OperationCounts{12, 12, 4}));
  EXPECT_EQ(split_product(residual_split(fp16, 2, 3, 11)), (OperationCounts{18, 12, 4}));
}

TEST(OperationCounts, OfDoubleWords) {
  constexpr OperationCounts product{9, 15, 0}, sum{0, 20, 0};
  expect_product<DoubleWord<Count>, PlainProduct>(4 * product + 2 * sum, sum);
}

TEST(OperationCounts, OfCompensatedSums) {
  expect_sum<KahanSum>({4, 2 + 8, 0}, {});
  expect_sum<NeumaierSum>({4, 2 + 8, 0}, {0, 2, 0});
  expect_sum<Dot2Sum>({4 * 7, 4 * (10 + 8), 0}, {0, 2, 0});
}

}  // namespace fftprec::testing
