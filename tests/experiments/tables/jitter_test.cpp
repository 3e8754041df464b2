/// Jitter by one unit in the last place: of inputs and of tables; and the inputs that are probes.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "arith/formats/format.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::testing {
namespace {

TEST(Jitter, MovesByOneNeighbourAtMostAndEachWayAboutAThirdOfTheTime) {
  constexpr int draws = 30000;
  int down = 0;
  int up = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const float x = 1.0F;
    const float moved = jittered(x, {.k = 3}, i);
    const bool is_down = moved == std::nextafter(x, 0.0F);
    const bool is_up = moved == std::nextafter(x, 2.0F);
    ASSERT_TRUE(is_down || is_up || moved == x) << moved;
    down += is_down ? 1 : 0;
    up += is_up ? 1 : 0;
  }
  // Five standard deviations of a binomial count.
  EXPECT_NEAR(down, draws / 3, 5 * std::sqrt(draws * 2.0 / 9));
  EXPECT_NEAR(up, draws / 3, 5 * std::sqrt(draws * 2.0 / 9));
}

TEST(Jitter, LeavesZerosAndDrawZeroAlone) {
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(jittered(0.0F, {.k = 1}, i), 0.0F);
    EXPECT_EQ(jittered(1.5F, {.k = 0}, i), 1.5F);
  }
}

TEST(JitteredInput, MovesTheInputAndDiffersFromDrawToDraw) {
  const auto x = make_input("torch_randn", 64, 1, 42);
  const auto first = make_input("jitter:k=1:inner=torch_randn", 64, 1, 42);
  const auto second = make_input("jitter:k=2:inner=torch_randn", 64, 1, 42);

  EXPECT_NE(first.re, x.re);
  EXPECT_NE(first.re, second.re);
  EXPECT_EQ(first.im, x.im) << "imaginary parts are zero";
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto value = static_cast<float>(x.re[i]);
    EXPECT_LE(first.re[i], static_cast<double>(std::nextafter(value, 100.0F)));
    EXPECT_GE(first.re[i], static_cast<double>(std::nextafter(value, -100.0F)));
  }
}

TEST(JitteredInput, TakesAWholeNameInside) {
  EXPECT_NE(make_input("jitter:k=4:inner=wide:phi=2", 8, 1, 1).re,
            make_input("jitter:k=4:inner=wide:phi=3", 8, 1, 1).re);
}

TEST(JitteredInput, RefusesWhatItCannotMove) {
  expect_each([](const std::string& text) { return error_text([&] { input_named(text); }); },
              {{"jitter:k=1", "needs an inner input"},
               {"jitter:k=0:inner=dc", "k='0'"},
               {"jitter:j=1:inner=dc", "known: k"},
               {"jitter:inner=gausian", "gaussian"},
               {"jitter:inner=file:x.npy", "are exact"}});
}

TEST(JitteredTables, MoveByOneUnitAndAreTheSameForTheSameAngle) {
  const RootFunction plain = table_source("fp32-angle");
  const RootFunction moved = table_source("fp32-angle:jitter=5");
  std::set<double> steps;
  for (std::uint64_t e = 0; e < 64; ++e) {
    const double step = moved(e, 64, fp32).real() - plain(e, 64, fp32).real();
    EXPECT_LE(std::abs(step), 0x1p-24);
    EXPECT_LE(std::abs(moved(e, 64, fp32).real()), 1);
    EXPECT_EQ(moved(e, 64, fp32), moved(2 * e, 128, fp32));
    steps.insert(step);
  }
  EXPECT_GT(steps.size(), 2u);
  for (int k = 1; k <= 20; ++k) {
    const RootFunction draw = table_source("fp32-angle:jitter=" + std::to_string(k));
    EXPECT_EQ(draw(0, 64, fp32), plain(0, 64, fp32)) << "cos 0 is 1 in every library";
  }
}

TEST(JitteredTables, AreRefusedWhereNoCosineIsTaken) {
  expect_each([](const std::string& text) { return error_text([&] { table_source(text); }); },
              {{"exact:jitter=1", "no cosine"},
               {"fp32-angle:jitter=0", "jitter='0'"},
               {"fp32-angle:shake=1", "known: order, jitter"}});
  EXPECT_TRUE(takes_cosines("bf16-angle"));
  EXPECT_FALSE(takes_cosines("recurrence"));
}

TEST(Probes, AreTheNumbersThatTheirNamesPromise) {
  const auto product = make_input("probe_product", 4, 1, 0);
  const auto rounding = make_input("probe_rounding", 3, 2, 0);
  const auto order = make_input("probe_order", 4, 1, 2);

  EXPECT_THAT(product.re, ::testing::Each(1.0078125));
  EXPECT_THAT(rounding.re,
              ::testing::ElementsAre(1, 0x1.8p-24, 0x1.8p-24, 1, 0x1.8p-24, 0x1.8p-24));
  EXPECT_THAT(order.re, ::testing::ElementsAre(16777216, 1, 0, -16777216));
  EXPECT_THAT(make_input("probe_order", 4, 1, 1).re, ::testing::Each(1));
  EXPECT_THAT(make_input("probe_rounding", 4, 1, 3).re, ::testing::Each(1));
}

}  // namespace
}  // namespace fftprec::testing
