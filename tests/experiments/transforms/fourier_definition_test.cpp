/// Every transform over axes and every cosine transform, by every FFT in mode fp64: against its
/// truth, back through its inverse, one item at a time.
#include "arith/formats/complex_array.hpp"
#include "arith/truth/metrics.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/experiments/algorithms/plain_run.hpp"
#include "tests/experiments/transforms/fourier_transforms.hpp"

namespace fftprec::testing {

namespace {

/// An impulse at each place of an item, real and, where the input may be complex, imaginary; each
/// made an input by the transform's own rule for its parts.
ComplexArray<double> impulses(const std::string& transform, std::size_t n) {
  const std::size_t item = input_of(transform, n, 1, "dc", 1).size();
  const ComplexArray<double> probe = input_of(transform, n, 1, "gaussian", 1);
  ComplexArray<double> x(2 * item * item);
  std::size_t used = 0;
  for (std::size_t i = 0; i < item; ++i) {
    x.re[used++ * item + i] = 1;
    if (probe.im[i] != 0) x.im[used++ * item + i] = 1;
  }
  x.re.resize(used * item);
  x.im.resize(used * item);
  return x;
}

/// In the planes of a one-sided spectrum that mirror themselves, an impulse has a partner.
bool has_mirrored_planes(const std::string& transform) {
  return transform.starts_with("irfft2") || transform.starts_with("irfftn");
}

/// Each FFT that mode fp64 can use at that length.
template <class Check>
void for_every_fft(const std::string& transform, std::size_t n, Check check) {
  std::size_t used = 0;
  for (const std::string& name : algorithm_names()) {
    const AlgorithmEntry algorithm = algorithm_named(name);
    if (algorithm.kind != AlgorithmKind::fft || !algorithm.make.in<MachineArithmetic<double>>() ||
        !algorithm.inapplicable(mode_named("fp64"), "exact").empty() ||
        !transform_named(transform).unsupported(algorithm, n).empty())
      continue;
    ++used;
    SCOPED_TRACE(::testing::Message() << transform << " by " << name << ", n = " << n);
    check(Case{.transform = transform, .algorithm = name, .mode = "fp64", .n = n});
  }
  EXPECT_GE(used, 2u) << transform << ", n = " << n;
}

}  // namespace

class FourierDefinition : public PerFourierTransform {};

TEST_P(FourierDefinition, IsMetByRandomItems) {
  for (const std::size_t n : GetParam().lengths) {
    const Case any{.transform = GetParam().name, .n = n, .batch = 2, .seed = 7};
    const Problem problem = make_problem(problem_key(any));
    for_every_fft(GetParam().name, n, [&](Case where) {
      where.batch = 2;
      const Row row = evaluate(where, problem);
      EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value()) << "input gaussian, seed 7";
    });
  }
}

TEST_P(FourierDefinition, IsMetByEveryImpulse) {
  const TransformEntry transform = transform_named(GetParam().name);
  if (has_mirrored_planes(GetParam().name)) return;  // its random items have every frequency
  for (const std::size_t n : GetParam().lengths) {
    if (n > 64) continue;
    Problem problem;
    problem.input = impulses(GetParam().name, n);
    const std::size_t batch =
        problem.input.size() / input_of(GetParam().name, n, 1, "dc", 1).size();
    problem.truth = transform.truth(problem.input, n, batch, {});
    for_every_fft(GetParam().name, n, [&](Case where) {
      where.batch = batch;
      const Row row = evaluate(where, problem);
      EXPECT_LE(row.err_l2_rel.value(), row.bound_l2_rel.value());
      // A misplaced output is an error of the size of an output.
      EXPECT_LE(row.err_linf_rel.value(), 0x1p-40);
    });
  }
}

TEST_P(FourierDefinition, IsUndoneByItsInverse) {
  const std::string inverse = transform_named(GetParam().name).inverse;
  if (inverse.empty()) {
    EXPECT_TRUE(lacks_norm(GetParam().name)) << GetParam().name << " has no inverse";
    return;
  }
  const auto base = [](const std::string& name) { return name.substr(0, name.find(':')); };
  if (inverse != "dct2" && inverse != "dct3") {
    EXPECT_EQ(base(transform_named(inverse).inverse), base(GetParam().name));
  }
  for (const std::size_t n : GetParam().lengths) {
    const Case any{.transform = GetParam().name, .n = n, .batch = 2, .seed = 3};
    const Problem problem = make_problem(problem_key(any));
    for_every_fft(GetParam().name, n, [&](Case where) {
      where.batch = 2;
      const Row row = evaluate(where, problem);
      // One half of a spectrum may hold all of an error and a half of the energy, both ways.
      EXPECT_LE(row.err_roundtrip_l2_rel.value(),
                4 * compose(row.bound_l2_rel.value(), row.bound_l2_rel.value()));
    });
  }
}

TEST_P(FourierDefinition, TakesABatchItemByItemBitForBit) {
  for (const char* mode : {"fp32", "bf16"})
    for (const char* algorithm : {"radix2-dit", "dft-gemm"})
      for (const std::size_t n : GetParam().lengths) {
        const bool ran = expect_bits_of_single_items({.transform = GetParam().name,
                                                      .algorithm = algorithm,
                                                      .mode = mode,
                                                      .n = n,
                                                      .batch = 3,
                                                      .seed = 5});
        EXPECT_TRUE(ran || algorithm == std::string("radix2-dit")) << mode << ", n = " << n;
      }
}

INSTANTIATE_TEST_SUITE_P(All, FourierDefinition, every_fourier_transform(), name_of_transform);

}  // namespace fftprec::testing
