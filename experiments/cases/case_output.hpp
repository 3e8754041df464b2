/// Running a case: its plan, its result and the way back.
#pragma once

#include <cstdint>

#include "arith/support/isa.hpp"
#include "experiments/cases/resolved_case.hpp"

namespace fftprec {

/// A result with what only its computation can tell.
struct Output {
  ComplexArray<double> values;  ///< rounded to double where the carrier is wider
  ComplexArray<double> rest;    ///< what that rounding lost; empty where nothing
  ComplexArray<double>
      round_trip;  ///< the inverse of `values`; empty without an inverse, or unasked
  bool input_rounded;
  std::uint64_t time_ns;
};

/// The truth of what `values` should be where `rest` is added to them later.
truth::Truth without_rest(truth::Truth truth, const ComplexArray<double>& rest);

/// Whether the way back is taken too.
enum class RoundTrip { yes, no };

/// Carries out the case on its input. Plans are kept for the next case that needs the same.
Output run_case(const Case& where, const Resolved& resolved, const ComplexArray<double>& input,
                Isa isa, RoundTrip round_trip = RoundTrip::yes);

/// Whether the case's mode changes its input before it transforms it.
bool rounds_input(const Resolved& resolved, const ComplexArray<double>& input, Isa isa);

}  // namespace fftprec
