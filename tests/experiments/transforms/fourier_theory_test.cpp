/// Theory against measurement for the transforms over axes and the cosine transforms.
#include <algorithm>
#include <cmath>
#include <memory>

#include "algorithms/theory/schemes.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/experiments/algorithms/expected_errors.hpp"
#include "tests/experiments/transforms/fourier_transforms.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

/// The row of a case, or nothing where it has no meaning.
std::optional<Row> row_of(Session& session, const Case& where, const Problem& problem) {
  try {
    const Row row = evaluate(session.plan(where), problem);
    if (row.status == Status::ok) return row;
  } catch (const NotApplicable&) {
  }
  return std::nullopt;
}

}  // namespace

class FourierReference : public PerFourierTransform {};

TEST_P(FourierReference, IsNotLargerThanWithTheWorstData) {
  const TransformEntry transform = transform_named(GetParam().name);
  if (!transform.reference_norm) {
    EXPECT_FALSE(transform.most_reference);
    return;
  }
  ASSERT_EQ(transform.most_reference.has_value(), !GetParam().name.starts_with("mdct"));
  if (!transform.most_reference) return;  // folding may lose all of the data
  double largest = 0;
  for (const std::size_t n : GetParam().lengths)
    for (const char* input : {"gaussian", "tone", "impulse", "cancelling", "dc"}) {
      const Problem problem = make_problem({GetParam().name, n, 1, input, 2});
      const double norm = transform.reference_norm(problem.input, n, 1);
      const double ratio = norm / truth::l2_norm(problem.truth.hi);
      if (norm == 0) continue;
      EXPECT_LE(ratio, *transform.most_reference * (1 + 1e-12)) << "n = " << n << ", " << input;
      largest = std::max(largest, ratio);
    }
  EXPECT_GT(largest, 0.75 * *transform.most_reference);
}

INSTANTIATE_TEST_SUITE_P(Fourier, FourierReference, every_fourier_transform(), name_of_transform);

class FourierBound : public PerFourierTransform {};

TEST_P(FourierBound, HoldsInEveryModeForEveryInput) {
  Session session;
  std::vector<std::shared_ptr<PlanTransforms>> held;  // what inputs share
  std::size_t rows = 0;
  for (const std::size_t n : GetParam().lengths)
    for (const char* input : {"gaussian", "tone", "impulse", "cancelling", "wide:phi=4"}) {
      Case where{.transform = GetParam().name, .n = n, .input = input, .seed = 2};
      const Problem problem = make_problem(problem_key(where));
      for (const char* algorithm : {"radix2-dit", "dft-gemm", "stockham-r8", "bluestein"})
        for (const Mode& mode : trnfft_modes())
          for (const char* machine : {"trn", "trn-rz"}) {
            where.algorithm = algorithm;
            where.mode = mode.name;
            where.machine = machine;
            held.push_back(session.plan(where).transforms());
            const std::optional<Row> row = row_of(session, where, problem);
            if (!row) continue;
            ++rows;
            EXPECT_LE(row->err_l2_rel.value(), row->bound_l2_rel.value()) << command_of(where);
          }
    }
  EXPECT_GE(rows, 100u);
}

/// ||error|| <= bound ||output||, of each of two rows for the same data.
TEST(FourierBoundOfHalfSpectra, IsThatOfTheWholeSpectrum) {
  for (const auto& [half, whole] : std::vector<std::pair<std::string, std::string>>{
           {"rfft", "fft"}, {"ihfft", "ifft"}, {"rfft2:rows=4", "fft2:rows=4"}})
    for (const char* input : {"gaussian", "ramp", "impulse"}) {
      Case where{.transform = half, .n = 16, .input = input};
      const Problem of_half = make_problem(problem_key(where));
      const Row half_row = evaluate(where, of_half);
      where.transform = whole;
      const Problem of_whole{of_half.input,
                             transform_named(whole).truth(of_half.input, where.n, 1, {})};
      const Row whole_row = evaluate(where, of_whole);
      const double allowed = *whole_row.bound_l2_rel * truth::l2_norm(of_whole.truth.hi);
      EXPECT_NEAR(*half_row.bound_l2_rel * truth::l2_norm(of_half.truth.hi) / allowed, 1, 0x1p-40)
          << half << ", input " << input;
    }
}

