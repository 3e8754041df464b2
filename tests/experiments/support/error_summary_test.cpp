/// Summaries of errors against sorted values, exact sums and published tables.
#include "experiments/support/error_summary.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Errors over many octaves, with zeros and equal ones.
std::vector<double> errors(std::size_t count) {
  std::mt19937_64 draw(1);
  std::vector<double> values;
  while (values.size() < count) {
    const auto bits = draw();
    const double value =
        std::ldexp(static_cast<double>(bits >> 11), -80 - static_cast<int>(bits % 40));
    values.push_back(bits % 97 == 0 ? 0 : value);
    if (bits % 31 == 0 && values.size() < count) values.push_back(value);
  }
  return values;
}

ErrorSummary summary_of(const std::vector<double>& values, std::size_t from, std::size_t to) {
  ErrorSummary summary;
  for (std::size_t i = from; i < to; ++i) summary.add(values[i], i);
  return summary;
}

ErrorSummary summary_of(const std::vector<double>& values) {
  return summary_of(values, 0, values.size());
}

}  // namespace

TEST(ErrorSummary, MergesInAnyOrderToTheSameBits) {
  std::vector<double> values = errors(1000);
  values[17] = infinity;
  values[18] = std::nan("");
  const ErrorSummary whole = summary_of(values);
  std::vector<ErrorSummary> parts;
  for (std::size_t i = 0; i < 10; ++i) parts.push_back(summary_of(values, 100 * i, 100 * (i + 1)));
  parts.emplace_back();  // of no errors
  std::mt19937 draw(1);
  for (int round = 0; round < 20; ++round) {
    std::ranges::shuffle(parts, draw);
    ErrorSummary left;
    for (const ErrorSummary& part : parts) left.merge(part);
    ErrorSummary right = parts.back();
    for (std::size_t i = parts.size() - 1; i-- > 0;) {
      ErrorSummary next = parts[i];
      next.merge(right);
      right = next;
    }
    EXPECT_EQ(left, whole);
    EXPECT_EQ(right.to_text(), whole.to_text());
  }
  EXPECT_EQ(whole.infinite(), 2u);
  EXPECT_EQ(whole.largest(), (SeededError{infinity, 17}));
}

TEST(ErrorSummary, RoundsMeanAndDeviationOnce) {
  // Sums in double would lose the small ones, and their squares the deviation.
  ErrorSummary summary;
  for (int i = 0; i < 3; ++i) summary.add(1e9 + i, 0);
  EXPECT_EQ(summary.mean(), 1e9 + 1);
  EXPECT_EQ(summary.deviation(), 1);
  ErrorSummary wide;
  wide.add(0x1p900, 1);
  for (int i = 0; i < 3; ++i) wide.add(0x1p-1074, 2);
  EXPECT_EQ(wide.mean(), 0x1p898);
  EXPECT_EQ(wide.deviation(), 0x1p899);
  ErrorSummary thirds;
  thirds.add(1, 1);
  thirds.add(0, 2);
  thirds.add(0, 3);
  EXPECT_EQ(thirds.mean(), 1.0 / 3);
  EXPECT_EQ(thirds.deviation(), std::sqrt(1.0 / 3));
  ErrorSummary small;
  small.add(0x1p-1074, 1);
  small.add(0, 2);
  small.add(0, 3);
  EXPECT_EQ(small.mean(), 0);
  small.add(0x1p-1074, 4);
  small.add(0x1p-1074, 5);
  EXPECT_EQ(small.mean(), 0x1p-1074);
  EXPECT_TRUE(std::isnan(ErrorSummary().mean()));
  EXPECT_TRUE(std::isnan(summary_of({1}).deviation()));
  EXPECT_EQ(summary_of({1, infinity}).mean(), infinity);
}

