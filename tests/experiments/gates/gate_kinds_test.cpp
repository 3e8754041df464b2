/// Each kind of gate on rows made up for each outcome: nothing passes that was not shown to hold.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "experiments/cases/seed_reduction.hpp"
#include "experiments/gates/gate.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec::gates {
namespace {

using ::testing::ElementsAre;
using testing::holds;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

using Rows = std::vector<Row>;

/// The verdict of one gate, given as the keys of its [[gate]].
Verdict verdict_of(const std::string& keys, const Rows& rows, const Rows& kept = {},
                   const GateOptions& options = {}) {
  const std::vector<Gate> gates =
      parse_gates("[[gate]]\nname = 'g'\nsource = 's'\n" + keys, "test.toml");
  return check_gate(gates.at(0), rows, {{"kept.csv", kept}}, options);
}

Rows one(double error) { return {made_up({.error = error})}; }

Rows pair_of(double bf16, double fast) {
  return {made_up({.mode = "bf16", .error = bf16}), made_up({.mode = "fp32", .error = fast})};
}

/// An error of n^slope, at n = 8 .. 512.
Rows growing(double slope) {
  Rows rows;
  for (std::uint64_t n = 8; n <= 512; n *= 2)
    rows.push_back(made_up({.n = n, .error = 1e-8 * std::pow(static_cast<double>(n), slope)}));
  return rows;
}

/// Healthy rows on which a gate of any kind passes: two modes at three lengths, error ~ n^1/2.
Rows healthy() {
  Rows rows;
  for (const char* mode : {"bf16", "fp32"})
    for (const std::uint64_t n : {64u, 128u, 256u})
      rows.push_back(made_up({.mode = mode,
                              .n = n,
                              .error = std::sqrt(static_cast<double>(n)) *
                                       (mode == std::string("fp32") ? 1e-8 : 2e-8)}));
  return rows;
}

const std::string bound = "kind = 'bound'\n";
const std::string prob = "kind = 'prob'\n";
const std::string at_most = "kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 1e-6\n";
const std::string exact = "kind = 'baseline'\nmetric = 'err_l2_rel'\nbaseline = 'kept.csv'\n";
const std::string whole = "kind = 'exact'\n";
const std::string hash = "kind = 'hash'\nbaseline = 'kept.csv'\n";
const std::string order = "kind = 'order'\nleft = 'mode=fp32'\nright = 'mode=bf16'\n";
const std::string slope = "kind = 'slope'\nmetric = 'err_l2_rel'\n";
const std::string near = "kind = 'near'\nmetric = 'err_l2_rel'\n";
const std::string ratio = "kind = 'ratio'\nleft = 'mode=bf16'\nright = 'mode=fp32'\n";
const std::string equal = "kind = 'equal'\nleft = 'mode=fp32'\nright = 'mode=bf16'\n";

struct Kind {
  std::string name;
  std::string keys;
};

/// A gate of every kind that passes on the healthy rows.
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"bound", bound},
      {"prob", prob},
      {"max", at_most},
      {"exact", whole},
      {"baseline", exact},
      {"hash", hash},
      {"order", order},
      {"slope", slope + "min = 0.4\nmax = 0.6\n"},
      {"near", near + "figures = { 'n=64..256' = '1e-7' }\nwithin = 10\n"},
      {"ratio", ratio + "min_ratio = 1.5\nmax_ratio = 2.5\n"},
      {"equal", equal}};
  return all;
}

/// Healthy but for the row of `fp32` at n = 128.
template <class Change>
Rows with_one(Change change) {
  Rows rows = healthy();
  change(rows.at(4));
  return rows;
}

TEST(EveryKind, IsTriedHere) {
  ASSERT_EQ(kinds().size(), gate_kinds().size());
  for (std::size_t i = 0; i < kinds().size(); ++i) EXPECT_EQ(kinds()[i].name, gate_kinds()[i].name);
}

