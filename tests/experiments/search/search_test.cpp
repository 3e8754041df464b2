/// The search for the worst input: what it claims of its inputs, and that it repeats itself.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "experiments/cases/columns.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/files/file_values.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/inputs/generators.hpp"
#include "experiments/search/candidates.hpp"
#include "experiments/search/digits.hpp"
#include "experiments/search/least_bits.hpp"
#include "experiments/search/worst_input.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/peer.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::search {

using testing::error_text;
using testing::holds;
using testing::peer;
using testing::TemporaryDirectory;
using testing::write_text;

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

namespace {

const Case bf16_radix2{.algorithm = "radix2-dit", .mode = "bf16", .n = 64};
const Case rz_gemm{.algorithm = "dft-gemm", .machine = "trn-rz", .n = 64};

/// Magnitudes that moves keep to, and fp32.
::testing::AssertionResult is_tame(const ComplexArray<double>& x, bool real_only) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (const double part : {x.re[j], x.im[j]}) {
      if (static_cast<double>(static_cast<float>(part)) != part || std::abs(part) > 0x1p60 ||
          (part != 0 && std::abs(part) < 0x1p-60))
        return ::testing::AssertionFailure() << "value " << j << " is " << part;
    }
    if (real_only && x.im[j] != 0) return ::testing::AssertionFailure() << j << " is not real";
  }
  return ::testing::AssertionSuccess();
}

/// The row of a file that holds `x`, as a run measures it.
Row row_of(Case where, const ComplexArray<double>& x) {
  const TemporaryDirectory directory;
  const std::string path = (directory.path() / "x, y.npy").string();
  write_text(path, npy_bytes(x));
  where.input = file_input_name(path);
  return evaluate(where);
}

}  // namespace

TEST(RoundingTree, LosesHalfAStepInEverySumThatCanRound) {
  const std::size_t n = 256;
  for (const Format& format : {bf16, fp32}) {
    const double u = unit_roundoff(format);
    const std::uint64_t one = std::uint64_t{1} << (format.precision - 1);
    const std::vector<double> leaves = rounding_tree(n, format, one);
    // By definition, from the leaves: every sum rounded to bf16, in the order of a radix-2 FFT.
    std::vector<double> nodes;
    std::size_t ties = 0;
    for (const double leaf : leaves) nodes.push_back(round(leaf, format, Rounding::rne));
    for (std::size_t size = n / 2; size > 0; size /= 2)
      for (std::size_t j = 0; j < size; ++j) {
        const double sum = nodes[j] + nodes[j + size];
        nodes[j] = round(sum, format, Rounding::rne);
        EXPECT_LE(nodes[j], sum);
        ties += nodes[j] != sum ? 1 : 0;
      }
    EXPECT_EQ(nodes[0], static_cast<double>(n));
    // Even nodes e and odd ones o: e -> e + o, o -> 2 e; a sum rounds at every even one.
    std::size_t even = 1;
    std::size_t odd = 0;
    std::size_t expected_ties = 0;
    for (std::size_t level = 1; level < n; level *= 2) {
      expected_ties += even;
      const std::size_t before = even;
      even = even + 2 * odd;
      odd = before;
    }
    EXPECT_EQ(ties, expected_ties);
    const double sum = [&] {
      double total = 0;
      for (const double leaf : leaves) total += leaf;
      return total;
    }();
    // About 2/3 u for each of 8 levels, and u for the leaves themselves where they can lose it.
    const double of_leaves = format == fp32 ? 0 : 0.9;
    EXPECT_GT(sum / static_cast<double>(n) - 1, (2.0 / 3 * 8 + of_leaves) * u);
  }
}

TEST(StructuredCandidates, AreFp32NumbersOfManyFamilies) {
  for (const bool real_only : {false, true}) {
    std::set<std::string> families;
    std::set<std::pair<std::string, std::string>> names;
    for (const Candidate& each :
         structured_candidates({.n = 64, .storage = bf16, .real_only = real_only})) {
      ASSERT_EQ(each.values.size(), 64u);
      EXPECT_TRUE(is_tame(each.values, real_only)) << each.family << ": " << each.name;
      families.insert(each.family);
      names.insert({each.family, each.name});
    }
    EXPECT_GE(families.size(), real_only ? 10u : 12u);
    EXPECT_TRUE(families.contains("rounding tree"));
  }
  const auto of_odd_length = structured_candidates({.n = 15});
  EXPECT_FALSE(of_odd_length.empty());
  EXPECT_TRUE(std::none_of(of_odd_length.begin(), of_odd_length.end(),
                           [](const Candidate& c) { return c.family == "rounding tree"; }));
  EXPECT_FALSE(structured_candidates({.n = 1}).empty());
}

