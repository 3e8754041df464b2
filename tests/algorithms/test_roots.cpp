#include "tests/algorithms/test_roots.hpp"

#include <map>

#include "arith/formats/round.hpp"
#include "tests/support/mpfr_judge.hpp"

namespace fftprec::testing {

namespace {

/// cos and sin of 2 pi e/order to double, from 200 bits; the multiples of a quarter turn exactly.
std::complex<double> root(std::uint64_t exponent, std::uint64_t order) {
  if (4 * exponent % order == 0) {
    constexpr std::complex<double> quarters[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    return quarters[4 * exponent / order];
  }
  const Turn wide = turn(exponent, order, 200);
  return {mpfr_get_d(wide.cos.get(), MPFR_RNDN), -mpfr_get_d(wide.sin.get(), MPFR_RNDN)};
}

}  // namespace

RootFunction exact_roots() {
  return [](std::uint64_t exponent, std::uint64_t order, const Format& format) {
    thread_local std::map<std::pair<std::uint64_t, std::uint64_t>, std::complex<double>> kept;
    const auto key = std::make_pair(exponent % order, order);
    auto found = kept.find(key);
    if (found == kept.end()) found = kept.emplace(key, root(key.first, key.second)).first;
    return std::complex<double>(round(found->second.real(), format, Rounding::rne),
                                round(found->second.imag(), format, Rounding::rne));
  };
}

}  // namespace fftprec::testing