TEST(EveryKind, PassesOnHealthyRowsAndOverSkippedOnesThatNothingIsPairedWith) {
  Rows rows = healthy();
  rows.push_back(skipped_row({.mode = "kahan", .n = 96}, "n is no power of two"));
  for (const Kind& kind : kinds()) {
    EXPECT_TRUE(verdict_of(kind.keys, healthy(), healthy()).passed()) << kind.name;
    const Verdict verdict = verdict_of(kind.keys, rows, healthy());
    EXPECT_TRUE(verdict.passed()) << kind.name << "\n" << verdict;
    const bool paired = kind.name == "order" || kind.name == "ratio" || kind.name == "equal";
    EXPECT_EQ(verdict.skipped, paired ? 0u : 1u) << kind.name;
  }
}

TEST(EveryKind, FailsOnARowThatFailed) {
  const Rows rows = with_one([](Row& row) {
    row.status = Status::failed;
    row.message = "out of memory";
    row.err_l2_rel.reset();
  });
  for (const Kind& kind : kinds()) {
    const Verdict verdict = verdict_of(kind.keys, rows, healthy());
    EXPECT_FALSE(verdict.passed()) << kind.name;
    ASSERT_FALSE(verdict.failures.empty()) << kind.name;
    EXPECT_EQ(verdict.failures[0].text, "status = failed: out of memory") << kind.name;
  }
}

TEST(EveryKind, FailsOnNanAndInfinityAndAnEmptyCellOfItsMetric) {
  for (const Kind& kind : kinds()) {
    const bool compares_bits = kind.name == "hash" || kind.name == "equal";
    for (const std::optional<double> value : {std::optional(nan), std::optional(infinity), {}}) {
      if (compares_bits && !(value && std::isnan(*value))) continue;
      const Verdict verdict =
          verdict_of(kind.keys, with_one([&](Row& row) { row.err_l2_rel = value; }), healthy());
      EXPECT_FALSE(verdict.passed()) << kind.name << " " << value.value_or(-1);
    }
  }
}

TEST(EveryKind, NamesTheRowThatIsNan) {
  const Rows rows = with_one([](Row& row) { row.err_l2_rel = nan; });
  for (const Kind& kind : kinds()) {
    const Verdict verdict = verdict_of(kind.keys, rows, healthy());
    ASSERT_FALSE(verdict.failures.empty()) << kind.name;
    EXPECT_EQ(verdict.failures[0].text, "err_l2_rel = nan") << kind.name;
    EXPECT_EQ(verdict.failures[0].where, rows.at(4).where) << kind.name;
    EXPECT_EQ(verdict.worst->where, rows.at(4).where) << kind.name;
  }
}

TEST(EveryKind, FailsWhereNoRowIsSelectedOrAllAreSkippedAndSaysSoOnce) {
  Rows skipped = healthy();
  for (Row& row : skipped) row.status = Status::skipped;
  for (const Kind& kind : kinds()) {
    const auto errors = [&](const std::string& keys, const Rows& rows) {
      const Verdict verdict = verdict_of(keys, rows, healthy());
      EXPECT_FALSE(verdict.passed()) << kind.name;
      return verdict.errors;
    };
    EXPECT_THAT(errors(kind.keys, {}), ElementsAre("there is no row")) << kind.name;
    EXPECT_THAT(errors(kind.keys + "where = 'mode=fp64'\n", healthy()),
                ElementsAre("no row matches mode=fp64"))
        << kind.name;
    if (kind.name != "baseline" && kind.name != "hash")  // for them a measurement was lost
      EXPECT_THAT(errors(kind.keys, skipped), ElementsAre(holds(" skipped)"))) << kind.name;
    else
      EXPECT_FALSE(verdict_of(kind.keys, skipped, healthy()).passed()) << kind.name;
  }
}

