/// The smallest widths that meet a goal, against every choice of a grid tried one by one.
#include "experiments/search/widths.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::search {

using testing::error_text;
using testing::holds;

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

namespace {

using Holds = std::function<bool(const Widths&)>;

const Case shifted{.mode = "q1.15", .n = 16, .input = "uniform", .scale = "stage:1/2"};

/// Every choice in the grid that holds and covers no other one that does, sorted.
std::vector<Widths> by_trial(const Widths& least, const Widths& most, const Holds& holds) {
  std::vector<Widths> held;
  for (Widths at = least;;) {
    if (holds(at)) held.push_back(at);
    std::size_t i = at.size();
    while (i > 0 && at[i - 1] == most[i - 1]) --i;
    if (i == 0) break;
    ++at[i - 1];
    std::copy(least.begin() + static_cast<std::ptrdiff_t>(i), least.end(),
              at.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::vector<Widths> smallest;
  std::copy_if(held.begin(), held.end(), std::back_inserter(smallest), [&](const Widths& one) {
    return std::none_of(held.begin(), held.end(),
                        [&](const Widths& other) { return other != one && covers(one, other); });
  });
  return smallest;
}

/// The row of a case as any run measures it.
std::string mode_with(const std::string& mode, const std::string& width, int bits) {
  Case where{.mode = mode};
  free_width(width, {where}).set(where, bits);
  return where.mode;
}

std::string machine_with(const std::string& machine, const std::string& width, int value) {
  Case where{.machine = machine};
  free_width(width, {where}).set(where, value);
  return where.machine;
}

}  // namespace

TEST(SmallestWidths, AreThoseOfTrialOfAllChoicesWithFewAsked) {
  const Widths least{2, 1, 3};
  const Widths most{20, 17, 15};
  const std::vector<Holds> conditions = {
      [](const Widths& w) { return w[0] * w[1] + w[2] >= 100; },
      [](const Widths& w) { return w[0] + 2 * w[1] >= 31 && w[2] >= 11; },
      [](const Widths& w) {
        return std::min({w[0], w[1] + 4, w[2]}) >= 9 && w[0] + w[2] > 21;
      },
      [](const Widths&) { return true; },
      [&](const Widths& w) { return w == most; },
      [](const Widths&) { return false; }};
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    std::set<Widths> asked;
    const std::vector<Widths> found = smallest_widths(least, most, [&](const Widths& widths) {
      asked.insert(widths);
      return conditions[i](widths);
    });
    EXPECT_EQ(found, by_trial(least, most, conditions[i])) << "condition " << i;
    EXPECT_LE(asked.size(), 4 + 20 * found.size()) << "of 4199, condition " << i;
  }
}

TEST(SmallestWidths, HaveNoNeighbourThatHoldsWhereTheConditionIsNotMonotone) {
  // Bisection tries 8, which fails, and 11, which fails, too.
  const Holds with_hole = [](const Widths& w) { return w[0] >= 9 && w[0] != 11; };
  EXPECT_THAT(smallest_widths({2}, {50}, with_hole), ElementsAre(Widths{12}));
  // With the second width at its largest, the first must be 10; with a small one 6 are enough.
  const Holds turned = [](const Widths& w) {
    return w[1] >= 3 && (w[0] >= 10 || (w[0] >= 6 && w[1] <= 8));
  };
  EXPECT_THAT(smallest_widths({1, 1}, {20, 20}, turned), ElementsAre(Widths{6, 3}));
}

TEST(FreeWidth, ChangesModesAndMachinesByTheirOwnWords) {
  EXPECT_EQ(mode_with("q1.15", "data.bits", 12), "q1.11");
  EXPECT_EQ(mode_with("q4.12", "data.bits", 12), "q4.8");
  EXPECT_EQ(mode_with("q4.12:table=q2.14", "data.bits", 12), "q4.8:table=q2.14");
  EXPECT_EQ(mode_with("q4.12", "table.bits", 10), "q4.12:table=q1.9");
  EXPECT_EQ(mode_with("q4.12:table=q2.14", "table.bits", 10), "q4.12:table=q2.8");
  EXPECT_EQ(mode_with("bf16", "data.bits", 12),
            "custom(p=12,emin=-126,emax=127,subnormals=true,overflow=infinity)");
  EXPECT_EQ(mode_with("bf16", "data.bits", 11), "tf32");
  EXPECT_EQ(mode_with("bf16", "data.bits", 24), "fp32");
  EXPECT_EQ(mode_with("fp8_e4m3fn", "data.bits", 6),
            "custom(p=6,emin=-6,emax=8,subnormals=true,overflow=nan)");
  EXPECT_EQ(machine_with("ieee", "fixed.accumulator", 40), "ieee{fixed.accumulator=40}");
  EXPECT_EQ(machine_with("ieee{fixed.accumulator=40}", "fixed.accumulator", 161), "ieee");
  EXPECT_EQ(machine_with("trn{casts=sr}", "sr.bits", 5), "trn{casts=sr,sr.bits=5}");
  EXPECT_EQ(machine_with("trn", "psum.precision", 8), "trn{psum=bf16}");
  EXPECT_EQ(free_width("data.bits", {{.mode = "q4.12"}, {.mode = "q1.15"}}).least, 4);
  EXPECT_EQ(free_width("data.bits", {{.mode = "fp16"}, {.mode = "q4.12"}}).most, 24);
  EXPECT_EQ(free_width("data.bits", {{.mode = "fp16", .rounding_points = "pass:3"}}).most, 23);
  EXPECT_EQ(free_width("data.bits", {{.mode = "q1.15"}}).most, 50);
  EXPECT_EQ(free_width("data.bits", {{.mode = "q1.15", .rounding_points = "pass:3"}}).most, 50);
  const FreeWidth all = free_width("fixed.accumulator", {{}});
  EXPECT_EQ(all.text(160) + ", " + all.text(161), "160, no limit");
  const FreeWidth some = free_width("fixed.accumulator=20..62", {{}});
  EXPECT_EQ(some.text(some.most), "62");
}

TEST(FreeWidth, SaysWhatIsNotFree) {
  const auto message = [](const std::string& text, const Case& where) {
    return error_text([&] {
      Case changed = where;
      free_width(text, {where}).set(changed, 8);
    });
  };
  EXPECT_THAT(message("data.bit", {}), holds("unknown free width 'data.bit'; did you mean "
                                             "'data.bits'?; known: data.bits, table.bits, "));
  EXPECT_THAT(message("casts", {}), holds("unknown free width 'casts'"));
  EXPECT_THAT(message("table.bits", {.mode = "bf16"}),
              holds("--free table.bits: mode bf16 is not fixed point"));
  EXPECT_THAT(message("data.bits", {.mode = "bf16_refined"}),
              holds("bf16_refined is not fixed point, as q1.15 is, nor plain arithmetic"));
  EXPECT_THAT(message("sr.bits", {}),
              holds("--free sr.bits: machine trn: nothing reads sr.bits; it needs casts=sr"));
  EXPECT_THAT(message("product.precision", {}),
              holds("--free product.precision: machine trn: product is 'exact'"));
  EXPECT_THAT(message("sr.bits=9..70", {}), holds("expected a range within 1..53"));
  EXPECT_THAT(message("sr.bits=9", {}), holds("expected a range within 1..53"));
}

TEST(Design, FindsTheFrontThatRowsOfEveryChoiceGive) {
  DesignRequest request{
      .cases = {shifted, shifted},
      .free = {free_width("data.bits=6..14", {shifted}), free_width("table.bits=4..12", {shifted})},
      .goals = {goal_from("snr_db=40", false), goal_from("overflows=0", true)},
      .threads = 2};
  request.cases[1].seed = 2;
  std::size_t judged = 0;
  request.on_judged = [&](const Widths&, const JudgedWidths&) { ++judged; };
  const auto worst_snr = [&](const Widths& widths) {
    double worst = INFINITY;
    for (const Case& where : cases_with(request, widths))
      worst = std::min(worst, *evaluate(where).snr_db);
    return worst;
  };

  const Design found = design(request);

  const std::vector<Widths> front =
      by_trial({6, 4}, {14, 12}, [&](const Widths& widths) { return worst_snr(widths) >= 40; });
  EXPECT_THAT(found.front, ::testing::UnorderedElementsAreArray(front));
  ASSERT_GT(front.size(), 1u);
  EXPECT_EQ(found.judged.size(), judged) << "a choice was judged twice";
  for (const Widths& widths : found.front) {
    EXPECT_EQ(found.judged.at(widths).worst[0], worst_snr(widths));
    EXPECT_LE(found.front[0][0] + found.front[0][1], widths[0] + widths[1]);
  }
  EXPECT_THAT(found.contradictions, IsEmpty());
  EXPECT_THAT(found.idle, IsEmpty());
}

TEST(Design, SeesWhereASmallerWidthHoldsAndALargerFails) {
  const FreeWidth made_up{.name = "made.up",
                          .least = 1,
                          .most = 4,
                          .unlimited = false,
                          .set = [](Case& where, int width) {
                            constexpr const char* modes[] = {"q1.3", "q1.13", "q1.5", "q1.15"};
                            where.mode = modes[width - 1];
                          }};
  const Design found =
      design({.cases = {shifted}, .free = {made_up}, .goals = {goal_from("snr_db=45", false)}});
  EXPECT_THAT(found.contradictions, ElementsAre(Pair(Widths{2}, Widths{3})));
  EXPECT_THAT(found.front, ElementsAre(Widths{2}));
}

TEST(Design, TakesAMultipleOfTheWorstRowAtTheLargestWidths) {
  const Case where{.mode = "bf16", .machine = "trn{casts=sr}", .n = 64};
  const Design found = design({.cases = {where},
                               .free = {free_width("sr.bits", {where})},
                               .goals = {goal_from("err_l2_rel=1.1x", true)}});
  Case most = where;
  most.machine = "trn{casts=sr,sr.bits=53}";
  EXPECT_EQ(found.goals[0].limit, 1.1 * *evaluate(most).err_l2_rel);
  ASSERT_EQ(found.front.size(), 1u);
  EXPECT_LE(found.judged.at(found.front[0]).worst[0], found.goals[0].limit);
}

TEST(Design, SaysWhatMakesNoDifferenceAndWhatCannotBeReached) {
  const Case where{.mode = "fp32", .n = 16};
  const std::vector<FreeWidth> psum = {free_width("psum.precision", {where})};
  const Design idle =
      design({.cases = {where}, .free = psum, .goals = {goal_from("snr_db=60", false)}});
  EXPECT_THAT(idle.idle, ElementsAre("psum.precision"));
  EXPECT_THAT(idle.front, ElementsAre(Widths{2}));
  const Design never =
      design({.cases = {where}, .free = psum, .goals = {goal_from("snr_db=600", false)}});
  EXPECT_THAT(never.front, IsEmpty());
  EXPECT_EQ(never.judged.at(never.most).worst[0], *evaluate(where).snr_db);
  // What was not measured is no better than any limit.
  const Case nothing{.mode = "q1.15", .n = 16, .scale = "block"};
  const Design missing = design({.cases = {nothing},
                                 .free = {free_width("data.bits=8..20", {nothing})},
                                 .goals = {goal_from("bound_l2_rel=inf", true)}});
  EXPECT_THAT(missing.front, IsEmpty());
}

TEST(Design, FindsTheFewestBitsOfASignificand) {
  for (const char* store : {"op", "pass:3"}) {
    const Case where{.mode = "bf16", .n = 256, .rounding_points = store};
    const Design found = design({.cases = {where},
                                 .free = {free_width("data.bits", {where})},
                                 .goals = {goal_from("snr_db=60", false)}});
    ASSERT_EQ(found.front.size(), 1u);
    const int bits = found.front[0][0];
    const auto snr = [&](int precision) {
      Case at = where;
      at.mode = mode_with("bf16", "data.bits", precision);
      return *evaluate(at).snr_db;
    };
    EXPECT_GE(snr(bits), 60);
    EXPECT_LT(snr(bits - 1), 60);
    EXPECT_EQ(found.judged.at({bits}).worst[0], snr(bits));
  }
}

TEST(Design, CountsFormatsThatAMachineDoesNotTakeAsNoMeaning) {
  const Case where{.algorithm = "dft-gemm", .mode = "fp16", .n = 16};
  const Design found = design({.cases = {where},
                               .free = {free_width("data.bits=9..11", {where})},
                               .goals = {goal_from("snr_db=20", false)}});
  EXPECT_THAT(found.front, ElementsAre(Widths{11}));
  EXPECT_THAT(found.judged.at({10}).worst, IsEmpty());
  EXPECT_THAT(found.judged.at({10}).reason, holds("multiplies no matrices of custom(p=10"));
}

TEST(Design, CountsANarrowAccumulatorAsNoMeaningAndNoContradiction) {
  const Design found = design({.cases = {shifted},
                               .free = {free_width("data.bits=6..14", {shifted}),
                                        free_width("fixed.accumulator", {shifted})},
                               .goals = {goal_from("snr_db=40", false)}});
  ASSERT_EQ(found.front.size(), 1u);
  const Widths narrow{found.front[0][0], found.front[0][1] - 1};
  EXPECT_THAT(found.judged.at(narrow).worst, IsEmpty());
  EXPECT_THAT(found.judged.at(narrow).reason, holds("does not hold data of"));
  EXPECT_THAT(found.contradictions, IsEmpty());
}

TEST(Goal, RefusesWhatIsNoLimit) {
  const auto message = [](const std::string& text) {
    return error_text([&] { goal_from(text, true); });
  };
  EXPECT_THAT(message("snr=60"), holds("unknown metric 'snr'; did you mean 'snr_db'?"));
  EXPECT_THAT(message("n=60"), holds("unknown metric 'n'"));
  for (const char* text :
       {"snr_db", "snr_db=", "snr_db=x", "snr_db=nan", "snr_db=1,2", "snr_db=6y"})
    EXPECT_THAT(message(text), holds("is not METRIC=NUMBER")) << text;
  EXPECT_THAT(message("snr_db=60x"), holds("snr_db is a logarithm or a gain"));
  EXPECT_EQ(message("err_l2_rel=1.04x"), "no error");
}

}  // namespace fftprec::search
