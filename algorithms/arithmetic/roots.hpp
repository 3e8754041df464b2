/// Where an algorithm's tables come from: it asks for roots of unity and windows, it never computes
/// one.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "arith/formats/format.hpp"
#include "arith/support/framing.hpp"

namespace fftprec {

/// exp(-2 pi i exponent/order), each part on the grid of `format`.
///
/// The exponent comes as the algorithm forms it and is *not* reduced modulo the order (k*j of a DFT
/// matrix, n*n of a chirp), because some table sources form the angle from it as it is, and the
/// rounding error of that angle grows with its size. Safe to call from several threads.
using RootFunction =
    std::function<std::complex<double>(std::uint64_t exponent, std::uint64_t order, const Format&)>;

/// A real table, its entries rounded to a format.
using RealTable = std::function<std::vector<double>(const Format&)>;

/// Windows and what undoes them, as a table source gives them. An empty one serves for costs alone.
struct WindowSource {
  /// The window as it stands in a frame: n values, 0 outside of its own window_length.
  std::function<std::vector<double>(const Framing&, const Format&)> window;
  /// 1/s_i for each of `length` samples, s_i the sum of the squared windows over it; 0 where no
  /// frame reaches.
  std::function<std::vector<double>(const Framing&, const Format&)> reciprocals;
  /// mu >= |w^_j - w_j|.
  std::function<double(const Framing&, const Format&)> window_error;
  /// delta >= |r^_i - r_i| / r_i.
  std::function<double(const Framing&, const Format&)> reciprocal_error;
};

}  // namespace fftprec
