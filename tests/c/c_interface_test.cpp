/// The C interface against the rows, truths and roundings of the library that it stands on, with
/// every code that it gives.
#include <fftprec/fftprec_c.h>
#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "arith/formats/round.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {

namespace {

using ::testing::StartsWith;

std::vector<double> interleaved(const ComplexArray<double>& x) {
  std::vector<double> all;
  for (std::size_t i = 0; i < x.size(); ++i) all.insert(all.end(), {x.re[i], x.im[i]});
  return all;
}

ComplexArray<double> split(const std::vector<double>& x) {
  ComplexArray<double> parts(x.size() / 2);
  for (std::size_t i = 0; i < x.size(); ++i) (i % 2 == 0 ? parts.re : parts.im)[i / 2] = x[i];
  return parts;
}

/// A struct of the interface with nothing set but its size.
template <class Struct>
Struct sized() {
  Struct unset{};
  unset.size = sizeof unset;
  return unset;
}

/// The case as C hands it over; the strings must outlive it.
fftprec_case c_case(const Case& where) {
  return {.size = sizeof(fftprec_case),
          .transform = where.transform.c_str(),
          .algorithm = where.algorithm.c_str(),
          .mode = where.mode.c_str(),
          .machine = where.machine.c_str(),
          .tables = where.tables.c_str(),
          .n = where.n,
          .batch = where.batch,
          .rounding_points = where.rounding_points.c_str(),
          .scale = where.scale.c_str()};
}

/// That a call failed so, with a text that contains `text`.
void expect_failed(fftprec_status got, fftprec_status wanted, const std::string& text) {
  EXPECT_EQ(got, wanted) << text;
  EXPECT_THAT(std::string(fftprec_last_error()), holds(text));
}

const std::vector<Case> cases{
    {.algorithm = "radix2-dit", .mode = "bf16", .n = 64, .batch = 3},
    {.algorithm = "dft-gemm", .mode = "ozaki", .machine = "trn-rz", .n = 32},
    {.algorithm = "stockham-r2", .tables = "fp32-angle", .n = 128},
    {.algorithm = "bluestein", .mode = "fp64", .n = 60},
    {.algorithm = "split-radix", .mode = "fast", .n = 32},
    {.transform = "fft2:rows=4", .mode = "fp16", .n = 8, .batch = 2},
    {.transform = "rfft", .n = 64, .batch = 2},
    {.mode = "bf16", .n = 64, .rounding_points = "pass:3", .scale = "input:2^-5"},
    {.transform = "irfft", .n = 64},
    {.transform = "stft", .n = 64},
    {.transform = "dct2", .n = 32},
    {.transform = "cgemm:out=3", .algorithm = "gemm", .mode = "bf16", .n = 16, .batch = 2},
    {.transform = "cconv1d:taps=5", .algorithm = "direct-conv", .n = 16},
};

class CInterface : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const FftFunction<double> throws = [](auto x, auto) {
      if (x.size() == 4) throw std::bad_alloc();
      throw std::runtime_error("broken");
    };
    register_algorithm("throws", "throws", throws);
  }
};

}  // namespace

TEST_F(CInterface, ComputesAndMeasuresWhatARowSays) {
  for (const Case& where : cases) {
    SCOPED_TRACE(command_of(where));
    const Problem problem = make_problem(problem_key(where));
    const Row row = evaluate(where, problem);
    ASSERT_EQ(row.status, Status::ok) << row.message;
    const fftprec_case which = c_case(where);
    const std::vector<double> x = interleaved(problem.input);
    std::size_t output_count = 0;
    std::size_t items = 0;
    ASSERT_EQ(fftprec_sizes(&which, problem.input.size(), &output_count, &items), FFTPREC_OK);
    EXPECT_EQ(output_count, problem.truth.hi.size());
    EXPECT_EQ(items, where.batch);

    std::vector<double> y(2 * output_count);
    ASSERT_EQ(fftprec_compute(&which, x.data(), problem.input.size(), y.data(), output_count),
              FFTPREC_OK)
        << fftprec_last_error();
    EXPECT_EQ(output_hash(Output{split(y), {}, {}, false, 0}), row.output_hash);

    auto metrics = sized<fftprec_metrics>();
    const char* format = where.mode == "fp64" ? nullptr : "fp32";
    ASSERT_EQ(fftprec_measure(&which, y.data(), output_count, x.data(), problem.input.size(),
                              nullptr, format, &metrics),
              FFTPREC_OK)
        << fftprec_last_error();
    using Metrics = fftprec_metrics;
    for (const auto& [given, in_row] : {std::pair{&Metrics::err_l2_rel, &Row::err_l2_rel},
                                        {&Metrics::err_linf_rel, &Row::err_linf_rel},
                                        {&Metrics::err_l1_rel, &Row::err_l1_rel},
                                        {&Metrics::err_re_max_rel, &Row::err_re_max_rel},
                                        {&Metrics::err_im_max_rel, &Row::err_im_max_rel},
                                        {&Metrics::bits_l2, &Row::bits_l2},
                                        {&Metrics::snr_db, &Row::snr_db},
                                        {&Metrics::gain, &Row::gain},
                                        {&Metrics::err_linf_abs, &Row::err_linf_abs},
                                        {&Metrics::err_mean_rel, &Row::err_mean_rel},
                                        {&Metrics::snr_no_gain_db, &Row::snr_no_gain_db}})
      EXPECT_EQ(metrics.*given, row.*in_row);
    EXPECT_EQ(metrics.truth_bits, static_cast<std::int64_t>(row.truth_bits.value()));
    if (where.mode == "fp32" || where.mode == "fp64") {
      EXPECT_EQ(metrics.err_max_ulp, row.err_max_ulp);
      EXPECT_EQ(metrics.err_rms_ulp, row.err_rms_ulp);
    }
    EXPECT_STREQ(metrics.suspicion, "");
    EXPECT_STREQ(metrics.not_finite, "");
  }
}

