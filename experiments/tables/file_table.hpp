/// Tables of other programs, from .npy files: twiddle vectors and DFT matrices.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/arithmetic/roots.hpp"
#include "arith/formats/format.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/files/sample_files.hpp"

namespace fftprec {

class FileMemory;

/// An array of roots of unity as a program made them.
///
/// A vector of m entries is the circle exp(-2 pi i j/m), or the first half of the circle of order
/// 2m, whose other half is the negative of the first, or the chirp exp(-pi i j^2/m) of Bluestein's
/// algorithm, roots of order 2m, j^2 perhaps in an integer of 32 bits that overflows. An n x n
/// array is the DFT matrix, entry (k, j) the root with exponent k j. Which of these it is, and the
/// sign of the angles, is decided by the roots to which most entries are near: within 1/4.
class FileTable {
 public:
  enum class Shape { circle, half_circle, chirp, matrix };
  /// How the squares of a chirp were formed: exactly, or modulo 2^32, signed or unsigned.
  enum class Square { exact, int32, uint32 };

  /// `locator`: a path, and the hash of the content (files/file_values.hpp). Throws what file_array
  /// throws; InputError for real numbers, another shape, and entries that are near no such roots.
  explicit FileTable(std::string_view locator, FileMemory* memory = nullptr);

  const std::string& path() const { return path_; }
  const Format& format() const { return format_; }  ///< of a part of an entry
  Shape shape() const { return shape_; }
  Square square() const { return square_; }
  std::uint64_t order() const { return order_; }
  bool conjugated() const { return conjugated_; }  ///< the angles have the sign +
  std::size_t size() const { return samples_->values.size(); }

  /// Entry i, and the root exp(-2 pi i ...) that it represents; conjugated entries are conjugated
  /// back.
  std::complex<double> entry(std::size_t i) const;
  RootIndex root(std::size_t i) const;
  /// The root that the program computed: after overflow of a square another root, or, if the square
  /// became negative, the conjugate of another root.
  RootIndex made(std::size_t i) const;
  bool made_conjugate(std::size_t i) const;
  /// entry(i) minus the exact root. Error: 2^-52 of itself, and 2^-100.
  std::complex<double> error(std::size_t i) const;
  /// At least |error(i)| for every i.
  double largest_error() const { return largest_error_; }

  /// The table as the function of a table source. Rounds: each part once. Throws NotApplicable for
  /// a missing root.
  void fill(std::span<const RootIndex> roots, const Format& format, double* re, double* im) const;

 private:
  std::size_t place(const RootIndex& root) const;
  std::complex<double> less(std::complex<double> value, std::uint64_t exponent) const;
  double distance(std::size_t i) const;
  void recognise();

  std::string path_;
  std::shared_ptr<const Samples> samples_;
  Format format_;
  Shape shape_ = Shape::circle;
  Square square_ = Square::exact;
  std::uint64_t order_ = 0;
  bool conjugated_ = false;
  std::shared_ptr<const truth::PairRoots> exact_;  ///< of that order
  double largest_error_ = 0;
};

}  // namespace fftprec
