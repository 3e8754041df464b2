/// stft and istft against their definitions at 512 bits.
#include "arith/truth/stft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "arith/support/error.hpp"
#include "tests/support/error_text.hpp"
#include "tests/truth/judge.hpp"

namespace fftprec::testing {
namespace {

namespace evaluation = truth::evaluation;

constexpr Window all_windows[] = {Window::rectangular, Window::hann, Window::hamming,
                                  Window::blackman, Window::bartlett};
constexpr Padding all_paddings[] = {Padding::reflect, Padding::constant, Padding::replicate,
                                    Padding::circular};

constexpr double stft_roundings = 0x1p16;

Framing framing(std::size_t n, std::size_t hop, std::size_t length, Window window,
                std::size_t window_length, bool center, Padding padding = Padding::reflect) {
  return {.n = n,
          .hop = hop,
          .length = length,
          .window = window,
          .window_length = window_length,
          .center = center,
          .padding = padding};
}

/// Even and odd n, windows shorter than n by an even and an odd number, hops that divide nothing.
std::vector<Framing> framings() {
  std::vector<Framing> all;
  for (const Window window : all_windows) {
    all.push_back(framing(8, 2, 21, window, 8, true));
    all.push_back(framing(9, 4, 30, window, 7, true));
    all.push_back(framing(12, 5, 33, window, 9, false));
  }
  for (const Padding padding : all_paddings) {
    all.push_back(framing(8, 3, 20, Window::hann, 8, true, padding));
    all.push_back(framing(7, 2, 5, Window::hamming, 6, true, padding));
  }
  all.push_back(framing(1, 1, 4, Window::rectangular, 1, true));
  all.push_back(framing(2, 1, 2, Window::bartlett, 2, true));
  all.push_back(framing(34, 9, 34, Window::blackman, 33, false));
  all.push_back(framing(6, 6, 3, Window::hann, 6, true, Padding::circular));
  all.push_back(framing(4, 7, 30, Window::rectangular, 4, false));  // gaps between frames
  return all;
}

std::string describe(const Framing& f) {
  return "n " + std::to_string(f.n) + " hop " + std::to_string(f.hop) + " length " +
         std::to_string(f.length) + " window " + std::to_string(static_cast<int>(f.window)) +
         " of " + std::to_string(f.window_length) + (f.center ? " centred" : "") + " padding " +
         std::to_string(static_cast<int>(f.padding)) + ", gaussian input, seed 3";
}

TEST(Stft, KeepsItsRadiusAgainstTheDefinition) {
  for (const Framing& f : framings()) {
    SCOPED_TRACE(describe(f));
    const auto x = real_input(Stress::gaussian, 2 * f.length, 3);

    expect_certified(evaluation::stft(x, f), stft_by_definition(x, f), stft_roundings);
  }
}

TEST(Istft, KeepsItsRadiusAgainstTheDefinition) {
  std::size_t judged = 0;
  for (const Framing& f : framings()) {
    if (!f.center && f.window != Window::rectangular && f.window != Window::hamming) continue;
    if (f.n == 12 || f.n == 34) continue;  // the window stands away from the first sample
    SCOPED_TRACE(describe(f));
    const auto x = stress_input(Stress::gaussian, 2 * f.frames() * f.bins(), 3);

    expect_certified(evaluation::istft(x, f), istft_by_definition(x, f), stft_roundings);
    ++judged;
  }
  EXPECT_GE(judged, 15u);
}

/// Bartlett's window squared is 2^-12 at the second sample, Hann's 6e-8: errors grow by as much.
TEST(Istft, KeepsItsRadiusWhereTheWindowSumIsSmall) {
  for (const Window window : {Window::bartlett, Window::hann}) {
    Framing f = framing(66, 32, 128, window, 66, true);
    f.hop = 66;
    f.length = 33 + 32;
    SCOPED_TRACE(describe(f));
    const auto x = stress_input(Stress::gaussian, f.frames() * f.bins(), 4);
    const Exact exact = istft_by_definition(x, f);

    const truth::Truth truth = truth::istft(x, f, {.tier = truth::Tier::mpfr});

    expect_honest(truth, exact);
    EXPECT_LE(truth.radius_rel, 0x1.1p-106);
    expect_honest(truth::istft(x, f, {.tier = truth::Tier::double_double}), exact);
    const ChainError coarse = chain_error(evaluation::istft(x, f).evaluate({60}, 0), exact, 0);
    EXPECT_LE(coarse.found, coarse.bound);
  }
}

/// An impulse and its flat spectrum are exact in every bit, so the bounds are formulas: r of
/// Fourier, u of the window, 2u of a sum of one, u of the last quotient.
TEST(Stft, TheBoundIsTheSumOfItsSteps) {
  const double u = 0x1p-60;
  const double r = truth::Fourier::radius(8, 60);
  const Framing f = framing(8, 8, 8, Window::rectangular, 8, false);
  ComplexArray<double> impulse(8);
  impulse.re[0] = 1;
  ComplexArray<double> flat(5);
  flat.re = {1, 1, 1, 1, 1};

  const double there = evaluation::stft(impulse, f).evaluate({60}, 0).error.to_double();
  const double back = evaluation::istft(flat, f).evaluate({60}, 0).error.to_double();

  EXPECT_NEAR(there / (std::sqrt(8.0) * (u + r)), 1, 0x1p-19);
  EXPECT_NEAR(back / (r + 4 * u), 1, 0x1p-19);
}

/// torch.stft(torch.arange(1., 5.), 4, 2, window=ones(4), center=True): by hand, the frames are
/// [3 2 1 2], [1 2 3 4] and [3 4 3 2].
TEST(Stft, KnownValuesOfOneTwoThreeFour) {
  ComplexArray<double> x(4);
  x.re = {1, 2, 3, 4};

  const truth::Truth truth = truth::stft(x, framing(4, 2, 4, Window::rectangular, 4, true));

  EXPECT_EQ(truth.n, 9u);
  EXPECT_EQ(truth.hi.re, (AlignedVector<double>{8, 2, 0, 10, -2, -2, 12, 0, 0}));
  EXPECT_EQ(truth.hi.im, (AlignedVector<double>{0, 0, 0, 0, 2, 0, 0, -2, 0}));
}

/// Hann of length 4 is 0 1/2 1 1/2.
TEST(Stft, KnownValuesOfAHannWindow) {
  ComplexArray<double> x(4);
  x.re = {1, 2, 3, 4};

  const truth::Truth truth = truth::stft(x, framing(4, 4, 4, Window::hann, 4, false));

  EXPECT_EQ(truth.hi.re, (AlignedVector<double>{6, -3, 0}));
  EXPECT_EQ(truth.hi.im, (AlignedVector<double>{0, 1, 0}));
}

TEST(Stft, TheFirstAndTheLastBinAreReal) {
  const Framing f = framing(36, 10, 66, Window::hann, 36, false);  // Bluestein leaves noise

  const auto x = real_input(Stress::gaussian, 66, 6);

  const std::vector<bool> real = real_elements(evaluation::stft(x, f));

  for (std::size_t i = 0; i < real.size(); ++i)
    EXPECT_EQ(real[i], i % f.bins() == 0 || i % f.bins() == 18) << i;
}

TEST(Istft, SamplesThatNoFrameReachesAreZero) {
  const Framing f = framing(4, 5, 12, Window::rectangular, 4, false);  // frames at 0 and 5
  const auto x = stress_input(Stress::gaussian, 2 * 3, 7);

  const truth::Truth truth = truth::istft(x, f);

  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(truth.hi.re[i] == 0, i == 4 || i >= 9) << i;
}

TEST(Istft, AWindowSumOfZeroNamesTheSample) {
  const auto text = [](const Framing& f) {
    return error_text([&] { truth::istft(ComplexArray<double>(f.frames() * f.bins()), f); });
  };
  constexpr const char* message = "istft: the squared windows sum up to less than 1e-11 at sample ";
  EXPECT_NE(text(framing(8, 4, 16, Window::hann, 8, false)).find(std::string(message) + "0"),
            std::string::npos);
  EXPECT_NE(text(framing(8, 8, 16, Window::hann, 8, true)).find(std::string(message) + "4"),
            std::string::npos);
  EXPECT_EQ(text(framing(8, 4, 16, Window::hann, 8, true)), "no error");
}

TEST(Stft, BadInputIsAnInputError) {
  const auto fails = [](const Framing& f) {
    const ComplexArray<double> x(f.length);
    EXPECT_THROW(truth::stft(x, f), InputError) << describe(f);
    EXPECT_THROW(truth::istft(x, f), InputError) << describe(f);
  };
  fails(framing(0, 2, 21, Window::hann, 8, true));
  fails(framing(8, 0, 21, Window::hann, 8, true));
  fails(framing(8, 2, 0, Window::hann, 8, true));
  fails(framing(8, 2, 21, Window::hann, 0, true));
  fails(framing(8, 2, 21, Window::hann, 9, true));
  fails(framing(8, 2, 7, Window::hann, 8, false));
  fails(framing(8, 2, 4, Window::hann, 8, true));
  fails(framing(8, 2, 3, Window::hann, 8, true, Padding::circular));

  const Framing good = framing(8, 2, 5, Window::hann, 8, true);
  ComplexArray<double> x(5);
  EXPECT_NO_THROW(truth::stft(x, good));
  EXPECT_NO_THROW(truth::stft(ComplexArray<double>(1),
                              framing(8, 2, 1, Window::hann, 8, true, Padding::replicate)));
  EXPECT_THROW(truth::stft(ComplexArray<double>(6), good), InputError);
  EXPECT_THROW(truth::istft(ComplexArray<double>(6), good), InputError);
  x.im[1] = 1;
  EXPECT_THROW(truth::stft(x, good), InputError);
}

}  // namespace
}  // namespace fftprec::testing
