/// The array roundings of one instruction set; see arith/formats/round_array.hpp for what they
/// promise.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/formats/format.hpp"
#include "arith/formats/rounding.hpp"
#include "arith/formats/stochastic.hpp"

namespace fftprec {

template <class Real>
using RoundKernel = void (*)(const Real* in, Real* out, std::size_t size, const Format& format);

/// `Tag` is the instruction set that the members are compiled for (kernels/round_array.cpp).
template <class Tag>
struct RoundTables {
  /// The loop of a rounding other than sr. in == out is allowed, partial overlap is not.
  static RoundKernel<float> round_float(Rounding rounding);
  static RoundKernel<double> round_double(Rounding rounding);

  static void stochastic_float(const float* in, float* out, std::size_t size, const Format& format,
                               const StochasticRounding& stochastic, std::uint64_t first_counter);
  static void stochastic_double(const double* in, double* out, std::size_t size,
                                const Format& format, const StochasticRounding& stochastic,
                                std::uint64_t first_counter);
};

}  // namespace fftprec
