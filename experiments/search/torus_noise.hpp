/// The noise that floating-point FFTs add to an external product of homomorphic encryption over the
/// torus (TFHE).
///
/// k + 1 polynomials of degree N are cut into l digits of base B each. A result is the sum of the
/// products of these (k + 1) l polynomials of digits with polynomials of torus elements, a product
/// modulo x^N + 1 with terms. There are k + 1 results; the phase is the last one minus the sum of
/// the others times binary secrets. It adds 1 + k N/2 errors of coefficients, and its noise adds to
/// the scheme's own in variance.
///
/// Digits are uniform about 0. Elements of the torus are signed whole numbers of its bits, at most
/// 53: rounding 64 bits to fp64 is not counted. It adds 1 % of the variance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "experiments/cases/case.hpp"
#include "experiments/cases/session.hpp"
#include "experiments/search/exact_products.hpp"

namespace fftprec::search {

struct ExternalProduct {
  std::size_t bits = 64;      ///< of a torus element
  std::uint64_t base = 2;     ///< B
  std::size_t levels = 1;     ///< l
  std::size_t dimension = 1;  ///< k

  std::size_t terms() const { return (dimension + 1) * levels; }
  /// The standard deviation of the phase, as a share of the torus, if every result errs by this
  /// share of its norm: relative_error sqrt((1 + k N/2) terms N B^2/12 1/12).
  double noise(double relative_error, std::size_t n) const;
};

/// "torus:base=B", with keys bits, levels and dimension. Throws InputError for any other name.
ExternalProduct external_product_named(std::string_view name);

/// The case with the digits, elements and terms of one result. Throws InputError unless the
/// transform is a negacyclic product without further keys but the form, and the input `integers`.
Case with_external_product(const Case& where, const ExternalProduct& product);

/// Standard deviations of the noise in the phase, as shares of the torus.
struct TorusNoise {
  std::optional<double> expected{};  ///< by the law of errors
  double measured = 0;               ///< root mean square over the results of all runs
};

/// Requires: the case is one of with_external_product. Throws NotApplicable for one without
/// meaning.
TorusNoise torus_noise(Session& session, const Case& where, const ExternalProduct& product,
                       const ExactRequest& request);

}  // namespace fftprec::search