TEST(EveryKind, DoesNotDependOnTheOrderOfRows) {
  const Rows rows = with_one([](Row& row) {
    row.err_l2_rel = 5e-7;
    row.bound_l2_rel = row.bound_prob_l2_rel = 1e-7;
    row.output_hash = "ab";
  });
  Rows reversed(rows.rbegin(), rows.rend());
  for (const Kind& kind : kinds()) {
    const Verdict first = verdict_of(kind.keys, rows, healthy());
    const Verdict second = verdict_of(kind.keys, reversed, healthy());

    EXPECT_EQ(first.checked, second.checked) << kind.name;
    EXPECT_EQ(first.failed, second.failed) << kind.name;
    EXPECT_EQ(first.worst->ratio, second.worst->ratio) << kind.name;
    EXPECT_EQ(first.worst->text, second.worst->text) << kind.name;
  }
}

TEST(Verdict, CountsAllFailuresAndKeepsTheWorst) {
  Rows rows;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    rows.push_back(made_up({.n = seed == 40 ? 128u : 64u,
                            .seed = seed,
                            .error = seed % 10 == 0 ? 1e-3 * static_cast<double>(seed) : 1e-5}));
  rows[12].err_l2_rel = nan;

  const Verdict verdict = verdict_of(at_most, rows);

  EXPECT_EQ(verdict.checked, 40u);
  EXPECT_EQ(verdict.failed, 40u);
  std::vector<std::uint64_t> seeds;
  for (const Finding& failure : verdict.failures) seeds.push_back(failure.where.seed());
  EXPECT_THAT(seeds, ElementsAre(13, 40, 30, 20, 10, 1));
  EXPECT_EQ(verdict.worst->where.seed(), 13u);
  EXPECT_THAT(verdict.failing_axes, ElementsAre(&column_named("n"), &column_named("seed")));
}

struct Try {
  std::string keys;
  Rows rows;
  bool passes;
};

void expect_all(const std::vector<Try>& tries) {
  for (std::size_t i = 0; i < tries.size(); ++i) {
    const Verdict verdict = verdict_of(tries[i].keys, tries[i].rows);
    EXPECT_EQ(verdict.passed(), tries[i].passes) << "try " << i << "\n" << verdict;
  }
}

Rows bounded(double error, std::optional<double> limit) {
  return {made_up({.error = error, .bound = limit})};
}

TEST(BoundGate, PassesUpToTheBoundAndFailsAboveIt) {
  expect_all({{bound, bounded(1e-6, 1e-6), true},
              {bound, bounded(std::nextafter(1e-6, 1.0), 1e-6), false},
              {bound, bounded(0, 0), true},
              {bound, bounded(1e-300, 0), false},
              {bound, bounded(0, -1), false},
              {bound, bounded(1, infinity), true},
              {bound, bounded(infinity, infinity), false},
              {bound, bounded(1e-7, nan), false},
              {bound, bounded(1e-7, std::nullopt), false}});
}

TEST(BoundGate, CountsRowsWithoutBoundInANote) {
  const Verdict verdict =
      verdict_of(bound, {made_up({}), made_up({.seed = 2, .bound = std::nullopt})});

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.checked, 1u);
  EXPECT_THAT(verdict.notes, ElementsAre(holds("1 measured row has no bound")));
}

/// So many rows at half of their probable bound and a fifth of the worst case, and `above` of them
/// at twice the former.
Rows probable(std::size_t count, std::size_t above) {
  Rows rows;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    rows.push_back(made_up({.seed = seed, .error = seed <= above ? 4e-7 : 1e-7, .bound = 5e-7}));
    rows.back().bound_prob_l2_rel = 2e-7;
  }
  return rows;
}

TEST(ProbGate, ExcusesAsManyRowsAsChanceExplains) {
  // P(X > 0) = 1e-3 for 1000 rows of probability 1e-6, P(X > 1) = 2e-4 for 20000.
  expect_all({{prob, probable(1, 0), true},
              {prob, probable(1, 1), false},
              {prob, probable(999, 0), true},
              {prob, probable(999, 1), false},
              {prob, probable(20000, 1), true},
              {prob, probable(20000, 2), false}});
  const Verdict excused = verdict_of(prob, probable(20000, 1));
  EXPECT_THAT(excused.notes, ElementsAre("1 of 20000 rows above bound_prob_l2_rel, 1 may be"));
  EXPECT_EQ(verdict_of(prob, probable(20000, 2)).failed, 2u);
}

