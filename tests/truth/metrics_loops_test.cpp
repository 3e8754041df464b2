/// The error measures on every instruction set, for every tail and range.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "arith/truth/metrics.hpp"
#include "tests/support/same_value.hpp"
#include "tests/truth/metrics_judge.hpp"

namespace fftprec::testing {
namespace {

using truth::Errors;
using truth::measure;
using truth::Truth;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// What is measured, and its name.
struct Data {
  std::string name;
  ComplexArray<double> y;
  Truth t;
};

/// hi = 2^exponent times random significands, some of them powers of two or zero; lo as it would
/// be; y at a relative distance of 2^-error.
Data random_data(std::string name, std::size_t size, int smallest, int largest, int error,
                 std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> significand(1, 2);
  std::uniform_int_distribution<int> exponent(smallest, largest);
  std::uniform_int_distribution<int> kind(0, 7);
  Data data{std::move(name), ComplexArray<double>(size), exactly(ComplexArray<double>(size))};
  const auto fill = [&](double& y, double& hi, double& lo) {
    const int what = kind(generator);
    if (what == 0) {
      y = generator() % 2 ? 0 : -0.0;  // a zero that is right
      return;
    }
    hi = std::ldexp(what == 1 ? 1 : significand(generator), exponent(generator));
    if (generator() % 2) hi = -hi;
    lo = hi * (generator() % 2 ? 0x1p-54 : -0x1p-55) * (significand(generator) - 0.5);
    y = hi + std::ldexp(hi * (significand(generator) - 1.5), -error);
  };
  for (std::size_t j = 0; j < size; ++j) {
    fill(data.y.re[j], data.t.hi.re[j], data.t.lo.re[j]);
    fill(data.y.im[j], data.t.hi.im[j], data.t.lo.im[j]);
  }
  return data;
}

std::vector<Data> data_of(std::size_t size, std::uint64_t seed) {
  return {random_data("plain", size, -3, 3, 20, seed),
          random_data("exact but for lo", size, -3, 3, 70, seed),
          random_data("far off", size, -3, 3, -3, seed),
          random_data("range 2^+-60", size, -60, 60, 24, seed),
          random_data("whole range", size, -1070, 1020, 30, seed),
          random_data("subnormal", size, -1074, -1030, 3, seed),
          random_data("small squares", size, -540, -480, 10, seed),
          random_data("large squares", size, 480, 540, 10, seed),
          random_data("huge", size, 1018, 1022, 30, seed),
          random_data("huge and far off", size, 1000, 1021, 0, seed)};
}

TEST(MeasureLoops, EqualTheDefinitionForEveryTailAndRange) {
  for (std::size_t size = 1; size <= 25; ++size)
    for (const Data& data : data_of(size, size)) {
      const Errors truth = judge(data.y, data.t, fp32);
      for (const Isa isa : available_isas())
        EXPECT_TRUE(same_measures(measure(data.y, data.t, fp32, isa), truth))
            << data.name << ", size and seed " << size << ", " << name_of(isa);
    }
}

TEST(MeasureLoops, EqualTheDefinitionForEveryFormat) {
  for (const Data& data : data_of(43, 7))
    for (const Format& output : {bf16, fp16, fp8_e5m2, fp64, Format{2, -1022, 1023}})
      EXPECT_TRUE(same_measures(measure(data.y, data.t, output), judge(data.y, data.t, output)))
          << data.name << ", " << to_string(output);
}

TEST(MeasureLoops, GiveTheSameBitsOnEveryInstructionSet) {
  for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 16u, 61u, 1000u, 4099u})
    for (Data& data : data_of(size, 11)) {
      data.t.radius_rel = 0x1p-60;
      data.t.element_radius = {0x1p-70, 0x1p-68};
      for (const double last : {1.0, infinity, nan}) {
        if (size > 0) data.y.im[size - 1] *= last;
        const auto first = values_of(measure(data.y, data.t, fp32, Isa::baseline));
        for (const Isa isa : available_isas()) {
          const auto found = values_of(measure(data.y, data.t, fp32, isa));
          for (std::size_t i = 0; i < first.size(); ++i)
            EXPECT_TRUE(same_value(found[i], first[i]))
                << "value " << i << ", " << data.name << ", size " << size << ", last " << last
                << ", " << name_of(isa);
          EXPECT_TRUE(
              same_value(truth::l2_norm(data.y, isa), truth::l2_norm(data.y, Isa::baseline)));
        }
      }
    }
}

