#include <gmock/gmock.h>

#include "arith/support/error.hpp"
#include "experiments/cases/evaluate.hpp"
#include "reports/commands/options.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::commands {
namespace {

using testing::expect_each;
using testing::holds;

OneCase chosen(const OneCaseRequest& request) { return one_case(request, check_names); }

std::string refusal(const OneCaseRequest& request) {
  return testing::error_text([&] { chosen(request); });
}

/// A CSV file with these rows, gone at the end.
class RunFile {
 public:
  explicit RunFile(const std::vector<Row>& rows) {
    testing::write_text(path(), results::csv_text(rows));
  }
  std::string path() const { return directory_ / "rows.csv"; }

 private:
  testing::TemporaryDirectory directory_;
};

std::vector<Row> rows_of_lengths(std::initializer_list<std::uint64_t> lengths) {
  std::vector<Row> rows;
  for (const std::uint64_t n : lengths) rows.push_back({.where = Case{.n = n}, .err_l2_rel = 0.5});
  return rows;
}

TEST(OneCase, TakesAxesThatNameOneCase) {
  const OneCase one = chosen({.axes = {"mode=bf16", "n=64"}});

  EXPECT_EQ(one.where, (Case{.mode = "bf16", .n = 64}));
  EXPECT_FALSE(one.stored);
}

TEST(OneCase, SaysHowManyCasesAxesNameAndWhereTheyDiffer) {
  EXPECT_EQ(refusal({.axes = {"mode=bf16,fp32", "n=64", "seed=1..3"}}),
            "the axes name 6 cases, not one: give a single value for mode, seed");
}

TEST(OneCase, FindsARowByTheBeginningOfItsId) {
  const std::vector<Row> rows = rows_of_lengths({8, 16, 32});
  const RunFile run(rows);

  const OneCase one = chosen({.id = case_id(rows[1].where).substr(0, 8), .run = run.path()});

  EXPECT_EQ(one.where, rows[1].where);
  ASSERT_TRUE(one.stored);
  EXPECT_EQ(one.stored->err_l2_rel, 0.5);
}

TEST(OneCase, RefusesAnIdOfNoRowOrOfSeveral) {
  const RunFile run(rows_of_lengths({8, 16}));

  EXPECT_THAT(refusal({.id = "0123456789abcdef", .run = run.path()}),
              holds("holds no case whose case_id begins with '0123456789abcdef' among its 2"));
  EXPECT_THAT(refusal({.id = "", .run = run.path()}), holds("holds 2 cases, not one"));
}

TEST(OneCase, RefusesWhatNamesACaseNotAtAllOrTwice) {
  expect_each<OneCaseRequest>(refusal,
                              {{{}, "name a case"},
                               {{.id = "12ab"}, "a case_id with --run DIR"},
                               {{.id = "12ab", .run = "x", .axes = {"n=8"}}, "not by both"},
                               {{.axes = {"mode=bf61"}}, "bf16"},
                               {{.run = "/no/such/run.csv"}, "/no/such/run.csv"}});
}

}  // namespace
}  // namespace fftprec::commands
