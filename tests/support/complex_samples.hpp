/// Samples written as complex numbers.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "experiments/files/sample_files.hpp"

namespace fftprec::testing {

inline const std::vector<std::complex<double>> ramp = {1, 2, 3, 4};

inline ComplexArray<double> complex_values(const std::vector<std::complex<double>>& values) {
  ComplexArray<double> array(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    array.re[i] = values[i].real();
    array.im[i] = values[i].imag();
  }
  return array;
}

inline Samples samples(const std::vector<std::complex<double>>& values,
                       const std::vector<std::size_t>& shape) {
  return {complex_values(values), shape};
}

}  // namespace fftprec::testing
