/// Error budgets: brackets must add up to the machine, and a source that is the only one by
/// construction must get all of the error.
#include "experiments/attribution/budget.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "algorithms/arithmetic/modes.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/attribution/stage_errors.hpp"
#include "experiments/attribution/traced_case.hpp"
#include "experiments/cases/evaluate.hpp"
#include "tests/experiments/algorithms/every_algorithm.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/support/number_families.hpp"
#include "tests/support/peer.hpp"

namespace fftprec::attribution {

namespace {

using testing::every_algorithm;
using testing::name_of_algorithm;
using testing::peer;
using testing::PerAlgorithm;
using testing::plain_run;

Budget budget_of(const Case& where) {
  return error_budget(where, make_problem(problem_key(where)));
}

std::vector<BudgetSource> sources_of(const Budget& budget) {
  std::vector<BudgetSource> sources;
  for (const SourcePart& part : budget.sources) sources.push_back(part.source);
  return sources;
}

double relative_distance(const ComplexArray<double>& a, const ComplexArray<double>& b) {
  const double norm = truth::l2_norm(b);
  return norm == 0 ? 0 : truth::l2_norm(difference(a, b)) / norm;
}

/// With all of their brackets, operations give what the machine gives, but for binary64's errors:
/// too small to move a rounding, they do not grow. Whether the case runs and has a finite result.
bool expect_brackets_to_add_up(const Case& where) {
  SCOPED_TRACE(command_of(where));
  const auto plain = plain_run(where);
  if (!plain || !std::isfinite(truth::l2_norm(plain->result))) return false;
  StageTrace trace([](const StagePath&) { return ErrorSources::all(); }, StageTrace::Operands::any);
  EXPECT_LT(relative_distance(TracedCase(where).run(plain->input, trace), plain->result), 1e-13);
  return true;
}

}  // namespace

using EveryAlgorithmsBrackets = PerAlgorithm;
INSTANTIATE_TEST_SUITE_P(, EveryAlgorithmsBrackets, every_algorithm(), name_of_algorithm);

TEST_P(EveryAlgorithmsBrackets, AddUpToTheMachine) {
  std::size_t summed = 0;
  std::size_t asked = 0;
  for (const Mode& mode : modes()) {
    if (resolve(mode, machine_named("trn")).type() != ArithmeticType::floats || mode.refinement ||
        mode.as<FixedScheme>())
      continue;
    for (const std::string machine : {"trn", "trn-claim", "trn3-bf16psum", "trn-elided"}) {
      ++asked;
      summed += expect_brackets_to_add_up({.transform = "ifft",
                                           .algorithm = GetParam(),
                                           .mode = mode.name,
                                           .machine = machine,
                                           .tables = "fp32-angle",
                                           .n = testing::length_for(GetParam())});
    }
  }
  EXPECT_GE(2 * summed, asked);
}

TEST(ErrorBudget, OfEveryTransformHasBracketsThatAddUp) {
  std::size_t summed = 0;
  for (const Case& where : testing::short_cases_of_every_transform(
           {"dft-gemm", "split-radix", "bluestein", "gemm", "elementwise", "direct-conv"},
           {"fp32", "bf16", "ozaki"}))
    summed += expect_brackets_to_add_up(where);
  EXPECT_GE(summed, 3 * list_transforms().size());
}

TEST(ErrorBudget, OfNumberSystemsHasBracketsThatAddUp) {
  std::vector<std::string> modes = testing::tapered_systems();
  modes.insert(modes.end(), {"binary8p3se", "posit16:quire", "posit32:quire"});
  for (const std::string& mode : modes)
    for (const std::string algorithm : {"dft-gemm", "radix2-dit", "split-radix", "bluestein"})
      for (const std::string transform : {"ifft", "rfft"})
        EXPECT_TRUE(expect_brackets_to_add_up(
            {.transform = transform, .algorithm = algorithm, .mode = mode, .n = 16}));
}

/// A quire adds without an error: what leaves it is rounded, once.
TEST(ErrorBudget, GivesNothingToAdditionsInAQuire) {
  const Budget budget = budget_of({.algorithm = "dft-gemm", .mode = "posit16:quire", .n = 64});

  EXPECT_THAT(sources_of(budget),
              ::testing::UnorderedElementsAre(BudgetSource(ErrorSource::input),
                                              BudgetSource(ErrorSource::tables),
                                              BudgetSource(ErrorSource::storage)));
  EXPECT_NEAR(budget.quadrature, budget.error, 0.2 * budget.error);
}

/// A transform of length 1 multiplies by 1 and adds nothing.
TEST(ErrorBudget, GivesAllToTheInputWhereNothingElseErrs) {
  const Budget budget = budget_of({.algorithm = "dft-gemm", .mode = "bf16", .n = 1, .batch = 64});

  ASSERT_EQ(sources_of(budget), std::vector{BudgetSource(ErrorSource::input)});
  EXPECT_EQ(budget.sources[0].alone, budget.error);
  EXPECT_LE(budget.sources[0].removed, budget.floor_l2_rel);
  EXPECT_NEAR(budget.interaction, 0, 1e-12);
}

/// The transform of an impulse is a column of the matrix, each entry a single product with 1.
TEST(ErrorBudget, GivesAllToTheTablesWhereTheInputIsAnImpulse) {
  const Budget budget = budget_of({.algorithm = "dft-gemm",
                                   .mode = "fp32",
                                   .tables = "bf16-angle",
                                   .n = 64,
                                   .input = "impulse",
                                   .seed = 3});

  ASSERT_FALSE(budget.sources.empty());
  EXPECT_EQ(budget.sources[0].source, BudgetSource(ErrorSource::tables));
  EXPECT_NEAR(budget.sources[0].alone, budget.error, 1e-6 * budget.error);
  EXPECT_GT(budget.error, 1e-4);
}

/// Elements times a mask: one product each.
TEST(ErrorBudget, TellsProductsFromTheRoundingOfTheirOperands) {
  const Budget budget = budget_of(
      {.transform = "cmul", .algorithm = "elementwise", .mode = "bf16", .n = 256, .batch = 4});

  EXPECT_THAT(sources_of(budget),
              ::testing::UnorderedElementsAre(BudgetSource(ErrorSource::input),
                                              BudgetSource(ErrorSource::products)));
  EXPECT_NEAR(budget.quadrature, budget.error, 0.05 * budget.error);
}

TEST(ErrorBudget, TellsRoundedProductsFromSumsAndEvictions) {
  const auto part = [](const std::string& machine, ErrorSource source) {
    const Budget budget =
        budget_of({.algorithm = "dft-gemm", .mode = "bf16", .machine = machine, .n = 256});
    for (const SourcePart& each : budget.sources)
      if (each.source == BudgetSource(source)) return each.alone;
    return 0.0;
  };
  EXPECT_EQ(part("trn", ErrorSource::matrix_products), 0);
  EXPECT_GT(part("trn-claim", ErrorSource::matrix_products), 1e-3);
  EXPECT_EQ(part("trn", ErrorSource::storage), 0);
  EXPECT_GT(part("trn3-bf16psum", ErrorSource::storage), 1e-3);
  EXPECT_GT(part("trn-rz", ErrorSource::accumulation), 2 * part("trn", ErrorSource::accumulation));
}

struct Known {
  Case where;
  ErrorSource largest;
};

TEST(ErrorBudget, AddsUpInQuadratureAndNamesTheLargestSource) {
  const std::vector<Known> known = {
      {{.algorithm = "dft-gemm", .mode = "fp32", .tables = "fp32-angle", .n = 256},
       ErrorSource::tables},
      {{.algorithm = "bluestein", .mode = "fp32", .tables = "fp32-angle", .n = 997},
       ErrorSource::tables},
      {{.algorithm = "bluestein", .mode = "fp32", .n = 997}, ErrorSource::additions},
      {{.algorithm = "dft-gemm", .mode = "ozaki_hq", .n = 64}, ErrorSource::words},
      {{.algorithm = "dft-gemm", .mode = "fp32", .machine = "trn-rz", .n = 256},
       ErrorSource::accumulation},
      {{.algorithm = "stockham-r8", .mode = "bf16", .n = 512}, ErrorSource::products}};
  for (const auto& [where, largest] : known) {
    SCOPED_TRACE(command_of(where));
    const Budget budget = budget_of(where);
    EXPECT_EQ(budget.sources[0].source, BudgetSource(largest));
    EXPECT_NEAR(budget.quadrature, budget.error, 0.2 * budget.error);
    EXPECT_NEAR(budget.modelled, budget.error, 1e-6 * budget.error);
    EXPECT_LT(budget.sources[0].removed, 0.9 * budget.error);
    for (const SourcePart& part : budget.sources) {
      if (!part.expected || part.alone < 0.1 * budget.error) continue;
      EXPECT_NEAR(*part.expected / part.alone, 1, 0.3) << part.name;
    }
  }
}

/// With nothing but words, the input is not in their format yet: they cut it like any other data.
TEST(ErrorBudget, ExpectsWhatWordsTakeFromAnInputThatIsNotRounded) {
  for (const char* algorithm : {"dft-gemm", "stockham-r8"}) {
    const Budget budget =
        budget_of({.algorithm = algorithm, .mode = "bf16", .n = 512, .rounding_points = "ends"});
    const auto words =
        std::ranges::find(budget.sources, BudgetSource(ErrorSource::words), &SourcePart::source);
    ASSERT_NE(words, budget.sources.end()) << algorithm;
    EXPECT_NEAR(words->expected.value_or(0) / words->alone, 1, 0.05) << algorithm;
  }
}

TEST(ErrorBudget, OfStagesIsThatOfTheCase) {
  const Budget budget = budget_of({.algorithm = "radix2-dit", .mode = "bf16", .n = 1024});
  double squares = 0;
  for (const StageParts& stage : budget.stages) {
    squares += stage.all * stage.all;
    double of_sources = 0;
    for (const double part : stage.alone) of_sources += part * part;
    EXPECT_NEAR(std::sqrt(of_sources), stage.all, 0.15 * stage.all) << stage.title;
  }
  EXPECT_EQ(budget.stages.size(), 11);
  EXPECT_NEAR(std::sqrt(squares), budget.error, 0.1 * budget.error);
}

TEST(ErrorBudget, RefusesWhatHasNoSourcesToTell) {
  EXPECT_THROW(budget_of({.mode = "bf16_refined", .n = 8}), NotApplicable);
  EXPECT_THROW(budget_of({.algorithm = peer(), .mode = "fp32", .n = 8}), NotApplicable);
  for (const char* transform : {"irfft", "dct2", "dct3"})
    EXPECT_THROW(budget_of({.transform = transform, .mode = "fp64", .n = 64}), NotApplicable)
        << transform;
}

}  // namespace fftprec::attribution
