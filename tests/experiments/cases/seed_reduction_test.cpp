/// Rows reduced over seeds, against all rows.
#include "experiments/cases/seed_reduction.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "experiments/support/decimal.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using testing::holds;

constexpr std::uint64_t last_seed = std::numeric_limits<std::uint64_t>::max();

const Column* column(std::string_view name) { return &column_named(name); }

/// All cells, those of statistics included.
std::string text_of(const Row& row) {
  std::string text;
  for (const std::span<const Column> list : {columns(), statistics_columns()})
    for (const Column& each : list) text += each.text(row) + ",";
  return text;
}

/// Measured rows of the seeds 1 .. count, one of them skipped.
std::vector<Row> some_rows(std::size_t count) {
  std::mt19937_64 draw(1);
  std::vector<Row> rows;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const double error = std::ldexp(1 + static_cast<double>(draw() >> 12) * 0x1p-52, -20);
    rows.push_back(made_up({.seed = seed, .error = error}));
    rows.back().err_max_ulp = error * 0x1p24;
  }
  rows[count / 2] = skipped_row({.seed = count / 2 + 1}, "no meaning");
  return rows;
}

const std::vector<const Column*> two_metrics = {column("err_l2_rel"), column("err_max_ulp")};

Row reduced(const std::vector<Row>& rows) {
  SeedReduction reduction(two_metrics);
  for (const Row& row : rows) reduction.add(row);
  return reduction.row();
}

TEST(SeedSet, HoldsWhatASetHolds) {
  std::mt19937 draw(1);
  for (int round = 0; round < 300; ++round) {
    SeedSet ranges, others;
    std::set<std::uint64_t> all, wanted;
    for (int i = 0; i < 12; ++i) {
      const std::uint64_t first = draw() % 40, last = first + draw() % 6;
      ranges.add(first, last);
      for (std::uint64_t seed = first; seed <= last; ++seed) all.insert(seed);
      const std::uint64_t other = draw() % 50;
      others.add(other);
      wanted.insert(other);
    }
    std::optional<std::uint64_t> common, beyond;
    for (const std::uint64_t seed : all) {
      if (!common && wanted.contains(seed)) common = seed;
      if (!beyond && !wanted.contains(seed)) beyond = seed;
    }

    for (std::uint64_t seed = 0; seed < 60; ++seed)
      ASSERT_EQ(ranges.contains(seed), all.contains(seed)) << ranges.to_text();
    EXPECT_EQ(ranges.size(), all.size());
    EXPECT_EQ(ranges.first_common(others), common);
    EXPECT_EQ(ranges.first_beyond(others), beyond);
    EXPECT_EQ(SeedSet::from_text(ranges.to_text()), ranges);
    others.add(ranges);
    all.merge(wanted);
    EXPECT_EQ(others.size(), all.size());
  }
}

TEST(SeedSet, IsWrittenAsRanges) {
  SeedSet seeds;
  for (const std::uint64_t seed : {5u, 3u, 1u, 2u, 0u}) seeds.add(seed);
  seeds.add(last_seed - 1);
  seeds.add(last_seed);
  EXPECT_EQ(seeds.to_text(), "0..3,5,18446744073709551614..18446744073709551615");
  EXPECT_EQ(SeedSet::from_text(seeds.to_text()), seeds);
  EXPECT_TRUE(seeds.contains(last_seed));
  for (const char* text : {"", "x", "1..", "3..1", "1,2", "5,3", "1..4,4", "1..2,,7", "-1", "1.."})
    EXPECT_THAT(error_text([&] { SeedSet::from_text(text); }),
                holds("is not ascending ranges of seeds"))
        << text;
}

TEST(SeedReduction, GivesTheSameBitsInAnyOrderAndAnyParts) {
  std::vector<Row> rows = some_rows(200);
  rows[3] = failed_row({.seed = 4}, "an error");
  const std::string whole = text_of(reduced(rows));
  std::mt19937 draw(1);
  for (int round = 0; round < 20; ++round) {
    std::ranges::shuffle(rows, draw);
    std::vector<std::vector<Row>> parts(7);
    for (const Row& row : rows) parts[draw() % parts.size()].push_back(row);
    std::vector<Row> together;
    for (const std::vector<Row>& part : parts)
      if (!part.empty()) together.push_back(reduced(part));
    std::ranges::shuffle(together, draw);
    EXPECT_EQ(text_of(reduced({together.begin(), together.begin() + 3})),
              text_of(reduced({together[2], together[0], together[1]})));
    EXPECT_EQ(text_of(reduced(together)), whole);
  }
}

