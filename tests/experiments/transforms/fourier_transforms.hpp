/// The transforms over axes, the trigonometric and the lapped transforms, for tests that go through
/// all of them.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "experiments/algorithms/registry.hpp"
#include "experiments/cases/evaluate.hpp"
#include "experiments/transforms/registry.hpp"
#include "tests/support/test_name.hpp"

namespace fftprec::testing {

/// A transform with lengths that keep one item small.
struct FourierTransform {
  std::string name;
  std::vector<std::size_t> lengths;
  friend void PrintTo(const FourierTransform& transform, std::ostream* out) {
    *out << transform.name;
  }
};

inline const std::vector<FourierTransform>& fourier_transforms_with_lengths() {
  const std::vector<std::size_t> one_axis{1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 15, 16, 30, 31, 32, 64};
  const std::vector<std::size_t> two_axes{1, 2, 3, 4, 5, 6, 8};
  const std::vector<std::size_t> three_axes{1, 2, 3, 4};
  const std::vector<std::size_t> for_even_extensions{2, 3, 5, 6, 9, 12, 17, 33};
  const std::vector<std::size_t> for_odd_extensions{1, 2, 3, 5, 7, 12, 15, 31};
  const std::vector<std::size_t> even{2, 4, 6, 8, 12, 16, 30, 32, 64};
  static const std::vector<FourierTransform> all{
      {"rfft", one_axis},
      {"irfft", one_axis},
      {"hfft", one_axis},
      {"ihfft", one_axis},
      {"fft2", two_axes},
      {"ifft2", two_axes},
      {"rfft2", two_axes},
      {"irfft2", two_axes},
      {"fft2:rows=4", {2, 8}},
      {"ifft2:rows=8", {4, 5}},
      {"rfft2:rows=2", {5, 8}},
      {"irfft2:rows=4", {1, 6, 8}},
      {"fftn", three_axes},
      {"ifftn", three_axes},
      {"rfftn", three_axes},
      {"irfftn", three_axes},
      {"rfftn:dims=1", {5, 8}},
      {"irfftn:dims=4", {2, 3}},
      {"fftn:dims=5", {2}},
      {"irfftn:dims=2", {3, 4, 6}},
      {"fftn:dims=3x2xn", {1, 4, 5}},
      {"ifftn:dims=nx3xn", {2, 4}},
      {"rfftn:dims=4x3xn", {2, 5}},
      {"irfftn:dims=2x5xn:norm=ortho", {1, 4, 6}},
      {"dct2", one_axis},
      {"dct3", one_axis},
      {"dct2:norm=ortho", one_axis},
      {"dct2:norm=forward", one_axis},
      {"dct3:norm=ortho", one_axis},
      {"dct3:norm=forward", one_axis},
      {"dct1", for_even_extensions},
      {"dct4", even},
      {"dst1", for_odd_extensions},
      {"dst2", one_axis},
      {"dst3", one_axis},
      {"dst4", even},
      {"hartley", one_axis},
      {"mdct", even},
      {"mdct:window=none", even},
      {"imdct", even},
      {"imdct:window=none", even},
      {"fft:norm=ortho", one_axis},
      {"ifft:norm=forward", one_axis},
      {"rfft:norm=forward", one_axis},
      {"irfft:norm=ortho", one_axis},
      {"hfft:norm=ortho", one_axis},
      {"ihfft:norm=forward", one_axis},
      {"fft2:rows=4:norm=forward", {2, 8}},
      {"irfft2:norm=ortho", two_axes},
      {"ifftn:dims=3:norm=ortho", three_axes},
  };
  return all;
}

/// Whether it has no norm, and so no inverse.
inline bool lacks_norm(const std::string& transform) {
  return transform.find("norm") == std::string::npos &&
         (transform.find("dct") < 3 || transform.starts_with("dst") || transform == "hartley");
}

using PerFourierTransform = ::testing::TestWithParam<FourierTransform>;

/// "fft2:rows=4" as a test's name: fft2_rows_4.
inline std::string name_of_transform(const ::testing::TestParamInfo<FourierTransform>& info) {
  return test_name(info.param.name);
}

inline auto every_fourier_transform() {
  return ::testing::ValuesIn(fourier_transforms_with_lengths());
}

/// The input of batch items for that transform, name and seed.
inline ComplexArray<double> input_of(const std::string& transform, std::size_t n, std::size_t batch,
                                     const std::string& input, std::uint64_t seed) {
  return transform_named(transform).make_input(input_named(input), n, batch, seed);
}

}  // namespace fftprec::testing
