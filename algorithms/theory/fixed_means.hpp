/// The means of errors of fixed point: what a transform makes of zeros when every rounding moves
/// its result by what it moves results by on average. An FFT is linear and its means do not depend
/// on data, so they are followed exactly, wherever twiddles carry them.
#pragma once

#include "algorithms/arithmetic/machine_gemm.hpp"

namespace fftprec {

/// The loops of an arithmetic of fixed-point data with means in the place of roundings and no end
/// of the range. A product by a factor of b bits below the point cuts b bits, a sum of products the
/// most of theirs; products by 1, -1, i, -i cut none.
template <class Real>
KernelSet<Real> of_means(KernelSet<Real> kernels);

}  // namespace fftprec
