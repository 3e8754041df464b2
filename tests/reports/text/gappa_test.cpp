/// Scripts of Gappa: their text, and what `fftprec show --gappa` takes.
#include "reports/text/gappa.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <regex>
#include <sstream>
#include <string>

#include "arith/support/error.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec::text {

using testing::error_text;
using testing::exits;
using testing::holds;
using testing::Words;

namespace {

testing::Outcome show(const std::string& axes, Words more) {
  Words words = {"show"};
  std::istringstream split(axes);
  for (std::string axis; split >> axis;) words.insert(words.end(), {"-a", axis});
  words.insert(words.end(), more.begin(), more.end());
  return testing::run_line(std::move(words));
}

std::string script(const std::string& axes, Words more) {
  const testing::Outcome outcome = show(axes, std::move(more));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.out;
}

}  // namespace

TEST(GappaScript, HasEveryOperationBesideItsExactOne) {
  EXPECT_EQ(script("algorithm=radix2-dit mode=bf16 machine=ieee n=2",
                   {"--gappa", "error", "--within", "0.75"}),
            "# fft, radix2-dit, bf16, ieee, tables exact, n = 2, batch 1, gaussian, seed 1\n"
            "# v: computed, e: exact, with the real cosines cosK_N = cos(2 pi K/N); r: roundings.\n"
            "# Goals: the errors of the real and the imaginary part of each result, in turn.\n"
            "# That no value leaves the range of its format is assumed.\n"
            "# fftprec's bound of |v - e|: 0.016605183963717015 (radix2-stages+machine-checked)\n"
            "@r0 = float<8,-133,ne>;\n"
            "v0 = r0(x0re);\n"
            "v1 = r0(x0im);\n"
            "v2 = r0(x1re);\n"
            "v3 = r0(x1im);\n"
            "v4 = r0(v0 + v2);\n"
            "e5 = x0re + x1re;\n"
            "v6 = r0(v1 + v3);\n"
            "e7 = x0im + x1im;\n"
            "v8 = r0(v0 - v2);\n"
            "e9 = x0re - x1re;\n"
            "v10 = r0(v1 - v3);\n"
            "e11 = x0im - x1im;\n"
            "\n{\n"
            "   x0re in [-3b-2, 3b-2]\n"
            "/\\ x0im in [-3b-2, 3b-2]\n"
            "/\\ x1re in [-3b-2, 3b-2]\n"
            "/\\ x1im in [-3b-2, 3b-2] ->\n"
            "   v4 - e5 in ?\n"
            "/\\ v6 - e7 in ?\n"
            "/\\ v8 - e9 in ?\n"
            "/\\ v10 - e11 in ?\n"
            "}\n");
}

TEST(GappaScript, HoldsRootsBetweenTwoNumbers) {
  const std::string text =
      script("algorithm=radix2-dit mode=fp32 machine=ieee n=16", {"--gappa", "bound"});

  const std::regex enclosure(R"((cos(\d+)_(\d+)) in \[(\d+)b-62, (\d+)b-62\])");
  std::size_t count = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), enclosure), end; at != end; ++at) {
    const std::smatch& match = *at;
    const long double pi = 3.14159265358979323846264338327950288L;
    const long double root = std::cos(2 * pi * std::stold(match[2]) / std::stold(match[3]));
    const std::int64_t low = std::stoll(match[4]);
    EXPECT_EQ(std::stoll(match[5]) - low, 2) << match[1];
    EXPECT_NEAR(static_cast<double>(root * 0x1p62L - static_cast<long double>(low)), 1, 1.6);
    ++count;
  }
  EXPECT_EQ(count, 3u);  // cosines of pi/8, pi/4, 3 pi/8
  // The table's cosine of pi/4 in fp32 is 11863283 2^-24.
  EXPECT_THAT(text, holds("r0(11863283b-24 * ", "| <= "));
}

TEST(GappaScript, RoundsFixedPointAsTheMachineDoes) {
  EXPECT_THAT(
      script("algorithm=radix2-dit mode=q1.15 scale=stage:1/2 machine=ieee{casts=rd} n=4 "
             "input=uniform:low=-0.5:high=0.5",
             {"--gappa", "error", "--within", "input"}),
      holds("@r0 = fixed<-15,dn>;\n", "r0(1b-1 * v", "32767b-15 * ", "cos0_1 in [", "x0re in ["));
}

TEST(GappaScript, RefusesWhatItCannotHold) {
  EXPECT_THAT(show("mode=posit16 machine=ieee n=8", {"--gappa", "bound"}),
              exits(2).err(holds("precision depends on the size")));
  EXPECT_THAT(show("mode=bf16 n=8", {"--gappa", "proof"}), exits(2).err(holds("bound or error")));
  EXPECT_THAT(show("mode=bf16 n=8", {"--gappa", "bound", "--within", "0"}),
              exits(2).err(holds("a number above 0, or input")));
  attribution::RealOperations random{.roundings = {{fp32, Rounding::sr}}};
  random.inputs = 1;
  random.values.resize(2);
  random.values.push_back({{{0}}, 0});
  random.outputs = {2};
  EXPECT_THAT(error_text([&] { gappa_script(random, {.proves_bound = false}); }),
              holds("no random rounding"));
  random.roundings = {{fp32, Rounding::rne}};
  EXPECT_THAT(error_text([&] { gappa_script(random, {}); }), holds("no bound to prove"));
}

}  // namespace fftprec::text
