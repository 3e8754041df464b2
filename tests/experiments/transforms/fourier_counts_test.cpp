/// Every transform over axes and every cosine transform does exactly the operations that its
/// prediction says, in every mode of trnfft.
#include "experiments/algorithms/registry.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/algorithms/counting_kernels.hpp"
#include "tests/experiments/transforms/fourier_transforms.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

constexpr std::size_t counted_batch = 3;

template <class Real>
OperationCounts counted_run(const TransformEntry& transform, const AlgorithmEntry& algorithm,
                            const ResolvedArithmetic& resolved, std::size_t n) {
  const MachineArithmetic<Real> arithmetic(resolved, counting_kernels<Real>(resolved));
  const auto apply = transform.make.in<MachineArithmetic<Real>>()(
      arithmetic, algorithm, n, RootFunction(table_source("exact")));
  ComplexArray<Real> x =
      arithmetic.stored(transform.make_input(input_named("ramp"), n, counted_batch, 1));
  reset_counts();
  apply(arithmetic, std::move(x));
  return counted();
}

}  // namespace

class FourierCounts : public PerFourierTransform {};

TEST_P(FourierCounts, EqualTheirPrediction) {
  const TransformEntry transform = transform_named(GetParam().name);
  for (const char* name : {"radix2-dit", "dft-gemm", "stockham-r8", "bluestein"}) {
    const AlgorithmEntry algorithm = algorithm_named(name);
    for (const std::size_t n : GetParam().lengths) {
      if (!transform.unsupported(algorithm, n).empty()) continue;
      for (const Mode& mode : trnfft_modes())
        for (const char* machine_name :
             {"trn", "ieee", "trn-claim", "tt-wormhole{fidelity=hifi3}"}) {
          SCOPED_TRACE(::testing::Message()
                       << GetParam().name << " by " << name << ", " << mode.name << " on "
                       << machine_name << ", n = " << n);
          const NamedMachine& machine = machine_named(machine_name);
          const ResolvedArithmetic resolved = resolve(mode, machine);
          const OperationCounts counts =
              on_host(mode) ? counted_run<double>(transform, algorithm, resolved, n)
                            : counted_run<float>(transform, algorithm, resolved, n);
          const Predictor predictor(resolved, Direction::forward, {});
          const OperationCounts formula =
              transform.predict(predictor, algorithm, n, counted_batch).cost.operations;
          EXPECT_EQ(counts.multiplications, formula.multiplications);
          EXPECT_EQ(counts.additions, formula.additions);
          EXPECT_EQ(counts.conversions, formula.conversions);
        }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FourierCounts, every_fourier_transform(), name_of_transform);

}  // namespace fftprec::testing
