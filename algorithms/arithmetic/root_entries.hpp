/// The entries of a table, as its source gives them.
#pragma once

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/table_spec.hpp"
#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// All entries of `spec` rounded to `format`, as numbers of type Real.
template <class Real>
ComplexArray<Real> root_entries(const TableSpec& spec, const Format& format, Direction direction,
                                const RootFunction& roots) {
  ComplexArray<Real> table(spec.size);
  for (std::size_t i = 0; i < spec.size; ++i) {
    const RootIndex root = spec.index(i);
    const std::complex<double> value = roots(root.exponent, root.order, format);
    table.re[i] = static_cast<Real>(value.real());
    table.im[i] = static_cast<Real>(direction == Direction::forward ? value.imag() : -value.imag());
  }
  return table;
}

}  // namespace fftprec
