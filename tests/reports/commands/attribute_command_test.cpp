/// The command that tells which source makes how much of an error.
#include <gmock/gmock.h>

#include "tests/support/command_line.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::commands {
namespace {

using testing::exits;
using testing::expect_each;
using testing::holds;
using testing::nothing;
using testing::Words;

testing::Outcome attribute(Words words) {
  words.insert(words.begin(), "attribute");
  return testing::run_line(std::move(words));
}

TEST(Attribute, PrintsTheBudgetOfACase) {
  EXPECT_THAT(attribute({"-a", "mode=ozaki_hq", "-a", "algorithm=dft-gemm", "-a", "n=64"}),
              exits(0)
                  .out(holds("fft, dft-gemm, ozaki_hq, trn, tables exact, n = 64,",
                             "Most of the error comes from operand words", "matrix product",
                             "fftprec run -a "))
                  .err(nothing));
}

TEST(Attribute, PrintsTheBudgetOfFixedPoint) {
  EXPECT_THAT(attribute({"-a", "mode=q1.15", "-a", "algorithm=radix2-dit", "-a", "n=64"}),
              exits(0)
                  .out(holds("fft, radix2-dit, q1.15, trn, tables exact, n = 64,",
                             "Most of the error comes from overflow", "butterflies, stage 6"))
                  .err(nothing));
}

TEST(Attribute, RefusesWhatItCannotTellApart) {
  EXPECT_EQ(attribute({"-a", "mode=bf16_refined", "-a", "n=8"}).code, 2);
  expect_each<Words>(
      [&](const Words& input) { return attribute(input).err; },
      {{{"-a", "mode=bf16_refined", "-a", "n=8"}, "refines"},
       {{"-a", "mode=fp64", "-a", "n=64", "-a", "transform=irfft"}, "parts of its data apart"},
       {{"-a", "mode=fp64", "-a", "n=64", "-a", "transform=dct2"}, "parts of its data apart"},
       {{"-a", "mode=fp64", "-a", "n=64", "-a", "transform=dct3"}, "parts of its data apart"},
       {{"-a", "n=8,16"}, "name 2 cases"},
       {{"-a", "n=8", "--plot", "x.txt"}, ".svg or .png"},
       {{}, "name a case"}});
}

}  // namespace
}  // namespace fftprec::commands