TEST(MeasureLoops, SeeAnErrorInEveryPlace) {
  for (const std::size_t size : {1u, 8u, 13u, 24u, 31u})
    for (std::size_t place = 0; place < size; ++place)
      for (const bool real : {true, false})
        for (const Isa isa : available_isas()) {
          ComplexArray<double> y(size);
          std::fill(y.re.begin(), y.re.end(), 1);
          const Truth t = exactly(y);
          (real ? y.re : y.im)[place] += 0.5;

          const Errors found = measure(y, t, bf16, isa);

          EXPECT_TRUE(same_measures(found, judge(y, t, bf16)))
              << "place " << place << " of " << size << ", " << name_of(isa);
        }
}

TEST(MeasureLoops, SumWhatPlainSumsLose) {
  const std::size_t size = (std::size_t{1} << 14) + 3;
  constexpr mpfr_prec_t bits = 700;                    // holds the sums
  for (const double small : {0x1.8p-27, 0x1.8p-54}) {  // its square, itself below half an ulp of 1
    ComplexArray<double> many(size);
    std::fill(many.re.begin(), many.re.end(), small);
    std::fill_n(many.re.begin(), 8, 1.0);
    many.im[0] = 1;
    ComplexArray<double> one(size);
    one.im[0] = 1;

    EXPECT_TRUE(
        same_measures(measure(many, exactly(one), fp32), judge(many, exactly(one), fp32, bits)))
        << "errors of " << small;
    one = many;
    one.im[0] = 2;
    EXPECT_TRUE(
        same_measures(measure(one, exactly(many), fp32), judge(one, exactly(many), fp32, bits)))
        << "truths of " << small;
  }
}

TEST(MeasureLoops, TakeTheSmallestStepForALowPartWithoutAHighOne) {
  Truth t = exactly(array({0, 1}, {-0.0, 1}));
  t.lo = array({-0x1p-60, 0}, {0x1p-60, 0});
  for (const Isa isa : available_isas()) {
    const Errors found = measure(array({0, 1.5}, {0, 1}), t, fp32, isa);
    EXPECT_EQ(found.max_ulp, 0x1p89);
    EXPECT_LE(found.rms_ulp, 0x1p89);
  }
}

TEST(MeasureLoops, KnowStepsWhereQuotientsUnderflow) {
  Truth t = exactly(array({0x1.ep301}, {0}));
  t.lo.re[0] = 0x1.8p-774;
  EXPECT_EQ(measure(t.hi, t, fp32).re_max_rel, 0);
  EXPECT_EQ(measure(t.hi, t, fp32).max_ulp, judge(t.hi, t, fp32).max_ulp);
}

TEST(L2Norm, EqualsTheDefinitionOverTheWholeRange) {
  for (std::size_t size = 1; size <= 19; ++size)
    for (const Data& data : data_of(size, size)) {
      truth::Real sum(exact_bits), square(exact_bits);
      for (const auto* part : {&data.y.re, &data.y.im})
        for (const double value : *part) {
          mpfr_set_d(square, value, MPFR_RNDN);
          mpfr_fma(sum, square, square, sum, MPFR_RNDN);
        }
      mpfr_sqrt(sum, sum, MPFR_RNDN);
      const double norm = mpfr_get_d(sum, MPFR_RNDN);
      for (const Isa isa : available_isas()) {
        const double found = truth::l2_norm(data.y, isa);
        EXPECT_TRUE(same(found, norm) || std::fabs(found - norm) <= 3 * 0x1p-53 * norm + 0x1p-1074)
            << data.name << ", size and seed " << size << ": " << show(found) << ", truth "
            << show(norm);
      }
    }
  EXPECT_EQ(truth::l2_norm(array({1, -infinity}, {0, 0})), infinity);
  EXPECT_EQ(truth::l2_norm(array({0x1p1023, 0x1p1023}, {0x1p1023, 0x1p1023})), infinity);
  EXPECT_TRUE(std::isnan(truth::l2_norm(array({1, -infinity}, {nan, 0}))));
  EXPECT_EQ(truth::l2_norm(ComplexArray<double>(0)), 0);
}

}  // namespace
}  // namespace fftprec::testing
