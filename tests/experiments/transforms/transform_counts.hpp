/// The operations of a transform, counted and held against its prediction.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "experiments/algorithms/registry.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/tables/windows.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/algorithms/counting_kernels.hpp"

namespace fftprec::testing {

/// A batch of the transform on this machine does exactly the operations of its prediction.
inline void expect_predicted_counts(const std::string& transform_name,
                                    const std::string& algorithm_name, std::size_t n,
                                    const Mode& mode, const Machine& machine) {
  constexpr std::size_t batch = 3;
  const TransformEntry transform = transform_named(transform_name);
  const AlgorithmEntry algorithm = algorithm_named(algorithm_name);
  const ArithmeticSpec resolved = resolve(mode, machine);
  const OperationCounts counts = with_type(resolved.type(), [&]<class Real>(Real) {
    const MachineArithmetic<Real> arithmetic(resolved, counting_kernels<Real>(resolved));
    const auto run = transform.make.in<MachineArithmetic<Real>>()(
        arithmetic, algorithm, n, {table_source("exact"), window_source("exact")});
    ComplexArray<Real> x =
        arithmetic.stored(transform.make_input(input_named("gaussian"), n, batch, /*seed=*/1));
    reset_counts();
    run(arithmetic, std::move(x));
    return counted();
  });
  const Predictor predictor(resolved, Direction::forward, {});
  EXPECT_EQ(counts, transform.predict(predictor, algorithm, n, batch).cost.operations)
      << transform_name << " by " << algorithm_name << ", " << mode.name << " on " << machine.name
      << ", n = " << n;
}

}  // namespace fftprec::testing