TEST(TrialRandom, AreTheSameForTheSamePlaceAndUniform) {
  TrialRandom first(7, 3);
  TrialRandom again(7, 3);
  TrialRandom other(7, 4);
  std::size_t differ = 0;
  std::array<int, 10> counts{};
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t value = first.below(10);
    EXPECT_EQ(value, again.below(10));
    differ += value != other.below(10) ? 1 : 0;
    ++counts.at(value);
  }
  EXPECT_GT(differ, 8500u);
  EXPECT_THAT(counts, ::testing::Each(AllOf(Ge(850), Le(1150))));  // 5 standard deviations
  const double unit = first.unit();
  EXPECT_TRUE(unit >= 0 && unit < 1);
}

TEST(Moves, KeepInputsTameAndChangeThem) {
  const auto parents = structured_candidates({.n = 32, .storage = bf16});
  for (const bool real_only : {false, true})
    for (const Move move : all_moves) {
      std::size_t changed = 0;
      for (std::uint64_t trial = 0; trial < 100; ++trial) {
        TrialRandom draws(1, trial);
        ComplexArray<double> parent = parents[37 * trial % parents.size()].values;
        ComplexArray<double> other = parents[41 * trial % parents.size()].values;
        if (real_only) parent.im = other.im = ComplexArray<double>(32).im;
        const auto child = moved(parent, other, move, bf16, real_only, draws);
        EXPECT_TRUE(is_tame(child, real_only)) << name_of(move);
        changed += child == parent ? 0 : 1;
        TrialRandom replayed(1, trial);
        EXPECT_EQ(child, moved(parent, other, move, bf16, real_only, replayed));
      }
      EXPECT_GT(changed, 25u) << name_of(move);
    }
}

TEST(InputJudge, GivesTheNumbersOfRows) {
  const Case cases[] = {
      bf16_radix2,
      rz_gemm,
      {.transform = "rfft", .algorithm = "stockham-mixed", .mode = "ozaki", .n = 32},
      {.algorithm = "bluestein", .n = 15},
      {.algorithm = "stockham-r4", .mode = "doubleword", .n = 256},
      {.algorithm = "dft-gemm", .mode = "bf16_refined", .n = 32},
      {.algorithm = "dft-gemm", .mode = "bf16", .machine = "trn-sr", .n = 32},
      {.mode = "nvfp4", .n = 32, .rounding_points = "stage"},
      {.mode = "block(element=int:8,size=3,along=batch)", .n = 32, .rounding_points = "stage"},
      {.mode = "fp16", .n = 32, .rounding_points = "stage", .scale = "block"}};
  for (const Case& where : cases)
    for (const std::string metric :
         {"err_l2_rel", "err_linf_rel", "err_max_ulp", "err_over_bound"}) {
      const InputJudge judge(where, metric, 2);
      std::vector<ComplexArray<double>> inputs;
      for (std::uint64_t seed = 1; seed <= 3; ++seed) inputs.push_back(judge.random(seed));
      const std::vector<double> together = judge.scores(inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const double alone = judge.scores({&inputs[i], 1}).front();
        const Row row = row_of(where, inputs[i]);
        const double expected = metric == "err_over_bound" ? *row.err_l2_rel / *row.bound_l2_rel
                                                           : *column_named(metric).number(row);
        EXPECT_EQ(alone, expected) << metric << " " << command_of(where);
        EXPECT_NEAR(together[i], expected, 0x1p-40 * expected);
      }
    }
}

TEST(InputJudge, RefusesWhatCannotBeSearched) {
  const auto message = [](const Case& where, const char* metric = "err_l2_rel") {
    return error_text([&] { InputJudge(where, metric, 1); });
  };
  EXPECT_THAT(message(bf16_radix2, "bits_l2"), holds("metric to search by", "err_over_bound"));
  EXPECT_THAT(message({.n = 64, .batch = 2}), holds("batch = 2"));
  EXPECT_THAT(message({.transform = "irfft", .n = 64}), holds("does not take n arbitrary values"));
  EXPECT_THROW(InputJudge({.algorithm = "stockham-r4", .n = 8}, "err_l2_rel", 1), NotApplicable);
  EXPECT_THAT(message({.algorithm = peer(), .n = 64}, "err_over_bound"),
              holds("no bound is known"));
  EXPECT_THAT(message({.n = 64, .input = "tone"}), holds("input=tone has no meaning"));
}

