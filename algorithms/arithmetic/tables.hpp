/// Description of a table that an algorithm needs. The arithmetic fills the table from its source
/// and cuts it into words; the predictor derives its error.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/roots.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/views.hpp"
#include "arith/splitting/residues.hpp"

namespace fftprec {

/// How far the angles of a table reach: exponent/order is at most `turns`, not reduced, and the
/// exponent modulo the order at most `index`. `usual` is the order in which its roots are usually
/// formed.
struct TableExtent {
  double turns;
  std::uint64_t index;
  AngleOrder usual = AngleOrder::product;
};

/// Which root each entry of a table is, a stretch of entries at a time.
class RootIndices {
 public:
  /// From a function of one entry: index(i).
  template <class Index>
  requires std::invocable<const Index&, std::size_t> RootIndices(Index index)
      : fill_([index = std::move(index)](std::size_t first, std::span<RootIndex> roots) {
          for (std::size_t i = 0; i < roots.size(); ++i) roots[i] = index(first + i);
        }) {}

  /// From a function of a stretch: fill(first, roots) sets roots[i] to entry first + i.
  template <class Fill>
  requires std::invocable<const Fill&, std::size_t, std::span<RootIndex>> RootIndices(Fill fill)
      : fill_(std::move(fill)) {}

  RootIndex operator()(std::size_t i) const {
    RootIndex root{};
    fill_(i, {&root, 1});
    return root;
  }
  void fill(std::size_t first, std::span<RootIndex> roots) const { fill_(first, roots); }

 private:
  std::function<void(std::size_t first, std::span<RootIndex>)> fill_;
};

/// Entry i of the table is the root index(i), i < size, conjugated for the inverse transform.
struct TableSpec {
  std::size_t size;
  RootIndices index;
  TableExtent extent;
};

/// All entries of `spec` rounded to `format`, as numbers of type Real.
template <class Real>
ComplexArray<Real> root_entries(const TableSpec& spec, const Format& format, Direction direction,
                                const RootFunction& roots) {
  constexpr std::size_t block = 512;
  std::array<RootIndex, block> indices;
  std::array<double, block> re, im;
  // Where there are more negative values, as in fixed point, -1 has no negative.
  const double largest = min_finite(format) < -max_finite(format)
                             ? max_finite(format)
                             : std::numeric_limits<double>::infinity();
  ComplexArray<Real> table(spec.size);
  for (std::size_t first = 0; first < spec.size; first += block) {
    const std::span<RootIndex> some(indices.data(), std::min(block, spec.size - first));
    spec.index.fill(first, some);
    roots.fill(some, format, re.data(), im.data());
    for (std::size_t i = 0; i < some.size(); ++i) {
      const bool forward = direction == Direction::forward;
      table.re[first + i] = static_cast<Real>(re[i]);
      table.im[first + i] = static_cast<Real>(forward ? im[i] : std::min(-im[i], largest));
    }
  }
  return table;
}

/// Table entries in the words of an arithmetic, one plane per word.
template <class Real>
struct FactorTable {
  ComplexArray<Real> planes;
  std::size_t size = 0;  ///< entries; planes.size() / size words
  /// In place of planes, a matrix in the words of a tensor engine, if they are not Real.
  ComplexArray<float> words{};
  std::vector<int> exponents{};  ///< of the columns of sliced words (arith/splitting/slices.hpp)
  std::shared_ptr<const ResidueMatrix> residues{};

  /// The entries from `first` on, one per (row, column) as the steps say.
  FactorView<Real> view(std::size_t first, std::size_t row_step, std::size_t col_step) const {
    return {planes.re.data() + first, planes.im.data() + first, row_step, col_step, size};
  }
};

}  // namespace fftprec
