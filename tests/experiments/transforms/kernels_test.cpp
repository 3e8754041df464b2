/// cgemm, cmul, cconv1d and cmodrelu: against their truth, below their bounds, near their
/// expectation, exactly as many operations as predicted.
#include "algorithms/transforms/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "arith/formats/complex_array.hpp"
#include "arith/support/error.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/experiments/algorithms/expected_errors.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/experiments/transforms/transform_counts.hpp"
#include "tests/support/classic_machines.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

struct Carried {
  std::string transform;
  std::string algorithm;
};

const std::vector<Carried>& all() {
  static const std::vector<Carried> kernels{{"cgemm", "gemm"},
                                            {"cgemm:out=5", "gemm"},
                                            {"cmul", "elementwise"},
                                            {"cmodrelu", "elementwise"},
                                            {"cconv1d", "direct-conv"},
                                            {"cconv1d:taps=1", "direct-conv"},
                                            {"cconv1d", "radix2-dit"},
                                            {"cconv1d:taps=70", "direct-conv"},
                                            {"cconv1d:taps=70", "dft-gemm"},
                                            {"cconv1d:taps=3", "split-radix"},
                                            {"cconv1d", "stockham-mixed"}};
  return kernels;
}

Case case_of(const Carried& kernel, std::uint64_t n, const std::string& mode) {
  return {.transform = kernel.transform, .algorithm = kernel.algorithm, .mode = mode, .n = n};
}

}  // namespace

TEST(Kernels, AreTheirDefinitionAtEveryLength) {
  for (const Carried& kernel : all())
    for (const std::uint64_t n : {1u, 2u, 5u, 16u, 33u, 64u, 130u}) {
      Case where = case_of(kernel, n, "fp64");
      where.batch = 3;
      const Row row = evaluate(where);
      if (row.status == Status::skipped) continue;
      ASSERT_TRUE(row.err_l2_rel.has_value()) << command_of(where) << ": " << row.message;
      EXPECT_LE(*row.err_l2_rel, 64 * unit_roundoff(fp64)) << command_of(where);
      EXPECT_LE(*row.err_l2_rel, row.bound_l2_rel.value()) << command_of(where);
    }
}

TEST(Kernels, StayBelowTheirBoundInEveryMode) {
  for (const Carried& kernel : all())
    for (const char* input : {"gaussian", "uniform", "tone", "wide:phi=4", "cancelling", "dc"})
      for (const Mode& mode : trnfft_modes())
        for (const char* machine : {"trn", "ieee", "trn-claim", "trn-rz"}) {
          Case where = case_of(kernel, 48, mode.name);
          where.input = input;
          where.machine = machine;
          for (const Row& row : rows_of_seeds(where, 3)) {
            if (mode.name == "bf16_refined") {
              EXPECT_EQ(row.status, Status::skipped) << command_of(row.where);
              EXPECT_NE(row.message.find("has no inverse"), std::string::npos) << row.message;
              continue;
            }
            if (row.status == Status::skipped) continue;
            ASSERT_TRUE(row.err_l2_rel.has_value()) << command_of(row.where) << row.message;
            if (!row.bound_l2_rel) {  // nothing is relative to a truth of zero
              EXPECT_TRUE(*row.err_l2_rel == 0 || std::isinf(*row.err_l2_rel))
                  << command_of(row.where);
              continue;
            }
            EXPECT_LE(*row.err_l2_rel, *row.bound_l2_rel) << command_of(row.where);
          }
        }
}

/// Not in mode fp64: inputs are fp32, so that products and first sums are exact there. The model
/// of a matrix product is one of long sums: a few taps are left out. Truncating matrix products
/// lose less of padded data than the model says, by how much is not derived.
TEST(Kernels, AreWithinAQuarterOfTheirExpectation) {
  for (const Carried& kernel : all())
    for (const char* mode : {"fp32", "kahan", "bf16", "ozaki", "ozaki_hq"})
      for (const char* machine : {"trn", "ieee", "trn-claim", "trn-rz"}) {
        const bool few = kernel.algorithm == "direct-conv" && kernel.transform != "cconv1d:taps=70";
        if (few) continue;
        Case where = case_of(kernel, 128, mode);
        where.machine = machine;
        const bool truncates =
            where.machine == "trn-rz" && where.mode == "fp32" &&
            (kernel.algorithm == "stockham-mixed" || kernel.algorithm == "dft-gemm");
        if (truncates)
          EXPECT_FALSE(evaluate(where).expected_l2_rel) << command_of(where);
        else
          expect_as_expected(rows_of_seeds(where, 10));
      }
}