/// What the inverse does not see of an error stays, and what it adds grows by sqrt(2).
TEST(FourierBoundOfHalfSpectra, OfARefinementCountsBothTransforms) {
  Case where{.transform = "rfft", .algorithm = "dft-gemm", .n = 60, .seed = 4};
  const Problem problem = make_problem(problem_key(where));
  const auto bound = [&](const char* transform, const char* mode) {
    Case other = where;
    other.transform = transform;
    other.mode = mode;
    return *evaluate(other).bound_l2_rel;
  };
  const double forward = bound("rfft", "bf16");
  const double backward = bound("irfft", "bf16");
  const double refined = bound("rfft", "bf16_refined");
  const double share =
      std::sqrt(60.0) * truth::l2_norm(problem.input) / truth::l2_norm(problem.truth.hi);
  EXPECT_GE(refined, forward + std::sqrt(2.0) * backward * share);
  EXPECT_LE(refined, 1.2 * (forward + std::sqrt(2.0) * backward * share));
}

/// In mode bf16 a matrix product leaves fp32, which the next axis takes rounded.
TEST(FourierPrediction, HasARoundingBetweenAxes) {
  const AlgorithmEntry algorithm = algorithm_named("dft-gemm");
  const auto bound = [&](const char* transform, const char* mode) {
    const Predictor predictor(resolve(mode_named(mode), machine_named("trn")), Direction::forward,
                              {});
    return transform_named(transform).predict(predictor, algorithm, 16, 1).bound.worst;
  };
  const double u = unit_roundoff(bf16);
  const double forward = bound("fft", "bf16");
  for (const char* transform : {"fft2", "rfft2"})
    EXPECT_DOUBLE_EQ(bound(transform, "bf16"), compose(compose(forward, u), forward)) << transform;
  EXPECT_DOUBLE_EQ(bound("fftn", "bf16"),
                   compose(compose(compose(compose(forward, u), forward), u), forward));
  const double inverse = bound("ifft", "bf16");
  const ArithmeticSpec bf16_data = resolve(mode_named("bf16"), machine_named("trn"));
  const double product = scheme_theory(bf16_data)->product_error().worst;
  EXPECT_DOUBLE_EQ(bound("irfft2", "bf16"), compose(compose(inverse, u), inverse));
  EXPECT_DOUBLE_EQ(bound("dct2", "bf16"), compose(compose(forward, u), product));
  const double weight = compose(compose(u, unit_roundoff(fp64)), u);  // fl(1/sqrt 2), a product
  EXPECT_DOUBLE_EQ(bound("dct2:norm=ortho", "bf16"),
                   compose(compose(compose(bound("fft:norm=ortho", "bf16"), u), product), weight));
  EXPECT_DOUBLE_EQ(bound("dct2:norm=forward", "bf16"), bound("dct2", "bf16"));
  EXPECT_DOUBLE_EQ(bound("dct3:norm=forward", "bf16"), bound("dct3", "bf16"));
  EXPECT_DOUBLE_EQ(bound("fft2", "fp32"), compose(bound("fft", "fp32"), bound("fft", "fp32")));
}

INSTANTIATE_TEST_SUITE_P(All, FourierBound, every_fourier_transform(), name_of_transform);

struct Typical {
  std::string transform;
  std::uint64_t n;
  friend void PrintTo(const Typical& typical, std::ostream* out) {
    *out << typical.transform << ", n = " << typical.n;
  }
};

/// Whether table entries whose errors depend on the data's phases make most of the error of a
/// real result: the model says nothing of them.
bool is_silent(const Case& where) {
  const bool is_real = where.transform.starts_with("irfft") || where.transform == "hfft" ||
                       where.transform.starts_with("dct3") || where.transform == "dst3" ||
                       where.transform == "dct1" || where.transform == "dst1";
  return is_real && where.mode == "ozaki_hq" &&
         (where.algorithm == "mixed-radix" || where.algorithm == "split-radix");
}