/// The deviation of c, c, c and c + t is t / 2.
TEST(ErrorSummary, RoundsRootsByAllOfTheirDigits) {
  const auto deviation = [](double c, double larger) {
    return summary_of({c, c, c, larger}).deviation();
  };
  EXPECT_EQ(deviation(0x1p-53, 1 + 0x1p-52), 0.5);            // t = 1 + 2^-53, to even
  EXPECT_EQ(deviation(0x1p-53, 1 + 0x1p-51), 0.5 + 0x1p-52);  // t = 1 + 3 2^-53, to even
  EXPECT_EQ(deviation(0x1.fffffffffffffp-54, 1 + 0x1p-52), 0.5 + 0x1p-53);  // t a little larger
  EXPECT_EQ(deviation(0x1.0000000000001p-53, 1 + 0x1p-51), 0.5 + 0x1p-53);  // a little smaller

  using Rational = boost::multiprecision::cpp_rational;
  for (const std::size_t count : {2u, 3u, 10u, 1000u}) {
    const std::vector<double> values = errors(count);
    Rational sum, squares;
    for (const double value : values) {
      sum += Rational(value);
      squares += Rational(value) * Rational(value);
    }
    const Rational variance = (squares - sum * sum / count) / (count - 1);
    const double root = summary_of(values).deviation();
    const Rational below = (Rational(root) + Rational(std::nextafter(root, 0))) / 2;
    const Rational above = (Rational(root) + Rational(std::nextafter(root, infinity))) / 2;
    EXPECT_LE(below * below, variance) << count;
    EXPECT_GE(above * above, variance) << count;
  }
}

TEST(ErrorSummary, HasTheBinsOfSortedQuantiles) {
  for (const std::size_t count : {1u, 2u, 7u, 1000u, 9999u}) {
    std::vector<double> values = errors(count);
    const ErrorSummary summary = summary_of(values);
    std::ranges::sort(values);
    for (const unsigned per_mille : {1u, 500u, 900u, 990u, 999u, 1000u}) {
      const std::size_t rank = std::max<std::size_t>(1, (count * per_mille + 999) / 1000);
      const Enclosure found = summary.quantile(per_mille);
      EXPECT_LE(found.low, values[rank - 1]) << count << " " << per_mille;
      EXPECT_GE(found.high, values[rank - 1]) << count << " " << per_mille;
      EXPECT_LE(found.high, found.low * 1.0109) << count << " " << per_mille;
    }
    EXPECT_EQ(summary.quantile(1000), (Enclosure{values.back(), values.back()}));
  }
  EXPECT_EQ(summary_of({1, 2, infinity}).quantile(999).high, infinity);
}

/// A bin starts at the first double at least 2^(k/64): an integer M of 53 bits with
/// M^64 >= 2^(52*64 + k) whose predecessor has less.
TEST(ErrorSummary, CutsBinsAtExactRoots) {
  using Integer = boost::multiprecision::cpp_int;
  for (int k = 0; k < 64; ++k) {
    const Integer least = Integer(1) << (52 * 64 + k);
    std::uint64_t low = std::uint64_t{1} << 52;
    std::uint64_t high = low << 1;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (pow(Integer(middle), 64) >= least)
        high = middle;
      else
        low = middle + 1;
    }
    for (const int octave : {-1000, -3, 0, 5}) {
      const double start = std::ldexp(static_cast<double>(low), octave - 52);
      // Many larger and smaller errors, so that the bin is not cut.
      const auto enclosed = [](double error) {
        return summary_of({0, error, error, error, 0x1p1000}).quantile(500);
      };
      EXPECT_EQ(enclosed(start).low, start) << k << " " << octave;
      EXPECT_EQ(enclosed(std::nextafter(start, 0)).high, start) << k << " " << octave;
    }
  }
}

/// Hahn, Meeker, Statistical Intervals (1991): the ranks for the median of 10, 20 and 100 values.
TEST(ErrorSummary, TakesRanksFromTheBinomialDistribution) {
  const auto ranks = [](std::uint64_t count, double p, double confidence) {
    const QuantileRanks found = quantile_ranks(count, p, confidence);
    return std::pair(found.low, found.high);
  };
  EXPECT_EQ(ranks(10, 0.5, 0.95), std::pair(2ul, 9ul));
  EXPECT_EQ(ranks(20, 0.5, 0.95), std::pair(6ul, 15ul));
  EXPECT_EQ(ranks(100, 0.5, 0.95), std::pair(40ul, 61ul));
  EXPECT_EQ(ranks(5, 0.5, 0.95), std::pair(0ul, 6ul)) << "2^-5 is lost on each side";
  EXPECT_EQ(ranks(6, 0.5, 0.95), std::pair(1ul, 6ul)) << "2^-6";
  EXPECT_EQ(ranks(1000, 0.999, 0.95).second, 1001u) << "the largest is below with 0.37";
}