/// cmodrelu is no kernel of products: it is not counted.
TEST(Kernels, CountsEqualTheirPrediction) {
  for (const Carried& kernel : all()) {
    if (kernel.transform == "cmodrelu") continue;
    const TransformEntry transform = transform_named(kernel.transform);
    for (const std::size_t n : {8u, 16u, 150u}) {
      if (!transform.unsupported(algorithm_named(kernel.algorithm), n).empty()) continue;
      for (const Mode& mode : trnfft_modes())
        for (const Machine& machine : classic_machines())
          expect_predicted_counts(kernel.transform, kernel.algorithm, n, mode, machine);
    }
  }
}

TEST(Kernels, ABatchGivesTheBitsOfSingles) {
  for (const Carried& kernel : all())
    for (const char* mode : {"fp32", "bf16", "ozaki_hq"}) {
      Case where = case_of(kernel, 16, mode);
      where.batch = 3;
      EXPECT_TRUE(expect_bits_of_single_items(where)) << command_of(where);
    }
}

/// The bound lies far above what happens, so each of its parts is looked at by itself.
TEST(KernelBound, OfAConvolutionByFftCountsEveryStep) {
  const FilterShape shape{100, 20};  // 119 outputs in 128 points
  const auto bound = [&](double forward, double inverse, const char* mode) {
    const FftModel fft{[](std::size_t) { return std::string(); },
                       [=](const Predictor& predictor, std::size_t, std::size_t) {
                         const bool ahead = predictor.dft() == Direction::forward;
                         return ErrorModel{.bound = ahead ? forward : inverse,
                                           .output = ErrorModel::Output::storage};
                       }};
    const Predictor predictor(resolve(mode_named(mode), machine_named("trn")), Direction::forward,
                              {});
    return predict_fft_convolution(predictor, shape, 1, fft).bound.worst;
  };
  const double rho = std::sqrt(5.0) * 0x1p-53;
  const double slack = 1 + 0x1p-40;
  EXPECT_LE(bound(0, 0, "fp64"), std::sqrt(119.0) * rho * slack);
  EXPECT_GE(bound(0, 0, "fp64") * slack, std::sqrt(119.0) * rho);
  EXPECT_NEAR(bound(0.5, 0, "fp64"), std::sqrt(119.0) * 1.25, 1e-12);
  EXPECT_NEAR(bound(0, 0.5, "fp64"), std::sqrt(20.0) * 0.5, 1e-12);
  EXPECT_NEAR(bound(0.5, 0.5, "fp64"),
              std::sqrt(119.0) * 1.25 + 0.5 * (std::sqrt(20.0) + std::sqrt(128.0) * 1.25), 1e-12);
}

TEST(KernelOperands, TheSecondOneTakesTheNextSeed) {
  const TransformEntry cmul = transform_named("cmul");
  const ComplexArray<double> x = cmul.make_input(input_named("gaussian"), 32, 2, /*seed=*/5);
  const ComplexArray<double> next = cmul.make_input(input_named("gaussian"), 32, 1, /*seed=*/6);
  EXPECT_EQ(part_of(x, 64, 32), part_of(next, 0, 32));
  const ComplexArray<double> bias =
      transform_named("cmodrelu").make_input(input_named("gaussian"), 32, 2, /*seed=*/5);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(bias.re[64 + i], x.re[64 + i]);
    EXPECT_EQ(bias.im[64 + i], 0);
  }
}

TEST(KernelNames, AnotherAlgorithmIsSkippedAndABadKeyAnError) {
  for (const auto& [transform, algorithm] : {Carried{"cgemm", "radix2-dit"},
                                             {"cmul", "gemm"},
                                             {"cconv1d", "gemm"},
                                             {"fft", "gemm"},
                                             {"stft", "direct-conv"},
                                             {"cmodrelu", "dft-gemm"}}) {
    const Row row = evaluate(case_of({transform, algorithm}, 16, "fp32"));
    EXPECT_EQ(row.status, Status::skipped) << transform << " by " << algorithm;
    EXPECT_NE(row.message.find("carried out by"), std::string::npos) << row.message;
  }
  for (const char* name : {"cgemm:out=0", "cgemm:out=-3", "cconv1d:taps=x",
                           "cconv1d:taps=", "cmul:n=3", "cgemm:rows=2", "cconv1d:taps=99999999999"})
    EXPECT_THROW(transform_named(name), InputError) << name;
}

}  // namespace fftprec::testing
