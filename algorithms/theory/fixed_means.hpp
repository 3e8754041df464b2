/// The mean errors of fixed point: a transform of zeros in which every rounding moves its result by
/// its mean error. An FFT is linear and means do not depend on data, so this follows them exactly,
/// wherever twiddles carry them.
#pragma once

#include "algorithms/arithmetic/machine_gemm.hpp"

namespace fftprec {

/// The loops of an arithmetic of fixed-point data with means in the place of roundings and an
/// unlimited range. A product by a factor of b bits below the point cuts b bits, a sum of products
/// as many as the product that cuts most; products by 1, -1, i, -i cut none.
template <class Real>
KernelSet<Real> of_means(KernelSet<Real> kernels);

}  // namespace fftprec