TEST(WorstInput, IsAtLeastTwiceAsBadAsTheWorstOfAThousandRandomOnes) {
  for (const Case& where : {bf16_radix2, rz_gemm}) {
    const InputJudge judge(where, "err_l2_rel", 2);
    const SearchResult result = search_worst_input(judge, {.budget = 6000, .random = 1000});
    EXPECT_EQ(result.structured_score, result.families.front().score);
    EXPECT_GE(result.best_score, 2 * result.random_worst) << command_of(where);
    EXPECT_GE(result.best_score, result.structured_score);
    EXPECT_EQ(result.judged, 6000u);
    EXPECT_EQ(*row_of(where, result.best.values).err_l2_rel, result.best_score);
    EXPECT_LE(result.best_score, *row_of(where, result.best.values).bound_l2_rel);
  }
}

TEST(WorstInput, IsWorseThanRandomOnesInTaperedSystems) {
  for (const char* mode : {"posit16", "takum16"}) {
    const Case where{.algorithm = "radix2-dit", .mode = mode, .n = 32};
    const InputJudge judge(where, "err_l2_rel", 2);
    const SearchResult result = search_worst_input(judge, {.budget = 3000, .random = 200});
    EXPECT_GE(result.best_score, 1.5 * result.random_worst) << mode;
    EXPECT_GT(result.moves, 0u) << mode;
    EXPECT_EQ(*row_of(where, result.best.values).err_l2_rel, result.best_score) << mode;
  }
}

/// Constants and tones of this level overflow fp16, impulses and gaussian inputs do not.
TEST(WorstInput, CountsInputsWhoseErrorIsNotFinite) {
  const InputJudge judge(
      {.algorithm = "radix2-dit", .mode = "fp16", .n = 64, .scale = "input:2^10"}, "err_l2_rel", 1);
  const SearchResult result = search_worst_input(judge, {.budget = 1600, .random = 20});
  EXPECT_GT(result.not_finite, 0u);
  EXPECT_FALSE(result.first_not_finite.empty());
  EXPECT_TRUE(std::isfinite(result.best_score));

  const InputJudge wide({.algorithm = "radix2-dit", .mode = "fp32", .n = 16}, "err_l2_rel", 1);
  EXPECT_EQ(search_worst_input(wide, {.budget = 200, .random = 20}).not_finite, 0u);
}

TEST(WorstInput, NamesTheWorstOfEveryFamily) {
  const InputJudge judge(bf16_radix2, "err_l2_rel", 2);
  const auto candidates = structured_candidates({.n = 64, .storage = bf16});
  const SearchResult result = search_worst_input(judge, {.budget = candidates.size(), .random = 1});
  std::uint64_t tried = 0;
  for (const FamilyBest& family : result.families) {
    double worst = 0;
    for (const Candidate& each : candidates) {
      if (each.family != family.family) continue;
      const double score = judge.scores({&each.values, 1}).front();
      worst = std::max(worst, score);
      if (each.name == family.name) {
        EXPECT_EQ(score, family.score) << family.family;
      }
    }
    EXPECT_EQ(worst, family.score) << family.family;
    tried += family.tried;
  }
  EXPECT_EQ(tried, candidates.size());
  EXPECT_TRUE(
      std::is_sorted(result.families.begin(), result.families.end(),
                     [](const FamilyBest& a, const FamilyBest& b) { return a.score > b.score; }));
}

TEST(WorstInput, IsTheSameForAnyNumberOfThreads) {
  const SearchOptions options{.budget = 2500, .random = 70, .seed = 3};
  const SearchResult one = search_worst_input(InputJudge(rz_gemm, "err_l2_rel", 1), options);
  const SearchResult three = search_worst_input(InputJudge(rz_gemm, "err_l2_rel", 3), options);
  EXPECT_EQ(one.best.values, three.best.values);
  EXPECT_EQ(one.best_score, three.best_score);
  EXPECT_EQ(one.random_worst, three.random_worst);
  EXPECT_EQ(one.moves, three.moves);
  EXPECT_GT(one.moves, 0u);
  EXPECT_GT(one.best_score, one.structured_score);
}

