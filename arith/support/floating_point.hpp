/// The floating-point environment that every result depends on: included by everyone, so that a
/// build with fast-math does not exist.
#pragma once

#include <string>
#include <vector>

#ifdef __FAST_MATH__
#error "fftprec counts every rounding: build without -ffast-math (-Ofast)"
#endif

namespace fftprec {

/// What is wrong with the environment of the calling thread, one sentence each; empty if results
/// can be trusted. Looks for subnormal results or operands taken as zero (FTZ, DAZ: any library
/// built with -ffast-math may set them for the whole process), for a rounding mode other than to
/// nearest even, and for sums kept in a wider type. It only computes: it changes no setting.
std::vector<std::string> check_floating_point_environment();

}  // namespace fftprec
