/// Deterministic signals. fl rounds to fp32; transform b of a batch uses seed + b where a seed
/// counts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// 1 at position seed mod n, else 0.
ComplexArray<double> impulse(std::size_t n, std::size_t batch, std::uint64_t seed);

/// exp(2 pi i f j/n), f = seed mod n, each part rounded once to fp32: one output of n, others 0.
ComplexArray<double> tone(std::size_t n, std::size_t batch, std::uint64_t seed);

/// exp(i pi j^2/n), j^2 reduced modulo 2n exactly, each part rounded once to fp32.
ComplexArray<double> chirp(std::size_t n, std::size_t batch);

/// 1 everywhere.
ComplexArray<double> constant(std::size_t n, std::size_t batch);

/// fl(fl(j)/fl(n)), imaginary part 0.
ComplexArray<double> ramp(std::size_t n, std::size_t batch);

}  // namespace fftprec