/// A budget above the default goes to climbs, which find more than pools in place of them.
TEST(WorstInput, OfALargerBudgetIsWorseForAnyNumberOfThreads) {
  const Case where{.algorithm = "radix2-dit", .mode = "bf16", .machine = "ieee", .n = 8};
  const auto found = [&](std::uint64_t budget, unsigned threads) {
    return search_worst_input(InputJudge(where, "err_l2_rel", threads),
                              {.budget = budget, .random = 10});
  };
  const SearchResult usual = found(SearchOptions{}.budget, 1);
  const SearchResult one = found(60000, 1);
  const SearchResult three = found(60000, 3);
  EXPECT_EQ(one.best.values, three.best.values);
  EXPECT_EQ(one.judged, 60000u);
  EXPECT_GT(one.moves, 0u);
  EXPECT_GT(one.best_score, 1.05 * usual.best_score);
}

TEST(NudgedInputs, HaveOneToThreeOtherParts) {
  const ComplexArray<double> parent = gaussian(8, 1);
  std::size_t most = 0;
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    TrialRandom draws(1, trial);
    const bool real_only = trial % 2 == 0;
    ComplexArray<double> x = parent;
    if (real_only) x.im.assign(8, 0);
    const ComplexArray<double> child = nudged(x, bf16, real_only, draws);
    EXPECT_TRUE(is_tame(child, real_only));
    std::size_t changed = 0;
    for (std::size_t j = 0; j < 8; ++j)
      changed += (child.re[j] != x.re[j] ? 1 : 0) + (child.im[j] != x.im[j] ? 1 : 0);
    EXPECT_LE(changed, 3u);
    most = std::max(most, changed);
  }
  EXPECT_EQ(most, 3u);
}

TEST(WorstInput, TellsTheBestSoFarAndHowManyWereJudged) {
  std::vector<double> best;
  std::vector<std::uint64_t> judged;
  const SearchResult result = search_worst_input(
      InputJudge(bf16_radix2, "err_l2_rel", 2),
      {.budget = 4000, .random = 1, .on_progress = [&](std::uint64_t count, double score) {
         judged.push_back(count);
         best.push_back(score);
       }});
  EXPECT_TRUE(std::is_sorted(best.begin(), best.end()));
  EXPECT_TRUE(std::is_sorted(judged.begin(), judged.end()));
  EXPECT_EQ(best.front(), result.structured_score);
  EXPECT_NEAR(best.back(), result.best_score, 1e-12 * result.best_score);
  EXPECT_EQ(judged.back(), 4000u);
}

TEST(WorstInput, ComparesWithTheRandomInputsOfItsSeeds) {
  const InputJudge judge(bf16_radix2, "err_l2_rel", 1);
  const SearchResult result = search_worst_input(judge, {.budget = 1, .random = 5, .seed = 11});
  double worst = 0;
  for (std::uint64_t seed = 11; seed < 16; ++seed)
    worst = std::max(worst, *row_of(bf16_radix2, judge.random(seed)).err_l2_rel);
  EXPECT_EQ(result.random_worst, worst);
  EXPECT_EQ(*row_of(bf16_radix2, judge.random(result.random_worst_seed)).err_l2_rel, worst);
  EXPECT_EQ(result.judged, 1u);
  EXPECT_THROW(search_worst_input(judge, {.budget = 0}), InputError);
  EXPECT_THROW(search_worst_input(judge, {.random = 0}), InputError);
}

namespace {

const Case pair_of_four{
    .transform = "product:pair", .mode = "fp64", .n = 4, .input = "integers:bits=27"};

DigitShape shape_of(const std::string& input, std::size_t n, std::size_t operands) {
  return {.n = n, .ranges = digit_ranges(input, n, operands)};
}

/// Whole numbers, each in its range.
::testing::AssertionResult are_digits(const ComplexArray<double>& x, const DigitShape& shape) {
  if (x.size() != shape.ranges.size())
    return ::testing::AssertionFailure() << x.size() << " digits";
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x.re[i] != std::nearbyint(x.re[i]) || x.re[i] < shape.ranges[i].least ||
        x.re[i] > shape.ranges[i].greatest || x.im[i] != 0)
      return ::testing::AssertionFailure() << "digit " << i << " is " << x.re[i];
  return ::testing::AssertionSuccess();
}

}  // namespace

