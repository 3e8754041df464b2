/// Every registered FFT against the definition in MPFR, on impulses at every position: a fault of a
/// permutation, a conjugation or a table shows as an error of the size of the result.
#include <cmath>

#include "arith/truth/metrics.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/tables/tables.hpp"
#include "tests/experiments/algorithms/every_algorithm.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

using HostArithmetic = MachineArithmetic<double>;

const HostArithmetic& arithmetic() {
  static const HostArithmetic fp64_on_host(resolve(mode_named("fp64"), machine_named("trn")));
  return fp64_on_host;
}

/// Their transforms: row j holds exp(-+2 pi i jk/n), correctly rounded by MPFR; divided by n for
/// the inverse, which rounds once more.
truth::Truth definition(std::size_t n, Direction direction) {
  const ComplexArray<double> roots = truth::roots_of_unity(n, fp64);
  const bool inverse = direction == Direction::inverse;
  const double divisor = inverse ? static_cast<double>(n) : 1;
  truth::Truth result;
  result.hi = result.lo = ComplexArray<double>(n * n);
  result.n = n;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k) {
      result.hi.re[j * n + k] = roots.re[j * k % n] / divisor;
      result.hi.im[j * n + k] = (inverse ? -1 : 1) * roots.im[j * k % n] / divisor;
    }
  return result;
}

ComplexArray<double> transformed(const AlgorithmEntry& algorithm, std::size_t n,
                                 Direction direction, ComplexArray<double> x) {
  algorithm.make.in<MachineArithmetic<double>>()(arithmetic(), n, direction, table_source("exact"))(
      arithmetic(), x);
  return x;
}

double bound(const AlgorithmEntry& algorithm, std::size_t n, Direction direction) {
  const TableSource tables{
      table_source("exact"), table_source("exact"), true,
      [](const TableExtent&, const Format& format) { return rounded_table_error(format); }};
  const Predictor predictor(resolve(mode_named("fp64"), machine_named("trn")), direction, tables);
  return algorithm.model.predict(predictor, n, 1).bound.worst;
}

void for_every_length(const std::string& name,
                      const std::function<void(const AlgorithmEntry&, std::size_t n)>& check) {
  const AlgorithmEntry algorithm = algorithm_named(name);
  std::size_t lengths = 0;
  for (std::size_t n = 1; n <= 64; ++n) {
    if (!algorithm.model.unsupported(n).empty()) continue;
    ++lengths;
    SCOPED_TRACE(::testing::Message() << name << ", n = " << n);
    check(algorithm, n);
  }
  EXPECT_GE(lengths, 2u) << name;
}

}  // namespace

class EveryAlgorithm : public PerAlgorithm {};

TEST_P(EveryAlgorithm, IsTheDftOfEveryImpulse) {
  for_every_length(GetParam(), [](const AlgorithmEntry& algorithm, std::size_t n) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const ComplexArray<double> x = impulses(n);
      const truth::Errors errors =
          truth::measure(transformed(algorithm, n, direction, x), definition(n, direction), fp64);
      // Each output has the modulus of each other, so the largest error of one is sqrt(n) of all.
      const double of_all = bound(algorithm, n, direction) + 2 * unit_roundoff(fp64);
      EXPECT_LE(errors.l2_rel, of_all);
      EXPECT_LE(errors.linf_rel, std::sqrt(static_cast<double>(n)) * of_all);
    }
  });
}

TEST_P(EveryAlgorithm, IsUndoneByItsInverse) {
  for_every_length(GetParam(), [](const AlgorithmEntry& algorithm, std::size_t n) {
    truth::Truth given;
    given.hi = impulses(n);
    given.lo = ComplexArray<double>(n * n);
    given.n = n;
    const ComplexArray<double> back =
        transformed(algorithm, n, Direction::inverse,
                    transformed(algorithm, n, Direction::forward, impulses(n)));
    EXPECT_LE(
        truth::measure(back, given, fp64).l2_rel,
        compose(bound(algorithm, n, Direction::forward), bound(algorithm, n, Direction::inverse)));
  });
}

TEST(Batch, EqualsItsTransformsOneByOne) {
  for (const Mode& mode : trnfft_modes())
    for (const auto& [algorithm, n] :
         {std::pair{"radix2-dit", 64u}, {"dft-gemm", 64u}, {"dft-gemm", 130u}})
      EXPECT_TRUE(expect_bits_of_single_items(
          {.algorithm = algorithm, .mode = mode.name, .n = n, .batch = 5, .seed = 3}));
}

INSTANTIATE_TEST_SUITE_P(All, EveryAlgorithm, every_algorithm(tested_algorithms_and_keyed()),
                         name_of_algorithm);

}  // namespace fftprec::testing