TEST(SeedReduction, KeepsTheWorstRow) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  Row unmeasured = made_up({.seed = 2});
  unmeasured.err_l2_rel.reset();
  const std::vector<Row> rising = {skipped_row({.seed = 9}, "later"),
                                   skipped_row({.seed = 1}, "no meaning"),
                                   unmeasured,
                                   made_up({.seed = 3, .error = 0}),
                                   made_up({.seed = 8, .error = 1e-7}),
                                   made_up({.seed = 4, .error = 1e-7}),
                                   made_up({.seed = 5, .error = infinity}),
                                   made_up({.seed = 6, .error = nan}),
                                   failed_row({.seed = 12}, "an error"),
                                   failed_row({.seed = 7}, "an error")};
  for (std::size_t worst = 1; worst < rising.size(); ++worst)
    for (std::size_t other = 0; other < worst; ++other)
      for (const auto& pair :
           {std::vector{rising[worst], rising[other]}, std::vector{rising[other], rising[worst]}})
        EXPECT_EQ(reduced(pair).where.seed(), rising[worst].where.seed()) << worst << " " << other;

  const Row all = reduced(rising);

  EXPECT_EQ(all.status, Status::failed);
  EXPECT_EQ(all.message, "an error");
  EXPECT_EQ(column("seeds")->text(all), "1..9,12");
  EXPECT_EQ(column("err_l2_rel.count")->text(all), "5");  // of measured rows alone
  EXPECT_EQ(column("err_l2_rel.max")->text(all), "inf");
  EXPECT_EQ(column("err_l2_rel.max_seed")->text(all), "5");  // NaN counts as infinite
  EXPECT_EQ(column("err_max_ulp.count")->text(all), "0");
  EXPECT_EQ(column("err_max_ulp.mean")->text(all), "");
  EXPECT_FALSE(column("err_max_ulp.p99")->number(all));
  EXPECT_EQ(identity_of(all).seed(), 0u);
}

TEST(SeedReduction, RefusesWhatDoesNotBelongTogether) {
  const std::vector<Row> rows = some_rows(10);
  for (const Row& more : {rows[0], reduced({rows[0], rows[2]})}) {
    SeedReduction reduction(two_metrics);
    for (const Row& row : rows) reduction.add(row);
    EXPECT_THAT(error_text([&] { reduction.add(more); }), holds("count a case twice", "seed=1"));
  }
  SeedReduction other(std::vector{column("err_l2_rel")});
  EXPECT_THAT(error_text([&] { other.add(reduced(rows)); }), holds("of other metrics"));
}

TEST(SeedStatistics, AreThoseOfAPlainComputation) {
  const std::vector<Row> rows = some_rows(10001);
  std::vector<double> errors;
  for (const Row& row : rows)
    if (row.err_l2_rel) errors.push_back(*row.err_l2_rel);
  const auto count = static_cast<double>(errors.size());
  const auto largest =
      std::ranges::max_element(rows, {}, [](const Row& row) { return row.err_l2_rel.value_or(0); });
  const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / count;
  double squares = 0;
  for (const double error : errors) squares += (error - mean) * (error - mean);
  const double deviation = std::sqrt(squares / (count - 1));
  std::ranges::sort(errors);

  const Row row = reduced(rows);

  const auto number = [&row](const std::string& statistic) {
    return column_named("err_l2_rel." + statistic).number(row).value();
  };
  EXPECT_EQ(number("count"), count);
  EXPECT_NEAR(number("mean"), mean, 1e-14 * mean);
  EXPECT_NEAR(number("deviation"), deviation, 1e-12 * deviation);
  EXPECT_NEAR(number("mean_low"), mean - 1.9602 * deviation / std::sqrt(count), 1e-6 * mean);
  EXPECT_NEAR(number("mean_high"), mean + 1.9602 * deviation / std::sqrt(count), 1e-6 * mean);
  EXPECT_EQ(number("max"), errors.back());
  EXPECT_EQ(number("max_seed"), static_cast<double>(largest->where.seed()));
  for (const auto& [name, p] : std::vector<std::pair<std::string, double>>{
           {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}}) {
    const double quantile = errors[static_cast<std::size_t>(std::ceil(p * count)) - 1];
    const double deviations = 2.1 * std::sqrt(count * p * (1 - p));  // of the rank
    const auto at = [&](double rank) {
      return errors[static_cast<std::size_t>(std::clamp(rank, 0.0, count - 1))];
    };
    EXPECT_GE(number(name), quantile) << name;
    EXPECT_LE(number(name), quantile * std::exp2(1 / 64.0)) << name;
    EXPECT_LE(number(name + "_low"), quantile) << name;
    EXPECT_GE(number(name + "_low"), at(p * count - deviations - 2) * std::exp2(-1 / 64.0)) << name;
    EXPECT_GE(number(name + "_high"), number(name)) << name;
    EXPECT_LE(number(name + "_high"), at(p * count + deviations + 2) * std::exp2(1 / 64.0)) << name;
  }
}

