/// Every registered algorithm does exactly the operations that its prediction says, in one mode of
/// every kind: a rounding lost or doubled anywhere fails here.
#include "experiments/tables/tables.hpp"
#include "tests/algorithms/counting_kernels.hpp"
#include "tests/experiments/algorithms/every_algorithm.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

constexpr std::size_t counted_batch = 3;

template <class Real>
OperationCounts counted_run(const AlgorithmEntry& algorithm, const ArithmeticSpec& resolved,
                            std::size_t n, Direction direction) {
  const MachineArithmetic<Real> arithmetic(resolved, counting_kernels<Real>(resolved));
  const auto fft =
      algorithm.make.in<MachineArithmetic<Real>>()(arithmetic, n, direction, table_source("exact"));
  ComplexArray<Real> x(n * counted_batch);
  for (std::size_t i = 0; i < x.size(); ++i)
    x.re[i] = static_cast<Real>(static_cast<double>(i % 7) - 3);
  reset_counts();
  fft(arithmetic, x);
  return counted();
}

void expect_predicted_counts(const AlgorithmEntry& algorithm, const Mode& mode, const char* machine,
                             std::size_t n, Direction direction) {
  if (!algorithm.inapplicable(mode, "exact").empty()) return;
  const ArithmeticSpec resolved = resolve(mode, machine_named(machine));
  SCOPED_TRACE(::testing::Message()
               << algorithm.name << ", " << resolved.mode() << " on " << resolved.machine().name
               << ", n = " << n << ", direction " << static_cast<int>(direction));
  const OperationCounts counts = with_type(resolved.type(), [&]<class Real>(Real) {
    return counted_run<Real>(algorithm, resolved, n, direction);
  });
  const Predictor predictor(resolved, direction, {});
  const OperationCounts formula =
      algorithm.model.predict(predictor, n, counted_batch).cost.operations;
  EXPECT_EQ(counts.multiplications, formula.multiplications);
  // Terms of slices are summed by no counted loop.
  if (resolved.gemm().data().kind != WordKind::slices) {
    EXPECT_EQ(counts.additions, formula.additions);
  }
  EXPECT_EQ(counts.conversions, formula.conversions);
}

}  // namespace

class AlgorithmCounts : public PerAlgorithm {};

TEST_P(AlgorithmCounts, EqualTheirPrediction) {
  const AlgorithmEntry algorithm = algorithm_named(GetParam());
  std::size_t lengths = 0;
  for (const std::size_t n : {1u, 2u, 5u, 7u, 8u, 12u, 16u, 30u, 64u, 97u, 130u}) {
    if (!algorithm.model.unsupported(n).empty()) continue;
    ++lengths;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      for (const Mode& mode : trnfft_modes())
        for (const char* machine : {"trn", "ieee", "trn-claim", "trn-rz"})
          expect_predicted_counts(algorithm, mode, machine, n, direction);
      for (const char* mode : {"tf32", "fp16x2:3", "bf16x3:6", "rounded_once", "dot2", "kahan-sum",
                               "neumaier", "doubleword", "slices:3x3", "slices:2x3:pair"})
        expect_predicted_counts(algorithm, mode_named(mode), "trn", n, direction);
    }
  }
  EXPECT_GE(lengths, 3u);
}

INSTANTIATE_TEST_SUITE_P(All, AlgorithmCounts, every_algorithm(tested_algorithms_and_keyed()),
                         name_of_algorithm);

}  // namespace fftprec::testing