TEST_F(CInterface, GivesTheTruthOfEveryItem) {
  for (const Case& where : cases) {
    SCOPED_TRACE(command_of(where));
    const Problem problem = make_problem(problem_key(where));
    const fftprec_case which = c_case(where);
    const std::vector<double> x = interleaved(problem.input);
    const std::size_t count = problem.truth.hi.size();
    std::vector<double> value(2 * count);
    std::vector<double> lo(2 * count);
    std::vector<double> radius(where.batch);
    std::int32_t bits = 0;
    ASSERT_EQ(fftprec_truth(&which, x.data(), problem.input.size(), value.data(), lo.data(), count,
                            radius.data(), where.batch, &bits),
              FFTPREC_OK)
        << fftprec_last_error();
    EXPECT_EQ(split(value), problem.truth.hi);
    EXPECT_EQ(split(lo), problem.truth.lo);
    EXPECT_EQ(radius, problem.truth.element_radius);
    EXPECT_EQ(bits, problem.truth.bits);
    std::vector<double> alone(2 * count);
    ASSERT_EQ(fftprec_truth(&which, x.data(), problem.input.size(), alone.data(), nullptr, count,
                            nullptr, 0, nullptr),
              FFTPREC_OK);
    EXPECT_EQ(alone, value);
  }
}

TEST_F(CInterface, RoundsInEveryFormatAndRounding) {
  std::vector<double> x;
  std::vector<float> narrow;
  for (int i = -500; i < 500; ++i) {
    x.push_back(i * 0x1.23456789p-9);
    narrow.push_back(static_cast<float>(x.back()));
  }
  x.push_back(std::numeric_limits<double>::infinity());  // NaN in formats without it
  for (const NamedFormat& format : named_formats())
    for (const NamedRounding& how : named_roundings()) {
      SCOPED_TRACE(std::string(format.name) + " " + std::string(how.name));
      std::vector<double> out = x;
      ASSERT_EQ(fftprec_round(out.data(), out.size(), out.data(), std::string(format.name).c_str(),
                              std::string(how.name).c_str(), 8, 42),
                FFTPREC_OK);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const StochasticRounding stochastic{.bits = 8, .seed = 42, .variant = how.variant};
        const double wanted = how.rounding == Rounding::sr
                                  ? round_stochastic(x[i], format.format, stochastic, i)
                                  : fftprec::round(x[i], format.format, how.rounding);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(out[i]), std::bit_cast<std::uint64_t>(wanted))
            << x[i];
      }
    }
  std::vector<float> out(narrow.size());
  ASSERT_EQ(fftprec_roundf(narrow.data(), narrow.size(), out.data(), "bf16", nullptr, 0, 0),
            FFTPREC_OK);
  for (std::size_t i = 0; i < narrow.size(); ++i)
    EXPECT_EQ(out[i], fftprec::round(narrow[i], bf16, Rounding::rne));
}

