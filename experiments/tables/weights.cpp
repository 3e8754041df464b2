#include "experiments/tables/weights.hpp"

#include "arith/formats/round.hpp"
#include "arith/support/error.hpp"
#include "arith/truth/roots.hpp"

namespace fftprec {

namespace {

/// E j mod n.
std::uint64_t remainder(std::uint64_t exponent, std::size_t n, std::size_t j) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(exponent) * j % n);
}

}  // namespace

std::uint64_t first_bit(std::uint64_t exponent, std::size_t n, std::size_t j) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(exponent) * j + n - 1) / n);
}

/// The half of a weight is rounded, since round_unit takes no values from 3/2 on; doubling is
/// exact. 192 bits tell a weight from the middle of two numbers of a format: it is irrational but
/// for f = 0, and a run of over 100 equal bits behind the digits of a format would be a coincidence
/// of 2^-100.
std::vector<double> irrational_base_weights(std::uint64_t exponent, std::size_t n, bool inverse,
                                            const Format& format, std::size_t stride) {
  constexpr mpfr_prec_t bits = 192;
  if (max_finite(format) < 2)
    throw NotApplicable("weights go up to 2, and " + to_string(format) + " ends below");
  truth::Real power(bits);
  std::vector<double> weights;
  weights.reserve(n / stride + 1);
  for (std::size_t j = 0; j < n; j += stride) {
    const std::uint64_t rest = remainder(exponent, n, j);
    mpfr_set_ui(power, rest == 0 ? 0 : n - rest, MPFR_RNDN);
    mpfr_div_ui(power, power, n, MPFR_RNDN);
    if (inverse) mpfr_neg(power, power, MPFR_RNDN);
    mpfr_exp2(power, power, MPFR_RNDN);
    mpfr_div_2ui(power, power, 1, MPFR_RNDN);
    weights.push_back(2 * truth::round_unit(power, format));
  }
  return weights;
}

}  // namespace fftprec
