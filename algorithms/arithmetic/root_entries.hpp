/// The entries of a table, as its source gives them.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/table_spec.hpp"
#include "arith/formats/complex_array.hpp"

namespace fftprec {

/// All entries of `spec` rounded to `format`, as numbers of type Real.
template <class Real>
ComplexArray<Real> root_entries(const TableSpec& spec, const Format& format, Direction direction,
                                const RootFunction& roots) {
  constexpr std::size_t block = 512;
  std::array<RootIndex, block> indices;
  std::array<double, block> re;
  std::array<double, block> im;
  // In fixed point -1 has no negative.
  const double largest =
      format.is_fixed() ? max_finite(format) : std::numeric_limits<double>::infinity();
  ComplexArray<Real> table(spec.size);
  for (std::size_t first = 0; first < spec.size; first += block) {
    const std::span<RootIndex> some(indices.data(), std::min(block, spec.size - first));
    spec.index.fill(first, some);
    roots.fill(some, format, re.data(), im.data());
    for (std::size_t i = 0; i < some.size(); ++i) {
      table.re[first + i] = static_cast<Real>(re[i]);
      const double turned = direction == Direction::forward ? im[i] : std::min(-im[i], largest);
      table.im[first + i] = static_cast<Real>(turned);
    }
  }
  return table;
}

}  // namespace fftprec
