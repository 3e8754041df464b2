/// Tables of several planes, the first of which serves exact operations, and their parts.
///
/// A table of roots holds the true entries twice. Computed entries have errors of what they were
/// computed by, but none of their own: planes 1 and 2 hold them as stored.
#pragma once

#include "algorithms/arithmetic/factor_table.hpp"
#include "algorithms/arithmetic/float_operands.hpp"
#include "arith/formats/complex_array.hpp"

namespace fftprec {

inline constexpr std::size_t true_plane = 1;   ///< what errors of the entries are told from
inline constexpr std::size_t given_plane = 2;  ///< entries as the source gives them
inline constexpr std::size_t first_word = 3;   ///< of what the machine takes

/// `count` planes of the table from plane `first` on, as a table of its own.
template <class Real>
FactorTable<Real> planes_of(const FactorTable<double>& w, std::size_t first, std::size_t count) {
  return {converted<Real>(part_of(w.planes, first * w.size, count * w.size)), w.size};
}

/// The words of a table of the machine.
inline FactorTable<float> machine_table(const FactorTable<double>& w) {
  return planes_of<float>(w, first_word, w.planes.size() / w.size - first_word);
}

/// The same factors from another plane on.
inline FactorView<double> plane_of(FactorView<double> w, std::size_t plane) {
  return {w.re + plane * w.plane, w.im + plane * w.plane, w.row_step, w.col_step, w.plane};
}

}  // namespace fftprec
