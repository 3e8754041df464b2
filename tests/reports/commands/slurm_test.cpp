#include <gmock/gmock.h>

#include <map>

#include "reports/commands/run_command.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::commands {
namespace {

using testing::error_text;
using testing::holds;

/// ID, MIN, MAX, STEP and COUNT as Slurm sets them.
std::optional<Shard> shard(const std::vector<std::string>& values) {
  std::map<std::string, std::string> environment;
  const std::vector<std::string> names = {"ID", "MIN", "MAX", "STEP", "COUNT"};
  for (std::size_t i = 0; i < values.size(); ++i)
    environment["SLURM_ARRAY_TASK_" + names[i]] = values[i];
  return shard_of_array_task([&environment](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(ShardOfArrayTask, IsNoneOutsideAnArray) { EXPECT_EQ(shard({}), std::nullopt); }

TEST(ShardOfArrayTask, CountsFromTheFirstTask) {
  EXPECT_EQ(shard({"0", "0", "3", "1", "4"}), (Shard{1, 4}));
  EXPECT_EQ(shard({"3", "0", "3", "1", "4"}), (Shard{4, 4}));
  EXPECT_EQ(shard({"1", "1", "4", "1", "4"}), (Shard{1, 4}));
  EXPECT_EQ(shard({"4", "1", "4", "1", "4"}), (Shard{4, 4}));
  EXPECT_EQ(shard({"4", "0", "6", "2", "4"}), (Shard{3, 4}));
}

TEST(ShardOfArrayTask, RefusesAnArrayThatIsNoWholeRow) {
  for (const std::vector<std::string>& values :
       std::vector<std::vector<std::string>>{{"3", "3", "3", "1", "1"},   // --array=3
                                             {"3", "1", "7", "2", "3"},   // --array=1,3,7
                                             {"2", "0", "6", "2", "3"},   // --array=0,2,6
                                             {"1", "0", "6", "2", "4"},   // between two tasks
                                             {"9", "0", "3", "1", "4"},   // beyond the last
                                             {"3", "0", "3", "0", "4"}})  // no step
    EXPECT_THAT(error_text([&] { shard(values); }), holds("--shard I/N")) << values[0];
  EXPECT_THAT(error_text([] {
                shard({"x", "0", "3", "1", "4"});
              }),
              holds("SLURM_ARRAY_TASK_ID='x' is no number"));
}

}  // namespace
}  // namespace fftprec::commands