/// How often intervals of drawn errors hold the true value.
TEST(ErrorSummary, HasIntervalsThatHold) {
  std::mt19937_64 draw(1);
  const auto uniform = [&draw] { return static_cast<double>(draw() >> 11) * 0x1p-53; };
  int means = 0;
  int tails = 0;
  constexpr int rounds = 2000;
  for (int round = 0; round < rounds; ++round) {
    ErrorSummary summary;
    for (std::uint64_t i = 0; i < 200; ++i) summary.add(uniform(), i);
    const Enclosure mean = summary.mean_interval(0.95);
    means += mean.low <= 0.5 && 0.5 <= mean.high;
    const Enclosure tail = summary.quantile_interval(900, 0.95);
    tails += tail.low <= 0.9 && 0.9 <= tail.high;
  }
  EXPECT_NEAR(means / double{rounds}, 0.95, 0.02);
  EXPECT_GE(tails / double{rounds}, 0.94);
  // Student's t for 9 degrees of freedom at 97.5 %: 2.262.
  ErrorSummary ten;
  for (int i = 1; i <= 10; ++i) ten.add(i, 0);
  EXPECT_NEAR(ten.mean_interval(0.95).high, 5.5 + 2.262157 * ten.deviation() / std::sqrt(10.0),
              1e-5);
  EXPECT_EQ(summary_of({1}).mean_interval(0.95), (Enclosure{0, infinity}));
  EXPECT_EQ(summary_of({1, 2}).quantile_interval(999, 0.95).high, infinity);
}

TEST(ErrorSummary, NamesTheFirstSeedOfTheLargest) {
  ErrorSummary summary;
  EXPECT_FALSE(summary.largest());
  summary.add(2, 7);
  summary.add(3, 9);
  summary.add(3, 4);
  summary.add(1, 1);
  EXPECT_EQ(summary.largest(), (SeededError{3, 4}));
}

TEST(ErrorSummary, ReadsWhatItWrites) {
  std::vector<double> values = errors(300);
  values.push_back(infinity);
  for (const ErrorSummary& summary : {summary_of(values), ErrorSummary(), summary_of({0})}) {
    const std::string text = summary.to_text();
    EXPECT_EQ(text.find_first_of(",\"\n"), std::string::npos);
    EXPECT_EQ(ErrorSummary::from_text(text), summary) << text;
  }
  const std::string text = summary_of({1, 2}).to_text();
  for (const std::string& bad :
       {std::string(), std::string("count=1"), text + " more=1", text.substr(0, text.size() - 1),
        text.substr(text.find(' ') + 1), text + "0"})
    EXPECT_THAT(error_text([&] { ErrorSummary::from_text(bad); }),
                ::testing::HasSubstr("ummary of errors"))
        << bad;
  ErrorSummary summary;
  EXPECT_THAT(error_text([&] { summary.add(-1, 0); }), ::testing::HasSubstr("negative"));
}

TEST(ErrorSummary, CountsTheErrorsAboveALimitWithThoseOfItsBin) {
  ErrorSummary summary;
  for (const double error : {0.0, 1.0, 1.005, 1.02, 3.0, infinity}) summary.add(error, 1);

  EXPECT_EQ(summary.above(0.5), 5u);
  EXPECT_EQ(summary.above(1.001), 5u) << "1 and 1.005 share a bin";
  EXPECT_EQ(summary.above(1.011), 3u);
  EXPECT_EQ(summary.above(2), 2u);
  EXPECT_EQ(summary.above(3), 1u);
  EXPECT_EQ(ErrorSummary().above(0), 0u);
}

TEST(ErrorSummary, CountsTheErrorsFromEachStartOfABinOn) {
  const std::vector<double> errors = {0, 1, 1.005, 1.02, 1.5, 1.5, 3, 3.1, 100, infinity};
  ErrorSummary summary;
  for (const double error : errors) summary.add(error, 1);

  const std::vector<ErrorSummary::Share> tail = summary.tail();

  ASSERT_GT(tail.size(), 6u);
  for (std::size_t i = 0; i < tail.size(); ++i) {
    const auto count =
        std::ranges::count_if(errors, [&](double error) { return error >= tail[i].error; });
    EXPECT_EQ(tail[i].errors, static_cast<std::uint64_t>(count)) << tail[i].error;
    if (i > 0) {
      EXPECT_GT(tail[i].error, tail[i - 1].error);
    }
  }
  EXPECT_EQ(tail.front().error, 0);
  EXPECT_EQ(tail.back().error, 100);
  EXPECT_TRUE(ErrorSummary().tail().empty());
}

}  // namespace fftprec::testing
