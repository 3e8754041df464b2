/// Gates that compare with kept rows, on rows made up for each outcome.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/gates/gate_file.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Compared {
  std::vector<Row> now;
  std::vector<Row> kept;
};

Verdict verdict_of(const std::string& keys, const Compared& rows, const GateOptions& options = {}) {
  const std::vector<Gate> gates = parse_gates(
      "[[gate]]\nname = 'g'\nsource = 's'\nbaseline = 'kept.csv'\n" + keys, "test.toml");
  return check_gate(gates.at(0), rows.now, {{"kept.csv", rows.kept}}, options);
}

const std::string exact_gate = "kind = 'baseline'\nmetric = 'err_l2_rel'\n";

TEST(BaselineGate, AsksForEqualityUnlessFactorsAreGiven) {
  EXPECT_TRUE(
      verdict_of(exact_gate, {{made_up({.error = 0.1})}, {made_up({.error = 0.1})}}).passed());
  EXPECT_FALSE(verdict_of(exact_gate, {{made_up({.error = std::nextafter(0.1, 1.0)})},
                                       {made_up({.error = 0.1})}})
                   .passed());
  EXPECT_FALSE(verdict_of(exact_gate, {{made_up({.error = std::nextafter(0.1, 0.0)})},
                                       {made_up({.error = 0.1})}})
                   .passed());
}

TEST(BaselineGate, AllowsEachSideItsFactor) {
  const std::string gate = exact_gate + "worse = 1.5\nbetter = 4\n";
  const auto passes = [&](double now) {
    return verdict_of(gate, {{made_up({.error = now})}, {made_up({.error = 8})}}).passed();
  };

  EXPECT_TRUE(passes(12));
  EXPECT_FALSE(passes(std::nextafter(12, 13)));
  EXPECT_TRUE(passes(2));
  EXPECT_FALSE(passes(std::nextafter(2, 1)));
}

TEST(BaselineGate, HoldsAnExactResultToZero) {
  const std::string gate = exact_gate + "worse = 2\nbetter = 2\n";

  EXPECT_TRUE(verdict_of(gate, {{made_up({.error = 0})}, {made_up({.error = 0})}}).passed());
  EXPECT_FALSE(verdict_of(gate, {{made_up({.error = 1e-30})}, {made_up({.error = 0})}}).passed());
  EXPECT_FALSE(verdict_of(gate, {{made_up({.error = 0})}, {made_up({.error = 1e-30})}}).passed());
}

TEST(BaselineGate, FailsOnNanOnEitherSide) {
  EXPECT_FALSE(
      verdict_of(exact_gate, {{made_up({.error = nan})}, {made_up({.error = nan})}}).passed());
  EXPECT_FALSE(verdict_of(exact_gate, {{made_up({})}, {made_up({.error = nan})}}).passed());
}

TEST(BaselineGate, ShowsOldAndNewInFull) {
  const Verdict verdict = verdict_of(
      exact_gate, {{made_up({.error = 0.30000000000000004})}, {made_up({.error = 0.2})}});

  EXPECT_EQ(verdict.failures.at(0).text, "err_l2_rel 0.2 -> 0.30000000000000004 (+50 %)");
}

TEST(BaselineGate, NotesCasesThatStandOnOneSideOnly) {
  const Verdict verdict =
      verdict_of(exact_gate, {{made_up({.seed = 1}), made_up({.seed = 2})},
                              {made_up({.seed = 1}), made_up({.seed = 3}), made_up({.seed = 4})}});

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.notes, ElementsAre(HasSubstr("1 rows have no kept row in kept.csv"),
                                         HasSubstr("2 kept rows of kept.csv are not in this run")));
}

TEST(BaselineGate, FailsOnANewCaseIfABaselineIsRequired) {
  const Verdict verdict =
      verdict_of(exact_gate, {{made_up({.seed = 1}), made_up({.seed = 2})}, {made_up({.seed = 1})}},
                 {.require_baseline = true});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.failures.at(0).where.seed, 2u);
}

TEST(BaselineGate, FailsOnAMissingCaseIfItIsComplete) {
  const Verdict verdict =
      verdict_of(exact_gate + "complete = true",
                 {{made_up({.seed = 1})}, {made_up({.seed = 1}), made_up({.seed = 2})}});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_EQ(verdict.failures.at(0).where.seed, 2u);
}

TEST(BaselineGate, FailsIfNoCaseIsOnBothSides) {
  EXPECT_FALSE(verdict_of(exact_gate, {{made_up({.seed = 1})}, {made_up({.seed = 2})}}).passed());
}

TEST(BaselineGate, FailsOnACaseThatIsSkippedNow) {
  const Verdict verdict =
      verdict_of(exact_gate, {{made_up({.seed = 1}), skipped_row({.seed = 2}, "no meaning")},
                              {made_up({.seed = 1}), made_up({.seed = 2})}});

  EXPECT_FALSE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.failures.at(0).text, HasSubstr("is now skipped: no meaning"));
}

TEST(BaselineGate, ComparesOnlyWhatItsFilterSelects) {
  const Verdict verdict =
      verdict_of(exact_gate + "where = 'n=64'\ncomplete = true",
                 {{made_up({.n = 64}), made_up({.n = 128, .error = 1})},
                  {made_up({.n = 64}), made_up({.n = 128}), made_up({.n = 256})}});

  EXPECT_TRUE(verdict.passed()) << verdict;
  EXPECT_THAT(verdict.notes, IsEmpty());
}

Row with_hash(const std::string& hash) {
  Row row = made_up({});
  row.output_hash = hash;
  return row;
}

TEST(HashGate, FailsUnlessTheBitsAreTheSame) {
  const std::string gate = "kind = 'hash'\n";

  EXPECT_TRUE(verdict_of(gate, {{with_hash("aa")}, {with_hash("aa")}}).passed());
  EXPECT_FALSE(verdict_of(gate, {{with_hash("ab")}, {with_hash("aa")}}).passed());
  EXPECT_FALSE(verdict_of(gate, {{with_hash("")}, {with_hash("")}}).passed());
}

}  // namespace
}  // namespace fftprec
