/// `fftprec exact`: a table, commands that show each number, a figure, and exit codes.
#include <gmock/gmock.h>

#include <string>

#include "experiments/support/files.hpp"
#include "reports/results/csv.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::testing {

using ::testing::StartsWith;

namespace {

Outcome exact(Words words) {
  words.insert(words.begin(), {"exact", "-a", "algorithm=radix2-dit"});
  return run_line(std::move(words));
}

}  // namespace

TEST(ExactCommand, ShowsThreeNumbersAndACommandForEach) {
  const Outcome found = exact({"-a", "transform=product:negacyclic:half", "-a", "n=64"});

  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, holds("proven  fails in 2^-40  right in 10 runs",
                               "proven for all digits, bound ", "wrong with probability ",
                               "right in 10 runs, largest error ", "-a seed=1..10 --csv -"));
  EXPECT_THAT(found.err, holds("bound, ", "probability of failure, ", "largest error, "));
  const Outcome again = run_line(shown_command(found.out));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(results::parse_csv(again.out, "again").at(0).wrong_coefficients, 0u);
}

TEST(ExactCommand, WritesALinePerCaseAndTheFigure) {
  const TemporaryDirectory folder;
  const Outcome found = exact({"-a", "n=16,64", "-a", "mode=fp64,fp32", "--runs", "2", "--csv", "-",
                               "-o", folder.path().string()});

  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, StartsWith("transform,mode,n,proven,fails in 2^-40,right in 2 runs\n"));
  EXPECT_EQ(std::count(found.out.begin(), found.out.end(), '\n'), 5);
  EXPECT_THAT(read_file(folder.path() / "exact_bits.svg"),
              holds("bits of a digit, with its sign", "fails in 2^-40", "fp32"));
}

TEST(ExactCommand, FindsTheLeastNumberOfParts) {
  const Outcome found =
      exact({"-a", "transform=product:half", "-a", "n=64", "--given", "bits=30", "--runs", "2"});

  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, holds("2 of 2", "wrong",
                               "least n and work that is proven: "
                               "product:half:parts=2 in fp64, n = 64"));
}

TEST(ExactCommand, FindsTheLeastLengthForAnExponent) {
  const Outcome found = exact({"-a", "transform=product:cyclic:half:square:exponent=1", "-a",
                               "n=64,128,256", "--given", "exponent=3217", "--runs", "2"});

  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, holds("n = 256", "exponent=3217"));
}

TEST(ExactCommand, ShowsTheNoiseOfAnExternalProduct) {
  const Outcome found =
      exact({"-a", "transform=product:negacyclic:half", "-a", "n=256,512", "--given",
             "torus:base=2^23:levels=2", "--runs", "3", "-a", "seed=4", "--csv", "-"});

  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out,
              StartsWith("transform,mode,n,expected,log2 expected,measured,log2 measured\n"
                         "product:negacyclic:half:terms=4,fp64,256,"));
  EXPECT_EQ(std::count(found.out.begin(), found.out.end(), '\n'), 3);
  EXPECT_THAT(found.err, holds("1 the whole torus", "Measured in 3 runs", "-a n=512",
                               "-a input=integers:bits=53:inner=integers:mod=8388608",
                               "-a seed=4..6 --csv -"));
}

TEST(ExactCommand, SaysWhereNoNoiseIsExpected) {
  const Outcome found = exact({"-a", "transform=product:negacyclic:half", "-a", "n=64", "--given",
                               "torus:base=4", "--runs", "2"});

  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, holds("-: no error is expected of"));
}

TEST(ExactCommand, EndsWithFourWhereNothingHolds) {
  EXPECT_EQ(exact({"-a", "mode=bf16", "-a", "n=64", "--given", "bits=50", "--runs", "1"}).code, 4);
}

TEST(ExactCommand, RefusesWhatIsNoProbabilityOrNoDigits) {
  EXPECT_THAT(exact({"--failure", "2"}).err, holds("--failure 2 is no probability"));
  EXPECT_THAT(exact({"--given", "digits=3"}).err, holds("none of bits=B, exponent=E and torus:"));
  EXPECT_THAT(exact({"--given", "torus:bass=3"}).err, holds("bass", "base"));
  EXPECT_THAT(exact({"--given", "torus:base=2^9"}).err, holds("not product"));
  EXPECT_EQ(exact({"-a", "transform=fft"}).code, 2);
}

}  // namespace fftprec::testing
