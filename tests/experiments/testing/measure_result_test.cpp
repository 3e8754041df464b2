/// What a foreign result is of.
#include "experiments/testing/measure_result.hpp"

#include <gmock/gmock.h>

#include <complex>
#include <vector>

#include "tests/support/complex_samples.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/fragments.hpp"

namespace fftprec {
namespace {

using testing::error_text;
using testing::holds;
using testing::ramp;
using testing::samples;

TEST(ForeignProblem, TakesNFromTheLastAxisAndTheBatchFromTheSize) {
  std::vector<std::complex<double>> twice = ramp;
  twice.insert(twice.end(), ramp.begin(), ramp.end());
  const ForeignProblem asked = foreign_problem("fft", 0, samples(twice, {2, 4}));
  EXPECT_EQ(asked.where.n, 4U);
  EXPECT_EQ(asked.where.batch, 2U);
  EXPECT_EQ(foreign_problem("fft", 2, samples(twice, {2, 4})).where.batch, 4U);
}

TEST(ForeignProblem, OfSpectraOfRealDataTheEvenLengthIsMeant) {
  const Samples half = samples({10, {-2, 2}, -2}, {3});
  for (const char* transform : {"irfft", "hfft"})
    EXPECT_EQ(foreign_problem(transform, 0, half).where.n, 4U) << transform;
  EXPECT_EQ(foreign_problem("irfft", 5, half).where.n, 5U);
  EXPECT_EQ(
      foreign_problem("irfft2", 0, samples(std::vector<std::complex<double>>(12), {4, 3})).where.n,
      4U);
  EXPECT_EQ(foreign_problem("irfft", 0, samples({3}, {1})).where.n, 1U);
}

TEST(ForeignProblem, TheLengthIsThatOfTheTransformAndNotOfItsInput) {
  for (const char* frames : {"mdct", "mdct:window=none"})
    EXPECT_EQ(length_of(frames, {3, 8}), 4U) << frames;
  for (const char* same : {"imdct", "rfft", "dct2", "stft", "cgemm", "fft2:rows=2"})
    EXPECT_EQ(length_of(same, {3, 8}), 8U) << same;
  EXPECT_EQ(length_of("irfft2:rows=3", {3, 8}), 14U);
  EXPECT_EQ(length_of("mdct", {7}), 7U);  // a size that no length has is left as it is
  EXPECT_EQ(length_of("fft", {}), 1U);
  EXPECT_EQ(length_of("irfft", {0}), 0U);
}

TEST(ForeignProblem, ASpectrumInSeveralRowsIsABatchOfThem) {
  // Three rows of three elements: taken for items of n = 3 they would be a batch as well.
  const ForeignProblem asked =
      foreign_problem("irfft", 0, samples(std::vector<std::complex<double>>(9, 1), {3, 3}));
  EXPECT_EQ(asked.where.n, 4U);
  EXPECT_EQ(asked.where.batch, 3U);
  EXPECT_EQ(asked.problem.truth.hi.size(), 12U);
}

TEST(ForeignProblem, ALengthBeyondTheInputIsAnErrorBeforeAnythingIsMade) {
  for (const std::uint64_t n : {std::uint64_t{10}, ~std::uint64_t{0}})
    EXPECT_THAT(error_text([n] { foreign_problem("irfft", n, samples(ramp, {4})); }),
                holds("irfft of n = " + std::to_string(n) + ": the input holds only 4 values"));
  EXPECT_EQ(foreign_problem("irfft", 7, samples(ramp, {4})).where.batch, 1U);
}

TEST(ForeignProblem, ImagesSayTheirOtherAxes) {
  const auto asked = [](const char* transform, std::uint64_t n, std::vector<std::size_t> shape) {
    std::size_t size = 1;
    for (const std::size_t side : shape) size *= side;
    return foreign_problem(transform, n, samples(std::vector<std::complex<double>>(size), shape))
        .where;
  };
  for (const char* transform : {"fft2", "rfft2:norm=ortho", "fft2:rows=2", "fftn"})
    EXPECT_EQ(asked(transform, 0, {2, 4}).batch, 1U) << transform;
  EXPECT_EQ(asked("fft2", 0, {2, 4}).transform, "fft2:rows=2");
  EXPECT_EQ(asked("fft2", 0, {3, 2, 4}).batch, 3U);
  EXPECT_EQ(asked("irfft2", 0, {6, 3}).transform, "irfft2:rows=6");
  EXPECT_EQ(asked("irfft2", 5, {6, 3}).n, 5U);
  EXPECT_EQ(asked("fftn", 0, {2, 4, 6, 5}).transform, "fftn:dims=4x6xn");
  EXPECT_EQ(asked("fftn", 0, {2, 4, 6, 5}).batch, 2U);
  EXPECT_EQ(asked("fft2", 4, {2, 16}).batch, 2U);  // images in a row each
  EXPECT_THAT(error_text([&] {
                asked("fft2:rows=3", 0, {2, 4});
              }),
              holds("fft2:rows=3 of n = 4 takes 12 values"));
}

TEST(ForeignProblem, RealTransformsRefuseComplexInput) {
  EXPECT_THAT(error_text([] {
                foreign_problem("rfft", 0, samples({1, {2, 1}}, {2}));
              }),
              holds("imaginary part of element 1 is not zero"));
}

}  // namespace
}  // namespace fftprec
