/// FFTs of this program and others in the place of a device.
#include "experiments/identify/fft_probes.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "experiments/files/sample_files.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/testing/measure_result.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"
#include "tests/support/temporary_directory.hpp"

namespace fftprec::identify {
namespace {

using fftprec::testing::error_text;
using fftprec::testing::TemporaryDirectory;
using fftprec::testing::write_text;
using ::testing::Contains;
using testing::holds;

/// The probes of 16 points, as files hold them.
class FftProbes : public ::testing::Test {
 protected:
  FftProbes() {
    write_fft_probes(directory.path(), std::vector<std::size_t>{n});
    x = parse_npy(testing::text_of(directory / "n16/x.npy"), "x").values;
  }

  /// What a case of this program makes of them.
  ComplexArray<double> run(Case where) const {
    where.n = n;
    where.batch = x.size() / n;
    return run_in_mode(algorithm_named(where.algorithm), where, x).values;
  }

  FftIdentification identified(const ComplexArray<double>& device) const {
    write_text(directory / "n16/X.npy", npy_bytes(device, {.shape = {x.size() / n, n}}));
    const std::vector<FftAnswer> answers = read_fft_probes(directory.path());
    EXPECT_EQ(answers.size(), 1u);
    return identify_fft(answers.front());
  }

  static constexpr std::size_t n = 16;
  TemporaryDirectory directory;
  ComplexArray<double> x;
};

/// "dft-gemm bf16 exact trn" of all that fit, machines alike included.
std::vector<std::string> fitting(const FftIdentification& found) {
  std::vector<std::string> names;
  for (const FftVariant& each : found.variants) {
    std::vector<Case> cases = each.alike;
    cases.push_back(each.where);
    for (const Case& where : cases)
      names.push_back(where.algorithm + " " + where.tables + " " + where.mode + " on " +
                      where.machine);
  }
  return names;
}

TEST_F(FftProbes, NameAlgorithmTablesModeAndMachine) {
  const std::vector<Case> cases = {
      {.algorithm = "radix2-dit"},
      {.algorithm = "stockham-r4", .mode = "bf16", .tables = "fp32-angle:order=row-column"},
      {.algorithm = "dft-gemm", .mode = "bf16", .machine = "nv-hopper"},
      {.algorithm = "four-step", .mode = "fp32", .machine = "ieee", .tables = "fp32-reduced"},
      {.algorithm = "bluestein", .mode = "fp64", .tables = "fp64-angle"},
      {.algorithm = "radix2-dit", .tables = "recurrence:by=numerical-recipes"},
      {.algorithm = "radix2-dif", .tables = "recurrence:by=chebyshev:in=bf16"},
      {.algorithm = "split-radix", .mode = "fp64", .tables = "recurrence:by=singleton:in=fp64"},
      {.algorithm = "dft-gemm", .mode = "fp64", .tables = "fp64-angle:order=column-row"}};

  for (const Case& where : cases) {
    const FftIdentification found = identified(run(where));

    EXPECT_TRUE(found.fits) << where.algorithm;
    EXPECT_THAT(fitting(found), Contains(where.algorithm + " " + where.tables + " " + where.mode +
                                         " on " + where.machine));
    EXPECT_LT(found.variants.size(), 40u) << where.algorithm;
    EXPECT_EQ(found.bits <= 8, where.algorithm == "stockham-r4") << found.bits;
    EXPECT_EQ(found.bits > 24, where.mode == "fp64") << found.bits;
  }
}

TEST_F(FftProbes, ReadTheTableOfAMatrixProduct) {
  const FftIdentification found =
      identified(run({.algorithm = "dft-gemm", .tables = "fp32-angle:order=row-column"}));

  EXPECT_EQ(found.tables.front().source, "fp32-angle:order=row-column");
  EXPECT_EQ(found.tables.front().equal, n * n);
  EXPECT_LT(found.tables[1].equal, n * n);

  const std::vector<TableReading> of_exact =
      identified(run({.algorithm = "dft-gemm", .tables = "exact"})).tables;
  std::size_t sources = 0;
  for (const TableReading& each : of_exact) sources += 1 + each.alike.size();
  EXPECT_EQ(sources, table_candidates().size());
  EXPECT_EQ(of_exact.front().source, "exact");
  EXPECT_THAT(of_exact.front().alike, Contains("exact:in=fp32"));
  EXPECT_LT(of_exact[1].equal, n * n);
}

TEST_F(FftProbes, SayThatNoneFits) {
  // Each part loses its last four bits: no arithmetic here truncates what it stores.
  ComplexArray<double> device = run({.algorithm = "radix2-dit"});
  for (auto* part : {&device.re, &device.im})
    for (double& value : *part) value = round(value, {20, -126, 127}, Rounding::rz);

  const FftIdentification found = identified(device);

  EXPECT_FALSE(found.fits);
  EXPECT_EQ(found.bits, 20);
  ASSERT_EQ(found.variants.size(), 5u);
  EXPECT_LT(found.variants.front().equal, device.size());
  EXPECT_LT(found.variants.front().distance, 2e-6);
  EXPECT_NEAR(found.error, found.variants.front().distance, 1e-6);
  EXPECT_EQ(found.suspicion, "");
}

TEST_F(FftProbes, SuspectTheInverse) {
  ComplexArray<double> device = run({.algorithm = "radix2-dit"});
  for (std::size_t i = 0; i < device.size(); i += n)
    for (auto* part : {&device.re, &device.im})
      std::reverse(part->begin() + static_cast<std::ptrdiff_t>(i + 1),
                   part->begin() + static_cast<std::ptrdiff_t>(i + n));

  EXPECT_THAT(identified(device).suspicion, holds("perhaps"));
}

TEST_F(FftProbes, RefuseOtherFiles) {
  const auto refusal = [&] { return error_text([&] { read_fft_probes(directory.path()); }); };
  EXPECT_THAT(refusal(), holds("no length has an answer"));
  write_text(directory / "n16/X.npy", npy_bytes(x));
  EXPECT_THAT(refusal(), holds("X.npy: shape (384), not (24, 16)"));
  write_text(directory / "fft.toml", "lengths = [3]\n");
  EXPECT_THAT(refusal(), holds("n=3 is not in 4..1024"));
  EXPECT_THAT(error_text([&] {
                write_fft_probes(directory.path(), std::vector<std::size_t>{8, 16, 8});
              }),
              holds("n=8 is given twice"));
}

}  // namespace
}  // namespace fftprec::identify
