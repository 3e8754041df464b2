/// The floating-point environment, on which every result depends. All headers include this file, so
/// that no build with fast-math compiles.
#pragma once

#include <string>
#include <vector>

#ifdef __FAST_MATH__
#error "fftprec counts every rounding: build without -ffast-math (-Ofast)"
#endif

namespace fftprec {

/// The problems of the calling thread's environment, one sentence each; empty if results can be
/// trusted. It looks for subnormal results or operands that count as zero (FTZ, DAZ: any library
/// built with -ffast-math may set them for the whole process), for a rounding other than to nearest
/// even, and for sums in a wider type. It changes no setting.
std::vector<std::string> check_floating_point_environment();

}  // namespace fftprec