TEST(ProbGate, CountsEverySeedOfARowWithStatistics) {
  const auto reduced = [](const Rows& rows) {
    SeedReduction reduction(default_summarised_metrics());
    std::uint64_t seed = 0;
    for (Row row : rows) {
      row.where.set(&Case::seed, ++seed);
      reduction.add(row);
    }
    return Rows{reduction.row()};
  };
  expect_all({{prob, reduced(probable(999, 0)), true},
              {prob, reduced(probable(999, 1)), false},
              {prob, reduced(probable(20000, 1)), true},
              {prob, reduced(probable(20000, 2)), false}});
}

TEST(ProbGate, ExcusesNoRowAboveTheWorstCase) {
  Rows rows = probable(20000, 1);
  rows[0].err_l2_rel = 6e-7;
  EXPECT_FALSE(verdict_of(prob, rows).passed());
}

TEST(ProbGate, CountsRowsWithoutBoundInANote) {
  Rows rows = probable(2, 0);
  rows[1].bound_prob_l2_rel.reset();
  const Verdict verdict = verdict_of(prob, rows);

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.checked, 1u);
  EXPECT_THAT(verdict.notes, ElementsAre(holds("1 measured row has no bound")));
}

/// A product's row: how many coefficients are wrong, and what is known of any.
Row product_row(std::uint64_t wrong, std::optional<double> failure = {},
                std::optional<double> proven = {}) {
  Row row = made_up({});
  row.wrong_coefficients = wrong;
  row.failure_prob = failure;
  row.bound_linf_abs = proven;
  return row;
}

TEST(ExactGate, FailsOnOneWrongCoefficient) {
  expect_all({{whole, {product_row(0)}, true},
              {whole, {product_row(0), product_row(1)}, false},
              {whole + "failure = 1e-9\n", {product_row(1, 1e-12)}, false}});
}

TEST(ExactGate, LimitsTheProbabilityOfFailure) {
  const std::string seldom = whole + "failure = 1e-9\n";
  expect_all({{seldom, {product_row(0, 1e-9)}, true},
              {seldom, {product_row(0, std::nextafter(1e-9, 1))}, false},
              {seldom, {product_row(0, nan)}, false},
              {seldom, {product_row(0)}, false}});
}

TEST(ExactGate, WithProbabilityZeroNeedsABoundBelowOneHalf) {
  const std::string proven = whole + "failure = 0\n";
  expect_all({{proven, {product_row(0, 1, std::nextafter(0.5, 0))}, true},
              {proven, {product_row(0, 0, 0.5)}, false},
              {proven, {product_row(0, 0)}, false}});
}

TEST(ExactGate, SaysWhatIsNoProductOfWholeNumbers) {
  Row other = made_up({});
  other.wrong_coefficients.reset();

  EXPECT_EQ(verdict_of(whole, {other}).failures.at(0).text,
            "wrong_coefficients is empty: no product of whole numbers");
}

TEST(MaxGate, PassesAtTheLimitAndFailsAboveIt) {
  const std::string none = "kind = 'max'\nmetric = 'err_l2_rel'\nlimit = 0\n";
  const std::string some = at_most + "where = ['mode=fp32', 'n>64']";
  expect_all({{at_most, one(1e-6), true},
              {at_most, one(std::nextafter(1e-6, 1.0)), false},
              {none, one(0), true},
              {none, one(5e-324), false},
              {some,
               {made_up({.n = 64, .error = 1}), made_up({.mode = "bf16", .n = 128, .error = 1}),
                made_up({.n = 128})},
               true}});
}

TEST(MaxGate, SaysWhatHasNoNumber) {
  Row empty = made_up({});
  empty.err_l2_rel.reset();

  EXPECT_EQ(verdict_of(at_most, one(nan)).failures.at(0).text, "err_l2_rel = nan");
  EXPECT_EQ(verdict_of(at_most, {empty}).failures.at(0).text, "err_l2_rel is empty: not measured");
}

