/// Predictive distributions, what would be published under them, and what that tells.
#include "experiments/hypotheses/prediction.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

namespace fftprec::hypotheses {
namespace {

TEST(Predictive, IsAPredictionIntervalOfLogarithms) {
  const std::vector<double> errors = {1e-3, 2e-3, 4e-3};

  const Predictive predicted = predictive(errors);

  EXPECT_NEAR(predicted_error(predicted), 2e-3, 1e-15);
  EXPECT_NEAR(predicted.spread, std::log(2.0) * std::sqrt(1 + 1.0 / 3), 1e-12);
  EXPECT_EQ(predicted.freedom, 2);
  // Student's t with 2 degrees of freedom: P(|t| < 4.303) = 0.95.
  EXPECT_NEAR(half_width(predicted, 0.95) / predicted.spread, 4.3027, 1e-4);
  EXPECT_NEAR(predictive(errors, 3).spread, std::hypot(predicted.spread, 3), 1e-12);
}

TEST(Predictive, IsNeverNarrowerThanTheOrderOfSumsMakesIt) {
  const std::vector<double> coarse(4, 1.5e-3);
  const std::vector<double> fine(4, 1e-8);

  EXPECT_NEAR(predictive(coarse).spread, 0x1p-25 / 1.5e-3 * std::sqrt(1.25), 1e-9);
  EXPECT_NEAR(predictive(fine).spread, 0.1 * std::sqrt(1.25), 1e-9);
}

TEST(Predictive, OfErrorsThatAreNotFinitePredictsNothing) {
  const Predictive predicted =
      predictive(std::vector<double>{1, std::numeric_limits<double>::infinity()});

  EXPECT_FALSE(predicted.defined());
  EXPECT_EQ(interval_probability(predicted, published_value("1")), 0);
  EXPECT_EQ(tail_probability(predicted, published_value("1")), 0);
}

TEST(Predictive, GivesAllIntervalsTogetherProbabilityOne) {
  const Predictive predicted{std::log(1.5e-3), 0.2, 15};
  double total = 0;
  for (int digits = 1; digits < 1000; ++digits) {
    const double value = digits * 1e-5;
    total += interval_probability(predicted, {"", 3, value - 5e-6, value + 5e-6});
  }

  EXPECT_NEAR(total, 1, 1e-6);
}

TEST(Predictive, KeepsFarTailsOnBothSides) {
  const Predictive predicted{std::log(1e-3), 1e-3, 15};
  const double above = interval_probability(predicted, published_value("1.5e-3"));
  const double below = interval_probability(predicted, published_value("6.7e-4"));

  EXPECT_GT(above, 0);
  EXPECT_LT(above, 1e-20);
  EXPECT_GT(below, 0);
  EXPECT_LT(tail_probability(predicted, published_value("1.5e-3")), 1e-15);
  EXPECT_EQ(tail_probability(predicted, published_value("1.0e-3")), 1);
  EXPECT_NEAR(miss(predicted, published_value("1.5e-3")), std::log(1.45), 1e-12);
  EXPECT_EQ(miss(predicted, published_value("1.0e-3")), 0);
}

TEST(Outcomes, SumToOneAndFollowTheDigits) {
  const Outcomes outcomes = outcomes_of({std::log(9.97e-4), 0.01, 15});
  double total = 0;
  for (const auto& [key, probability] : outcomes) total += probability;

  EXPECT_NEAR(total, 1, 1e-12);
  const int ten = -4 * 90 + 90;  // 1.0e-3
  EXPECT_EQ(std::max_element(outcomes.begin(), outcomes.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; })
                ->first,
            ten);
  EXPECT_GT(outcomes.at(ten - 1), 0.05) << "9.9e-4";
}

TEST(Outcomes, TellOneBitWhereTwoPredictionsNeverAgree) {
  const std::vector<Outcomes> apart = {outcomes_of({std::log(1.2e-3), 1e-4, 7}),
                                       outcomes_of({std::log(1.9e-3), 1e-4, 7})};
  const std::vector<Outcomes> alike = {apart[0], apart[0]};
  const std::vector<double> even = {0.5, 0.5};

  EXPECT_NEAR(information_bits(apart, even), 1, 1e-3);
  EXPECT_NEAR(distance(apart[0], apart[1]), 1, 1e-3);
  EXPECT_NEAR(information_bits(alike, even), 0, 1e-12);
  EXPECT_NEAR(information_bits(apart, std::vector<double>{1, 0}), 0, 1e-9);
}

TEST(Outcomes, TellNothingByTheirOwnSpread) {
  const Outcomes wide = outcomes_of({std::log(1.2e-3), 0.3, 7});
  const Outcomes near = outcomes_of({std::log(1.4e-3), 0.3, 7});
  const std::vector<double> even = {0.5, 0.5};

  EXPECT_NEAR(information_bits(std::vector<Outcomes>{wide, wide}, even), 0, 1e-9);
  const double bits = information_bits(std::vector<Outcomes>{wide, near}, even);
  EXPECT_GT(bits, 0.01);
  EXPECT_LT(bits, 0.2) << "half a spread apart";
}

TEST(Outcomes, OfAnExactResultAreTheirOwnText) {
  const Outcomes exact = outcomes_of(predictive(std::vector<double>{0, 0}));

  EXPECT_THAT(exact, ::testing::ElementsAre(::testing::Pair(exact_outcome, 1.0)));
}

}  // namespace
}  // namespace fftprec::hypotheses
