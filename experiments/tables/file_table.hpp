/// Tables of other programs, from files: twiddles in the layouts of table_layouts.hpp.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/arithmetic/roots.hpp"
#include "arith/formats/format.hpp"
#include "arith/truth/roots.hpp"
#include "experiments/files/sample_files.hpp"
#include "experiments/tables/table_layouts.hpp"

namespace fftprec {

class FileMemory;

/// An array of roots of unity as a program made them.
///
/// Real numbers are pairs (re, im) along an axis, halves of an axis with all real and all imaginary
/// parts, or cosines or sines alone. Which of these they are, the layout, the sign of the angles,
/// and whether the parts are exchanged is decided by the values: in each choice every entry has a
/// distance from its root. Of the geometric means of the distances, none below half an ulp, the
/// least wins, after a factor for choices that are unlikely. So some wrong entries, and errors that
/// are small beside the distances between roots, leave the choice as it is.
class FileTable {
 public:
  using Shape = TableLayout::Shape;
  using Square = TableLayout::Square;
  /// What a file has of each entry.
  enum class Parts { both, cosines, sines };

  /// `locator`: a path, and the hash of the content (files/file_values.hpp). With an order each
  /// entry is judged by the nearest root of that order. Throws what file_array throws; InputError
  /// for recordings, equal numbers, and entries that are near no such roots: half of them within
  /// 1/4.
  explicit FileTable(std::string_view locator, FileMemory* memory = nullptr,
                     std::optional<std::uint64_t> nearest_of = {});

  const std::string& path() const { return path_; }
  const Format& format() const { return samples_->format; }  ///< of a part of an entry
  const TableLayout& layout() const { return layout_; }
  Shape shape() const { return layout_.shape; }
  Square square() const { return layout_.square; }
  std::uint64_t order() const { return layout_.order; }
  bool conjugated() const { return conjugated_; }  ///< the angles have the sign +
  bool swapped() const { return swapped_; }        ///< the file has (im, re)
  Parts parts() const { return parts_; }
  /// The type of the numbers and how they are parts of entries.
  const std::string& storage() const { return storage_; }
  /// The layout, by the sign of the angles.
  std::string text() const;
  std::size_t size() const { return values_->size(); }

  /// Entry i, and the root exp(-2 pi i ...) that it represents; conjugated entries are conjugated
  /// back, exchanged parts exchanged. A part that the file lacks is that of the root, rounded.
  std::complex<double> entry(std::size_t i) const;
  RootIndex root(std::size_t i) const { return layout_.root(i); }
  /// The root that the program computed (TableLayout).
  RootIndex made(std::size_t i) const { return layout_.made(i); }
  bool made_conjugate(std::size_t i) const { return layout_.made_conjugate(i); }
  /// The exact root of the table's order, and entry(i) minus its own.
  /// Error: 2^-52 of itself, and 2^-100; 0 in a part that the file lacks.
  truth::ComplexDoubleDouble exact(std::uint64_t exponent) const { return (*exact_)(exponent); }
  std::complex<double> error(std::size_t i) const;
  /// z, and 0 for a part that the file lacks.
  std::complex<double> present(std::complex<double> z) const;
  /// At least |error(i)| for every i.
  double largest_error() const { return largest_error_; }

  /// The table as the function of a table source. Rounds: each part once. Throws NotApplicable for
  /// a missing root.
  void fill(std::span<const RootIndex> roots, const Format& format, double* re, double* im) const;

 private:
  struct Place {
    std::uint64_t entry;
    bool negative;
  };
  Place place(const RootIndex& root) const;
  void recognise(std::optional<std::uint64_t> nearest_of);
  void index_roots();

  std::string path_;
  std::shared_ptr<const Samples> samples_;
  std::shared_ptr<const ComplexArray<double>> values_;  ///< of entries, as the file has them
  std::string storage_;
  TableLayout layout_;
  Parts parts_ = Parts::both;
  bool conjugated_ = false;
  bool swapped_ = false;
  std::shared_ptr<const truth::PairRoots> exact_;  ///< of the layout's order
  /// Of a listed layout: (order, exponent) of each entry, ascending, and its place.
  std::vector<std::pair<std::pair<std::uint64_t, std::uint64_t>, std::size_t>> listed_;
  double largest_error_ = 0;
};

}  // namespace fftprec
