/// Matrix products of compensated modes on the vector engine against the exact product in MPFR.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/theory/schemes.hpp"
#include "tests/algorithms/complex_product.hpp"

namespace fftprec::testing {

namespace {

/// Terms of higher order in u.
double gamma(double count) { return count * u / (1 - count * u); }

/// 1, but every `period`-th entry is `size` with either sign: sums that cancel.
ComplexArray<float> cancelling(std::size_t size, std::size_t period, float large) {
  ComplexArray<float> x(size);
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_large = i % period == 0;
    x.re[i] = !is_large             ? 1.0f + static_cast<float>(i % 7) * 0x1p-20f
              : i / period % 2 == 0 ? large
                                    : -large;
    x.im[i] = x.re[i] * 0.75f;
  }
  return x;
}

struct Data {
  const char* name;
  ComplexArray<float> x, w;
};

std::vector<Data> data_for(ProductShape shape) {
  const std::size_t of_x = shape.b * shape.k, of_w = shape.k * shape.n;
  ComplexArray<float> ones(of_w);
  std::fill(ones.re.begin(), ones.re.end(), 1.0f);
  std::vector<Data> all{
      {"scattered", scattered<float>(of_x, fp32, 3), scattered<float>(of_w, fp32, 4)},
      {"cancelling", cancelling(of_x, 10, 0x1p20f), ones}};
  // Neighbours whose products nearly cancel: what rounding them loses is all that is left.
  Data paired = all[0];
  paired.name = "paired";
  for (std::size_t k = 0; k + 1 < shape.k; k += 2) {
    for (std::size_t i = 0; i < shape.b; ++i)
      for (auto* part : {&paired.x.re, &paired.x.im})
        (*part)[i * shape.k + k + 1] = -(*part)[i * shape.k + k];
    for (std::size_t j = 0; j < shape.n; ++j)
      for (auto* part : {&paired.w.re, &paired.w.im})
        (*part)[(k + 1) * shape.n + j] = (*part)[k * shape.n + j] * (1 + 0x1p-21f);
  }
  all.push_back(paired);
  Data positive = all[0];
  positive.name = "positive";
  for (auto* array : {&positive.x, &positive.w}) {
    for (float& value : array->re) value = std::fabs(value) + 1;
    std::fill(array->im.begin(), array->im.end(), 0.0f);
  }
  all.push_back(positive);
  return all;
}

/// The largest error of any part, over its bound(|part|, sum of the magnitudes of its products).
template <class Bound>
double worst_ratio(const char* mode, const Data& data, ProductShape shape, bool columns,
                   Bound bound) {
  const MachineArithmetic<float> arithmetic(resolve(mode_named(mode), machine_named("trn")));
  const auto out = product_by(arithmetic, data.x, data.w, shape, columns);
  double worst = 0;
  for (std::size_t i = 0; i < shape.b; ++i)
    for (std::size_t j = 0; j < shape.n; ++j)
      for (const bool imaginary : {false, true}) {
        const float part = (imaginary ? out.im : out.re)[i * shape.n + j];
        const auto exact = exact_part(data.x, data.w, shape, i, j, imaginary);
        const double magnitudes = exact_part(data.x, data.w, shape, i, j, imaginary, true).value();
        const double error = exact.distance(static_cast<double>(part));
        if (error > 0) worst = std::max(worst, error / bound(std::fabs(exact.value()), magnitudes));
      }
  return worst;
}

/// Every mode's products stay within its bound, and those of `kahan`, whose sums are plain, do not
/// for some data: the bound tells compensated sums from others.
template <class Bound>
void expect_within(const char* mode, ProductShape shape, Bound bound) {
  double plain = 0;
  for (const Data& data : data_for(shape)) {
    for (const bool columns : {false, true})
      EXPECT_LE(worst_ratio(mode, data, shape, columns, bound), 1)
          << mode << ", " << data.name << (columns ? ", columns" : "");
    plain = std::max(plain, worst_ratio("kahan", data, shape, false, bound));
  }
  EXPECT_GT(plain, 1) << mode << ": plain sums stay within the bound as well";
}

}  // namespace

/// Ogita, Rump, Oishi 2005, proposition 5.5, for 2 K products per part.
TEST(CompensatedGemm, Dot2SumsAsInTwiceThePrecision) {
  for (const std::size_t depth : {60u, 1500u}) {
    const double twice =
        gamma(2 * static_cast<double>(depth)) * gamma(2 * static_cast<double>(depth));
    expect_within("dot2", {2, depth, 2},
                  [&](double part, double magnitudes) { return u * part + twice * magnitudes; });
  }
}

/// A product's part is two rounded products and their rounded sum, at most gamma_2 of the two
/// magnitudes; Kahan's sum of K of those adds 2u + O(K u^2) (Higham, ASNA, equation 4.8).
TEST(CompensatedGemm, KahansSumErrsByTwoRoundingsHoweverLong) {
  const ProductShape shape{2, 1500, 2};
  const double of_sum = 2 * u + 2 * 1500 * u * u;
  expect_within("kahan-sum", shape, [&](double, double magnitudes) {
    return (gamma(2) + of_sum * (1 + gamma(2))) * magnitudes;
  });
}

TEST(CompensatedGemm, KahansSumHasABoundUpToTheLengthOfItsProof) {
  const ArithmeticSpec kahan = resolve(mode_named("kahan-sum"), machine_named("trn"));
  const auto bound = [&](std::size_t terms) { return scheme_theory(kahan)->dot_error(terms, 0); };
  constexpr std::size_t most = std::size_t{1} << 21;  // r u <= 1/8
  const double root = std::sqrt(static_cast<double>(most));

  EXPECT_LE(bound(most).worst, root * (std::sqrt(5.0) + 2 + 16.0 / 8 + 0.01) * u + 1.01 * u);
  for (const std::size_t beyond : {most + 1, 8 * most})
    EXPECT_EQ(bound(beyond).worst, std::numeric_limits<double>::infinity()) << beyond;
}