TEST_F(CInterface, TakesNullAndZeroForTheDefaults) {
  const ComplexArray<double> input = make_input("gaussian", 32, 1, 1);
  const std::vector<double> x = interleaved(input);
  const Case usual{.n = 32};
  const auto zeros = sized<fftprec_case>();
  const fftprec_case all = c_case(usual);
  std::array<std::vector<double>, 3> y;
  for (std::vector<double>& each : y) each.resize(64);
  EXPECT_EQ(fftprec_compute(nullptr, x.data(), 32, y[0].data(), 32), FFTPREC_OK);
  EXPECT_EQ(fftprec_compute(&zeros, x.data(), 32, y[1].data(), 32), FFTPREC_OK);
  EXPECT_EQ(fftprec_compute(&all, x.data(), 32, y[2].data(), 32), FFTPREC_OK);
  EXPECT_NE(y[0], std::vector<double>(64));
  EXPECT_EQ(y[0], y[1]);
  EXPECT_EQ(y[0], y[2]);

  // Here the machine matters.
  fftprec_case gemm = zeros;
  gemm.algorithm = "dft-gemm";
  EXPECT_EQ(fftprec_compute(&gemm, x.data(), 32, y[0].data(), 32), FFTPREC_OK);
  gemm.machine = "trn";
  EXPECT_EQ(fftprec_compute(&gemm, x.data(), 32, y[1].data(), 32), FFTPREC_OK);
  gemm.machine = "ieee";
  EXPECT_EQ(fftprec_compute(&gemm, x.data(), 32, y[2].data(), 32), FFTPREC_OK);
  EXPECT_EQ(y[0], y[1]);
  EXPECT_NE(y[0], y[2]);
  const TemporaryDirectory directory;
  write_text(directory / "machine.toml", "preset = \"ieee\"\n");
  const std::string machine = "file:" + (directory / "machine.toml").string();
  gemm.machine = machine.c_str();
  EXPECT_EQ(fftprec_compute(&gemm, x.data(), 32, y[1].data(), 32), FFTPREC_OK);
  EXPECT_EQ(y[1], y[2]);

  // Without n, of a spectrum of real data the even length is meant.
  fftprec_case half = zeros;
  half.transform = "irfft";
  std::size_t count = 0;
  std::size_t items = 0;
  EXPECT_EQ(fftprec_sizes(&half, 33, &count, &items), FFTPREC_OK);
  EXPECT_EQ(count, 64U);
}

TEST_F(CInterface, SaysWhatAResultMayBe) {
  const ComplexArray<double> input = make_input("gaussian", 64, 1, 1);
  const std::vector<double> x = interleaved(input);
  std::vector<double> y(128);
  ASSERT_EQ(fftprec_compute(nullptr, x.data(), 64, y.data(), 64), FFTPREC_OK);
  for (double& value : y) value /= 8;
  auto metrics = sized<fftprec_metrics>();
  const auto measure = [&](const char* norm) {
    return fftprec_measure(nullptr, y.data(), 64, x.data(), 64, norm, "fp32", &metrics);
  };
  ASSERT_EQ(measure(nullptr), FFTPREC_OK);
  EXPECT_THAT(metrics.suspicion, holds("--norm ortho?"));
  ASSERT_EQ(measure("ortho"), FFTPREC_OK);
  EXPECT_STREQ(metrics.suspicion, "");
  EXPECT_LT(metrics.err_l2_rel, 1e-6);
  y[5] = std::nan("");
  ASSERT_EQ(measure(nullptr), FFTPREC_OK);
  EXPECT_THAT(metrics.not_finite, holds("1 of 64 values"));
  for (const double value :
       {metrics.err_l2_rel, metrics.err_linf_rel, metrics.err_l1_rel, metrics.err_re_max_rel,
        metrics.err_im_max_rel, metrics.err_max_ulp, metrics.err_rms_ulp})
    EXPECT_TRUE(std::isnan(value));
}

