/// The generators of inputs: random numbers, deterministic signals, and probes of a matrix unit. fl
/// rounds to fp32; all results hold `batch` transforms one after the other.
///
/// Generators are std::mt19937 and std::mt19937_64, which the C++ standard specifies bit for bit;
/// the standard's distributions, which it does not specify, are not used. u is uniform on multiples
/// of 2^-24 in [0, 1); `count` = n * batch elements are drawn one after the other. If a signal has
/// a seed, transform b of a batch uses seed + b.
///
/// Source of the probes: Fasi, Higham, Mikaitis, Pranesh, PeerJ Comput. Sci. 7 (2021) e330,
/// sections 3 and 4. In a product (transform cgemm) the second operand is the input of the next
/// seed, so an even seed multiplies the probe by ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// Standard normal reals, imaginary part 0, as torch.manual_seed(seed); torch.randn(count) draws
/// them on a CPU: u = (32-bit output mod 2^24) 2^-24 fills the array; then in each block of 16, for
/// j < 8, radius = fl(sqrt(fl(-2 fl(log(1 - u_j))))), theta = fl(fl(2 pi) u_(j+8)),
/// x_j = fl(radius fl(cos theta)), x_(j+8) = fl(radius fl(sin theta)). If count is no multiple of
/// 16 the last 16 elements are drawn again. Only the low 32 bits of the seed count, as in torch.
/// Throws NotApplicable if count < 16.
ComplexArray<double> torch_randn(std::size_t count, std::uint64_t seed);

/// Reals uniform on the multiples of 2^-24 in [0, 1), imaginary part 0, as torch.manual_seed(seed);
/// torch.rand(count) draws them on a CPU: u = (32-bit output mod 2^24) 2^-24. Only the low 32 bits
/// of the seed count, as in torch.
ComplexArray<double> torch_rand(std::size_t count, std::uint64_t seed);

/// Real and imaginary part independent N(0, 1), by the polar form of Box and Muller (1958): a
/// 64-bit draw gives u1 = fl(k + 1) 2^-32 from its upper 32 bits k and u2 from the next 24;
/// radius = fl(sqrt(fl(-2 fl(log u1)))), theta = fl(fl(2 pi) u2), the element is
/// fl(radius fl(cos theta)) + i fl(radius fl(sin theta)). Largest magnitude: 6.67. With another
/// mean or deviation each part g becomes fl(mean + fl(deviation g)).
ComplexArray<double> gaussian(std::size_t count, std::uint64_t seed, float mean = 0,
                              float deviation = 1);

/// Real and imaginary part independent and uniform in [low, high): fl(low + fl(fl(high - low) u)),
/// for [-1, 1) its multiples of 2^-23. If fp32 has few numbers between low and high, rounding may
/// give `high` itself.
ComplexArray<double> uniform(std::size_t count, std::uint64_t seed, float low = -1, float high = 1);

/// Magnitudes over a wide range: each part fl((u - 1/2) fl(exp(fl(phi g)))), g as in `gaussian`
/// (Ozaki, Ogita, Oishi, Rump 2012, section 5).
/// Throws InputError unless 0 <= phi <= 10.
ComplexArray<double> wide(std::size_t count, std::uint64_t seed, double phi);

/// fl(1 + fl(2^-12 g)) + i fl(2^-12 g'): in every output but the first the sum of |x| ~ n cancels
/// to about 2^-12 sqrt(2n).
ComplexArray<double> cancelling(std::size_t count, std::uint64_t seed);

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

/// Grey values g/255, each rounded once, of an artificial picture of n pixels, line by line. Its
/// width is the smallest power of two w with w^2 >= n. Opaque squares of random grey cover each
/// other at random places; there are a fourth as many of twice the side. So there are edges and
/// areas of every size, and the power spectrum falls about as 1/f^2.
/// Source: the dead-leaves model of images, Lee, Mumford, Huang, Int. J. Comput. Vision 41, 2001.
ComplexArray<double> image(std::size_t n, std::size_t batch, std::uint64_t seed);

/// 1 + 2^-7 everywhere, imaginary parts 0: squares are 1 + 2^-6 + 2^-14 if products are exact, and
/// 1 + 2^-6 if they are rounded to bf16.
ComplexArray<double> probe_product(std::size_t n, std::size_t batch);

/// 1, then 1.5 2^-24: a sum that rounds to nearest grows by 2^-23 per step, a truncating sum stays
/// at 1, an exact sum grows by the true amount. The errors of the first two have the ratio 1 to 3.
/// (Addends closer to 2^-24, which are usual if the sum itself is read, would give equal errors.)
/// An odd seed gives ones.
ComplexArray<double> probe_rounding(std::size_t n, std::size_t batch, std::uint64_t seed);

/// 2^24 at the first place, 1 at the second, -2^24 at the last, else 0: a chain loses the 1 from
/// one end and keeps it from the other. An odd seed gives ones.
ComplexArray<double> probe_order(std::size_t n, std::size_t batch, std::uint64_t seed);

/// Where whole numbers lie, and how they follow each other.
struct IntegerLaw {
  /// The least and the greatest value of element j.
  struct Range {
    double least;
    double greatest;
  };
  enum class Pattern {
    random,       ///< uniform, each by itself
    limit,        ///< the limit of larger size everywhere
    signs,        ///< one of both limits, each with probability 1/2
    alternating,  ///< greatest, least, greatest, ...
  };
  std::function<Range(std::size_t j)> range;
  Pattern pattern = Pattern::random;
};

/// Whole numbers, imaginary part 0; element j = i mod n of each item has the range of j. A value is
/// least + floor(d (greatest - least + 1) 2^-64), d a 64-bit draw: no value is more probable than
/// another by more than 2^-10 of it, for ranges up to 2^54.
ComplexArray<double> integers(std::size_t n, std::size_t batch, std::uint64_t seed,
                              const IntegerLaw& law);

}  // namespace fftprec
