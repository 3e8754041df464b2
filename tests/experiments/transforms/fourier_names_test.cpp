/// Names, keys, inputs and limits of the transforms over axes and the cosine transforms.
#include "arith/support/error.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/experiments/transforms/fourier_transforms.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/trnfft_modes.hpp"

namespace fftprec::testing {

namespace {

std::string refusal(const std::string& name) {
  return error_text([&] { transform_named(name); });
}

}  // namespace

TEST(FourierNames, RefuseKeysAndValuesThatTheyDoNotTake) {
  for (const char* name : {"fft2:rows=0", "fft2:rows=x", "rfft2:rows=-1", "irfft2:rows=16777217",
                           "fft2:rows=99999999999999999999"})
    EXPECT_NE(refusal(name).find("is not a whole number from 1 to 16777216"), std::string::npos)
        << name << ": " << refusal(name);
  for (const char* name : {"fftn:dims=0", "rfftn:dims=6", "irfftn:dims=", "ifftn:dims=2.5"})
    EXPECT_NE(refusal(name).find("is not a whole number from 1 to 5"), std::string::npos)
        << name << ": " << refusal(name);
  EXPECT_NE(refusal("fft2:cols=4").find("rows"), std::string::npos) << refusal("fft2:cols=4");
  EXPECT_NE(refusal("fftn:rows=4").find("dims"), std::string::npos) << refusal("fftn:rows=4");
  for (const char* name :
       {"fftn:dims=4x6", "fftn:dims=n", "fftn:dims=1x1x1x1x1xn", "fftn:dims=4xnx",
        "fftn:dims=4xx6xn", "fftn:dims=xn", "fftn:dims=0xn", "fftn:dims=-1xn"})
    EXPECT_EQ(refusal(name) == "no error", std::string(name) == "fftn:dims=n")
        << name << ": " << refusal(name);
  for (const char* name : {"fft2:rows", "rfft:rows=2", "dct2:dims=1", "fft3"})
    EXPECT_NE(refusal(name), "no error") << name;
}

TEST(FourierNames, SayOfWhichAxesTheyAre) {
  const auto lengths = [](const char* name, std::size_t n) {
    return transform_named(name).item_shape(n).output;
  };
  EXPECT_EQ(lengths("fftn:dims=4x6xn", 5), (std::vector<std::size_t>{4, 6, 5}));
  EXPECT_EQ(lengths("rfftn:dims=4xnxn", 5), (std::vector<std::size_t>{4, 5, 3}));
  EXPECT_EQ(lengths("irfftn:dims=4xn", 5), (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(lengths("fftn:dims=n", 5), (std::vector<std::size_t>{5}));
}

TEST(FourierNames, TakeWhatTheyLeaveOpenFromTheirAxes) {
  EXPECT_EQ(transform_over("fft2", {32, 48}), "fft2:rows=32");
  EXPECT_EQ(transform_over("fft2", {48, 48}), "fft2");
  EXPECT_EQ(transform_over("irfft2:norm=ortho", {3, 4}), "irfft2:norm=ortho:rows=3");
  EXPECT_EQ(transform_over("fft2:rows=4", {32, 48}), "fft2:rows=4");
  EXPECT_EQ(transform_over("fftn", {4, 6, 5}), "fftn:dims=4x6xn");
  EXPECT_EQ(transform_over("rfftn", {5, 5}), "rfftn:dims=2");
  EXPECT_EQ(transform_over("rfftn:dims=3", {5, 5}), "rfftn:dims=3");
  EXPECT_EQ(transform_over("fft", {5}), "fft");
  EXPECT_EQ(input_axes("fftn"), std::nullopt);
  EXPECT_EQ(input_axes("fftn:dims=2:norm=ortho"), 2U);
  EXPECT_EQ(input_axes("fftn:dims=4x6xn"), 3U);
  EXPECT_EQ(input_axes("rfft2"), 2U);
  EXPECT_EQ(input_axes("istft:hop=3"), 2U);
  EXPECT_EQ(input_axes("stft"), 1U);
  EXPECT_EQ(input_axes("cmul"), 0U);
}

TEST(FourierNames, CarryTheirKeysToTheInverse) {
  EXPECT_EQ(transform_named("rfft2:rows=32").inverse, "irfft2:rows=32");
  EXPECT_EQ(transform_named("irfft2").inverse, "rfft2");
  EXPECT_EQ(transform_named("ifftn:dims=2").inverse, "fftn:dims=2");
  EXPECT_EQ(transform_named("rfftn:dims=4x6xn:norm=ortho").inverse, "irfftn:dims=4x6xn:norm=ortho");
  EXPECT_EQ(transform_named("hfft").inverse, "ihfft");
  EXPECT_EQ(transform_named("dct2").inverse, "");
  EXPECT_EQ(transform_named("dct3:norm=backward").inverse, "");
  EXPECT_EQ(transform_named("dct2:norm=ortho").inverse, "dct3:norm=ortho");
  EXPECT_EQ(transform_named("dct3:norm=forward").inverse, "dct2");
  EXPECT_EQ(transform_named("stft:hop=2:norm=ortho").inverse.substr(0, 12), "istft:hop=2:");
  EXPECT_NE(transform_named("stft:norm=ortho").inverse.find(":norm=ortho"), std::string::npos);
}

TEST(FourierSizes, BeyondTheLimitAreSkippedWithTheReason) {
  for (const auto& [name, n] : std::vector<std::pair<std::string, std::uint64_t>>{
           {"fftn:dims=5", 4096}, {"rfft2", 1 << 20}, {"irfftn", std::uint64_t{1} << 40}}) {
    const Case where{.transform = name, .n = n};
    EXPECT_THROW(make_problem(problem_key(where)), NotApplicable) << name;
    const std::string reason = transform_named(name).unsupported(algorithm_named("radix2-dit"), n);
    EXPECT_NE(reason.find("more than 2^24 elements"), std::string::npos) << name << ": " << reason;
  }
  EXPECT_EQ(transform_named("fft2").unsupported(algorithm_named("radix2-dit"), 4096), "");
}

TEST(FourierSizes, NameTheAxisThatAnAlgorithmCannotDo) {
  EXPECT_EQ(transform_named("fft2:rows=12").unsupported(algorithm_named("radix2-dit"), 16),
            "radix2-dit needs n = 2^k, got 12");
}

TEST(FourierInputs, OfRealTransformsAreReal) {
  for (const char* name : {"rfft", "ihfft", "rfft2", "rfftn", "dct2", "dct3", "dct1", "dst4",
                           "hartley", "mdct", "imdct"}) {
    const ComplexArray<double> x = input_of(name, 6, 2, "gaussian", 1);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x.im[i], 0) << name << ", element " << i;
  }
}

TEST(FourierInputs, OfInverseRealTransformsAreSpectraOfRealData) {
  for (const std::size_t n : {1u, 2u, 5u, 6u}) {
    const std::size_t half = n / 2 + 1;
    constexpr std::size_t rows = 4, batch = 2;
    const ComplexArray<double> x = input_of("irfft2:rows=4", n, batch, "gaussian", 1);
    ASSERT_EQ(x.size(), batch * rows * half);
    for (std::size_t item = 0; item < batch; ++item)
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t k = 0; k < half; ++k) {
          const std::size_t here = (item * rows + row) * half + k;
          const std::size_t there = (item * rows + (rows - row) % rows) * half + k;
          if (k != 0 && 2 * k != n) {
            EXPECT_NE(x.im[here], 0) << "n = " << n << ", row " << row << ", k = " << k;
            continue;
          }
          EXPECT_EQ(x.re[here], x.re[there]) << "n = " << n << ", row " << row << ", k = " << k;
          EXPECT_EQ(x.im[here], -x.im[there]) << "n = " << n << ", row " << row << ", k = " << k;
        }
  }
}

TEST(FourierNames, RefuseANormThatIsNone) {
  for (const char* name : {"fft:norm=unitary", "dct2:norm=unitary", "stft:norm=unitary"})
    EXPECT_NE(refusal(name).find("backward, ortho, forward"), std::string::npos) << refusal(name);
}

TEST(FourierNames, OfANormThatAPeerDoesNotKnowSaySo) {
  const AlgorithmEntry own = peer_entry("own", "", MakeFft<MachineArithmetic<double>>());
  const std::string reason = "algorithm own divides the inverse by n: norm=backward";
  for (const char* name : {"ifft:norm=ortho", "dct2:norm=ortho", "dct3:norm=forward",
                           "stft:norm=ortho", "istft:norm=forward"})
    EXPECT_EQ(transform_named(name).unsupported(own, 16), reason) << name;
  EXPECT_EQ(transform_named("dct2").unsupported(own, 16), "");
}

TEST(FourierModes, AllRunAndTheCosinesWithoutANormAloneCannotBeRefined) {
  for (const FourierTransform& transform : fourier_transforms_with_lengths()) {
    const std::size_t n = transform.lengths.back();
    const Case any{.transform = transform.name, .n = n};
    const Problem problem = make_problem(problem_key(any));
    for (const Mode& mode : trnfft_modes()) {
      Case where = any;
      where.algorithm = "dft-gemm";
      where.mode = mode.name;
      bool runs = true;
      try {
        runs = evaluate(where, problem).status == Status::ok;
      } catch (const NotApplicable&) {
        runs = false;
      }
      EXPECT_EQ(runs, !(lacks_norm(transform.name) && mode.name == "bf16_refined"))
          << command_of(where);
    }
  }
}

}  // namespace fftprec::testing