/// Whether a few constants in fp64 make a good part of the error: their own roundings cannot be
/// seen in fp64, and are expected as the mean over all angles.
bool has_few_constants(const Case& where) {
  return where.mode == "fp64" && where.algorithm.find("butterfly=") != std::string::npos;
}

class FourierExpected : public ::testing::TestWithParam<Typical> {};

/// In the root mean square over 20 seeds, for axes of at least 64: below, the models of the FFTs
/// scatter. So they do where lengths of 8 meet the tensor engine and around convolutions; such
/// FFTs are left out.
TEST_P(FourierExpected, IsWithinAQuarterOfWhatIsMeasured) {
  constexpr int seeds = 20;
  const auto [transform, n] = GetParam();
  std::vector<Problem> problems;
  Case where{.transform = transform, .n = n};
  for (where.seed = 1; where.seed <= seeds; ++where.seed)
    problems.push_back(make_problem(problem_key(where)));
  Session session;
  std::size_t compared = 0;
  for (const char* algorithm :
       {"radix2-dit", "split-radix", "mixed-radix", "dft-gemm", "good-thomas",
        "mixed-radix:radices=2-8-4:form=frequency:butterfly=fftpack",
        "mixed-radix:order=reversed:butterfly=kissfft",
        "mixed-radix:order=reversed:butterfly=kissfft-cpp",
        "mixed-radix:radices=5-4-3-2:form=frequency:butterfly=gsl"})
    for (const Mode& mode : trnfft_modes())
      for (const char* machine : {"trn", "ieee"}) {
        where.algorithm = algorithm;
        where.mode = mode.name;
        where.machine = machine;
        const auto held = session.plan(where).transforms();  // what seeds share
        std::vector<Row> rows;
        for (where.seed = 1; where.seed <= seeds; ++where.seed) {
          const std::optional<Row> row = row_of(session, where, problems[where.seed - 1]);
          if (!row) break;
          ASSERT_NE(row->expected_l2_rel.has_value(), is_silent(where)) << command_of(where);
          if (!row->expected_l2_rel) break;
          ASSERT_LE(*row->err_l2_rel, *row->bound_l2_rel) << command_of(where);
          rows.push_back(*row);
        }
        if (rows.empty() || has_few_constants(where)) continue;
        ++compared;
        expect_as_expected(rows);
      }
  EXPECT_GE(compared, 12u);
}

INSTANTIATE_TEST_SUITE_P(
    Some, FourierExpected,
    ::testing::Values(Typical{"rfft", 100}, Typical{"rfft", 256}, Typical{"irfft", 100},
                      Typical{"irfft", 256}, Typical{"hfft", 256}, Typical{"ihfft", 100},
                      Typical{"fft2", 64}, Typical{"ifft2:rows=64", 64},
                      Typical{"rfft2:rows=100", 64}, Typical{"irfft2:rows=64", 64},
                      Typical{"irfftn:dims=2", 64}, Typical{"dct2", 100}, Typical{"dct2", 256},
                      Typical{"dct3", 100}, Typical{"dct3", 256}, Typical{"dct2:norm=ortho", 100},
                      Typical{"dct2:norm=ortho", 128}, Typical{"dct2:norm=forward", 100},
                      Typical{"dct3:norm=ortho", 100}, Typical{"dct3:norm=ortho", 128},
                      Typical{"dct3:norm=forward", 100}, Typical{"dct1", 101}, Typical{"dct1", 257},
                      Typical{"dst1", 255}, Typical{"dct4", 200}, Typical{"dct4", 256},
                      Typical{"dst2", 128}, Typical{"dst3", 128}, Typical{"dst4", 128},
                      Typical{"hartley", 100}, Typical{"hartley", 128}, Typical{"mdct", 128},
                      Typical{"mdct:window=none", 200}, Typical{"imdct", 128},
                      Typical{"imdct:window=none", 200}),
    [](const auto& typical) {
      return test_name(typical.param.transform + "_" + std::to_string(typical.param.n));
    });

}  // namespace fftprec::testing