TEST(MaxGate, NamesTheRowFarthestAboveTheLimitAsWorst) {
  const Verdict verdict =
      verdict_of(at_most, {made_up({.seed = 1, .error = 2e-6}), made_up({.seed = 2, .error = 8e-6}),
                           made_up({.seed = 3, .error = 4e-6})});

  ASSERT_TRUE(verdict.worst);
  EXPECT_EQ(verdict.worst->where.seed(), 2u);
  EXPECT_DOUBLE_EQ(verdict.worst->ratio, 8e-6 / 1e-6);
  EXPECT_EQ(verdict.failed, 3u);
  EXPECT_DOUBLE_EQ(verdict_of(at_most, one(2.5e-7)).worst->ratio, 2.5e-7 / 1e-6);
}

// Gates that compare with kept rows.

TEST(BaselineGate, AllowsEachSideItsFactorAndEqualityWithoutOne) {
  struct Pair {
    std::string factors;
    double now;
    double old;
    bool passes;
  };
  const std::string wide = "worse = 1.5\nbetter = 4\n";
  const std::string two = "worse = 2\nbetter = 2\n";
  for (const Pair& pair : {Pair{"", 0.1, 0.1, true},
                           {"", std::nextafter(0.1, 1.0), 0.1, false},
                           {"", std::nextafter(0.1, 0.0), 0.1, false},
                           {wide, 12, 8, true},
                           {wide, std::nextafter(12, 13), 8, false},
                           {wide, 2, 8, true},
                           {wide, std::nextafter(2, 1), 8, false},
                           {two, 0, 0, true},
                           {two, 1e-30, 0, false},
                           {two, 0, 1e-30, false},
                           {two, infinity, infinity, true},
                           {two, infinity, 1, false},
                           {two, 1, infinity, false},
                           {"", nan, nan, false},
                           {"", 1e-7, nan, false}})
    EXPECT_EQ(verdict_of(exact + pair.factors, one(pair.now), one(pair.old)).passed(), pair.passes)
        << pair.factors << pair.now << " " << pair.old;
}

TEST(BaselineGate, TellsTheShareOfTheMoveThatIsAllowed) {
  const std::string factors = exact + "worse = 1.5\nbetter = 4\n";
  EXPECT_EQ(verdict_of(exact, one(0.1), one(0.1)).worst->ratio, 0);
  EXPECT_EQ(verdict_of(factors, one(8), one(8)).worst->ratio, 0);
  EXPECT_DOUBLE_EQ(verdict_of(factors, one(10), one(8)).worst->ratio, 0.5);
  EXPECT_DOUBLE_EQ(verdict_of(factors, one(12), one(8)).worst->ratio, 1);
  EXPECT_DOUBLE_EQ(verdict_of(factors, one(16), one(8)).worst->ratio, 2);
  EXPECT_DOUBLE_EQ(verdict_of(factors, one(2), one(8)).worst->ratio, 1);
  EXPECT_DOUBLE_EQ(verdict_of(factors, one(3.2), one(8)).worst->ratio, 0.5);
}

TEST(BaselineGate, ShowsOldAndNewInFull) {
  EXPECT_EQ(verdict_of(exact, one(0.30000000000000004), one(0.2)).failures.at(0).text,
            "err_l2_rel 0.2 -> 0.30000000000000004 (+50 %)");
  EXPECT_EQ(verdict_of(exact, one(0.5), one(0)).failures.at(0).text, "err_l2_rel 0 -> 0.5");
}

TEST(BaselineGate, NotesCasesThatStandOnOneSideOnly) {
  const Verdict verdict =
      verdict_of(exact, {made_up({.seed = 1}), made_up({.seed = 2})},
                 {made_up({.seed = 1}), made_up({.seed = 3}), made_up({.seed = 4})});

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.notes, ElementsAre(holds("1 row without a kept row in kept.csv"),
                                         holds("2 kept rows of kept.csv not in this run")));
  EXPECT_THAT(verdict_of(exact, {made_up({.seed = 1})}, {made_up({.seed = 2})}).errors,
              ElementsAre(holds("no row has a kept row in kept.csv: 1 row, first: ")));
}