TEST_F(CInterface, GivesACodeAndATextForEverythingThatIsWrong) {
  std::vector<double> x(16, 1);
  std::vector<double> y(16, 7);
  const std::vector<double> untouched = y;
  float narrow = 1;
  std::size_t count = 0;
  std::size_t items = 0;
  auto metrics = sized<fftprec_metrics>();
  const auto compute = [&](const fftprec_case& which, std::size_t given = 8) {
    return fftprec_compute(&which, x.data(), given, y.data(), 8);
  };
  const auto usual = sized<fftprec_case>();
  const auto with = [&]<class T>(T fftprec_case::*member, std::type_identity_t<T> value) {
    fftprec_case which = usual;
    which.*member = value;
    return which;
  };

  const auto refused = [](fftprec_status got, const std::string& text) {
    expect_failed(got, FFTPREC_BAD_INPUT, text);
  };
  const auto measure = [&](const double* of_y, std::size_t count_y, const double* of_x,
                           const char* norm, const char* format, fftprec_metrics* to) {
    return fftprec_measure(nullptr, of_y, count_y, of_x, 8, norm, format, to);
  };
  const auto truth_of = [&](const double* of_x, double* value, std::size_t values = 8,
                            double* radii = nullptr, std::size_t radius_count = 0) {
    return fftprec_truth(nullptr, of_x, 8, value, nullptr, values, radii, radius_count, nullptr);
  };
  const auto round = [](const double* from, double* to, const char* format, const char* how) {
    return fftprec_round(from, 4, to, format, how, 0, 0);
  };

  // Every name, with those that are known.
  refused(compute(with(&fftprec_case::transform, "rfft3")),
          "unknown transform 'rfft3'; did you mean 'rfft'?; near it: rfft, rfft2, ");
  refused(compute(with(&fftprec_case::algorithm, "radix")), "unknown algorithm 'radix'");
  refused(compute(with(&fftprec_case::mode, "b16")), "did you mean 'bf16'");
  refused(compute(with(&fftprec_case::machine, "trm")), "did you mean");
  refused(compute(with(&fftprec_case::rounding_points, "stages")), "did you mean");
  refused(compute(with(&fftprec_case::scale, "input:2")), "input:2^K");
  refused(compute(with(&fftprec_case::tables, "exactly")),
          "unknown tables 'exactly'; known: exact, ");
  refused(round(x.data(), y.data(), "fp17", nullptr), "unknown format 'fp17'");
  refused(round(x.data(), y.data(), "bf16", "up"), "unknown rounding 'up'");
  refused(measure(y.data(), 8, x.data(), "none", nullptr, &metrics), "unknown norm 'none'");
  refused(measure(y.data(), 8, x.data(), nullptr, "fp17", &metrics), "unknown format 'fp17'");

  // Values.
  refused(round(x.data(), y.data(), "bf16", "sr"), "takes 1 to 53 bits, not 0");
  refused(fftprec_roundf(&narrow, 1, &narrow, "fp16", "sr", 54, 0), "54");
  x[5] = std::nan("");
  refused(compute(usual), "input element 2 is not finite");
  refused(truth_of(x.data(), y.data()), "input element 2 is not finite");
  x[5] = 1;
  refused(compute(with(&fftprec_case::transform, "dct2")),
          "the imaginary part of element 0 is not zero");

  // Sizes.
  refused(compute(with(&fftprec_case::n, 5)),
          "fft of n = 5 takes 5 values, and 5 for each further item; the input holds 8");
  refused(compute(with(&fftprec_case::n, 64)), "the input holds only 8");
  refused(compute(with(&fftprec_case::batch, 2)), "the input holds 1 items, and batch is 2");
  refused(compute(usual, 0), "n = 0");
  refused(compute(usual, 4), "output_count is 8, but fft of n = 4, batch 1, gives 4");
  refused(truth_of(x.data(), y.data(), 7), "output_count is 7");
  double radius[2] = {7, 7};
  refused(truth_of(x.data(), y.data(), 8, radius, 2), "items is 2");
  refused(measure(y.data(), 7, x.data(), nullptr, nullptr, &metrics),
          "gives 8 values; the output holds 7");

  // NULL, each in its place.
  refused(round(nullptr, y.data(), "bf16", nullptr), "x is NULL");
  refused(round(x.data(), nullptr, "bf16", nullptr), "out is NULL");
  refused(fftprec_roundf(&narrow, 1, &narrow, nullptr, nullptr, 0, 0), "format is NULL");
  refused(fftprec_sizes(nullptr, 8, nullptr, &items), "output_count is NULL");
  refused(fftprec_sizes(nullptr, 8, &count, nullptr), "items is NULL");
  refused(fftprec_compute(nullptr, nullptr, 8, y.data(), 8), "x is NULL");
  refused(fftprec_compute(nullptr, x.data(), 8, nullptr, 8), "y is NULL");
  refused(truth_of(nullptr, y.data()), "x is NULL");
  refused(truth_of(x.data(), nullptr), "value is NULL");
  refused(measure(nullptr, 8, x.data(), nullptr, nullptr, &metrics), "y is NULL");
  refused(measure(y.data(), 8, nullptr, nullptr, nullptr, &metrics), "x is NULL");
  refused(measure(y.data(), 8, x.data(), nullptr, nullptr, nullptr), "metrics is NULL");

  // The other codes.
  expect_failed(fftprec_compute(nullptr, x.data(), 6, y.data(), 6), FFTPREC_NOT_APPLICABLE,
                "n = 2^k");
  fftprec_case broken = with(&fftprec_case::algorithm, "throws");
  broken.mode = "fp64";
  expect_failed(compute(broken), FFTPREC_FAILED, "broken");
  std::fesetround(FE_UPWARD);
  const fftprec_status upward = compute(usual);
  std::fesetround(FE_TONEAREST);
  expect_failed(upward, FFTPREC_FAILED, "this thread's arithmetic: ");
  expect_failed(fftprec_compute(&broken, x.data(), 4, y.data(), 4), FFTPREC_NO_MEMORY, "no memory");
  constexpr std::size_t too_many = std::size_t{1} << 62;
  expect_failed(fftprec_sizes(nullptr, too_many, &count, &items), FFTPREC_NO_MEMORY, "no memory");

  // What failed has touched nothing, and what succeeds clears the text.
  EXPECT_EQ(y, untouched);
  EXPECT_EQ(narrow, 1);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(items, 0U);
  EXPECT_EQ(radius[0], 7);
  EXPECT_EQ(metrics.err_l2_rel, 0);
  EXPECT_EQ(fftprec_sizes(nullptr, 8, &count, &items), FFTPREC_OK);
  EXPECT_STREQ(fftprec_last_error(), "");
}

