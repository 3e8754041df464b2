/// Random inputs. Generators are std::mt19937 and std::mt19937_64, which the C++ standard specifies
/// bit for bit; the standard's distributions, which it does not specify, are not used.
///
/// Notation: fl rounds to fp32; u is uniform on multiples of 2^-24 in [0, 1). All results hold
/// batch transforms drawn one after the other as one array of `count` = n * batch elements.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// Standard normal reals, imaginary part 0, as torch.manual_seed(seed); torch.randn(count) draws
/// them on a CPU: u = (32-bit output mod 2^24) 2^-24 fills the array; then in each block of 16, for
/// j < 8, radius = fl(sqrt(fl(-2 fl(log(1 - u_j))))), theta = fl(fl(2 pi) u_(j+8)),
/// x_j = fl(radius fl(cos theta)), x_(j+8) = fl(radius fl(sin theta)). If count is no multiple of
/// 16 the last 16 elements are drawn anew. Only the low 32 bits of the seed count, as there.
/// Throws NotApplicable if count < 16.
ComplexArray<double> torch_randn(std::size_t count, std::uint64_t seed);

/// Real and imaginary part independent N(0, 1), by the polar form of Box and Muller (1958): a
/// 64-bit draw gives u1 = fl(k + 1) 2^-32 from its upper 32 bits k and u2 from the next 24;
/// radius = fl(sqrt(fl(-2 fl(log u1)))), theta = fl(fl(2 pi) u2), the element is
/// fl(radius fl(cos theta)) + i fl(radius fl(sin theta)). Largest magnitude: 6.67.
ComplexArray<double> gaussian(std::size_t count, std::uint64_t seed);

/// Real and imaginary part independent and uniform on the multiples of 2^-23 in [-1, 1).
ComplexArray<double> uniform(std::size_t count, std::uint64_t seed);

/// Magnitudes over a wide range: each part fl((u - 1/2) fl(exp(fl(phi g)))), g as in `gaussian`
/// (Ozaki, Ogita, Oishi, Rump 2012, section 5).
/// Throws InputError unless 0 <= phi <= 10.
ComplexArray<double> wide(std::size_t count, std::uint64_t seed, double phi);

/// fl(1 + fl(2^-12 g)) + i fl(2^-12 g'): in every output but the first the sum of |x| ~ n cancels
/// to about 2^-12 sqrt(2n).
ComplexArray<double> cancelling(std::size_t count, std::uint64_t seed);

}  // namespace fftprec
