/// The layouts of tables that programs keep: which root of unity each entry of an array is.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/arithmetic/roots.hpp"

namespace fftprec {

/// An array whose entry i is the root of unity root(i), or its conjugate in all entries.
struct TableLayout {
  /// How a root is looked up: in `part` the exponent is the place, as in a circle and its first
  /// half; in `product`, as in a matrix, row and column are; in `listed` the exponent is searched.
  /// `nearest` is no layout: each entry has the root that is nearest to it.
  enum class Shape { circle, half_circle, part, chirp, matrix, product, listed, nearest };
  /// How the squares of a chirp were formed: exactly, or modulo 2^32, signed or unsigned.
  enum class Square { exact, int32, uint32 };

  Shape shape = Shape::circle;
  std::uint64_t order = 1;  ///< that of each root divides it
  std::string text{};       ///< with the exponential of the angles of sign -, "exp(-2 pi i j/8)"
  double price = 0;         ///< in bits; a layout with a higher price has to fit better
  std::vector<std::size_t> extents{};            ///< of an entry's place: one axis or two
  std::function<RootIndex(std::size_t)> root{};  ///< its order divides `order`
  Square square = Square::exact;
  bool tight = false;  ///< taken only if entries are as near as rounding leaves them

  /// The root that the program computed: after overflow of a square another root, or, if the square
  /// became negative, the conjugate of another root.
  RootIndex made(std::size_t i) const;
  bool made_conjugate(std::size_t i) const;
  /// That root's exponent for the common order.
  std::uint64_t exponent(const RootIndex& of) const {
    return of.exponent() % of.order * (order / of.order);
  }
};

/// Every layout of an array of this shape that its extents alone determine. Axes of length 1 do not
/// count.
std::vector<TableLayout> layouts_of(const std::vector<std::size_t>& shape);

/// Entries of an array, and their usual distance from roots by rounding alone.
struct TableEntries {
  std::vector<std::size_t> shape{};
  std::function<std::complex<double>(std::size_t)> at{};
  double noise = 0;

  std::size_t size() const;
};

/// Layouts whose order, stride and offset the entries determine: of a vector
/// exp(-2 pi i (b j + a)/N), of a matrix exp(-2 pi i (b k j + c k + d j + a)/N). Medians give the
/// steps of the angles, so that some wrong entries do no harm.
std::vector<TableLayout> fitted_layouts(const TableEntries& entries);

/// Each entry as the root of that order nearest to it.
TableLayout nearest_layout(const TableEntries& entries, std::uint64_t order);

/// The least order, up to 2^16, to whose roots nine of ten entries are near. Nothing if the order
/// is so high that other numbers of modulus 1 were near, too.
std::optional<std::uint64_t> nearest_order(const TableEntries& entries);

/// `count` places of an array of that size, spread over it.
std::vector<std::size_t> sample_places(std::size_t size, std::size_t count);

/// exp(-2 pi i exponent/order) in fp64, for a first look.
std::complex<double> root_in_fp64(std::uint64_t exponent, std::uint64_t order);

}  // namespace fftprec
