/// The order of operations of stft and istft as documented, and bounds that a window which is off
/// by as much as it may be reaches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "algorithms/transforms/short_time.hpp"
#include "arith/formats/emulated.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/tables/tables.hpp"
#include "experiments/tables/windows.hpp"

namespace fftprec::testing {

TEST(ShortTimeOrder, OfStftIsProductThenTransform) {
  const Framing framing{.n = 8, .hop = 2, .length = 21, .window_length = 8};
  const MachineArithmetic<float> arithmetic(resolve(mode_named("fp32"), machine_named("trn")));
  const AlgorithmEntry fft = algorithm_named("radix2-dit");
  const Stft<MachineArithmetic<float>> stft(arithmetic, framing, table_source("exact"),
                                            window_source("exact"),
                                            fft.make.in<MachineArithmetic<float>>());
  ComplexArray<float> x(21);
  for (std::size_t i = 0; i < x.size(); ++i) x.re[i] = 1 + static_cast<float>((i * 37) % 11) / 3;

  const ComplexArray<float> y = stft.transform(arithmetic, x);

  ASSERT_EQ(y.size(), framing.frames() * 5);
  // (1 - cos(2 pi j/8))/2, rounded once.
  const float window[] = {0, 0x1.2bec34p-3F, 0.5F, 0x1.b504f4p-1F,
                          1, 0x1.b504f4p-1F, 0.5F, 0x1.2bec34p-3F};
  const auto ffts = fft.make.in<MachineArithmetic<float>>()(arithmetic, 8, Direction::forward,
                                                            table_source("exact"));
  for (std::size_t f = 0; f < framing.frames(); ++f) {
    ComplexArray<float> frame(8);
    for (std::size_t j = 0; j < 8; ++j) {
      auto place = static_cast<int>(2 * f + j) - 4;
      if (place < 0) place = -place;
      if (place > 20) place = 40 - place;
      frame.re[j] = window[j] * x.re[static_cast<std::size_t>(place)];
    }
    ffts(arithmetic, frame);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(y.re[f * 5 + k], frame.re[k]) << "frame " << f << ", bin " << k;
      EXPECT_EQ(y.im[f * 5 + k], frame.im[k]) << "frame " << f << ", bin " << k;
    }
  }
}

namespace {

/// istft written down in T, frames by the algorithm itself; n = 4, hop = 1, 9 samples.
template <class T>
void expect_plain_istft(const char* mode, const char* algorithm) {
  const Framing framing{
      .n = 4, .hop = 1, .length = 9, .window = Window::hamming, .window_length = 4};
  const MachineArithmetic<float> arithmetic(resolve(mode_named(mode), machine_named("trn")));
  const AlgorithmEntry fft = algorithm_named(algorithm);
  const Istft<MachineArithmetic<float>> istft(arithmetic, framing, table_source("exact"),
                                              window_source("exact"),
                                              fft.make.in<MachineArithmetic<float>>());
  ComplexArray<double> wide(framing.frames() * 3);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    wide.re[i] = static_cast<double>((i * 29) % 13) / 7 - 1;
    wide.im[i] = static_cast<double>((i * 17) % 11) / 3 - 2;
  }
  const ComplexArray<float> half = arithmetic.stored(wide);

  const ComplexArray<float> y = istft.transform(arithmetic, half);

  const double window[] = {0.08, 0.54, 1, 0.54};
  const auto ffts = fft.make.in<MachineArithmetic<float>>()(arithmetic, 4, Direction::inverse,
                                                            table_source("exact"));
  std::vector<T> sums(13, T(0.0));
  std::vector<double> squares(13);
  for (std::size_t f = 0; f < framing.frames(); ++f) {
    ComplexArray<float> frame(4);
    for (std::size_t k = 0; k < 3; ++k) frame.re[k] = half.re[f * 3 + k];
    frame.re[3] = frame.re[1];
    frame.im[1] = half.im[f * 3 + 1];
    frame.im[3] = -frame.im[1];
    ffts(arithmetic, frame);
    for (std::size_t j = 0; j < 4; ++j) {
      sums[f + j] = sums[f + j] + T(window[j]) * T(static_cast<double>(frame.re[j]));
      squares[f + j] += window[j] * window[j];
    }
  }
  ASSERT_EQ(y.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    const T sample = T(1 / squares[i + 2]) * sums[i + 2];
    EXPECT_EQ(static_cast<double>(y.re[i]), static_cast<double>(sample)) << mode << ", " << i;
    EXPECT_EQ(y.im[i], 0) << mode << ", sample " << i;
  }
}

