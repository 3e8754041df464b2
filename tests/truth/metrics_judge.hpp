/// The error measures by their definitions, in MPFR.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>

#include "arith/truth/metrics.hpp"
#include "arith/truth/real.hpp"

namespace fftprec::testing {

ComplexArray<double> array(std::initializer_list<double> re, std::initializer_list<double> im);

/// hi, as a truth without error.
truth::Truth exactly(const ComplexArray<double>& hi);

/// Holds every sum of squares of doubles exactly.
inline constexpr mpfr_prec_t exact_bits = 4500;

/// What `Errors` says it is, without the radius, in sums that are exact with exact_bits; only
/// quotients and roots round.
truth::Errors judge(const ComplexArray<double>& y, const truth::Truth& t, const Format& output,
                    mpfr_prec_t bits = exact_bits);

/// Every measure within rounding_radius of the judge's, or a step below the normal range.
::testing::AssertionResult same_measures(const truth::Errors& found, const truth::Errors& truth);

/// The measures in their order, the seven radii from place 8 on.
std::array<double, 15> values_of(const truth::Errors& e);

}  // namespace fftprec::testing
