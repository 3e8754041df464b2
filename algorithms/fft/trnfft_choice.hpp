/// Which algorithm trnfft runs on the device.
#pragma once

#include <cstddef>

#include "arith/kernels/dispatch.hpp"

namespace fftprec {

enum class TrnfftChoice {
  dft_gemm,
  radix2_dit,
  stockham_r4,
  stockham_r8,
  stockham_mixed,
  bluestein
};

/// n <= 256: dft-gemm. Larger powers of two: the algorithm with the fewest stages; of equals, the
/// first of stockham-r8, stockham-r4, radix2-dit, stockham-mixed. Any other n: bluestein. The kahan
/// scheme has no matrix products: it takes radix2-dit for every power of two, else bluestein.
/// Source: the dispatch of the public trnfft project, versions 0.7 to 0.22.
TrnfftChoice trnfft_choice(std::size_t n, ProductScheme product);

}  // namespace fftprec
