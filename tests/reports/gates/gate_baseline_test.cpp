/// Files of kept rows: which version they are of, what an update changes, and what is refused.
#include "reports/gates/gate_baseline.hpp"

#include <gmock/gmock.h>

#include "arith/support/error.hpp"
#include "experiments/gates/gate.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/sample_rows.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::gates {
namespace {

using testing::holds;
using ::testing::StartsWith;
using testing::text_of;
using testing::write_text;

class Baseline : public ::testing::Test {
 protected:
  Baseline() {
    write_text(directory_ / "g.toml",
               "[[gate]]\nname = 'g'\nkind = 'baseline'\nsource = 's'\nmetric = 'err_l2_rel'\n"
               "baseline = 'kept.csv'\n");
    gates_ = read_gates(directory_ / "g.toml");
  }

  std::filesystem::path kept() const { return directory_ / "kept.csv"; }

  std::vector<Row> kept_rows(int version) const {
    std::map<std::string, std::string> problems;
    const KeptRows rows = read_baselines(gates_, problems, version);
    for (const auto& [file, problem] : problems) throw BaselineError(problem);
    return rows.begin()->second;
  }

  testing::TemporaryDirectory directory_;
  std::vector<Gate> gates_;
};

const std::vector<Row> two = {made_up({.seed = 1}), made_up({.seed = 2})};

TEST_F(Baseline, SaysWhichNumbersItHolds) {
  update_baselines(gates_, two, 7);

  EXPECT_THAT(text_of(kept()), StartsWith("# numerics_version = 7\ncase_id,"));
  EXPECT_EQ(kept_rows(7).size(), 2u);
}

TEST_F(Baseline, IsNotComparedWithRowsOfAnotherVersion) {
  update_baselines(gates_, two, 7);

  EXPECT_THROW(kept_rows(8), BaselineError);
  EXPECT_THAT(testing::error_text([&] { kept_rows(8); }),
              holds("kept.csv: its rows have numerics_version 7, the run's 8"));
}

TEST_F(Baseline, MadeByHandIsTakenAsItStands) {
  write_text(kept(), results::csv_header() + results::to_csv(two[0]));

  EXPECT_EQ(kept_rows(1).size(), 1u);
  EXPECT_EQ(kept_rows(2).size(), 1u);
}

TEST_F(Baseline, IsReadWithOtherCommentsAndLineEnds) {
  write_text(kept(), "# numerics_version = 7\r\n# by hand\r\n" + results::csv_header() +
                         results::to_csv(two[0]));

  EXPECT_EQ(kept_rows(7).size(), 1u);
  EXPECT_THROW(kept_rows(8), BaselineError);
}

TEST_F(Baseline, IsRefusedWithAVersionThatIsNone) {
  write_text(kept(), "# numerics_version = two\n" + results::csv_header());

  EXPECT_THROW(kept_rows(2), BaselineError);
}

TEST_F(Baseline, IsRefusedWithColumnsOfAnotherVersion) {
  write_text(kept(), "# numerics_version = 2\ncase_id,transform\n");

  EXPECT_THAT(testing::error_text([&] { kept_rows(2); }),
              holds("baseline not readable: " + kept().string() + ":2: column"));
}

TEST_F(Baseline, DropsRowsOfAnotherVersionThatTheRunLacks) {
  update_baselines(gates_, two, 7);

  const std::vector<BaselineUpdate> same =
      update_baselines(gates_, std::vector<Row>{made_up({.seed = 3})}, 7);
  EXPECT_EQ(same.at(0).dropped, 0u);
  EXPECT_EQ(kept_rows(7).size(), 3u);

  const std::vector<BaselineUpdate> other =
      update_baselines(gates_, std::vector<Row>{made_up({.seed = 2, .error = 0.5})}, 8);
  EXPECT_EQ(other.at(0).dropped, 2u);
  EXPECT_EQ(other.at(0).changed.size(), 1u);
  EXPECT_EQ(kept_rows(8).size(), 1u);
}

TEST_F(Baseline, KeepsWhatIsSkippedButNotWhatFailed) {
  update_baselines(gates_, two);

  update_baselines(gates_, std::vector<Row>{skipped_row({.seed = 1}, "no meaning any more"),
                                            failed_row({.seed = 2}, "out of memory")});

  const std::vector<Row> rows = kept_rows(numerics_version);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].status, Status::skipped);
  EXPECT_EQ(rows[1].err_l2_rel, two[1].err_l2_rel);
}

}  // namespace
}  // namespace fftprec::gates
