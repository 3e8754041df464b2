/// Peers behind the common type: what one computes, and how far that is from the DFT.
#pragma once

#include <string_view>
#include <type_traits>

#include "arith/formats/complex_array.hpp"
#include "arith/truth/metrics.hpp"
#include "arith/truth/transforms.hpp"
#include "experiments/algorithms/registry.hpp"
#include "experiments/tables/tables.hpp"

namespace fftprec::testing {

template <class Real>
ComplexArray<Real> run_peer(const AlgorithmEntry& peer, std::size_t n, Direction direction,
                            const ComplexArray<double>& x) {
  const std::string_view mode = std::is_same_v<Real, float> ? "fp32" : "fp64";
  const MachineArithmetic<Real> arithmetic(resolve(mode_named(mode), machine_named("trn")));
  ComplexArray<Real> y = arithmetic.stored(x);
  peer.make.in<MachineArithmetic<Real>>()(arithmetic, n, direction, table_source("exact"))(
      arithmetic, y);
  return y;
}

template <class Real>
double error_of_peer(const AlgorithmEntry& peer, std::size_t n, Direction direction,
                     const ComplexArray<double>& x) {
  return truth::measure(converted<double>(run_peer<Real>(peer, n, direction, x)),
                        truth::dft(x, n, direction), fp64)
      .l2_rel;
}

/// Nobody proves the error of a peer; a fault of sign, order or scale is 10^5 times this.
inline double generous(const Format& format) { return 64 * unit_roundoff(format); }

}  // namespace fftprec::testing
