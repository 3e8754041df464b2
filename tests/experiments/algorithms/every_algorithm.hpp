/// One test per registered algorithm, named after it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "experiments/algorithms/registry.hpp"
#include "tests/support/test_name.hpp"

namespace fftprec::testing {

using PerAlgorithm = ::testing::TestWithParam<std::string>;

/// radix2-dit as a test's name: radix2_dit.
inline std::string name_of_algorithm(const ::testing::TestParamInfo<std::string>& info) {
  return test_name(info.param);
}

/// Every FFT, and those whose keys make another of it.
inline std::vector<std::string> tested_algorithms() {
  std::vector<std::string> names = algorithm_names();
  names.emplace_back("recursive:base=8");
  return names;
}

/// What keys make of an FFT: other factors, other butterflies, other inner FFTs.
inline std::vector<std::string> keyed_algorithms() {
  return {"split-radix:pair=conjugate",
          "radix2-dit:butterfly=linzer-feig",
          "radix2-dit:butterfly=clamped",
          "radix2-dit:butterfly=sine",
          "radix2-dit:butterfly=dual-select",
          "stockham-r4:butterfly=goedecker",
          "stockham-r4:butterfly=dual-select",
          "split-radix:butterfly=linzer-feig",
          "split-radix:butterfly=dual-select",
          "split-radix:pair=conjugate:butterfly=linzer-feig",
          "split-radix:pair=conjugate:butterfly=dual-select",
          "bluestein:inner=dft-gemm",
          "rader:inner=dft-gemm",
          "row-column:inner=radix2-dit"};
}

inline std::vector<std::string> tested_algorithms_and_keyed() {
  std::vector<std::string> names = tested_algorithms();
  std::ranges::move(keyed_algorithms(), std::back_inserter(names));
  return names;
}

inline auto every_algorithm(const std::vector<std::string>& names = tested_algorithms()) {
  return ::testing::ValuesIn(names);
}

/// All impulses of length n as one batch: the identity matrix.
inline ComplexArray<double> impulses(std::size_t n) {
  ComplexArray<double> x(n * n);
  for (std::size_t i = 0; i < n; ++i) x.re[i * n + i] = 1;
  return x;
}

}  // namespace fftprec::testing
