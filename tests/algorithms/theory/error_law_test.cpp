/// The law of errors against closed forms and against integrals of its definition by Simpson's rule
/// in long double.
#include "algorithms/theory/error_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace fftprec::testing {

namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

/// Simpson's rule with an even number of intervals.
template <class Function>
long double integral(long double low, long double high, int intervals, Function f) {
  const long double step = (high - low) / intervals;
  long double sum = f(low) + f(high);
  for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(low + i * step);
  return sum * step / 3;
}

/// E f(|y|) of a standard normal y.
template <class Function>
long double mean_over_results(int intervals, Function f) {
  return 2 / std::sqrt(2 * pi) *
         integral(0, 14, intervals, [&](long double y) { return std::exp(-y * y / 2) * f(y); });
}

/// P(|e| >= limit) of a normal e.
long double tail(long double limit, long double variance) {
  return std::erfc(limit / std::sqrt(2 * variance));
}

/// P(|e| >= limit) of results y of one size, by its definition.
long double tail_of_one_size(const ErrorLaw& law, long double rms, long double white,
                             long double limit, int intervals = 2000) {
  return mean_over_results(
      intervals, [&](long double y) { return tail(limit, white + law.local * rms * rms * y * y); });
}

void expect_relative(double found, long double expected, double tolerance,
                     const std::string& what) {
  EXPECT_NEAR(found / static_cast<double>(expected), 1, tolerance) << what << ": " << found;
}

std::string trace(const ErrorLaw& law, double limit) {
  return "local " + std::to_string(law.local) + ", limit " + std::to_string(limit);
}

}  // namespace

TEST(ErrorLaw, OfErrorsOfOneSizeIsNormal) {
  const ErrorLaw law{.rms = 1000, .white = 0.01};
  for (const double limit : {0.001, 0.05, 0.1, 0.5, 1.0, 3.0})
    EXPECT_DOUBLE_EQ(law.exceeds(limit), std::erfc(limit / std::sqrt(0.02))) << limit;
  EXPECT_EQ(law.exceeds(0), 1);
  EXPECT_EQ(law.exceeds(-1), 1);
  EXPECT_DOUBLE_EQ(law.deviation(), 0.1);
}

TEST(ErrorLaw, OfErrorsThatFollowTheirResultsIsTheMeanOverTheResults) {
  for (const double share : {0.01, 0.3, 1.0, 4.0}) {
    const ErrorLaw law{.rms = 3, .white = 0.01, .local = share * 0.01 / 9};
    EXPECT_DOUBLE_EQ(law.deviation(), 0.1 * std::sqrt(1 + share));
    for (const double limit : {0.01, 0.1, 0.3, 0.7, 1.0})
      expect_relative(law.exceeds(limit), tail_of_one_size(law, 3, 0.01, limit), 1e-6,
                      trace(law, limit));
  }
}

/// The tail of e given y is thinner than the tail over all y.
TEST(ErrorLaw, LargeErrorsAreMoreProbableThanOfANormalLaw) {
  const ErrorLaw law{.rms = 1, .white = 0.005, .local = 0.005};
  const ErrorLaw normal{.rms = 1, .white = 0.01};

  EXPECT_LT(law.exceeds(0.01), normal.exceeds(0.01));
  EXPECT_GT(law.exceeds(0.5), 10 * normal.exceeds(0.5));
}

TEST(ErrorLaw, OfALinearProductHasResultsOfAllSizes) {
  for (const double share : {0.0, 0.3, 2.0}) {
    const ErrorLaw law{
        .rms = 3, .white = 0.01, .local = share * 0.01 / 9, .sizes = ResultSizes::linear};
    for (const double limit : {0.05, 0.4, 1.0})
      expect_relative(law.exceeds(limit),
                      integral(0, 1, 100,
                               [&](long double share_of_terms) {
                                 const long double rms = 3 * std::sqrt(2 * share_of_terms);
                                 return tail_of_one_size(law, rms, 0.01, limit, 400);
                               }),
                      2e-6, trace(law, limit));
  }
}

TEST(ErrorLaw, OfAWeightedProductDividesResultsAndErrors) {
  const long double mean_square = integral(0, 1, 100, [](long double f) { return exp2l(-2 * f); });
  for (const double share : {0.0, 0.3, 2.0}) {
    const ErrorLaw law{
        .rms = 3, .white = 0.01, .local = share * 0.01 / 9, .sizes = ResultSizes::weighted};
    for (const double limit : {0.05, 0.4, 1.0})
      expect_relative(law.exceeds(limit),
                      integral(0, 1, 400,
                               [&](long double f) {
                                 const long double square = exp2l(-2 * f) / mean_square;
                                 return tail_of_one_size(law, 3 * std::sqrt(square), 0.01 * square,
                                                         limit, 100);
                               }),
                      2e-6, trace(law, limit));
  }
}

