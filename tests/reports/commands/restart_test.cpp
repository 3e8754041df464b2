#include <gmock/gmock.h>

#include "reports/commands/run_command.hpp"

namespace fftprec::commands {
namespace {

using ::testing::ElementsAre;

TEST(WithoutRerun, LeavesEverythingElse) {
  EXPECT_THAT(without_rerun({"p", "run", "-o", "d"}), ElementsAre("p", "run", "-o", "d"));
  EXPECT_THAT(without_rerun({"p", "--rerun", "all", "-j", "2"}), ElementsAre("p", "-j", "2"));
  EXPECT_THAT(without_rerun({"p", "--rerun=failed", "x"}), ElementsAre("p", "x"));
  EXPECT_THAT(without_rerun({"p", "x", "--rerun", "failed"}), ElementsAre("p", "x"));
  EXPECT_THAT(without_rerun({"p", "--rerun"}), ElementsAre("p"));
}

}  // namespace
}  // namespace fftprec::commands