TEST(DigitRanges, AreThoseOfTheInput) {
  const auto limits = [](const char* input, std::size_t operands) {
    std::vector<double> all;
    for (const auto& range : digit_ranges(input, 2, operands))
      all.insert(all.end(), {range.least, range.greatest});
    return all;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(limits("integers:bits=3", 1), ElementsAre(-4, 3, -4, 3));
  EXPECT_THAT(limits("integers:bits=3:inner=integers:mod=10:sign=unsigned", 2),
              ElementsAre(-4, 3, -4, 3, 0, 9, 0, 9));
  EXPECT_THAT(limits("integers:exponent=5:sign=unsigned", 1), ElementsAre(0, 7, 0, 3));
  EXPECT_THAT(limits("gaussian", 1), ::testing::IsEmpty());
  EXPECT_THAT(limits("integers:inner=gaussian", 2), ::testing::IsEmpty());
}

TEST(StructuredDigits, KeepToTheirRangesInManyFamilies) {
  for (const char* input : {"integers:bits=20", "integers:bits=1", "integers:mod=7:sign=unsigned",
                            "integers:bits=53:inner=integers:bits=4:sign=unsigned"})
    for (const std::size_t operands : {1u, 2u})
      for (const std::size_t n : {1u, 2u, 15u, 64u}) {
        const DigitShape shape = shape_of(input, n, operands);
        std::set<std::string> families;
        for (const Candidate& each : structured_digits(shape)) {
          ASSERT_TRUE(are_digits(each.values, shape)) << input << ", " << each.name;
          families.insert(each.family);
        }
        EXPECT_GE(families.size(), n == 1 ? 6u : 7u);
      }
}

TEST(DigitMoves, KeepToTheRangesAndChangeDigits) {
  const DigitShape shape = shape_of("integers:bits=20:inner=integers:bits=4:sign=unsigned", 16, 2);
  const auto parents = structured_digits(shape);
  for (const DigitMove move : all_digit_moves) {
    std::size_t changed = 0;
    for (std::uint64_t trial = 0; trial < 100; ++trial) {
      const auto& parent = parents[37 * trial % parents.size()].values;
      const auto& other = parents[41 * trial % parents.size()].values;
      TrialRandom draws(1, trial);
      const auto child = moved_digits(parent, other, move, shape, draws);
      ASSERT_TRUE(are_digits(child, shape));
      changed += child == parent ? 0 : 1;
      TrialRandom replayed(1, trial);
      EXPECT_EQ(child, moved_digits(parent, other, move, shape, replayed));
    }
    EXPECT_GT(changed, 25u) << static_cast<int>(move);
  }
}

TEST(InputJudge, GivesTheNumbersOfRowsWithDigits) {
  const Case cases[] = {
      pair_of_four,
      {.transform = "product:half:parts=2:base=1024",
       .mode = "fp64",
       .n = 16,
       .input = "integers:bits=20"},
      {.transform = "product:negacyclic:square", .n = 8, .input = "integers:bits=11"},
      {.transform = "product:cyclic:half:square:exponent=401",
       .mode = "fp64",
       .n = 16,
       .input = "integers:exponent=401"}};
  for (const Case& where : cases)
    for (const std::string_view metric :
         {"err_linf_abs", "err_l2_rel", "linf_over_bound", "least_energy"}) {
      const InputJudge judge(where, std::string(metric), 2);
      std::vector<ComplexArray<double>> inputs;
      for (std::uint64_t seed = 1; seed <= 3; ++seed) inputs.push_back(judge.random(seed));
      const std::vector<double> scores = judge.scores(inputs);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Row row = row_of(where, inputs[i]);
        Case seeded = where;
        seeded.seed = i + 1;
        EXPECT_EQ(row.output_hash, evaluate(seeded).output_hash) << command_of(where);
        const double error = *row.err_linf_abs;
        const double expected = metric == "err_linf_abs"      ? error
                                : metric == "err_l2_rel"      ? *row.err_l2_rel
                                : metric == "linf_over_bound" ? error / *row.bound_linf_abs
                                : error < 0.5                 ? error - 1
                                                              : 1 / energy(inputs[i]);
        EXPECT_EQ(scores[i], expected) << metric << " " << command_of(where);
      }
    }
}