/// Results whose last place is up to 2^9 times coarser than the one that a limit asks for: the mean
/// over the binades of results, in each of which the integrand is smooth.
TEST(ErrorLaw, OfCoarseResultsIsTheMeanOverTheirBinades) {
  const long double mean_square = integral(0, 1, 100, [](long double f) { return exp2l(-2 * f); });
  for (const ResultSizes sizes : {ResultSizes::equal, ResultSizes::linear, ResultSizes::weighted})
    for (const double share : {0.1, 1.0}) {
      const double rms = 1.3 * 0x1p46;
      const double rounding = 0x1p-106 / 6;
      const double white = 9 * 0x1p-106 * rms * rms;
      const double local = rounding + share * white / (rms * rms);
      const ErrorLaw law{rms, white, local, rounding, 53, sizes};
      const bool is_weighted = sizes == ResultSizes::weighted;
      // P(|e| >= limit) of results of one size: errors are multiples of their last place.
      const auto of_size = [&](double limit, long double size, long double of_white) {
        long double sum = 0;
        for (int exponent = 30; exponent < 52; ++exponent) {
          const long double place = std::ldexp(1.0L, exponent - 52);
          const long double reached = place * (std::ceil(limit / place) - 0.5L);
          const long double low = std::ldexp(1.0L, exponent) / size;
          if (low > 13) continue;
          sum += integral(low, 2 * low, is_weighted || low > 1 ? 100 : 20, [&](long double y) {
            const long double result = y * size;
            const long double variance = of_white + (law.local - rounding) * result * result;
            return 2 / std::sqrt(2 * pi) * std::exp(-y * y / 2) * tail(reached, variance);
          });
        }
        return sum;
      };
      for (const double limit : {0.06, 0.13, 0.25}) {
        const long double expected =
            sizes == ResultSizes::equal ? of_size(limit, rms, white)
            : is_weighted
                ? integral(0, 1, 60,
                           [&](long double f) {
                             const long double square = exp2l(-2 * f) / mean_square;
                             return of_size(limit, rms * std::sqrt(square), white * square);
                           })
                : integral(0, 1, 60, [&](long double root) {  // of the share, which is its square
                    return root == 0
                               ? 0.0L
                               : 2 * root * of_size(limit, rms * root * std::sqrt(2.0L), white);
                  });
        expect_relative(law.exceeds(limit), expected, sizes == ResultSizes::equal ? 1e-5 : 1e-3,
                        trace(law, limit));
      }
    }
}

/// Draws: y is a whole number, its computed value errs and is then rounded to `precision` bits.
TEST(ErrorLaw, CoarseResultsErrByMultiplesOfTheirLastPlace) {
  constexpr int draws = 200000;
  for (const ResultSizes sizes : {ResultSizes::equal, ResultSizes::weighted})
    for (const double rms : {30.0, 90.0, 150.0}) {
      const double rounding = std::ldexp(1.0, -16) / 6;  // u^2/6, u = 2^-8: mean over a binade
      const ErrorLaw law{.rms = rms,
                         .white = 0.02,
                         .local = rounding,
                         .rounding = rounding,
                         .precision = 8,
                         .sizes = sizes};
      std::mt19937_64 generator(1);
      std::normal_distribution<double> normal;
      std::uniform_real_distribution<double> fraction;
      int reached = 0;
      for (int i = 0; i < draws; ++i) {
        const double f = sizes == ResultSizes::weighted ? fraction(generator) : 0;
        const double size = sizes == ResultSizes::weighted
                                ? std::exp2(-f) / std::sqrt(0.375 / std::numbers::ln2)
                                : 1;
        const double y = std::round(rms * size * normal(generator));
        const double before = y + std::sqrt(law.white) * size * normal(generator);
        const double place = before == 0 ? 0 : std::ldexp(1.0, std::ilogb(before) - 7);
        const double stored = place == 0 ? 0 : place * std::nearbyint(before / place);
        reached += std::abs(stored - y) >= 0.5;
      }

      const double found = law.exceeds(0.5);

      const double share = static_cast<double>(reached) / draws;
      const double spread = std::sqrt(share * (1 - share) / draws);
      EXPECT_NEAR(found, share, 0.03 * share + 3.3 * spread) << "rms " << rms;
    }
}

