/// Names of algorithms that are built from others, and trnfft's own choice among them.
#include <gtest/gtest.h>

#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/inputs/inputs.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/peer.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

template <class Real>
ComplexArray<Real> run(const std::string& name, const Mode& mode, std::size_t n) {
  const MachineArithmetic<Real> arithmetic(resolve(mode, machine_named("trn")));
  ComplexArray<Real> y = arithmetic.stored(make_input("gaussian", n, 5, /*seed=*/1));
  algorithm_named(name).make.in<MachineArithmetic<Real>>()(arithmetic, n, Direction::forward,
                                                           table_source("exact"))(arithmetic, y);
  return y;
}

void expect_same_bits(const std::string& name, const std::string& other, const Mode& mode,
                      std::size_t n) {
  SCOPED_TRACE(::testing::Message()
               << name << " and " << other << ", " << mode.name << ", n = " << n << ", seed 1");
  if (on_host(mode))
    EXPECT_EQ(run<double>(name, mode, n), run<double>(other, mode, n));
  else
    EXPECT_EQ(run<float>(name, mode, n), run<float>(other, mode, n));
}

void expect_error(const std::string& name, const std::string& text) {
  EXPECT_THAT(error_text([&] { algorithm_named(name); }), holds(text)) << name;
}

}  // namespace

TEST(NestedNames, TheInnerFftIsTheOneThatIsNamed) {
  const Mode& fast = mode_named("fp32");
  expect_same_bits("bluestein", "bluestein:inner=radix2-dit", fast, 50);
  expect_same_bits("rader", "rader:inner=radix2-dit", fast, 53);
  expect_same_bits("good-thomas", "good-thomas:inner=dft-gemm", fast, 60);
  expect_same_bits("row-column", "row-column:inner=dft-gemm", fast, 60);
  expect_same_bits("batch-split", "batch-split:cores=4:inner=radix2-dit", fast, 64);
  EXPECT_NE(run<float>("bluestein", fast, 50), run<float>("bluestein:inner=dft-gemm", fast, 50));
}

/// The stages above the base are those of radix2-dit; so are the bits, where the base is
/// radix2-dit.
TEST(NestedNames, RecursionOverABaseIsRadix2AboveIt) {
  for (const char* mode : {"fp32", "bf16", "kahan", "ozaki", "bf16_refined", "fp64", "dot2"})
    for (const char* base : {"2", "8", "64"})
      expect_same_bits("recursive:base=" + std::string(base) + ":inner=radix2-dit", "radix2-dit",
                       mode_named(mode), 64);
  const Mode& fast = mode_named("fp32");
  expect_same_bits("recursive:base=60", "dft-gemm", fast, 60);
  EXPECT_NE(run<float>("recursive:base=16", fast, 64), run<float>("recursive", fast, 64));
  EXPECT_EQ(algorithm_named("recursive:base=15").model.unsupported(120), "");
  EXPECT_EQ(algorithm_named("recursive:base=15").model.unsupported(45),
            "recursive over base 15 needs n = base 2^k, got 45");
  EXPECT_EQ(algorithm_named("recursive:base=3:inner=radix2-dit").model.unsupported(6),
            "radix2-dit needs n = 2^k, got 3");
  EXPECT_EQ(algorithm_named("recursive:base=8").model.unsupported(0),
            "recursive over base 8 needs n = base 2^k, got 0");
}

TEST(NestedNames, AreLimitedInDepthAndReadInTime) {
  for (const int levels : {5, 20, 12'000}) {
    std::string name = "bluestein";
    for (int i = 0; i < levels; ++i) name += ":inner=bluestein";
    expect_error(name, "algorithm bluestein: " + std::to_string(levels) +
                           " nested algorithms; at most 4 are allowed");
  }
  EXPECT_NO_THROW(algorithm_named(
      "bluestein:inner=bluestein:inner=bluestein:inner=bluestein:inner=radix2-dit"));
}

TEST(NestedNames, NestInOneAnother) {
  const Mode& fast = mode_named("fp32");
  expect_same_bits("batch-split:cores=2:inner=bluestein:inner=stockham-mixed",
                   "bluestein:inner=stockham-mixed", fast, 50);
  expect_same_bits("good-thomas:inner=batch-split:cores=3:inner=dft-gemm", "good-thomas", fast, 60);
}

TEST(NestedNames, ErrorsNameTheKey) {
  expect_error("batch-split:cores=0", "cores='0' is not a whole number from 1 to 16777216");
  expect_error("batch-split:cores=2x", "cores='2x' is not a whole number from 1 to 16777216");
  expect_error("batch-split:cores=-1", "cores='-1' is not a whole number from 1 to 16777216");
  expect_error("batch-split:cores=", "cores='' is not a whole number from 1 to 16777216");
  expect_error("batch-split:cores=2:cores=3", "the key cores is given twice");
  expect_error("bluestein:cores=2", "cores");
  expect_error("bluestein:inner=no-such-fft", "no-such-fft");
  expect_error("bluestein:inner=" + peer(), "is not an FFT that can be nested");
}

TEST(Auto, IsTheAlgorithmThatTrnfftChooses) {
  const std::pair<std::size_t, std::string> chosen[] = {{100, "dft-gemm"},
                                                        {256, "dft-gemm"},
                                                        {500, "bluestein"},
                                                        {512, "stockham-r8"},
                                                        {1024, "stockham-mixed"}};
  for (const Mode& mode : trnfft_modes())
    for (const auto& [n, name] : chosen) {
      const bool power_of_two = n != 100 && n != 500;
      const std::string expected =
          mode.name != "kahan" ? name : (power_of_two ? "radix2-dit" : "bluestein");
      expect_same_bits("auto", expected, mode, n);
      const Predictor predictor(resolve(mode, machine_named("trn")), Direction::forward, {});
      EXPECT_EQ(algorithm_named("auto").model.predict(predictor, n, 2).cost.operations,
                algorithm_named(expected).model.predict(predictor, n, 2).cost.operations)
          << mode.name << ", n = " << n;
    }
}

TEST(Auto, TakesAnyLengthButZero) {
  const AlgorithmEntry choice = algorithm_named("auto");
  EXPECT_EQ(choice.model.unsupported(0), "auto needs n >= 1");
  for (const std::size_t n : {1u, 2u, 255u, 997u, 4096u})
    EXPECT_EQ(choice.model.unsupported(n), "") << n;
}

}  // namespace fftprec::testing
