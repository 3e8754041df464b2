/// Judges for the truth: each output summed from its definition in MPFR, and Arb's enclosures, in
/// far more bits than the truth has. They share nothing with it but the RAII numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/formats/complex_array.hpp"
#include "arith/support/framing.hpp"
#include "arith/truth/certify.hpp"
#include "arith/truth/real.hpp"
#include "arith/truth/truth.hpp"

namespace fftprec::testing {

inline constexpr int judge_bits = 512;

inline constexpr Direction both_directions[] = {Direction::forward, Direction::inverse};

/// The two ways to a truth, each on its own.
inline const truth::TruthOptions in_mpfr{.tier = truth::Tier::mpfr};
inline const truth::TruthOptions in_pairs{.tier = truth::Tier::double_double};

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
/// The same without imaginary parts.
ComplexArray<double> real_input(Stress stress, std::size_t size, std::uint64_t seed);

using Sizes = std::vector<std::size_t>;
std::size_t product(const Sizes& sizes);

Exact dft_nd_by_definition(const ComplexArray<double>& x, const Sizes& sizes, Direction direction);
Exact rfft_nd_by_definition(const ComplexArray<double>& x, const Sizes& sizes);
/// (1/N) sum_k c_k Re(x_k exp(+2 pi i jk/n)), c = 1 where the last index is its own mirror image,
/// else 2.
Exact irfft_nd_by_definition(const ComplexArray<double>& x, const Sizes& sizes);
/// sum_k c_k Re(x_k exp(-2 pi i jk/n)), c as above.
Exact hfft_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact ihfft_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact dct2_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact dct3_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact dct1_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact dct4_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact dst1_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact dst2_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact dst3_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact dst4_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact hartley_by_definition(const ComplexArray<double>& x, std::size_t n);
Exact mdct_by_definition(const ComplexArray<double>& x, std::size_t n, bool windowed);
Exact imdct_by_definition(const ComplexArray<double>& x, std::size_t n, bool windowed);
Exact stft_by_definition(const ComplexArray<double>& x, const Framing& framing);
Exact istft_by_definition(const ComplexArray<double>& x, const Framing& framing);
Exact cgemm_by_definition(const ComplexArray<double>& x, const ComplexArray<double>& w,
                          std::size_t batch, std::size_t k, std::size_t n);
Exact cmul_by_definition(const ComplexArray<double>& x, const ComplexArray<double>& m);
Exact cconv1d_by_definition(const ComplexArray<double>& x, const ComplexArray<double>& h,
                            std::size_t n);
Exact cmodrelu_by_definition(const ComplexArray<double>& z, const ComplexArray<double>& b);

/// ||chain - exact||_2 over item `item`, relative to ||exact||_2: {what it is, what it claims}.
struct ChainError {
  double found;
  double bound;
};
ChainError chain_error(const truth::Chain& chain, const Exact& exact, std::size_t item);

/// A step of a chain with plans of its own.
template <class AnyChain>
void transform(AnyChain& x, std::size_t length, std::size_t stride, Direction direction) {
  truth::Plans plans;
  truth::transform(x, length, stride, direction, plans);
}

/// max over elements of |stored - exact| over the element radius of their item; 0/0 is 0.
double worst_element(const truth::Truth& truth, const Exact& exact);

/// Which elements of the first item are real before rounding noise is cut off, by the formula
/// itself, in both arithmetics.
std::vector<bool> real_elements(const truth::Evaluation& evaluation);

/// Expects the truth to keep its radius, in the 2-norm and in every element.
void expect_honest(const truth::Truth& truth, const Exact& exact);

/// The same for the truth in MPFR, in double-double where there is such a way, and as chosen.
void expect_tiers_honest(const truth::Evaluation& evaluation, const Exact& exact);

/// Expects the evaluation at 60 bits to keep its bound in every item, the bound to be at most
/// `roundings` 2^-60, and the certified truth to keep its radius, of about 2^-106; and all the same
/// in double-double, where there is such a way, with `roundings` 2^-106.
void expect_certified(const truth::Evaluation& evaluation, const Exact& exact, double roundings);

}  // namespace fftprec::testing