TEST(SeedStatistics, OfOneErrorOrAnInfiniteOneLeaveOutWhatIsNotDefined) {
  const Row one = reduced({made_up({.seed = 3, .error = 0.25})});
  EXPECT_EQ(column("err_l2_rel.deviation")->text(one), "");
  EXPECT_EQ(column("err_l2_rel.mean")->text(one), "0.25");
  EXPECT_EQ(column("err_l2_rel.mean_high")->text(one), "inf");
  EXPECT_EQ(column("err_l2_rel.p50_low")->text(one), "0");
  EXPECT_EQ(column("err_l2_rel.p99")->text(one), "0.25");

  const Row two =
      reduced({made_up({.seed = 3, .error = 0.25}), made_up({.seed = 4, .error = std::nan("")})});
  EXPECT_EQ(column("err_l2_rel.deviation")->text(two), "nan");
  EXPECT_EQ(column("err_l2_rel.mean")->text(two), "inf");
}

TEST(SeedStatistics, AreColumnsThatAreEmptyInOtherRows) {
  const Row row = reduced(some_rows(50));
  Row read;
  for (const Column& each : statistics_columns()) {
    EXPECT_EQ(&column_named(each.name), &each) << each.name;
    EXPECT_EQ(each.text(Row{}), "") << each.name;
    EXPECT_FALSE(each.number(Row{})) << each.name;
    each.parse(read, each.text(row));
    if (const auto number = each.number(row)) {
      EXPECT_EQ(&metric_named(each.name), &each) << each.name;
      EXPECT_EQ(*number, parse_double(each.text(row)).value()) << each.name;
    }
  }
  for (const Column& each : statistics_columns()) EXPECT_EQ(each.text(read), each.text(row));
  EXPECT_EQ(quantity_kind_of("err_l2_rel.p99"), QuantityKind::size);
  EXPECT_THAT(error_text([] { column_named("err_l2_rel.p98"); }),
              holds("unknown statistic of err_l2_rel 'p98'", "count, mean", "p999", "summary"));
  EXPECT_THAT(error_text([] { metric_named("time_ns.p99"); }),
              holds("unknown metric 'time_ns.p99'"));
  EXPECT_THAT(error_text([] { metric_named("err_l2_rel.summary"); }), holds("unknown statistic"));
}

TEST(SeedStatistics, OfAReadRowDoNotChangeACopy) {
  Row row;
  column("seeds")->parse(row, "1..3");
  const Row copy = row;
  column("seeds")->parse(row, "4");
  EXPECT_EQ(column("seeds")->text(copy), "1..3");
  EXPECT_EQ(column("seeds")->text(row), "4");
}

TEST(SummarisedMetrics, AreErrorsInTheOrderOfColumns) {
  EXPECT_EQ(summarised_metrics({"err_max_ulp", "err_l2_rel"}), two_metrics);
  EXPECT_EQ(summarised_metrics(reduced(some_rows(3))), two_metrics);
  EXPECT_THAT(summarised_metrics(Row{}), ::testing::IsEmpty());
  EXPECT_EQ(default_summarised_metrics().size(), 3u);
  for (const char* name : {"gain", "time_ns", "bits_l2", "nonsense", ""})
    EXPECT_THAT(error_text([&] { summarised_metrics(std::vector<std::string>{name}); }),
                holds("unknown error to summarise", "err_roundtrip_l2_rel"))
        << name;
}

}  // namespace
}  // namespace fftprec
