/// Errors after stages: nothing but the last stage's is known beforehand, so that one must be the
/// plain run's in every bit; the others are held against theory and against faults put in.
#include "experiments/attribution/stage_errors.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/attribution/traced_case.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/support/hash.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/experiments/algorithms/every_algorithm.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/peer.hpp"

namespace fftprec::attribution {

namespace {

using testing::every_algorithm;
using testing::expect_each;
using testing::holds;
using testing::name_of_algorithm;
using testing::peer;
using testing::PerAlgorithm;
using testing::plain_run;

using ::testing::ElementsAre;

ErrorSources everywhere(const StagePath&) { return ErrorSources::all(); }

std::vector<std::string> traceable_modes() {
  std::vector<std::string> names;
  for (const Mode& mode : modes())
    if (resolve(mode, machine_named("trn")).type() == ArithmeticType::floats && !mode.refinement &&
        !mode.as<FixedScheme>())
      names.push_back(mode.name);
  return names;
}

/// The traced case with everything inexact has the bits of the plain one. Whether that runs.
bool expect_the_plain_bits(const Case& where) {
  SCOPED_TRACE(command_of(where));
  const auto plain = plain_run(where);
  if (!plain) return false;
  StageTrace trace(everywhere);
  EXPECT_EQ(array_hash(TracedCase(where).run(plain->input, trace)), array_hash(plain->result));
  EXPECT_FALSE(trace.seen().contains(StagePath{})) << "something is done outside of all stages";
  return true;
}

/// A stage that is done by the machine takes what such stages gave it: marks are in the order of
/// the data, though blocks of these are not worked on in that order.
void expect_marks_in_order(const Case& where) {
  const TracedCase traced(where);
  const ComplexArray<double> input = traced.resolved().transform.make_input(
      input_named("gaussian"), where.n, where.batch, where.seed);
  StageTrace all(everywhere);
  traced.run(input, all);
  for (const StagePath& last : all.seen()) {
    StageTrace trace(
        [&](const StagePath& path) { return path <= last ? ErrorSources::all() : ErrorSources{}; });
    traced.run(input, trace);
    EXPECT_FALSE(trace.has_rounded()) << command_of(where) << " up to " << title_of(last);
  }
}

std::vector<std::string> titles(const Case& where) {
  const Problem problem = make_problem(problem_key(where));
  std::vector<std::string> names;
  for (const StageError& stage : stage_errors(where, problem).stages) names.push_back(stage.title);
  return names;
}

}  // namespace

using EveryAlgorithmTraced = PerAlgorithm;
INSTANTIATE_TEST_SUITE_P(, EveryAlgorithmTraced, every_algorithm(), name_of_algorithm);

TEST_P(EveryAlgorithmTraced, HasThePlainBitsAfterItsLastStage) {
  std::size_t compared = 0;
  for (const std::string& mode : traceable_modes())
    for (const std::string machine : {"trn", "trn-elided", "trn-sr", "trn3-bf16psum", "amd-cdna3"})
      for (const std::string transform : {"fft", "ifft"})
        compared += expect_the_plain_bits({.transform = transform,
                                           .algorithm = GetParam(),
                                           .mode = mode,
                                           .machine = machine,
                                           .tables = "fp32-angle",
                                           .n = testing::length_for(GetParam()),
                                           .batch = 3});
  EXPECT_GE(compared, 5 * traceable_modes().size()) << "of 10 for each mode";
}

TEST_P(EveryAlgorithmTraced, MarksItsStagesInTheOrderOfTheData) {
  for (const std::string transform :
       {"fft", "ifft", "fft2", "irfft", "dct2:norm=ortho", "dct3:norm=forward"})
    expect_marks_in_order({.transform = transform,
                           .algorithm = GetParam(),
                           .mode = "bf16",
                           .n = testing::length_for(GetParam()),
                           .batch = 3});
}

TEST_P(EveryAlgorithmTraced, IsExactWithAllStagesExact) {
  for (const std::string transform : {"fft", "ifft"}) {
    const Case where{.transform = transform,
                     .algorithm = GetParam(),
                     .mode = "bf16",
                     .tables = "bf16-angle",
                     .n = testing::length_for(GetParam())};
    SCOPED_TRACE(command_of(where));
    const StageErrors errors = stage_errors(where, make_problem(problem_key(where)));
    EXPECT_LT(errors.floor_l2_rel, 2e-15);
    EXPECT_GT(errors.stages.back().err_l2_rel, 1e-4);
  }
}

TEST(StageErrors, EveryTransformHasThePlainBitsAfterItsLastStage) {
  std::size_t compared = 0;
  for (Case where : testing::short_cases_of_every_transform(
           {"dft-gemm", "stockham-r4", "bluestein", "gemm", "elementwise", "direct-conv"},
           {"fp32", "bf16", "ozaki", "kahan"})) {
    where.batch = 2;
    compared += expect_the_plain_bits(where);
  }
  EXPECT_GE(compared, 4 * list_transforms().size());
}

TEST(StageErrors, AreExactBeforeTheFirstStageForEveryTransform) {
  for (const Named& transform : list_transforms())
    for (const std::string algorithm : {"dft-gemm", "gemm", "elementwise", "direct-conv"}) {
      const Case where{
          .transform = transform.name, .algorithm = algorithm, .tables = "bf16-angle", .n = 16};
      if (!Session().plan(where).inapplicable().empty()) continue;
      SCOPED_TRACE(command_of(where));
      const Problem problem = make_problem(problem_key(where));
      EXPECT_LT(stage_errors(where, problem).floor_l2_rel, 1e-14);
    }
}

TEST(StageErrors, EndWithTheErrorOfTheRow) {
  for (const std::string mode : {"bf16", "ozaki_hq", "bf16_refined", "refined_fp32:2"}) {
    const Case where{.algorithm = "stockham-r8", .mode = mode, .n = 64};
    SCOPED_TRACE(command_of(where));
    const Problem problem = make_problem(problem_key(where));
    const Row row = evaluate(where, problem);
    const StageErrors errors = stage_errors(where, problem);
    EXPECT_EQ(errors.stages.back().err_l2_rel, row.err_l2_rel);
    EXPECT_EQ(errors.stages.back().err_linf_rel, row.err_linf_rel);
    if (row.expected_l2_rel &&
        Session().plan(where).resolved().arithmetic.refinement_steps() == 0) {
      EXPECT_NEAR(*errors.stages.back().expected_l2_rel, *row.expected_l2_rel,
                  1e-12 * *row.expected_l2_rel);
    }
  }
}

/// Names with keys, which no list of all algorithms has.
TEST(StageErrors, AreThoseOfThePlainRunInEveryKindOfButterfly) {
  for (const char* algorithm :
       {"radix2-dit:butterfly=linzer-feig", "radix2-dit:butterfly=clamped",
        "radix2-dit:butterfly=sine", "radix2-dit:butterfly=dual-select",
        "radix2-dit:butterfly=rader-brenner", "split-radix:pair=conjugate",
        "stockham-r4:butterfly=goedecker", "split-radix:butterfly=dual-select",
        "split-radix:pair=conjugate:butterfly=linzer-feig"})
    for (const char* mode : {"fp32", "bf16"})
      for (const char* machine : {"trn", "trn-sr"}) {
        const Case where{.transform = "ifft",
                         .algorithm = algorithm,
                         .mode = mode,
                         .machine = machine,
                         .tables = "fp32-angle",
                         .n = 64,
                         .batch = 3};
        expect_the_plain_bits(where);
        expect_marks_in_order(where);
      }
}

/// What its first stages round, its last ones multiply.
TEST(StageErrors, ShowWhereRaderAndBrennersErrorComesFrom) {
  const auto added = [](const char* algorithm) {
    const Case where{.algorithm = algorithm, .machine = "ieee", .n = 256};
    std::vector<double> all;
    for (const StageError& stage : stage_errors(where, make_problem(problem_key(where))).stages)
      all.push_back(stage.added_l2_rel);
    return all;
  };
  const std::vector<double> unstable = added("radix2-dit:butterfly=rader-brenner");
  const std::vector<double> stable = added("radix2-dit");
  EXPECT_GT(*std::max_element(unstable.begin(), unstable.end()), 100 * unstable.back());
  EXPECT_LT(*std::max_element(stable.begin(), stable.end()), 2 * stable.back());
  EXPECT_NEAR(unstable.back(), stable.back(), stable.back());
}

TEST(StageErrors, NameTheStagesInTheOrderOfTheData) {
  EXPECT_THAT(titles({.algorithm = "radix2-dit", .mode = "bf16", .n = 8}),
              ElementsAre("input rounding", "butterflies, stage 1", "butterflies, stage 2",
                          "butterflies, stage 3"));
  EXPECT_THAT(titles({.transform = "ifft", .algorithm = "radix2-dif", .mode = "bf16", .n = 4}),
              ElementsAre("input rounding", "butterflies, stage 1", "butterflies, stage 2",
                          "scaling by the norm"));
  EXPECT_THAT(titles({.algorithm = "split-radix", .mode = "bf16", .n = 16}),
              ElementsAre("input rounding", "level 1", "level 2", "level 3", "level 4"));
  EXPECT_THAT(titles({.algorithm = "stockham-r8", .n = 64}),
              ElementsAre("input rounding", "stage 1", "stage 2"));
  EXPECT_THAT(titles({.algorithm = "dft-gemm", .n = 12}),
              ElementsAre("input rounding", "matrix product"));
  EXPECT_THAT(titles({.algorithm = "direct", .n = 12}),
              ElementsAre("input rounding", "sums of products"));
  EXPECT_THAT(titles({.algorithm = "row-column", .mode = "bf16", .n = 12}),
              ElementsAre("input rounding", "column DFTs | matrix product", "twiddle product",
                          "row DFTs | matrix product"));
  EXPECT_THAT(
      titles({.algorithm = "bluestein", .n = 2}),
      ElementsAre("input rounding", "chirp before", "forward FFT | butterflies, stage 1",
                  "forward FFT | butterflies, stage 2", "response: values",
                  "response: FFT | butterflies, stage 1", "response: FFT | butterflies, stage 2",
                  "product of the spectra", "inverse FFT | butterflies, stage 1",
                  "inverse FFT | butterflies, stage 2", "inverse FFT | scaling by the norm",
                  "chirp after"));
  EXPECT_THAT(titles({.transform = "fft2", .algorithm = "dft-gemm", .mode = "bf16", .n = 4}),
              ElementsAre("input rounding", "pass 1 | matrix product", "pass 2",
                          "pass 2 | matrix product"));
  EXPECT_THAT(
      titles({.algorithm = "dft-gemm", .mode = "refined_fp32:2", .n = 8}),
      ElementsAre("input rounding", "matrix product", "refinement, step 1", "refinement, step 2"));
}

/// Each stage adds an independent error of the same size: sqrt(0.077 .. 0.5) u of bf16 per stage.
TEST(StageErrors, GrowAsTheRootOfTheStagesOfRadix2) {
  const Case where{.algorithm = "radix2-dit", .mode = "bf16", .n = 4096};
  const StageErrors errors = stage_errors(where, make_problem(problem_key(where)));
  ASSERT_EQ(errors.stages.size(), 13);
  for (std::size_t s = 4; s < errors.stages.size(); ++s) {
    const StageError& stage = errors.stages[s];
    SCOPED_TRACE(stage.title);
    EXPECT_NEAR(stage.err_l2_rel, *stage.expected_l2_rel, 0.1 * *stage.expected_l2_rel);
    const double before = errors.stages[s - 1].err_l2_rel;
    // What it adds is nearly orthogonal to what was there.
    EXPECT_NEAR(stage.err_l2_rel, std::hypot(before, stage.added_l2_rel), 0.02 * before);
  }
  const double ratio = errors.stages[12].err_l2_rel / errors.stages[6].err_l2_rel;
  EXPECT_NEAR(ratio, std::sqrt(12.0 / 6.0), 0.15);
}

TEST(StageErrors, OfTheInputAreItsRounding) {
  const Case rounded{.algorithm = "radix2-dit", .mode = "bf16", .n = 256};
  const StageErrors in_bf16 = stage_errors(rounded, make_problem(problem_key(rounded)));
  EXPECT_NEAR(in_bf16.stages[0].err_l2_rel, std::sqrt(0.154) * 0x1p-8, 2e-4);
  EXPECT_EQ(in_bf16.stages[0].added_l2_rel > 0, true);

  const Case whole{.algorithm = "radix2-dit", .mode = "fp32", .n = 256, .input = "impulse"};
  const StageErrors in_fp32 = stage_errors(whole, make_problem(problem_key(whole)));
  EXPECT_LE(in_fp32.stages[0].err_l2_rel, in_fp32.floor_l2_rel);
  EXPECT_EQ(in_fp32.stages[0].added_l2_rel, 0);
}

/// Factors of bf16 angles in one stage alone: the error jumps there, and nowhere else.
TEST(StageErrors, ShowAWrongTableInTheStageThatHasIt) {
  constexpr std::uint64_t n = 256;
  constexpr std::size_t wrong = 5;
  TracedCase traced({.algorithm = "radix2-dit", .mode = "fp32", .n = n});
  const Problem problem = make_problem(problem_key(traced.where()));
  const RootFunction good = traced.resolved().tables.roots;
  const RootFunction bad = Session().plan({.tables = "bf16-angle"}).resolved().tables.roots;
  const SourceTables tables{[&](std::uint64_t exponent, std::uint64_t order, const Format& format) {
    const bool here = order == std::uint64_t{1} << wrong && format != fp64;
    return (here ? bad : good)(exponent, order, format);
  }};
  const auto after = [&](std::size_t s) {
    StageTrace trace([s](const StagePath& path) {
      const bool done = path.size() < 2 || path[1].index <= s;
      return done ? ErrorSources::all() : ErrorSources{};
    });
    const TracedArithmetic arithmetic(resolve(mode_named("fp32"), machine_named("trn")), trace);
    const auto transform = traced.resolved().transform.make.in<TracedArithmetic>()(
        arithmetic, traced.resolved().algorithm, n, tables);
    return truth::measure(transform(arithmetic, problem.input), problem.truth, fp32).l2_rel;
  };

  for (std::size_t s = 1; s <= 8; ++s) {
    SCOPED_TRACE(s);
    if (s < wrong) {
      EXPECT_LT(after(s), 1e-6);
    } else {
      EXPECT_GT(after(s), 1e-4);
    }
  }
  EXPECT_NEAR(after(8), after(wrong), 1e-5 * after(wrong));
}

TEST(StageErrors, SayWhyACaseHasNone) {
  expect_each<Case>(untraceable, {{{.algorithm = peer()}, "order"},
                                  {{.algorithm = peer(), .mode = "fp64"}, "order"},
                                  {{.algorithm = "radix2-dit", .n = 12}, "2^k"}});
  expect_each<Case>(why_not_traced, {{{.mode = "fp64"}, "binary64"},
                                     {{.mode = "doubleword"}, "pairs of floats"},
                                     {{.mode = "q1.15"}, "fixed point"}});
  for (const char* mode : {"fp64", "doubleword", "q1.15"})
    EXPECT_EQ(untraceable({.mode = mode, .n = 8}), "") << mode;
  EXPECT_EQ(untraceable({}), "");
  EXPECT_THAT(untraceable({.mode = "bf61"}), holds("unknown mode"));
}

}  // namespace fftprec::attribution
