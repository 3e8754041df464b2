/// Judges for the truth: the definition summed in MPFR and Arb's enclosures, far more bits than the
/// truth has, sharing nothing with it but the RAII numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/real.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::testing {

inline constexpr int judge_bits = 512;

/// Transforms of length n in split parts.
struct Exact {
  explicit Exact(std::size_t size) : re(size, judge_bits), im(size, judge_bits) {}
  truth::RealArray re;
  truth::RealArray im;
};

/// Each output summed by definition: n^2 products per transform.
Exact by_definition(const ComplexArray<double>& x, std::size_t n, Direction direction);

/// Midpoints of acb_dft and acb_dft_inverse (Arb 2.23 leaks memory for prime n > 100: use
/// by_definition there). Throws std::runtime_error if a ball is wider than
/// 2^-300 of the largest output.
Exact by_arb(const ComplexArray<double>& x, std::size_t n, Direction direction);

/// max over transforms of ||stored - exact||_2 / ||stored||_2, 0 where both are zero.
double error_of(const truth::Truth& truth, const Exact& exact);

/// Named inputs that stress a transform; reproducible from the seed.
enum class Stress {
  gaussian,
  tone,
  impulse,
  constant_plus_tiny,
  ramp,
  wide,
  huge,
  tiny,
  subnormal
};
inline constexpr Stress all_stresses[] = {
    Stress::gaussian, Stress::tone, Stress::impulse, Stress::constant_plus_tiny, Stress::ramp,
    Stress::wide,     Stress::huge, Stress::tiny,    Stress::subnormal};
const char* name_of(Stress stress);
ComplexArray<double> stress_input(Stress stress, std::size_t size, std::uint64_t seed);

}  // namespace fftprec::testing