TEST(BaselineGate, FailsOnOneSidedCasesWhereTheyAreAskedFor) {
  const Rows first = {made_up({.seed = 1})};
  const Rows both = {made_up({.seed = 1}), made_up({.seed = 2})};
  const Verdict unkept = verdict_of(exact, both, first, {.require_baseline = true});
  const Verdict missing = verdict_of(exact + "complete = true", first, both);
  const Verdict lost =
      verdict_of(exact, {made_up({.seed = 1}), skipped_row({.seed = 2}, "no meaning")}, both);

  for (const Verdict* verdict : {&unkept, &missing, &lost}) {
    EXPECT_FALSE(verdict->passed()) << *verdict;
    EXPECT_EQ(verdict->failures.at(0).where.seed(), 2u);
  }
  EXPECT_THAT(lost.failures.at(0).text, holds("is now skipped: no meaning"));
}

TEST(BaselineGate, ComparesOnlyWhatItsFilterSelects) {
  const Verdict verdict =
      verdict_of(exact + "where = 'n=64'\ncomplete = true",
                 {made_up({.n = 64}), made_up({.n = 128, .error = 1})},
                 {made_up({.n = 64}), made_up({.n = 128}), made_up({.n = 256})});

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.notes, IsEmpty());
}

/// A baseline is found by case whatever the order of the rows on either side.
TEST(BaselineGate, DoesNotDependOnTheOrderOfRows) {
  Rows now;
  Rows kept;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    now.push_back(made_up({.seed = seed * 7 % 51, .error = static_cast<double>(seed * 7 % 51)}));
    kept.push_back(made_up({.seed = seed * 11 % 51, .error = static_cast<double>(seed * 11 % 51)}));
  }

  const Verdict verdict =
      verdict_of(exact + "complete = true\n", now, kept, {.require_baseline = true});

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.checked, 50u);
}

Rows with_hash(const std::string& text) {
  Row row = made_up({});
  row.output_hash = text;
  return {row};
}

TEST(HashGate, FailsUnlessTheBitsAreTheSame) {
  EXPECT_TRUE(verdict_of(hash, with_hash("aa"), with_hash("aa")).passed());
  EXPECT_FALSE(verdict_of(hash, with_hash("ab"), with_hash("aa")).passed());
  EXPECT_FALSE(verdict_of(hash, with_hash("aa"), with_hash("")).passed());
  EXPECT_FALSE(verdict_of(hash, with_hash(""), with_hash("")).passed());
}

// Gates that compare rows of the run with one another.

TEST(OrderGate, ComparesNumbersWithItsFactorAndMediansOverNamedAxes) {
  Rows seeds;
  const double low[] = {9e-1, 1e-4, 2e-4};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    seeds.push_back(made_up({.mode = "fp32", .seed = seed, .error = low[seed - 1]}));
    seeds.push_back(made_up({.mode = "bf16", .seed = seed, .error = 1e-3}));
  }
  expect_all({{order, pair_of(1e-3, 1e-3), true},
              {order, pair_of(1e-3, std::nextafter(1e-3, 1.0)), false},
              {order + "factor = 0.25", pair_of(1e-3, 2e-4), true},
              {order + "factor = 0.125", pair_of(1e-3, 2e-4), false},
              {order, pair_of(0, 0), true},
              {order, pair_of(0, 1e-300), false},
              {order, pair_of(infinity, 1), true},
              {order, pair_of(infinity, infinity), false},
              {order, pair_of(1, nan), false},
              {order, pair_of(nan, 1e-7), false},
              {order, seeds, false},
              {order + "over = 'seed'", seeds, true}});
  EXPECT_EQ(verdict_of(order, pair_of(1, 2)).worst->where.mode(), "fp32");
}

