/// Windows by table source, against their formulas in long double and within their error bounds.
#include "experiments/tables/windows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/transforms/short_time.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::testing {

namespace {

constexpr Window all_windows[] = {Window::rectangular, Window::hann, Window::hamming,
                                  Window::blackman, Window::bartlett};

/// 64 bits of significand: its errors are below 2^-60.
long double formula(Window window, std::size_t j, std::size_t m) {
  const long double t = 2 * 3.14159265358979323846264338327950288L * static_cast<long double>(j) /
                        static_cast<long double>(m);
  switch (window) {
    case Window::hann:
      return (1 - std::cos(t)) / 2;
    case Window::hamming:
      return 0.54L - 0.46L * std::cos(t);
    case Window::blackman:
      return 0.42L - 0.5L * std::cos(t) + 0.08L * std::cos(2 * t);
    case Window::bartlett:
      return 1 - std::abs(2 * static_cast<long double>(j) / static_cast<long double>(m) - 1);
    case Window::rectangular:
      break;
  }
  return 1;
}

Framing framing_of(Window window, std::size_t n, std::size_t m) {
  return {.n = n, .hop = 1 + n / 4, .length = 5 * n, .window = window, .window_length = m};
}

template <class Check>
void for_every_table(Check check) {
  for (const Named& source : list_tables()) {
    if (source.name == "file") continue;
    for (const Window window : all_windows)
      for (const auto& [n, m] : {std::pair<std::size_t, std::size_t>{1, 1},
                                 {2, 2},
                                 {7, 7},
                                 {8, 5},
                                 {64, 64},
                                 {100, 61},
                                 {512, 512}})
        for (const Format& format : {bf16, fp32, fp64}) {
          SCOPED_TRACE(::testing::Message()
                       << source.name << ", window " << static_cast<int>(window) << ", n = " << n
                       << ", m = " << m << ", precision " << format.precision);
          check(source.name, framing_of(window, n, m), format);
        }
  }
}

}  // namespace

TEST(Windows, AreWithinTheirErrorBound) {
  for_every_table([](const std::string& source, const Framing& framing, const Format& format) {
    const WindowSource tables = window_source(source);
    const std::vector<double> window = tables.window(framing, format);
    const double bound = tables.window_error(framing, format);
    ASSERT_EQ(window.size(), framing.n);
    const std::size_t first = (framing.n - framing.window_length) / 2;
    for (std::size_t j = 0; j < framing.n; ++j) {
      const bool under = j >= first && j < first + framing.window_length;
      const long double truth =
          under ? formula(framing.window, j - first, framing.window_length) : 0;
      EXPECT_LE(std::abs(static_cast<double>(static_cast<long double>(window[j]) - truth)),
                bound + 0x1p-60)
          << "entry " << j << " is " << window[j];
    }
  });
}

TEST(Windows, ReciprocalsAreWithinTheirErrorBound) {
  for_every_table([](const std::string& source, const Framing& framing, const Format& format) {
    std::vector<double> squares(framing.n);
    const std::size_t first = (framing.n - framing.window_length) / 2;
    for (std::size_t j = 0; j < framing.window_length; ++j) {
      const long double w = formula(framing.window, j, framing.window_length);
      squares[first + j] = static_cast<double>(w * w);
    }
    const std::vector<double> sums = overlap_sums(framing, squares);
    const std::vector<double> window = window_source("exact").window(framing, fp64);
    if (!unsupported_overlap(framing, window).empty()) return;
    const WindowSource tables = window_source(source);
    const std::vector<double> reciprocals = tables.reciprocals(framing, format);
    const double bound = tables.reciprocal_error(framing, format);
    ASSERT_EQ(reciprocals.size(), framing.length);
    for (std::size_t i = 0; i < framing.length; ++i)
      EXPECT_LE(std::abs(reciprocals[i] * sums[i] - 1), bound + 0x1p-46) << "sample " << i;
  });
}

TEST(Windows, OfFp32SourcesAreTorchsOwn) {
  // torch.hann_window(8), torch.bartlett_window(6): printed with nine digits.
  const WindowSource source = window_source("fp32-angle");
  const std::vector<double> hann = source.window(framing_of(Window::hann, 8, 8), fp32);
  const float expected_hann[] = {0, 0x1.2bec3p-3F, 0.5F, 0x1.b504f4p-1F, 1};
  for (std::size_t j = 0; j < 5; ++j)
    EXPECT_NEAR(hann[j], static_cast<double>(expected_hann[j]), 0x1p-24) << "entry " << j;
  const std::vector<double> bartlett = source.window(framing_of(Window::bartlett, 6, 6), fp32);
  const float third = 2.0F / 6.0F;
  const float expected[] = {0, third, 2 * third, 3 * third, 2 - 4 * third, 2 - 5 * third};
  for (std::size_t j = 0; j < 6; ++j)
    EXPECT_EQ(bartlett[j], static_cast<double>(expected[j])) << "entry " << j;
}

}  // namespace fftprec::testing
