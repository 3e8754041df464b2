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

/// n <= 256: dft-gemm. Above, of the algorithms for powers of two the one with the fewest stages;
/// of equals stockham-r8 before stockham-r4 before radix2-dit before stockham-mixed. Any other n:
/// bluestein. The kahan scheme has no matrix products: for every power of two it is radix2-dit, for
/// any other n bluestein.
/// Source: the dispatch of the public trnfft project, versions 0.7 to 0.22.
TrnfftChoice trnfft_choice(std::size_t n, ProductScheme product);

}  // namespace fftprec
