/// Checks + - * / sqrt fma of one emulated type against MPFR, on operands sampled by binade and on
/// every combination of special ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "arith/formats/emulated.hpp"

namespace fftprec::testing {

/// An emulated type without its type: what the check needs to call.
struct OperationsUnderTest {
  Format format;
  Rounding rounding;
  double (*add)(double, double);
  double (*subtract)(double, double);
  double (*multiply)(double, double);
  double (*divide)(double, double);
  double (*square_root)(double);
  double (*fused)(double, double, double);
};

template <class T>
OperationsUnderTest operations_of() {
  return {
      T::format,
      T::rounding,
      [](double a, double b) { return static_cast<double>(T(a) + T(b)); },
      [](double a, double b) { return static_cast<double>(T(a) - T(b)); },
      [](double a, double b) { return static_cast<double>(T(a) * T(b)); },
      [](double a, double b) { return static_cast<double>(T(a) / T(b)); },
      [](double a) { return static_cast<double>(sqrt(T(a))); },
      [](double a, double b, double c) { return static_cast<double>(fma(T(a), T(b), T(c))); },
  };
}

/// Runs the check and reports at most ten failures per operation through GoogleTest, each with its
/// operands, result, truth and seed.
void check_operations(const OperationsUnderTest& type, int samples, std::uint64_t seed);

}  // namespace fftprec::testing