TEST(LargestError, IsThatOfIndependentErrors) {
  const ErrorLaw small{.rms = 1, .white = 0.01};
  const ErrorLaw large{.rms = 1, .white = 0.02};
  const double p = small.exceeds(0.3);
  const double q = large.exceeds(0.3);
  const auto of = [](std::vector<ManyErrors> all, double limit) {
    return largest_exceeds(all, limit);
  };

  EXPECT_DOUBLE_EQ(of({{small, 1}}, 0.3), p);
  EXPECT_NEAR(of({{small, 3}}, 0.3), 1 - std::pow(1 - p, 3), 1e-15);
  EXPECT_NEAR(of({{small, 3}, {large, 2}}, 0.3), 1 - std::pow(1 - p, 3) * std::pow(1 - q, 2),
              1e-15);
  EXPECT_EQ(of({}, 0.3), 0);
  EXPECT_EQ(of({{small, 1e6}}, 0), 1);
  EXPECT_EQ(of({{ErrorLaw{}, 1e6}}, 0.5), 0);
  EXPECT_FALSE(std::signbit(of({{small, 1e6}}, 1e9))) << "a probability of -0";
}

/// Where 1 - (1 - p)^n would be 0.
TEST(LargestError, KeepsTheDigitsOfSmallProbabilities) {
  const ErrorLaw law{.rms = 1, .white = 1};
  const std::vector<ManyErrors> all{{law, 1e6}};

  EXPECT_NEAR(largest_exceeds(all, 15) / (1e6 * std::erfc(15 / std::numbers::sqrt2)), 1, 1e-12);
  EXPECT_GT(largest_exceeds(all, 30), 0);
}

TEST(LargestError, HasTheKnownMeanOfAFewNormalErrors) {
  const ErrorLaw law{.rms = 1, .white = 0.25};
  const auto mean = [&](double count) {
    const std::vector<ManyErrors> all{{law, count}};
    return expected_largest(all);
  };

  // max(|a|, |b|) = (|a + b| + |a - b|)/2
  EXPECT_NEAR(mean(1) / (0.5 * std::sqrt(2 / std::numbers::pi)), 1, 1e-5);
  EXPECT_NEAR(mean(2) / (0.5 * 2 / std::sqrt(std::numbers::pi)), 1, 1e-5);
}

TEST(LargestError, HasTheMeanOfItsIntegral) {
  for (const double count : {3.0, 100.0, 2047.0, 1e6, 1e12}) {
    const ErrorLaw law{.rms = 1, .white = 1};
    const std::vector<ManyErrors> all{{law, count}};
    const long double expected = integral(0, 14, 4000, [&](long double x) {
      return -std::expm1(static_cast<long double>(count) *
                         std::log1p(-std::erfc(std::max(x, 1e-9L) / std::sqrt(2.0L))));
    });

    expect_relative(expected_largest(all), expected, 1e-5, std::to_string(count));
  }
}

/// As of an item in parts: few results of large errors, more of small ones.
TEST(LargestError, OfSeveralLawsHasTheMeanOfItsIntegral) {
  const ErrorLaw small{.rms = 1, .white = 1, .local = 0.5};
  const ErrorLaw large{.rms = 2, .white = 4, .local = 0.5};
  const std::vector<ManyErrors> all{{small, 500}, {large, 100}};
  const long double expected = integral(0, 60, 2000, [&](long double x) {
    const auto none = [&](const ErrorLaw& law, double count) {
      const auto limit = static_cast<double>(std::max(x, 1e-6L));
      return count * std::log1p(-law.exceeds(limit));
    };
    return -std::expm1(static_cast<long double>(none(small, 500) + none(large, 100)));
  });

  expect_relative(expected_largest(all), expected, 1e-5, "two laws");
}

/// Few results err at all, and by their last place, which the largest error cannot be below.
TEST(LargestError, OfResultsTooCoarseToErrHasTheMeanOfItsIntegral) {
  const ErrorLaw law{.rms = 0x1p40, .white = 0x1p-31};
  const std::vector<ManyErrors> all{{law, 4}};
  const long double expected = integral(0, 0x1p-11, 2000, [&](long double x) {
    const auto limit = static_cast<double>(std::max(x, 1e-30L));
    return -std::expm1(4 * std::log1p(-static_cast<long double>(law.exceeds(limit))));
  });

  EXPECT_LT(largest_exceeds(all, 1e-30), 0.9);
  expect_relative(expected_largest(all), expected, 0.1, "coarse");
}

TEST(LargestError, OfNoErrorsIsZeroAndOfUnknownOnesUnknown) {
  const std::vector<ManyErrors> none{{ErrorLaw{.rms = 5}, 100}};
  const std::vector<ManyErrors> unknown{
      {ErrorLaw{.rms = 1, .white = std::numeric_limits<double>::infinity()}, 100}};

  EXPECT_EQ(expected_largest(none), 0);
  EXPECT_EQ(expected_largest(std::vector<ManyErrors>{}), 0);
  EXPECT_FALSE(std::isfinite(expected_largest(unknown)));
}

}  // namespace fftprec::testing
