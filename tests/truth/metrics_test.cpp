/// The error measures against their definitions in MPFR: at the edges, on every instruction set,
/// for every tail and range, and how far they say that they may be off.
#include "arith/truth/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arith/support/error.hpp"
#include "arith/truth/real.hpp"
#include "tests/support/same_value.hpp"

namespace fftprec::testing {
namespace {

using truth::ErrorRadius;
using truth::Errors;
using truth::measure;
using truth::Real;
using truth::Truth;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Holds every sum of squares of doubles exactly.
constexpr mpfr_prec_t exact_bits = 4500;

struct Measure {
  const char* name;
  double Errors::*value;
  double ErrorRadius::*radius;
};
constexpr Measure measures[] = {
    {"l2_rel", &Errors::l2_rel, &ErrorRadius::l2_rel},
    {"linf_rel", &Errors::linf_rel, &ErrorRadius::linf_rel},
    {"l1_rel", &Errors::l1_rel, &ErrorRadius::l1_rel},
    {"re_max_rel", &Errors::re_max_rel, &ErrorRadius::re_max_rel},
    {"im_max_rel", &Errors::im_max_rel, &ErrorRadius::im_max_rel},
    {"max_ulp", &Errors::max_ulp, &ErrorRadius::max_ulp},
    {"rms_ulp", &Errors::rms_ulp, &ErrorRadius::rms_ulp},
    {"gain", &Errors::gain, &ErrorRadius::gain},
    {"linf_abs", &Errors::linf_abs, &ErrorRadius::linf_abs},
    {"mean_rel", &Errors::mean_rel, &ErrorRadius::mean_rel},
    {"without_gain_rel", &Errors::without_gain_rel, &ErrorRadius::without_gain_rel}};
constexpr double Errors::*logarithms[] = {&Errors::bits_l2, &Errors::snr_db,
                                          &Errors::snr_no_gain_db};

/// The measures that have a radius, in their order; the others; the radii.
constexpr std::size_t certified = std::size(measures);
constexpr std::size_t first_radius = certified + std::size(logarithms);
std::vector<double> values_of(const Errors& e) {
  std::vector<double> all;
  for (const Measure& each : measures) all.push_back(e.*each.value);
  for (const auto logarithm : logarithms) all.push_back(e.*logarithm);
  for (const Measure& each : measures) all.push_back(e.radius.*each.radius);
  return all;
}

ComplexArray<double> array(std::initializer_list<double> re, std::initializer_list<double> im) {
  ComplexArray<double> x(re.size());
  std::copy(re.begin(), re.end(), x.re.begin());
  std::copy(im.begin(), im.end(), x.im.begin());
  return x;
}

/// hi, as a truth without error.
Truth exactly(const ComplexArray<double>& hi) {
  return {hi, ComplexArray<double>(hi.size()), hi.size()};
}

/// What `Errors` says it is, without the radius, in sums that are exact with exact_bits; only
/// quotients and roots round.
Errors judge(const ComplexArray<double>& y, const Truth& t, const Format& output,
             mpfr_prec_t bits = exact_bits) {
  Real e2(bits), t2(bits), e1(bits), t1(bits), e_max(bits), t_max(bits), ulp2(bits), yt(bits);
  Real relative(bits), y2(bits);
  Errors errors{};
  const auto add = [bits](Real& square, Real& sum, Real& max, const Real& re, const Real& im) {
    Real size(bits);
    mpfr_sqr(size, re, MPFR_RNDN);
    mpfr_fma(size, im, im, size, MPFR_RNDN);
    mpfr_add(square, square, size, MPFR_RNDN);
    mpfr_sqrt(size, size, MPFR_RNDN);
    mpfr_add(sum, sum, size, MPFR_RNDN);
    mpfr_max(max, max, size, MPFR_RNDN);
    return size;
  };
  const auto part = [&](double y_part, double hi, double lo, Real& e, Real& t_part, double& max) {
    mpfr_set_d(t_part, hi, MPFR_RNDN);
    mpfr_add_d(t_part, t_part, lo, MPFR_RNDN);
    mpfr_d_sub(e, y_part, t_part, MPFR_RNDN);
    Real product(bits);
    mpfr_mul_d(product, t_part, y_part, MPFR_RNDN);
    mpfr_add(yt, yt, product, MPFR_RNDN);
    mpfr_set_d(product, y_part, MPFR_RNDN);
    mpfr_fma(y2, product, product, y2, MPFR_RNDN);
    Real ratio(bits);
    if (!mpfr_zero_p(static_cast<mpfr_srcptr>(e))) {
      mpfr_div(ratio, e, t_part, MPFR_RNDN);
      mpfr_abs(ratio, ratio, MPFR_RNDN);
    }
    max = std::max(max, mpfr_get_d(ratio, MPFR_RNDN));
    const long exponent = mpfr_zero_p(static_cast<mpfr_srcptr>(t_part))
                              ? output.emin
                              : std::max<long>(mpfr_get_exp(t_part) - 1, output.emin);
    mpfr_mul_2si(ratio, e, -(exponent - output.precision + 1), MPFR_RNDN);
    mpfr_abs(ratio, ratio, MPFR_RNDN);
    errors.max_ulp = std::max(errors.max_ulp, mpfr_get_d(ratio, MPFR_RNDN));
    mpfr_fma(ulp2, ratio, ratio, ulp2, MPFR_RNDN);
  };
  for (std::size_t i = 0; i < y.size(); ++i) {
    Real e_re(bits), e_im(bits), t_re(bits), t_im(bits);
    part(y.re[i], t.hi.re[i], t.lo.re[i], e_re, t_re, errors.re_max_rel);
    part(y.im[i], t.hi.im[i], t.lo.im[i], e_im, t_im, errors.im_max_rel);
    const Real e = add(e2, e1, e_max, e_re, e_im);
    const Real t_size = add(t2, t1, t_max, t_re, t_im);
    if (mpfr_zero_p(static_cast<mpfr_srcptr>(e))) continue;
    Real ratio(bits);
    mpfr_div(ratio, e, t_size, MPFR_RNDN);
    mpfr_add(relative, relative, ratio, MPFR_RNDN);
  }
  const auto quotient = [bits](const Real& a, const Real& b) {
    Real q(bits);
    mpfr_div(q, a, b, MPFR_RNDN);
    return q;
  };
  Real l2 = quotient(e2, t2);
  mpfr_sqrt(l2, l2, MPFR_RNDN);
  errors.l2_rel = mpfr_get_d(l2, MPFR_RNDN);
  mpfr_log2(l2, l2, MPFR_RNDN);
  errors.bits_l2 = -mpfr_get_d(l2, MPFR_RNDN);
  mpfr_mul_d(l2, l2, -20 * std::log10(2.0), MPFR_RNDN);
  errors.snr_db = mpfr_get_d(l2, MPFR_RNDN);
  errors.gain =
      mpfr_zero_p(static_cast<mpfr_srcptr>(e2)) ? 1 : mpfr_get_d(quotient(yt, t2), MPFR_RNDN);
  errors.linf_rel = mpfr_get_d(quotient(e_max, t_max), MPFR_RNDN);
  errors.linf_abs = mpfr_get_d(e_max, MPFR_RNDN);
  mpfr_div_ui(relative, relative, y.size(), MPFR_RNDN);
  errors.mean_rel = mpfr_get_d(relative, MPFR_RNDN);
  // |y - gain t|^2 = |y|^2 - (y . t)^2 / |t|^2
  Real rest(bits), yt2(bits);
  mpfr_sqr(yt2, yt, MPFR_RNDN);
  mpfr_div(yt2, yt2, t2, MPFR_RNDN);
  mpfr_sub(rest, y2, yt2, MPFR_RNDN);
  mpfr_div(rest, rest, yt2, MPFR_RNDN);
  mpfr_sqrt(rest, rest, MPFR_RNDN);
  const bool exact = mpfr_zero_p(static_cast<mpfr_srcptr>(e2));
  const bool lost = mpfr_zero_p(static_cast<mpfr_srcptr>(yt));
  errors.without_gain_rel = exact ? 0 : lost ? infinity : mpfr_get_d(rest, MPFR_RNDN);
  mpfr_log2(rest, rest, MPFR_RNDN);
  mpfr_mul_d(rest, rest, -20 * std::log10(2.0), MPFR_RNDN);
  errors.snr_no_gain_db = exact ? infinity : lost ? -infinity : mpfr_get_d(rest, MPFR_RNDN);
  errors.l1_rel = mpfr_get_d(quotient(e1, t1), MPFR_RNDN);
  mpfr_div_ui(ulp2, ulp2, 2 * y.size(), MPFR_RNDN);
  mpfr_sqrt(ulp2, ulp2, MPFR_RNDN);
  errors.rms_ulp = mpfr_get_d(ulp2, MPFR_RNDN);
  return errors;
}

/// Every measure within rounding_radius of the judge's, or a step below the normal range.
::testing::AssertionResult same_measures(const Errors& found, const Errors& truth) {
  ::testing::AssertionResult wrong = ::testing::AssertionFailure();
  bool all = true;
  const auto compare = [&](const char* name, double a, double b, double scale) {
    if (same(a, b) || std::fabs(a - b) <= truth::rounding_radius * scale + 0x1p-1074) return;
    all = false;
    wrong << name << ": got " << show(a) << ", truth " << show(b) << ", allowed "
          << show(truth::rounding_radius * scale) << "; ";
  };
  for (const Measure& each : measures) {
    const double expected = truth.*each.value;
    // In units of rounding_radius; the judge's own rounding takes half a step of it.
    if (each.value == &Errors::gain)
      compare(each.name, found.gain, expected, (16 * truth.l2_rel + 2 * std::fabs(expected)) / 12);
    else if (each.value != &Errors::without_gain_rel)
      compare(each.name, found.*each.value, expected, expected);
  }
  // -log2 changes by log2(e) times the relative error, and rounds once.
  compare("bits_l2", found.bits_l2, truth.bits_l2, 2 + std::fabs(truth.bits_l2));
  compare("snr_db", found.snr_db, truth.snr_db, 9 + std::fabs(truth.snr_db));
  // Its radius says how far it may be off; the judge's own rounding takes a step.
  const double rest = found.radius.without_gain_rel;
  if (!same(found.without_gain_rel, truth.without_gain_rel) &&
      !(std::fabs(found.without_gain_rel - truth.without_gain_rel) <= 1.001 * rest))
    return wrong << "without_gain_rel: got " << show(found.without_gain_rel) << ", truth "
                 << show(truth.without_gain_rel) << ", radius " << show(rest);
  if (found.without_gain_rel > 0x1p60 * rest)
    compare("snr_no_gain_db", found.snr_no_gain_db, truth.snr_no_gain_db,
            9 + std::fabs(truth.snr_no_gain_db) + 9 * rest / found.without_gain_rel * 0x1p53);
  return all ? ::testing::AssertionSuccess() : wrong;
}

TEST(Measure, EqualsTheDefinitionAtTheEndsOfTheRangeOfDouble) {
  constexpr double max = std::numeric_limits<double>::max();
  const auto y = array({max, 1, 0x1p-1074}, {-max, 0x1p-1060, 3});
  const auto t = exactly(array({-max, 2, 0x1p-1073}, {max, 0x1p-1061, 0x1p1000}));
  EXPECT_TRUE(same_measures(measure(y, t, fp64), judge(y, t, fp64)));
}

/// In every bit, but that a NaN is positive: "-nan" would be another text in results.csv.
TEST(Measure, HasTheValuesByHandAtItsEdges) {
  using E = Errors;
  struct Edge {
    const char* what;
    ComplexArray<double> y, t;
    std::vector<std::pair<double E::*, double>> expected;
    Format output = fp32;
    std::size_t n = 0;  ///< of an item, if the batch has several
  };
  const auto ones = array({1, 1}, {1, 1});
  const auto right = array({1, 0, -3}, {0, 0, 2}), slope = array({3, -1, 2, -2}, {4, 2, 0, 1});
  const ComplexArray<double> zero(3), one = array({1}, {0});
  const auto of_all = [](double value, auto... members) {
    return std::vector<std::pair<double E::*, double>>{{members, value}...};
  };
  const Edge edges[] = {
      {"right", right, right, of_all(0, &E::l2_rel, &E::re_max_rel, &E::rms_ulp)},
      {"right: logarithms", right, right, of_all(infinity, &E::bits_l2, &E::snr_db)},
      {"0/0", zero, zero,
       of_all(0, &E::l2_rel, &E::linf_rel, &E::l1_rel, &E::re_max_rel, &E::im_max_rel, &E::max_ulp,
              &E::rms_ulp, &E::linf_abs, &E::mean_rel, &E::without_gain_rel)},
      {"0/0: the others", zero, zero, {{&E::gain, 1}, {&E::bits_l2, infinity}}},
      {"nonzero/0", array({0x1p-30}, {0}), array({0}, {0}),
       of_all(infinity, &E::l2_rel, &E::linf_rel, &E::l1_rel, &E::re_max_rel)},
      {"nonzero/0: the smallest step of fp32 is 2^-149",
       array({0x1p-30}, {0}),
       array({0}, {0}),
       {{&E::im_max_rel, 0}, {&E::gain, nan}, {&E::bits_l2, -infinity}, {&E::max_ulp, 0x1p119}}},
      {"NaN beside infinity", array({1, infinity}, {nan, 0}), ones,
       of_all(nan, &E::l2_rel, &E::linf_rel, &E::l1_rel, &E::re_max_rel, &E::im_max_rel,
              &E::max_ulp, &E::rms_ulp, &E::gain, &E::bits_l2, &E::snr_db, &E::linf_abs,
              &E::mean_rel, &E::without_gain_rel, &E::snr_no_gain_db)},
      {"infinity", array({1, -infinity}, {1, 1}), ones,
       of_all(infinity, &E::l2_rel, &E::linf_rel, &E::l1_rel, &E::re_max_rel, &E::max_ulp,
              &E::rms_ulp, &E::linf_abs, &E::mean_rel, &E::without_gain_rel)},
      {"infinity: logarithms", array({1, -infinity}, {1, 1}), ones,
       of_all(-infinity, &E::bits_l2, &E::snr_db, &E::snr_no_gain_db)},
      {"infinity: the others",
       array({1, -infinity}, {1, 1}),
       ones,
       {{&E::im_max_rel, 0}, {&E::gain, nan}}},
      {"y = 0",
       array({0, 0}, {0, 0}),
       array({1, 2}, {0, 0}),
       {{&E::without_gain_rel, infinity},
        {&E::snr_no_gain_db, -infinity},
        {&E::mean_rel, 1},
        {&E::linf_abs, 2}}},
      {"below the normal range",
       array({0x1p-20 + 0x1p-24}, {0}),
       array({0x1p-20}, {0}),
       {{&E::max_ulp, 1}},
       fp16},
      {"both parts of a batch",
       array({1 + 0x4p-7, 1, 1, 1}, {1, 1, 1, 1 + 0x4p-7}),
       array({1, 1, 1, 1}, {1, 1, 1, 1}),
       {{&E::rms_ulp, 2}},
       bf16,
       2},
      {"norms of a batch",
       array({3, 0, 0, 0}, {0, 0, 0, 3}),
       array({3, 0, 0, 0}, {0, 0, 0, 4}),
       {{&E::l2_rel, 0.2}, {&E::linf_rel, 0.25}, {&E::l1_rel, 1.0 / 7}},
       fp32,
       2},
      {"across 3 + 4i", array({7, -1, 2, -2}, {1, 2, 0, 1}), slope, {{&E::gain, 1}}},
      {"negative", array({-3, 1, -2, 2}, {-4, -2, 0, -1}), slope, {{&E::gain, -1}}},
      {"mean of relative errors",
       array({3, 101, 0}, {4.5, 0, 0}),
       array({3, 100, 0}, {4, 0, 0}),
       {{&E::mean_rel, (0.1 + 0.01) / 3}}},
      {"one of 0",
       array({3, 100, 0x1p-900}, {4, 0, 0}),
       array({3, 100, 0}, {4, 0, 0}),
       {{&E::mean_rel, infinity}}},
      {"in units of y", array({3, 100}, {4, 0}), array({0, 98}, {0, 0}), {{&E::linf_abs, 5}}},
      {"beyond double",
       array({0x1p1023}, {0}),
       array({-0x1p1023}, {0}),
       {{&E::linf_abs, infinity}}},
      {"0 dB", array({2}, {0}), one, {{&E::snr_db, 0}}},
      {"-60 dB", array({1001}, {0}), one, {{&E::snr_db, -60}}},
      {"half", array({1.5}, {0}), one, {{&E::snr_db, 20 * 0.30102999566398119521}}},
  };
  for (const Edge& edge : edges) {
    Truth t = exactly(edge.t);
    if (edge.n != 0) t.n = edge.n;
    const Errors found = measure(edge.y, t, edge.output);
    for (const auto& [member, expected] : edge.expected) {
      EXPECT_TRUE(same_value(found.*member, expected)) << edge.what;
      EXPECT_FALSE(std::isnan(found.*member) && std::signbit(found.*member)) << edge.what;
    }
  }
}

/// 1 + i everywhere, with an error beside one element, so that every measure has a value.
ComplexArray<double> with_errors(std::size_t n) {
  ComplexArray<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    y.re[i] = 1 + 0x1p-20 * static_cast<double>(i % 3);
    y.im[i] = 1 - 0x1p-21;
  }
  return y;
}

/// use(n, place, whether the real part), for all instruction sets: every place up to 64 elements,
/// the ends of blocks and of the array above that.
template <class Use>
void at_each_place(Use use) {
  for (const std::size_t n : {4u, 5u, 7u, 8u, 9u, 16u, 31u, 64u, 100u, 1024u, 4096u})
    for (std::size_t place = 0; place < n; ++place) {
      if (n > 64 && place > 17 && place + 17 < n && place % 509 != 0) continue;
      for (const bool real : {true, false})
        for (const Isa isa : available_isas()) use(n, place, real, isa);
    }
}

TEST(Measure, NanInAnyPlaceMakesEveryMeasureNanAndInfinityThoseOfItsPartsInfinite) {
  at_each_place([](std::size_t n, std::size_t place, bool real, Isa isa) {
    ComplexArray<double> ones(n);
    std::fill(ones.re.begin(), ones.re.end(), 1);
    std::fill(ones.im.begin(), ones.im.end(), 1);
    const auto with = [&](double bad) {
      ComplexArray<double> y = with_errors(n);
      (real ? y.re : y.im)[place] = bad;
      return measure(y, exactly(ones), fp32, isa);
    };
    const auto found = values_of(with(nan));
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_TRUE(std::isnan(found[i])) << "value " << i << ", n = " << n << ", place " << place
                                        << ", real " << real << ", " << name_of(isa);
    const Errors errors = with(place % 2 == 0 ? infinity : -infinity);

    for (const double value :
         {errors.l2_rel, errors.linf_rel, errors.l1_rel, errors.max_ulp, errors.rms_ulp,
          real ? errors.re_max_rel : errors.im_max_rel, -errors.bits_l2, -errors.snr_db})
      ASSERT_EQ(value, infinity) << "n = " << n << ", place " << place << ", " << name_of(isa);
    ASSERT_LT(real ? errors.im_max_rel : errors.re_max_rel, 1e-5);
    ASSERT_TRUE(std::isnan(errors.gain));
  });
}

TEST(Measure, UlpIsThatOfTheTruthAcrossABinade) {
  auto t = exactly(array({1}, {0}));
  EXPECT_EQ(measure(array({1 + 0x1p-7}, {0}), t, bf16).max_ulp, 1);
  EXPECT_EQ(measure(array({1 - 0x1p-8}, {0}), t, bf16).max_ulp, 0.5);
  t.lo.re[0] = -0x1p-60;  // the truth lies just below 1, where the step is half
  EXPECT_NEAR(measure(array({1 - 0x1p-8}, {0}), t, bf16).max_ulp, 1, 0x1p-50);
  EXPECT_NEAR(measure(array({1 + 0x1p-7}, {0}), t, bf16).max_ulp, 2, 0x1p-50);
  t.hi.re[0] = -1;
  t.lo.re[0] = 0x1p-60;
  EXPECT_NEAR(measure(array({-1 + 0x1p-8}, {0}), t, bf16).max_ulp, 1, 0x1p-50);
  t.lo.re[0] = -0x1p-60;
  EXPECT_NEAR(measure(array({-1 + 0x1p-8}, {0}), t, bf16).max_ulp, 0.5, 0x1p-50);
}

TEST(Measure, WithoutItsGainAResultHasTheNoiseThatIsLeft) {
  const auto t = exactly(array({3, -1, 2, -2}, {4, 2, 0, 1}));
  for (const double factor : {0.75, 1.0, -1.0, 1000.0, 0x1p-900}) {
    ComplexArray<double> y = t.hi;
    for (auto* part : {&y.re, &y.im})
      for (double& value : *part) value *= factor;
    EXPECT_EQ(measure(y, t, fp32).without_gain_rel, 0) << factor;
    EXPECT_EQ(measure(y, t, fp32).snr_no_gain_db, infinity) << factor;
    y.re[0] += 4 * factor;  // across to 3 + 4i
    y.im[0] -= 3 * factor;
    EXPECT_NEAR(measure(y, t, fp32).without_gain_rel, 5 / std::sqrt(39.0), 1e-15) << factor;
  }
}

TEST(Measure, SizesThatDisagreeAreAnInputError) {
  EXPECT_THROW(measure(ComplexArray<double>(2), exactly(ComplexArray<double>(3)), fp32),
               InputError);
}

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

TEST(Measure, WithoutItsGainAnErrorFarBelowTheGainIsSeen) {
  const Data s = random_data("", 200, -3, 3, 50, 5);
  const double noise = measure(s.y, s.t, fp64).without_gain_rel;
  ComplexArray<double> y = s.y;
  for (auto* part : {&y.re, &y.im})
    for (double& value : *part) value *= 1.1;
  const Errors found = measure(y, s.t, fp64);
  EXPECT_GT(found.l2_rel, 0.09);
  EXPECT_TRUE(same_measures(found, judge(y, s.t, fp64)));
  EXPECT_NEAR(found.without_gain_rel, noise, 0.1 * noise);
  EXPECT_LT(found.radius.without_gain_rel, 0x1p-40 * noise);
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

/// An error of any size relative to a truth of 1, which cancels with the output.
TEST(Measure, LogarithmsAreThoseOfMpfr) {
  std::mt19937_64 generator(5);
  for (int i = 0; i < 20000; ++i) {
    const double error = i < 1000 ? 1 + std::ldexp(static_cast<double>(i - 500), -52)
                                  : std::ldexp(1 + static_cast<double>(generator() >> 12) * 0x1p-52,
                                               static_cast<int>(generator() % 90) - 80);
    Truth truth{.hi = array({1}, {0}), .lo = array({-error}, {0}), .n = 1};
    const Errors found = measure(array({1}, {0}), truth, fp64);
    ASSERT_EQ(found.l2_rel, error);
    truth::Real bits(error, 53);
    mpfr_log2(bits, bits, MPFR_RNDN);
    truth::Real decibels(error, 64);
    mpfr_log10(decibels, decibels, MPFR_RNDN);
    mpfr_mul_si(decibels, decibels, -20, MPFR_RNDN);
    ASSERT_EQ(found.bits_l2, 0 - mpfr_get_d(bits, MPFR_RNDN)) << error;
    ASSERT_EQ(found.snr_db, 0 + mpfr_get_d(decibels, MPFR_RNDN)) << error;
  }
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
    const ComplexArray<double> none(size);
    EXPECT_TRUE(
        same_measures(measure(none, exactly(many), fp32), judge(none, exactly(many), fp32, bits)))
        << "errors along truths of " << small;
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

/// x exact, t at distances of up to `distance` relative to its elements, y at 2^-6.
struct Near {
  ComplexArray<double> x;
  ComplexArray<double> y;
  Truth t;
};
Near near(std::size_t size, double distance, double scale, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> significand(1.1, 1.9);  // no power of two lies between
  std::uniform_real_distribution<double> signs(-1, 1);
  Near found{ComplexArray<double>(size), ComplexArray<double>(size), {}};
  found.t = exactly(ComplexArray<double>(size));
  double worst = 0;
  for (std::size_t j = 0; j < size; ++j) {
    for (auto part : {&ComplexArray<double>::re, &ComplexArray<double>::im}) {
      const double x = scale * std::ldexp(significand(generator), static_cast<int>(j % 5));
      (found.x.*part)[j] = x;
      (found.y.*part)[j] = x * (1 + 0x1p-6 * signs(generator));
      (found.t.hi.*part)[j] = x * (1 + distance * signs(generator));
    }
    worst = std::max({worst, std::fabs(found.t.hi.re[j] - found.x.re[j]),
                      std::fabs(found.t.hi.im[j] - found.x.im[j])});
  }
  constexpr double up = 1 + 0x1p-40;
  found.t.radius_rel = up * judge(found.x, found.t, fp32).l2_rel;
  found.t.element_radius = {up * std::sqrt(2.0) * worst};
  return found;
}

TEST(MeasureRadius, HoldsTheMeasureAgainstTheExactTransform) {
  for (const double scale : {1.0, 0x1p-900, 0x1p1010, 0x1p-1000})
    for (const double distance : {0.0, 0x1p-50, 0x1p-30, 0x1p-9, 0x1p-4})
      for (const bool elements : {true, false})
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
          Near data = near(37, distance, scale, seed);
          if (!elements) data.t.element_radius.clear();

          const auto found = values_of(measure(data.y, data.t, fp32));

          const auto exact = values_of(judge(data.y, exactly(data.x), fp32));
          for (std::size_t i = 0; i < certified; ++i) {
            EXPECT_LE(std::fabs(found[i] - exact[i]), found[first_radius + i])
                << "measure " << i << ", " << show(found[i]) << ", exact " << show(exact[i])
                << ", distance " << distance << ", scale " << scale << ", seed " << seed;
            EXPECT_TRUE(distance >= 0x1p-9 ||
                        found[first_radius + i] < 0x1p-3 * found[i] + 0x1p-1000)
                << "measure " << i << " is known to " << found[first_radius + i] << " only";
          }
        }
}

TEST(MeasureRadius, IsReached) {
  // t is off towards y: the norms by all that their radius allows, the parts by 1/sqrt(2) of it.
  for (const double distance : {0x1p-20, 0.25}) {
    const double whole = 1.5 * (1 - distance);
    const ComplexArray<double> x = array({whole, whole}, {whole, whole});
    const ComplexArray<double> y = array({1.75, 1.75}, {1.75, 1.75});
    Truth t = exactly(array({1.5, 1.5}, {1.5, 1.5}));
    t.radius_rel = distance * (1 + 0x1p-30);
    t.element_radius = {std::sqrt(2.0) * 1.5 * distance * (1 + 0x1p-30)};

    const auto found = values_of(measure(y, t, bf16));

    const auto exact = values_of(judge(y, exactly(x), bf16));
    for (std::size_t i = 0; i < certified; ++i) {
      const double off = std::fabs(found[i] - exact[i]);
      EXPECT_LE(off, found[first_radius + i]) << "measure " << i << ", distance " << distance;
      if (i == 10) continue;  // t has the direction of x
      EXPECT_GE(off, found[first_radius + i] * (i < 3 || i == 7 ? 0.999 : 0.6)) << "measure " << i;
    }
  }
}

TEST(MeasureRadius, OfARestIsReachedWhereTheTruthTurnsTowardsTheResult) {
  for (const double turn : {0x1p-20, 0.25}) {
    Truth t = exactly(array({1, turn}, {0, 0}));
    t.radius_rel = turn / std::sqrt(1 + turn * turn) * (1 + 0x1p-30);

    const Errors found = measure(array({1, 0.5}, {0, 0}), t, bf16);

    const double off = 0.5 - found.without_gain_rel;
    EXPECT_LE(off, found.radius.without_gain_rel) << turn;
    EXPECT_GE(off, 0.999 * found.radius.without_gain_rel) << turn;
  }
}

TEST(MeasureRadius, IsInTheSmallestSteps) {
  Truth t = exactly(array({1}, {1}));
  t.radius_rel = 1;
  t.element_radius = {0x1p-10};
  const auto max_ulp = [&] { return measure(t.hi, t, bf16).radius.max_ulp; };
  t.lo.re[0] = -0x1p-60;  // just below 1, where the step is 2^-8
  EXPECT_GE(max_ulp(), 0x1p-2);
  t.hi.re[0] = 0x1.8p-9;
  EXPECT_GE(max_ulp(), 0x1p6);
  std::swap(t.hi.re, t.hi.im);
  std::swap(t.lo.re, t.lo.im);
  EXPECT_GE(max_ulp(), 0x1p6);
}

TEST(MeasureRadius, KnowsNothingWhereATruthMayBeZero) {
  Truth t = exactly(array({1, 0}, {1, 1}));
  t.radius_rel = 0x1p-80;
  t.element_radius = {0x1p-80};

  const Errors found = measure(array({1, 0}, {1, 1.5}), t, fp32);

  EXPECT_EQ(found.radius.re_max_rel, infinity);
  EXPECT_LT(found.radius.im_max_rel, 0x1p-49);
  t.element_radius.clear();
  t.radius_rel = 1;
  const Errors vague = measure(array({1, 0}, {1, 1.5}), t, fp32);
  EXPECT_EQ(vague.radius.l2_rel, infinity);
  EXPECT_EQ(vague.radius.linf_rel, infinity);
  EXPECT_EQ(vague.radius.l1_rel, infinity);
}

TEST(MeasureRadius, TakesTheSmallerOfBothCertificates) {
  Truth t = exactly(array({3, 1}, {4, 1}));
  t.radius_rel = 0x1p-60;
  const auto radius = [&] { return measure(array({3, 1}, {4, 1}), t, fp32).radius; };
  const double of_norm = radius().linf_rel;
  t.element_radius = {0x1p-62};
  EXPECT_LT(radius().linf_rel, of_norm / 2);
  t.element_radius = {1};
  EXPECT_EQ(radius().linf_rel, of_norm);
}

TEST(MeasureRadius, IsThatOfTheWorstItem) {
  Truth t = exactly(array({1, 1, 1, 1}, {1, 1, 1, 1}));
  t.n = 2;
  t.radius_rel = 0.5;
  t.element_radius = {0, 0x1p-30};

  const auto radius = measure(t.hi, t, fp32).radius;

  EXPECT_GE(radius.im_max_rel, 0x1p-30);
  EXPECT_GE(radius.l1_rel, 2 * 0x1p-30 / (4 * std::sqrt(2.0)));
  EXPECT_LE(radius.l1_rel, 3 * 0x1p-30 / (4 * std::sqrt(2.0)));
}

TEST(MeasureRadius, IsNanOrInfiniteWithItsMeasure) {
  const Truth t = exactly(array({1}, {1}));
  for (const double bad : {nan, infinity}) {
    const auto found = values_of(measure(array({bad}, {bad}), t, fp32));
    for (std::size_t i = 0; i < certified; ++i)
      EXPECT_TRUE(same_value(found[first_radius + i], i == 7 ? nan : bad)) << i;
  }
}

}  // namespace
}  // namespace fftprec::testing
