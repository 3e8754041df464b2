/// `fftprec identify` on an FFT that has no name.
#include <gmock/gmock.h>

#include "tests/support/command_line.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Sums are compensated: no mode that is tried at long lengths does this.
Outcome identified(const TemporaryDirectory& folder, const std::string& n) {
  return run_line({"identify", "-a", "algorithm=radix2-dit", "-a", "mode=kahan", "-a",
                   "machine=ieee", "-a", "n=" + n, "-o", folder.path().string()});
}

TEST(IdentifyCommand, SaysWhatIsNearestAndWhatWasNotTried) {
  const TemporaryDirectory folder;

  const Outcome said = identified(folder, "1024");

  EXPECT_EQ(said.code, 1) << said.err;
  EXPECT_THAT(
      said.out,
      AllOf(
          HasSubstr("Nothing fits n = 1024. The nearest:"), HasSubstr("equal rows"),
          HasSubstr("\nNot tried at n = 1024, for the time that they take:\n  algorithms with n^2 "
                    "products or table entries: dft-gemm, direct;\n"),
          HasSubstr("modes that are not plain, and machines other than ieee"),
          HasSubstr("\nShorter lengths would decide more.\n")));
}

TEST(IdentifyCommand, SaysNothingOfThatWhereAllWasTried) {
  const TemporaryDirectory folder;

  const Outcome said = identified(folder, "16");

  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, AllOf(HasSubstr("mode=kahan"), Not(HasSubstr("Not tried"))));
}

}  // namespace
}  // namespace fftprec::testing
