#include "experiments/cases/case.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <set>

#include "experiments/cases/axes.hpp"
#include "experiments/cases/case_list.hpp"

namespace fftprec {
namespace {

TEST(CaseId, IsStableAcrossVersions) {
  // Kept values: an id that moves breaks every stored baseline.
  EXPECT_EQ(command_of(Case{}),
            "-a transform=fft -a algorithm=radix2-dit -a mode=fp32 -a machine=trn -a tables=exact "
            "-a n=1024 -a batch=1 -a input=gaussian -a seed=1");
  EXPECT_EQ(case_id(Case{}), "x5d2b7d9f53f94a38");
}

TEST(CaseId, IsFoundByItsBeginningWithAndWithoutItsLetter) {
  for (const char* text : {"", "x", "x5d2b", "5d2b", "5d2b7d9f53f94a38"})
    EXPECT_TRUE(id_begins(Case{}, text)) << text;
  for (const char* text : {"d2b", "xx", "x5e", "y5d2b"})
    EXPECT_FALSE(id_begins(Case{}, text)) << text;
}

/// Ids and order see every axis, tables are shared by cases that differ in some.
TEST(Case, DiffersWhereAnyAxisDiffers) {
  const Case defaults;
  std::set<std::string> ids = {case_id(defaults)};
  for (const std::string& axis : axis_names()) {
    SCOPED_TRACE(axis);
    Axes axes;
    set_axis(axes, axis + "=2", [](const Case&) {});
    const Case where = expand(axes).at(0);
    const bool is_number = axis == "batch" || axis == "seed";

    EXPECT_TRUE(ids.insert(case_id(where)).second);
    EXPECT_TRUE((SharedCase(where) <=> SharedCase(defaults)) == (where <=> defaults));
    EXPECT_EQ(same_names(where, defaults), is_number);
    EXPECT_EQ(plan_key(where) == plan_key(defaults), is_number || axis == "input");
  }
}

TEST(CommandOf, SurvivesAShell) {
  Case where;
  where.input = "file:/tmp/it's a $HOME (1).npy";
  const std::string command = "printf '%s|' " + command_of(where);
  std::string output;
  std::array<char, 256> block;

  std::FILE* const shell = ::popen(command.c_str(), "r");
  ASSERT_NE(shell, nullptr);
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), shell))
    output.append(block.data(), count);
  ::pclose(shell);

  EXPECT_NE(output.find("|input=file:/tmp/it's a $HOME (1).npy|"), std::string::npos) << output;
}

}  // namespace
}  // namespace fftprec