TEST(OrderGate, ComparesRowsThatDifferOnlyInTheNamedAxis) {
  const Rows rows = {made_up({.mode = "bf16", .n = 64, .error = 1e-2}),
                     made_up({.mode = "bf16", .n = 128, .error = 1e-3}),
                     made_up({.mode = "fp32", .n = 64, .error = 5e-3}),
                     made_up({.mode = "fp32", .n = 128, .error = 5e-4})};

  const Verdict verdict = verdict_of(order, rows);

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.checked, 2u);
}

TEST(PairedGates, FailOnRowsWithoutPartnerOnEitherSide) {
  const Rows rows = {
      made_up({.mode = "bf16", .n = 64, .error = 1e-2}), made_up({.mode = "fp32", .n = 64}),
      made_up({.mode = "bf16", .n = 128, .error = 1e-2}), made_up({.mode = "fp32", .n = 256})};
  for (const std::string& keys : {order, ratio, equal}) {
    const Verdict verdict = verdict_of(keys, rows);

    EXPECT_FALSE(verdict.passed()) << verdict;
    EXPECT_EQ(verdict.checked, 1u) << keys;
    EXPECT_THAT(verdict.errors, ElementsAre(holds("1 of 2 left rows without a partner"),
                                            holds("1 of 2 right rows without a partner")));
  }
}

TEST(PairedGates, FailOnASelectionThatLeavesAnAxisOpen) {
  const Rows rows = {made_up({.mode = "bf16", .error = 1e-2}),
                     made_up({.mode = "fp64", .error = 1e-2}), made_up({.mode = "ozaki"})};
  for (const char* kind : {"order", "ratio", "equal"}) {
    const Verdict verdict = verdict_of(
        std::string("kind = '") + kind + "'\nleft = 'mode=ozaki'\nright = 'mode=bf16,fp64'\n",
        rows);

    EXPECT_FALSE(verdict.passed()) << verdict;
    EXPECT_THAT(verdict.errors.at(0), holds("right selects 2 rows for one comparison"));
  }
}

TEST(RatioGate, HasTwoSides) {
  const std::string gate = ratio + "min_ratio = 6\nmax_ratio = 9\n";
  expect_all({{gate, pair_of(6, 1), true},
              {gate, pair_of(9, 1), true},
              {gate, pair_of(5.99, 1), false},
              {gate, pair_of(9.01, 1), false},
              {gate, pair_of(nan, 1), false}});
  EXPECT_DOUBLE_EQ(verdict_of(gate, pair_of(18, 1)).worst->ratio, 2);
  EXPECT_DOUBLE_EQ(verdict_of(gate, pair_of(3, 1)).worst->ratio, 2);
}

TEST(EqualGate, PassesOnTheSameHashAndFailsOnAnother) {
  const Rows same = pair_of(1, 1);
  Rows other = same;
  other[0].output_hash = "00000000000000ab";
  Rows none = same;
  none[1].output_hash.clear();
  expect_all({{equal, same, true}, {equal, other, false}, {equal, none, false}});
}

TEST(NearGate, PassesWithinTheDigitsPrintedOrAFactorBeyond) {
  const std::string gate = near + "figures = { 'n=64' = '1.5e-3' }\n";
  const std::string twice = gate + "within = 2\n";
  expect_all({{gate, one(1.46e-3), true},
              {gate, one(1.54e-3), true},
              {gate, one(1.56e-3), false},
              {gate, one(1.44e-3), false},
              {gate, one(0), false},
              {twice, one(0.73e-3), true},
              {twice, one(0.72e-3), false},
              {twice, one(3.09e-3), true},
              {twice, one(3.11e-3), false}});
}

TEST(NearGate, ComparesEveryFigureAndTakesTheMedianOverAnAxis) {
  const std::string gate =
      near + "figures = { 'n=64' = '1e-3', 'n=128' = '2e-3' }\nover = 'seed'\n";
  const Rows rows = {
      made_up({.n = 64, .seed = 1, .error = 1e-9}), made_up({.n = 64, .seed = 2, .error = 1e-3}),
      made_up({.n = 64, .seed = 3, .error = 1}), made_up({.n = 128, .seed = 1, .error = 2e-3})};

  EXPECT_TRUE(verdict_of(gate, rows).passed());
  EXPECT_EQ(verdict_of(gate, rows).checked, 2u);
}