/// Neumaier 1974: u |sum| + O(K^2 u^2) of the magnitudes, here gamma_K^2, of the rounded products.
TEST(CompensatedGemm, NeumaiersSumErrsByOneRoundingOfTheSum) {
  const ProductShape shape{2, 1500, 2};
  const double of_sum = gamma(1500) * gamma(1500);
  expect_within("neumaier", shape, [&](double part, double magnitudes) {
    return u * part + (gamma(2) * (1 + u) + of_sum * (1 + gamma(2))) * magnitudes;
  });
}

/// 1 + 2^60 + 1 - 2^60: Kahan's compensation is itself swallowed by the larger term.
TEST(CompensatedGemm, NeumaierKeepsWhatALargerTermSwallows) {
  ComplexArray<float> x(4), w(4);
  x.re = {1, 0x1p60f, 1, -0x1p60f};
  std::fill(w.re.begin(), w.re.end(), 1.0f);
  for (const auto& [mode, sum] :
       {std::pair("neumaier", 2.0f), std::pair("dot2", 2.0f), std::pair("kahan-sum", 0.0f)})
    for (const bool columns : {false, true}) {
      const MachineArithmetic<float> arithmetic(resolve(mode_named(mode), machine_named("trn")));
      EXPECT_EQ(product_by(arithmetic, x, w, {1, 4, 1}, columns).re[0], sum) << mode;
    }
}

/// Joldes, Muller, Popescu 2017; Muller, Rideau 2022: products 5u^2, sums 3u^2 + 13u^3; the chain
/// starts at 0, and each of the K products has one sum inside.
TEST(CompensatedGemm, DoubleWordsErrBySquaresOfTheRoundoff) {
  const ProductShape shape{2, 300, 2};
  const auto x = scattered<FloatPair>(shape.b * shape.k, fp32_pair, 3);
  const auto w = scattered<FloatPair>(shape.k * shape.n, fp32_pair, 4);
  const MachineArithmetic<FloatPair> arithmetic(
      resolve(mode_named("doubleword"), machine_named("trn")));
  const double of_sum = 3 * u * u + 13 * u * u * u;
  const double relative = std::pow(1 + of_sum, 301) * (1 + 5 * u * u) - 1;
  const auto exact = [&](std::size_t i, std::size_t j, bool imaginary, bool of_magnitudes) {
    ExactSum sum;
    const auto add = [&](FloatPair a, FloatPair b, bool negate) {
      const double signs = of_magnitudes ? (double(a) < 0) != (double(b) < 0) ? -1 : 1
                           : negate      ? -1
                                         : 1;
      for (const float part : {a.high, a.low})
        sum.add(signs * static_cast<double>(part), static_cast<double>(b));
    };
    for (std::size_t k = 0; k < shape.k; ++k) {
      const std::size_t at = i * shape.k + k, of = k * shape.n + j;
      add(x.re[at], imaginary ? w.im[of] : w.re[of], false);
      add(x.im[at], imaginary ? w.re[of] : w.im[of], !imaginary);
    }
    return sum;
  };
  for (const bool columns : {false, true}) {
    const auto out = product_by(arithmetic, x, w, shape, columns);
    for (std::size_t i = 0; i < shape.b; ++i)
      for (std::size_t j = 0; j < shape.n; ++j)
        for (const bool imaginary : {false, true}) {
          const FloatPair part = (imaginary ? out.im : out.re)[i * shape.n + j];
          const double error =
              exact(i, j, imaginary, false)
                  .distance(static_cast<double>(part.high), static_cast<double>(part.low));
          EXPECT_LE(error, relative * exact(i, j, imaginary, true).value())
              << i << ", " << j << imaginary << ", seeds 3 and 4";
        }
  }
}

/// With one product per sum each part is the exact one rounded once, also where it cancels.
TEST(CompensatedGemm, RoundedOnceRoundsEachProductOnce) {
  const ProductShape shape{200, 1, 200};
  const auto x = scattered<float>(shape.b, fp32, 3);
  auto w = scattered<float>(shape.n, fp32, 4);
  for (std::size_t i = 0; i < shape.b; ++i) {  // the parts of x exchanged, a few ulps apart
    w.re[i] = x.im[i];
    w.im[i] = x.re[i];
    for (std::size_t step = 0; step < i % 7; ++step) w.re[i] = std::nextafter(w.re[i], 2.0f);
    for (std::size_t step = 0; step < i % 11; ++step) w.im[i] = std::nextafter(w.im[i], -2.0f);
  }
  for (const bool columns : {false, true}) {
    const MachineArithmetic<float> arithmetic(
        resolve(mode_named("rounded_once"), machine_named("trn")));
    const auto out = product_by(arithmetic, x, w, shape, columns);
    for (std::size_t i = 0; i < shape.b; ++i)
      for (std::size_t j = 0; j < shape.n; ++j) {
        const std::size_t at = i * shape.n + j;
        EXPECT_EQ(out.re[at], exact_part(x, w, shape, i, j, false).in_fp32())
            << i << ", " << j << ", seeds 3 and 4";
        EXPECT_EQ(out.im[at], exact_part(x, w, shape, i, j, true).in_fp32())
            << i << ", " << j << ", seeds 3 and 4";
      }
  }
}

}  // namespace fftprec::testing
