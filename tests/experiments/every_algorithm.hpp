/// One test per registered algorithm, named after it.
#pragma once

#include <gtest/gtest.h>

#include <cctype>

#include "experiments/algorithm_entry.hpp"

namespace fftprec::testing {

using PerAlgorithm = ::testing::TestWithParam<std::string>;

/// radix2-dit as a test's name: radix2_dit.
inline std::string name_of_algorithm(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

inline auto every_algorithm() { return ::testing::ValuesIn(algorithm_names()); }

}  // namespace fftprec::testing
