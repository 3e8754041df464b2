/// The bounds of the program against those that Coq has proven and printed (proofs/bounds.csv).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/arithmetic/machine_arithmetic.hpp"
#include "algorithms/arithmetic/modes.hpp"
#include "algorithms/fft/radix2.hpp"
#include "algorithms/theory/engines.hpp"
#include "algorithms/theory/roundings.hpp"
#include "tests/algorithms/test_roots.hpp"

namespace fftprec::testing {

namespace {

struct ProvenBound {
  std::string algorithm;
  std::string mode;
  std::size_t n = 0;
  long double bound = 0;  ///< 64 bits of the 20 digits
};

std::vector<ProvenBound> proven_bounds() {
  std::ifstream file(FFTPREC_SOURCE_DIR "/proofs/bounds.csv");
  std::vector<ProvenBound> bounds;
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "algorithm,mode,n,bound");
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    ProvenBound row;
    std::string n, bound;
    std::getline(fields, row.algorithm, ',');
    std::getline(fields, row.mode, ',');
    std::getline(fields, n, ',');
    std::getline(fields, bound);
    row.n = std::stoull(n);
    row.bound = std::stold(bound);
    bounds.push_back(row);
  }
  return bounds;
}

/// Of the stages alone: no input is rounded, nothing is below the normal numbers.
double bound_of(const ProvenBound& row) {
  const ArithmeticSpec arithmetic = resolve(mode_named(row.mode), machine_named("ieee"));
  if (row.algorithm == "dft-gemm")
    return engine_theory(arithmetic)
        ->bound(row.n, rounded_table_error(arithmetic.table_format()))
        .worst;
  const Predictor predictor(
      arithmetic, Direction::forward,
      {exact_roots(), exact_roots(), true,
       [](const TableExtent&, const Format& format) { return rounded_table_error(format); }});
  return row.algorithm == "radix2-dit"
             ? Radix2Dit<MachineArithmetic<float>>::predict(predictor, row.n, 1).bound.worst
             : Radix2Dif<MachineArithmetic<float>>::predict(predictor, row.n, 1).bound.worst;
}

/// A bound is evaluated in fp64 by a few operations on positive numbers for each stage. Measured:
/// from -3 to 6 times 2^-53.
constexpr long double evaluation_error = 0x1p-50L;

/// Compares the bounds of radix 2 for lengths above `above` and up to `longest`, and all others.
void expect_the_proven_ones(std::size_t above, std::size_t longest) {
  std::size_t compared = 0;
  for (const ProvenBound& row : proven_bounds()) {
    if (row.algorithm != "dft-gemm" && (row.n <= above || row.n > longest)) continue;
    ++compared;
    const long double off = (bound_of(row) - row.bound) / row.bound;
    EXPECT_LE(std::abs(off), evaluation_error)
        << row.algorithm << ' ' << row.mode << " n = " << row.n << ": proven " << row.bound;
  }

  const auto lengths = std::countr_zero(longest) - std::countr_zero(above);
  EXPECT_EQ(compared, static_cast<std::size_t>(4 * (2 * lengths + 20)));
}

}  // namespace

TEST(ProvenBounds, AreWhatTheProgramEvaluates) { expect_the_proven_ones(1, 1 << 12); }

TEST(ProvenBoundsOfGreatLengths, AreWhatTheProgramEvaluates) {
  expect_the_proven_ones(1 << 12, 1 << 20);
}

}  // namespace fftprec::testing