TEST(InputJudge, RefusesDigitsWithoutLimits) {
  const auto message = [](const Case& where, const char* metric = "err_linf_abs") {
    return error_text([&] { InputJudge(where, metric, 1); });
  };
  Case where = pair_of_four;
  where.input = "gaussian";
  EXPECT_THAT(message(where), holds("input=gaussian", "integers"));
  where.input = "integers:inner=gaussian";
  EXPECT_THAT(message(where), holds("sets no limits"));
  where.input = "integers";
  where.mode = "posit32";
  EXPECT_THAT(message(where, "linf_over_bound"), holds("no bound is derived", "posit32"));
  EXPECT_THAT(message(bf16_radix2, "linf_over_bound"), holds("metric to search by"));
}

/// Digits that a search drives against the bound of every form and ring. It must come near enough
/// to tell a bound that is 25 times too small.
TEST(WorstDigits, StayBelowTheBoundOfEveryProduct) {
  for (const char* mode : {"fp64", "fp32"})
    for (const char* ring : {"linear", "cyclic", "negacyclic"})
      for (const char* form : {"complex", "half", "pair"})
        for (const std::size_t n : {2u, 8u, 64u}) {
          const Case where{
              .transform =
                  canonical_transform(std::string("product:ring=") + ring + ":form=" + form),
              .mode = mode,
              .n = n,
              .input = mode == std::string("fp64") ? "integers:bits=20" : "integers:bits=8"};
          const SearchResult result = search_worst_input(
              InputJudge(where, std::string(linf_over_bound), 2), {.budget = 1400, .random = 20});
          EXPECT_LE(result.best_score, 1) << command_of(where);
          EXPECT_GE(result.best_score, n == 2 ? 0 : 0.04) << command_of(where);
          const Row row = row_of(where, result.best.values);
          EXPECT_EQ(*row.err_linf_abs / *row.bound_linf_abs, result.best_score);
        }
}

/// -45135923 x^3 times 36001135 errs by 1/2, which was found by hand.
TEST(WorstDigits, OfLeastEnergyHaveLessThanThoseFoundByHand) {
  const SearchResult result = search_worst_input(
      InputJudge(pair_of_four, std::string(least_energy), 2), {.budget = 6000, .random = 1});
  const double found = energy(result.best.values);
  EXPECT_EQ(result.best_score, 1 / found);
  EXPECT_LT(found, 45135923.0 * 45135923.0 + 36001135.0 * 36001135.0);
  EXPECT_GE(*row_of(pair_of_four, result.best.values).wrong_coefficients, 1u);
}

TEST(LeastBits, AreTheFirstOfWhichASearchMakesACoefficientWrong) {
  Session session;
  Case where = pair_of_four;
  where.input = "integers";
  std::vector<int> told;
  const auto tried = search_least_bits(session, where, {.budget = 4000, .random = 1}, 2,
                                       [&](const BitsTried& at) { told.push_back(at.bits); });
  ASSERT_GE(tried.size(), 2u);
  for (std::size_t i = 0; i < tried.size(); ++i) {
    EXPECT_EQ(told.at(i), tried[i].bits);
    EXPECT_EQ(tried[i].bits, tried.front().bits + static_cast<int>(i));
    EXPECT_GE(*tried[i].bound, 0.5);
    EXPECT_LE(tried[i].result.best_score, *tried[i].bound);
    EXPECT_EQ(tried[i].is_wrong(), i + 1 == tried.size());
    const Row row = row_of(tried[i].where, tried[i].result.best.values);
    EXPECT_EQ(*row.wrong_coefficients > 0, tried[i].is_wrong());
  }
  EXPECT_LE(tried.back().bits, 26);
  // One bit fewer than the first is proven.
  Case proven = tried.front().where;
  proven.input = "integers:bits=" + std::to_string(tried.front().bits - 1) + ":pattern=limit";
  EXPECT_LT(*evaluate(proven).bound_linf_abs, 0.5);

  where.transform = "product:cyclic:half:square:exponent=401";
  where.input = "integers:exponent=401";
  EXPECT_THAT(error_text([&] { search_least_bits(session, where, {}, 1); }), holds("exponent"));
}

}  // namespace fftprec::search
