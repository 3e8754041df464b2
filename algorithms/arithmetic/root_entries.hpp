/// The entries of a table, as its source gives them.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <type_traits>

#include "algorithms/arithmetic/roots.hpp"
#include "algorithms/arithmetic/table_spec.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/quad.hpp"

namespace fftprec {

/// The largest value of a table: in fixed point -1 has no negative.
template <class Wide>
Wide largest_entry(const Format& format) {
  if (!format.is_fixed()) return static_cast<Wide>(std::numeric_limits<double>::infinity());
  return static_cast<Wide>(power_of_two(format.emax + 1)) -
         static_cast<Wide>(power_of_two(quantum_exponent(format)));
}

/// All entries of `spec` rounded to `format`, as numbers of type Real.
template <class Real>
ComplexArray<Real> root_entries(const TableSpec& spec, const Format& format, Direction direction,
                                const RootFunction& roots) {
  constexpr std::size_t block = 512;
  constexpr bool has_rests = std::is_same_v<Real, Quad>;
  using Wide = std::conditional_t<has_rests, Quad, double>;
  std::array<RootIndex, block> indices;
  std::array<double, block> re, im;
  std::array<double, has_rests ? block : 1> rest_re{}, rest_im{};
  const auto largest = largest_entry<Wide>(format);
  ComplexArray<Real> table(spec.size);
  for (std::size_t first = 0; first < spec.size; first += block) {
    const std::span<RootIndex> some(indices.data(), std::min(block, spec.size - first));
    spec.index.fill(first, some);
    roots.fill(some, format, re.data(), im.data(),
               has_rests ? RootRests{rest_re.data(), rest_im.data()} : RootRests{});
    for (std::size_t i = 0; i < some.size(); ++i) {
      Wide root_re = re[i];
      Wide root_im = im[i];
      if constexpr (has_rests) {
        root_re += rest_re[i];
        root_im += rest_im[i];
      }
      table.re[first + i] = static_cast<Real>(root_re);
      const bool forward = direction == Direction::forward;
      table.im[first + i] = static_cast<Real>(forward ? root_im : std::min(-root_im, largest));
    }
  }
  return table;
}

}  // namespace fftprec