/// exact windows, every entry under the window off by mu.
WindowSource off_by(double mu) {
  WindowSource source = window_source("exact");
  source.window = [mu](const Framing& framing, const Format& format) {
    std::vector<double> window = window_source("exact").window(framing, format);
    for (double& w : window) w += mu;
    return window;
  };
  source.window_error = [mu](const Framing&, const Format&) { return mu; };
  return source;
}

}  // namespace

TEST(ShortTimeOrder, OfIstftAddsFramesInOrderAndMultipliesByTheReciprocal) {
  expect_plain_istft<float>("fp32", "radix2-dit");
}

/// The FFT is a matrix product here, whose fp32 result is rounded before it meets the window.
TEST(ShortTimeOrder, OfIstftRoundsFramesToTheStorageFormat) {
  expect_plain_istft<Bf16>("bf16", "dft-gemm");
}

TEST(ShortTimeBound, CoversAWindowThatIsOffByItsErrorAndNotMuchMore) {
  constexpr double mu = 0.01;
  const Framing framing{.n = 8,
                        .hop = 2,
                        .length = 24,
                        .window = Window::rectangular,
                        .window_length = 8,
                        .center = false};
  const MachineArithmetic<double> arithmetic(resolve(mode_named("fp64"), machine_named("trn")));
  const AlgorithmEntry fft = algorithm_named("radix2-dit");
  const RootFunction roots = table_source("exact");
  const Predictor predictor(
      resolve(mode_named("fp64"), machine_named("trn")), Direction::forward,
      {roots, roots, true, [](const TableExtent&, const Format&) { return 0x1p-53; }, off_by(mu),
       window_source("exact")});
  ComplexArray<double> ones(24);
  std::fill(ones.re.begin(), ones.re.end(), 1.0);

  const Stft<MachineArithmetic<double>> stft(arithmetic, framing, roots, off_by(mu),
                                             fft.make.in<MachineArithmetic<double>>());
  const ComplexArray<double> spectra = stft.transform(arithmetic, ones);
  const double forward = predict_stft(predictor, framing, 1, fft.model).bound.worst;

  // All energy is in bin 0, 8 without the error, which is what the bound is relative to.
  for (std::size_t f = 0; f < framing.frames(); ++f) {
    const double error = std::abs(spectra.re[f * 5] / 8 - 1);
    EXPECT_LE(error, forward) << "frame " << f;
    EXPECT_GE(error, forward / 1.001) << "frame " << f;
  }

  const Framing dense{.n = 8,
                      .hop = 8,
                      .length = 24,
                      .window = Window::rectangular,
                      .window_length = 8,
                      .center = false};
  ComplexArray<double> constant(dense.frames() * 5);
  for (std::size_t f = 0; f < dense.frames(); ++f) constant.re[f * 5] = 8;
  const Istft<MachineArithmetic<double>> istft(arithmetic, dense, roots, off_by(mu),
                                               fft.make.in<MachineArithmetic<double>>());
  const ComplexArray<double> samples = istft.transform(arithmetic, constant);
  const double backward = predict_istft(predictor, dense, 1, fft.model).bound.worst;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double error = std::abs(samples.re[i] - 1);
    EXPECT_LE(error, backward) << "sample " << i;
    EXPECT_GE(error, backward / 1.001) << "sample " << i;
  }
}

}  // namespace fftprec::testing
