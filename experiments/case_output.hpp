/// Running a case: its plan, its result and the way back.
#pragma once

#include <cstdint>

#include "arith/isa.hpp"
#include "experiments/resolved_case.hpp"

namespace fftprec {

/// A result with what only its computation can tell.
struct Output {
  ComplexArray<double> values;      ///< rounded to double where the carrier is wider
  ComplexArray<double> rest;        ///< what that rounding lost; empty where nothing
  ComplexArray<double> round_trip;  ///< the inverse of `values`; empty without an inverse
  bool input_rounded;
  std::uint64_t time_ns;
};

/// Carries out the case on its input. Plans are kept for the next case that needs the same.
Output run_case(const Case& where, const Resolved& resolved, const ComplexArray<double>& input,
                Isa isa);

}  // namespace fftprec