/// Callers that were compiled with another version of the header.
TEST_F(CInterface, KeepsStructsOfOtherVersions) {
  struct Later {
    fftprec_case known;
    const char* added;
  };
  Later later{};
  later.known.size = sizeof later;
  std::size_t count = 0;
  std::size_t items = 0;
  EXPECT_EQ(fftprec_sizes(&later.known, 8, &count, &items), FFTPREC_OK);
  later.added = "set";
  expect_failed(fftprec_sizes(&later.known, 8, &count, &items), FFTPREC_BAD_INPUT,
                "a member is set that version 3 does not know");
  const fftprec_case unset{};
  expect_failed(fftprec_sizes(&unset, 8, &count, &items), FFTPREC_BAD_INPUT,
                "fftprec_case: size is 0");

  struct LaterMetrics {
    fftprec_metrics known;
    double added;
  };
  LaterMetrics metrics{{}, 7};
  metrics.known.size = sizeof metrics;
  const std::vector<double> x(16, 1);
  std::vector<double> y(16);
  ASSERT_EQ(fftprec_compute(nullptr, x.data(), 8, y.data(), 8), FFTPREC_OK);
  const auto measure = [&] {
    return fftprec_measure(nullptr, y.data(), 8, x.data(), 8, nullptr, nullptr, &metrics.known);
  };
  EXPECT_EQ(measure(), FFTPREC_OK);
  EXPECT_EQ(metrics.known.size, sizeof(LaterMetrics));
  EXPECT_EQ(metrics.added, 7);
  metrics.known.size = 8;
  expect_failed(measure(), FFTPREC_BAD_INPUT, "fftprec_metrics: size is 8");
}

TEST_F(CInterface, KeepsTheErrorsOfThreadsApart) {
  const std::vector<double> x = interleaved(make_input("gaussian", 64, 1, 1));
  std::vector<double> wanted(128);
  ASSERT_EQ(fftprec_compute(nullptr, x.data(), 64, wanted.data(), 64), FFTPREC_OK);
  const auto work = [&](const char* mode) {
    auto which = sized<fftprec_case>();
    for (int i = 0; i < 50; ++i) {
      std::vector<double> y(128);
      which.mode = nullptr;
      EXPECT_EQ(fftprec_compute(&which, x.data(), 64, y.data(), 64), FFTPREC_OK);
      EXPECT_STREQ(fftprec_last_error(), "");
      EXPECT_EQ(y, wanted);
      which.mode = mode;
      EXPECT_EQ(fftprec_compute(&which, x.data(), 64, y.data(), 64), FFTPREC_BAD_INPUT);
      EXPECT_THAT(std::string(fftprec_last_error()),
                  StartsWith("unknown mode '" + std::string(mode) + "'"));
    }
  };
  std::thread first(work, "one");
  std::thread second(work, "two");
  first.join();
  second.join();
  EXPECT_STREQ(fftprec_last_error(), "");
}

TEST_F(CInterface, SaysItsVersions) {
  EXPECT_EQ(fftprec_c_version(), FFTPREC_C_VERSION);
  EXPECT_THAT(fftprec_version(), ::testing::MatchesRegex("[0-9]+[.][0-9]+[.][0-9]+"));
}

}  // namespace fftprec::testing