TEST(NearGate, SaysOfAGainHowFarItIsFromOne) {
  const std::string gate = "kind = 'near'\nmetric = 'gain'\nfigures = { 'n=64' = '1.0000000' }\n";
  Rows rows = {made_up({.n = 64})};
  rows[0].gain = 1 - 2.6e-7;
  EXPECT_THAT(verdict_of(gate, rows).failures.at(0).text,
              holds("gain = 0.99999974, published 1.0000000"));
  rows[0].gain = 1 - 4e-8;
  EXPECT_TRUE(verdict_of(gate, rows).passed());
}

TEST(NearGate, FailsWhereAFigureHasNoRow) {
  const Verdict verdict =
      verdict_of(near + "figures = { 'n=64' = '1e-7', 'n=128' = '2e-3' }\n", one(1e-7));

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.errors, ElementsAre(holds("no row for the figure 2e-3")));
}

TEST(SlopeGate, FitsTheExponentOfN) {
  const std::string gate = slope + "min = 0.4\nmax = 0.6\n";
  Rows with_zero = growing(0.5);
  with_zero[0].err_l2_rel = 0;
  expect_all({{gate, growing(0.5), true},
              {gate, growing(0.7), false},
              {gate, growing(0.3), false},
              {slope + "max = 9\n", with_zero, false}});
}

TEST(SlopeGate, FailsOnFewerThanThreeSizes) {
  const Verdict verdict =
      verdict_of(slope + "max = 9\n", {made_up({.n = 64}), made_up({.n = 128})});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.errors.at(0), holds("2 sizes are too few"));
}

TEST(SlopeGate, SaysByHowMuchMoreThanAllowedTheErrorGrowsPerDoubling) {
  EXPECT_NEAR(verdict_of(slope + "max = 0.5\n", growing(1.5)).worst->ratio, 2, 1e-9);
  EXPECT_NEAR(verdict_of(slope + "min = 2.5\n", growing(1.5)).worst->ratio, 2, 1e-9);
  EXPECT_NEAR(verdict_of(slope + "min = 0.5\nmax = 2.5\n", growing(1.5)).worst->ratio, 0.5, 1e-9);
}

// Outcomes.

TEST(Verdict, DoesNotPassUntilSomethingWasCompared) { EXPECT_FALSE(Verdict{}.passed()); }

TEST(ExpectFail, ExcusesWhatFailsUpToItsLastDayAlone) {
  const std::string expected = at_most + "expect_fail = { reason = 'r', expires = 2026-12-31 }\n";
  constexpr std::chrono::sys_days last = 2026y / 12 / 31;
  const auto outcome = [&](const Rows& rows, std::chrono::sys_days today) {
    return verdict_of(expected, rows, {}, {.today = today}).outcome();
  };

  EXPECT_EQ(outcome(one(1e-5), last - std::chrono::days(400)), Outcome::expected_fail);
  EXPECT_EQ(outcome(one(1e-5), last), Outcome::expected_fail);
  EXPECT_TRUE(verdict_of(expected, one(1e-5), {}, {.today = last}).passed());
  EXPECT_EQ(outcome(one(1e-5), last + std::chrono::days(1)), Outcome::fail);
  EXPECT_EQ(outcome(one(1e-7), last), Outcome::unexpected_pass);
  EXPECT_FALSE(verdict_of(expected, one(1e-7), {}, {.today = last}).passed());
  EXPECT_EQ(outcome(one(1e-7), last + std::chrono::days(1)), Outcome::pass);
  EXPECT_EQ(outcome({}, last), Outcome::fail) << "it compares nothing";
  EXPECT_EQ(verdict_of(expected, one(1e-5)).outcome(), Outcome::fail) << "nobody says which day";
}

}  // namespace
}  // namespace fftprec::gates
