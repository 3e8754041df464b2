/// The inputs: PyTorch's numbers, the distributions they claim, and the same bits everywhere.
#include "experiments/inputs/inputs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/algorithms/registry.hpp"

namespace fftprec::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Throws;
using ::testing::ThrowsMessage;

/// FNV-1a over the bits of both parts, with the upper bits folded down at each step.
std::uint64_t hash_of(const ComplexArray<double>& x) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto* part : {&x.re, &x.im})
    for (const double value : *part) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
      hash ^= hash >> 32;
    }
  return hash;
}

/// Largest distance between the distribution of the samples and `cumulative`.
template <class Cumulative>
double kolmogorov_smirnov(std::vector<double> samples, Cumulative cumulative) {
  std::sort(samples.begin(), samples.end());
  const auto count = static_cast<double>(samples.size());
  double distance = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double p = cumulative(samples[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, p - rank / count, (rank + 1) / count - p});
  }
  return distance;
}

/// Exceeded once in a million by samples of the very distribution (Kolmogorov's limit).
double once_in_a_million(std::size_t count) {
  return std::sqrt(-std::log(1e-6 / 2) / 2 / static_cast<double>(count));
}

double normal_cumulative(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

std::vector<double> samples_of(const AlignedVector<double>& part) {
  return {part.begin(), part.end()};
}

double mean_power(const std::vector<double>& samples, int power) {
  double sum = 0;
  for (const double x : samples) sum += std::pow(x, power);
  return sum / static_cast<double>(samples.size());
}

TEST(TorchRandn, BeginsAsPyTorchDoesForSeed42) {
  const std::vector<double> published{1.9269, 1.4873,  0.9007,  -2.1055,
                                      0.6784, -1.2345, -0.0431, -1.6047};
  const auto x = make_input("torch_randn", 64, 1, 42);
  for (std::size_t j = 0; j < published.size(); ++j) {
    EXPECT_NEAR(x.re[j], published[j], 0.5001e-4) << "element " << j;
    EXPECT_EQ(x.im[j], 0);
  }
}

/// What element `position` of a block is, from the 16 draws of the block, in long double.
double by_long_double(const std::vector<std::uint32_t>& draws, std::size_t first,
                      std::size_t position) {
  const auto u = [&](std::size_t i) {
    return static_cast<long double>(draws[first + i] % (1U << 24)) / (1U << 24);
  };
  const std::size_t j = position % 8;
  const long double radius = std::sqrt(-2 * std::log(1 - u(j)));
  const long double theta = 2 * std::acos(-1.0L) * u(j + 8);
  return static_cast<double>(radius * (position < 8 ? std::cos(theta) : std::sin(theta)));
}

TEST(TorchRandn, DrawsTheLast16AnewWhereTheBlocksDoNotFit) {
  std::mt19937 generator(42);
  std::vector<std::uint32_t> draws(40);
  for (std::uint32_t& draw : draws) draw = static_cast<std::uint32_t>(generator());
  const double tolerance = 0x1p-19;  // of an fp32 angle up to 2 pi and a radius below 4

  const auto x = make_input("torch_randn", 24, 1, 42);

  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(x.re[i], by_long_double(draws, 0, i), tolerance) << i;
  for (std::size_t i = 8; i < 24; ++i)
    EXPECT_NEAR(x.re[i], by_long_double(draws, 24, i - 8), tolerance) << i;
}

TEST(TorchRandn, ABatchIsDrawnAsOneArray) {
  EXPECT_EQ(make_input("torch_randn", 10, 5, 7), make_input("torch_randn", 50, 1, 7));
  EXPECT_THROW(make_input("torch_randn", 5, 3, 1), InputError);
}

TEST(Gaussian, PartsAreStandardNormalAndUncorrelated) {
  const std::size_t count = 200000;
  const double sigma = 1 / std::sqrt(static_cast<double>(count));
  const auto x = make_input("gaussian", count, 1, 3);
  const auto torch = make_input("torch_randn", count, 1, 3);
  for (const auto* part : {&x.re, &x.im, &torch.re}) {
    const std::vector<double> samples = samples_of(*part);
    EXPECT_LE(kolmogorov_smirnov(samples, normal_cumulative), once_in_a_million(count));
    EXPECT_LE(std::fabs(mean_power(samples, 1)), 5 * sigma);
    EXPECT_LE(std::fabs(mean_power(samples, 2) - 1), 5 * std::sqrt(2.0) * sigma);
    EXPECT_LE(std::fabs(mean_power(samples, 3)), 5 * std::sqrt(15.0) * sigma);
    EXPECT_LE(std::fabs(mean_power(samples, 4) - 3), 5 * std::sqrt(96.0) * sigma);
  }
  double correlation = 0;
  for (std::size_t j = 0; j < count; ++j) correlation += x.re[j] * x.im[j];
  EXPECT_LE(std::fabs(correlation) * sigma * sigma, 5 * sigma);
}

/// Published in PyTorch's documentation of random numbers with torch.manual_seed(42).
TEST(TorchRand, BeginsAsPyTorchDoesForSeed42) {
  const std::vector<double> published{0.8823, 0.9150, 0.3829, 0.9593, 0.3904, 0.6009};
  const auto x = make_input("torch_rand", 6, 1, 42);
  for (std::size_t j = 0; j < published.size(); ++j) {
    EXPECT_NEAR(x.re[j], published[j], 0.5001e-4) << "element " << j;
    EXPECT_EQ(x.im[j], 0);
  }
}

TEST(Uniform, IsUniformBetweenItsEnds) {
  const std::size_t count = 100000;
  for (const auto& [name, low, high] : {std::tuple{"uniform", -1.0, 1.0},
                                        {"uniform:low=0", 0.0, 1.0},
                                        {"uniform:low=0:high=255", 0.0, 255.0},
                                        {"uniform:low=-3:high=-2.5", -3.0, -2.5}}) {
    const auto x = make_input(name, count, 1, 3);
    for (const auto* part : {&x.re, &x.im}) {
      const auto [smallest, largest] = std::minmax_element(part->begin(), part->end());
      EXPECT_GE(*smallest, low) << name;
      EXPECT_LT(*largest, high) << name;
      const auto cumulative = [low = low, high = high](double t) {
        return (t - low) / (high - low);
      };
      EXPECT_LE(kolmogorov_smirnov(samples_of(*part), cumulative), once_in_a_million(count))
          << name;
    }
  }
}

TEST(Uniform, RoundsWidthProductAndSumOnceEach) {
  const auto standard = make_input("uniform", 500, 1, 7);  // 2u - 1, exactly
  const auto x = make_input("uniform:low=0.1:high=0.7", 500, 1, 7);
  for (std::size_t j = 0; j < 500; ++j) {
    const double u = (standard.re[j] + 1) / 2;
    const float width = static_cast<float>(static_cast<double>(0.7F) - static_cast<double>(0.1F));
    const float product = static_cast<float>(static_cast<double>(width) * u);
    EXPECT_EQ(x.re[j], static_cast<double>(static_cast<float>(static_cast<double>(0.1F) +
                                                              static_cast<double>(product))));
  }
}

TEST(Gaussian, TakesAMeanAndADeviation) {
  const auto standard = make_input("gaussian", 500, 1, 7);
  const auto x = make_input("gaussian:mean=-5:deviation=0.3", 500, 1, 7);
  for (std::size_t j = 0; j < 500; ++j) {
    const float product = static_cast<float>(static_cast<double>(0.3F) * standard.im[j]);
    EXPECT_EQ(x.im[j], static_cast<double>(static_cast<float>(static_cast<double>(product) - 5)));
  }
  EXPECT_EQ(make_input("gaussian:mean=0:deviation=1", 500, 1, 7), standard);
  EXPECT_EQ(make_input("gaussian:mean=2:deviation=0", 2, 1, 7).re[1], 2);
}

TEST(Inputs, SayWhichHaveAMean) {
  for (const char* name : {"torch_rand", "uniform:low=0", "uniform:high=1.5", "gaussian:mean=1e-3",
                           "jitter:k=1:inner=uniform:low=0", "rounded:inner=torch_rand"})
    EXPECT_TRUE(has_mean(name)) << name;
  for (const char* name :
       {"torch_randn", "uniform", "uniform:low=-2:high=2", "gaussian:deviation=3",
        "jitter:inner=gaussian", "tone", "wide:phi=2", "file:x.npy", "own"})
    EXPECT_FALSE(has_mean(name)) << name;
}

TEST(Impulse, StandsAtTheSeedAndMovesThroughTheBatch) {
  const auto x = make_input("impulse", 5, 2, 13);
  ComplexArray<double> expected(10);
  expected.re[3] = 1;
  expected.re[5 + 4] = 1;
  EXPECT_EQ(x, expected);
}

TEST(Tone, HasOneOutputOfNAndOthersOfRoundingSize) {
  const std::size_t n = 60;
  const auto y = truth::dft(make_input("tone", n, 2, 7), n, Direction::forward);
  const double rounding = 0x1p-24 * static_cast<double>(n);
  for (std::size_t i = 0; i < 2 * n; ++i) {
    const bool is_peak = i == 7 || i == n + 8;
    EXPECT_NEAR(y.hi.re[i], is_peak ? static_cast<double>(n) : 0, rounding) << i;
    EXPECT_NEAR(y.hi.im[i], 0, rounding) << i;
  }
}

TEST(Chirp, HasATransformOfConstantMagnitude) {
  const std::size_t n = 64;
  const auto y = truth::dft(make_input("chirp", n, 1, 1), n, Direction::forward);
  for (std::size_t k = 0; k < n; ++k)
    EXPECT_NEAR(std::hypot(y.hi.re[k], y.hi.im[k]), 8, 0x1p-24 * static_cast<double>(n));
}

TEST(Wide, SpreadsTheLogarithmOfItsMagnitudesByPhi) {
  const auto spread = [](const char* name) {
    std::vector<double> logs;
    for (const double value : make_input(name, 20000, 1, 1).re)
      if (value != 0) logs.push_back(std::log(std::fabs(value)));
    const double mean = mean_power(logs, 1);
    return mean_power(logs, 2) - mean * mean;
  };
  const double at_zero = 1;  // variance of log of a uniform
  EXPECT_NEAR(spread("wide:phi=0"), at_zero, 0.1);
  EXPECT_NEAR(spread("wide:phi=2"), at_zero + 4, 0.3);
  EXPECT_NEAR(spread("wide"), at_zero + 16, 1);
  EXPECT_EQ(make_input("wide", 16, 1, 1), make_input("wide:phi=4", 16, 1, 1));
}

TEST(Cancelling, LosesTwelveBitsInEveryOutputButTheFirst) {
  const std::size_t n = 256;
  const auto x = make_input("cancelling", n, 1, 5);
  const auto y = truth::dft(x, n, Direction::forward);
  double sum = 0;
  double largest = 0;
  for (std::size_t j = 0; j < n; ++j) sum += std::hypot(x.re[j], x.im[j]);
  for (std::size_t k = 1; k < n; ++k)
    largest = std::max(largest, std::hypot(y.hi.re[k], y.hi.im[k]));
  EXPECT_NEAR(y.hi.re[0], static_cast<double>(n), 1);
  EXPECT_LT(largest, sum * 0x1p-12);
  EXPECT_GT(largest, 0);
}

TEST(Ramp, IsTheQuotientInFp32) {
  const auto x = make_input("ramp", 3, 2, 1);
  EXPECT_EQ(x.re[4], static_cast<double>(1.0F / 3.0F));
  EXPECT_EQ(make_input("dc", 2, 1, 1).re[1], 1);
}

TEST(Inputs, AllThatAreMadeLieOnTheFp32Grid) {
  for (const Named& named : list_inputs()) {
    if (named.name == "file" || named.name == "jitter" || named.name == "rounded") continue;
    const auto x = make_input(named.name, 1000, 2, 9);
    ASSERT_EQ(x.size(), 2000u) << named.name;
    for (const auto* part : {&x.re, &x.im})
      for (const double value : *part)
        ASSERT_EQ(value, static_cast<double>(static_cast<float>(value))) << named.name;
  }
}

/// These bits were computed once; a compiler, machine or library that gives others is wrong.
TEST(Inputs, HaveTheSameBitsOnEveryMachine) {
  const std::pair<const char*, std::uint64_t> kept[] = {
      {"torch_randn", 0x954956ad129dd5f1},
      {"gaussian", 0xbb5b389e007280b7},
      {"uniform", 0xfaeeff56ce4bb4f4},
      {"impulse", 0xfede8b8f891dc4d9},
      {"tone", 0x266e0af1153d9e14},
      {"wide", 0x281a96982a39e8e4},
      {"cancelling", 0x115fb8b3ce30581d},
      {"chirp", 0xad9e13fae6eeb03f},
      {"dc", 0x51fba5a5f2487959},
      {"ramp", 0xac7dad841aa9cd49},
      {"image", 0x22d78d160deb34be},
      {"torch_rand", 0x56f3a21aca54548d},
      {"uniform:low=0:high=255", 0xe1e0327af93841d0},
      {"gaussian:mean=1:deviation=0.1", 0x1870fa50de9e8b6b},
  };
  for (const auto& [name, hash] : kept)
    EXPECT_EQ(hash_of(make_input(name, 1000, 3, 42)), hash) << name;
}

/// The same where numbers are made in many blocks and roots of unity in double-double.
TEST(Inputs, HaveTheSameBitsOnEveryMachineWhereTheyAreLong) {
  const std::pair<const char*, std::uint64_t> kept[] = {
      {"torch_randn", 0x7a0998b6bd96268d}, {"gaussian", 0x81f571f310316c0b},
      {"tone", 0x22479a22cf1e8555},        {"wide", 0xa7c09b8bd1a3c720},
      {"cancelling", 0x7b4e86d6fde6f612},  {"chirp", 0x0415ff18a216524a},
      {"image", 0x3b67363bd515113c},
  };
  for (const auto& [name, hash] : kept)
    EXPECT_EQ(hash_of(make_input(name, 20000, 1, 42)), hash) << name;
}

TEST(Inputs, AreTheBeginningOfALongerDraw) {
  for (const char* name : {"gaussian", "uniform", "wide", "cancelling"}) {
    const auto all = make_input(name, 5000, 1, 11);
    for (const std::size_t n : {1u, 7u, 1023u, 1024u, 1025u, 2048u, 4999u}) {
      const auto x = make_input(name, n, 1, 11);
      EXPECT_TRUE(std::equal(x.re.begin(), x.re.end(), all.re.begin())) << name << " " << n;
      EXPECT_TRUE(std::equal(x.im.begin(), x.im.end(), all.im.begin())) << name << " " << n;
    }
  }
}

/// Grey values of 8 bits; each octave of the spectrum of 256 x 256 has less power per frequency
/// than the one below, by a factor of about 4, and neighbours are alike but for edges.
TEST(Inputs, ImagesHaveAreasAndEdgesOfEverySize) {
  const std::size_t width = 256;
  const auto x = make_input("image", width * width, 2, 3);
  for (const double value : x.re)
    ASSERT_EQ(value, static_cast<double>(static_cast<float>(std::round(255 * value)) / 255.0f));
  for (const double value : x.im) ASSERT_EQ(value, 0);
  EXPECT_FALSE(std::equal(x.re.begin(), x.re.begin() + 65536, x.re.begin() + 65536));
  std::vector<double> power(8, 0.0);  // of the octaves of all lines
  std::size_t alike = 0;
  for (std::size_t line = 0; line < width; ++line) {
    ComplexArray<double> row(width);
    std::copy_n(x.re.begin() + static_cast<std::ptrdiff_t>(line * width), width, row.re.begin());
    for (std::size_t j = 1; j < width; ++j) alike += row.re[j] == row.re[j - 1] ? 1 : 0;
    const auto y = truth::dft(row, width, Direction::forward);
    for (std::size_t f = 1; f < width / 2; ++f)
      power[std::bit_width(f)] += (y.hi.re[f] * y.hi.re[f] + y.hi.im[f] * y.hi.im[f]) /
                                  static_cast<double>(std::bit_floor(f));
  }
  for (std::size_t octave = 3; octave < 8; ++octave) {
    EXPECT_LT(power[octave], power[octave - 1] / 1.4) << octave;
    EXPECT_GT(power[octave], power[octave - 1] / 4) << octave;
  }
  EXPECT_GT(alike, width * width / 2);
  EXPECT_LT(alike, width * width * 9 / 10);
}

TEST(Inputs, ThatRoundToInfinityHaveNoTransform) {
  for (const char* format : {"binary4p2se", "fp8_e4m3fn", "custom(p=4,emin=-6,emax=1)"})
    EXPECT_THAT(
        ([&] { make_input("rounded:to=" + std::string(format) + ":inner=wide:phi=10", 64, 1, 1); }),
        ThrowsMessage<NotApplicable>(HasSubstr("an infinite input has no transform")))
        << format;
  EXPECT_NO_THROW(make_input("rounded:to=binary4p2sf:inner=wide:phi=10", 64, 1, 1)) << "saturates";
}

TEST(Inputs, DependOnTheSeedWhereTheySay) {
  for (const char* name : {"torch_randn", "gaussian", "uniform", "uniform:low=0", "torch_rand",
                           "impulse", "tone", "wide", "cancelling", "image"})
    EXPECT_FALSE(make_input(name, 64, 1, 1) == make_input(name, 64, 1, 2)) << name;
}

TEST(Inputs, UnknownNamesAndKeysAreInputErrorsThatListTheKnown) {
  EXPECT_THAT([] { make_input("gausian", 8, 1, 1); },
              ThrowsMessage<InputError>(HasSubstr("gaussian")));
  EXPECT_THAT([] { make_input("wide:psi=3", 8, 1, 1); },
              ThrowsMessage<InputError>(HasSubstr("phi")));
  for (const char* name :
       {"", "wide:", "wide:phi", "wide:phi=", "wide:phi=x", "wide:phi=3x", "wide:phi=-1",
        "wide:phi=11", "wide:phi=nan", "wide:phi=1,", "gaussian:phi=1", "tone:f=1", "uniform:low=1",
        "uniform:low=nan", "uniform:high=1e39", "uniform:low=-3e38:high=3e38",
        "gaussian:deviation=-1", "gaussian:mean=inf", "gaussian:deviation=1e38"}) {
    EXPECT_THAT([&] { input_named(name); }, Throws<InputError>()) << name;
    EXPECT_THAT([&] { make_input(name, 32, 1, 1); }, Throws<InputError>()) << name;
  }
  EXPECT_NO_THROW(input_named("wide:phi=2.5"));
  EXPECT_THAT([] { make_input("dc", 0, 1, 1); }, Throws<InputError>());
  EXPECT_THAT([] { make_input("dc", 1, 0, 1); }, Throws<InputError>());
}

}  // namespace
}  // namespace fftprec::testing
