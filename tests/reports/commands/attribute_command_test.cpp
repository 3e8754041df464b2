/// The command that tells which source makes how much of an error.
#include <gmock/gmock.h>

#include "tests/support/command_line.hpp"

namespace fftprec::commands {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

testing::Outcome attribute(std::vector<std::string> words) {
  words.insert(words.begin(), "attribute");
  return testing::run_line(std::move(words), real_case_functions());
}

TEST(Attribute, PrintsTheBudgetOfACase) {
  const testing::Outcome outcome =
      attribute({"-a", "mode=ozaki_hq", "-a", "algorithm=dft-gemm", "-a", "n=64"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("fft, dft-gemm, ozaki_hq, trn, tables exact, n = 64,"),
                                 HasSubstr("Most of the error comes from operand words"),
                                 HasSubstr("matrix product"), HasSubstr("fftprec run -a ")));
}

TEST(Attribute, RefusesWhatItCannotTellApart) {
  EXPECT_EQ(attribute({"-a", "mode=bf16_refined", "-a", "n=8"}).code, 2);
  EXPECT_THAT(attribute({"-a", "mode=bf16_refined", "-a", "n=8"}).err, HasSubstr("refines"));
  EXPECT_THAT(attribute({"-a", "mode=double", "-a", "n=8"}).err, HasSubstr("binary64"));
  EXPECT_THAT(attribute({"-a", "n=8,16"}).err, HasSubstr("name 2 cases"));
  EXPECT_THAT(attribute({"-a", "n=8", "--plot", "x.txt"}).err, HasSubstr(".svg or .png"));
  EXPECT_THAT(attribute({}).err, HasSubstr("name a case"));
}

}  // namespace
}  // namespace fftprec::commands
