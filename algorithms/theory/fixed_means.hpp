/// The mean errors of fixed point: a transform of zeros in which every rounding moves its result by
/// its mean error. An FFT is linear and the means do not depend on data, so its result is the exact
/// mean error of every output.
#pragma once

#include "algorithms/arithmetic/machine_gemm.hpp"

namespace fftprec {

/// The loops of fixed-point arithmetic with mean errors in place of roundings, and an unlimited
/// range. A product by a factor of b bits below the point cuts b bits; a sum of products cuts as
/// many as its longest product; products by 1, -1, i, -i cut none.
template <class Real>
KernelSet<Real> of_means(KernelSet<Real> kernels);

}  // namespace fftprec
