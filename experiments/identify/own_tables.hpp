/// The twiddles of a program, read from its transforms of impulses.
///
/// In an FFT of mixed radices most impulses meet one factor alone on the way to some output. In
/// time the impulse at k M of a stage (L, r, M) has W_(L r)^(l k) in output l < L: earlier stages
/// find it at place 0, later ones in row 0. In frequency the impulse at m < M has W_(r M)^(j m) in
/// output j L. So the table is read entry by entry, whatever made it.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "algorithms/fft/radix_plan.hpp"
#include "arith/formats/complex_array.hpp"
#include "arith/formats/format.hpp"

namespace fftprec::identify {

/// The program's transforms of n points of impulses at these places, row by row.
using AskImpulses =
    std::function<ComplexArray<double>(std::size_t n, const std::vector<std::size_t>& places)>;

/// The tables of FFTs of n points by several plans. A program is asked once for each impulse; what
/// no plan reads of an answer is not kept.
class OwnTables {
 public:
  /// Entries that are not read are exact roots, rounded to the format. Without `ask`, only the rows
  /// of `know` are read.
  OwnTables(std::size_t n, const Format& format, const std::vector<RadixPlan>& plans,
            AskImpulses ask = {});

  /// The transform of the impulse at this place, row `row` of `outputs`.
  void know(std::size_t place, const ComplexArray<double>& outputs, std::size_t row);

  /// The table of one of the plans, as `tables=file:` reads it: the circle of order n, exact where
  /// no factor is read, or, if stages have different entries for a root and all radices are 2, the
  /// stages one after the other, L = 1, 2, ..., n/2. Nothing if rows are missing, if what they hold
  /// are no roots, or if other stages differ.
  std::optional<ComplexArray<double>> of(const RadixPlan& plan);

 private:
  struct FactorPlace;
  using Outputs = std::map<std::size_t, std::complex<double>>;

  static std::vector<FactorPlace> factor_places(std::size_t n, const RadixPlan& plan);
  /// Asks for what is missing. Returns whether all is known.
  bool know_all_of(const std::vector<FactorPlace>& places);

  std::size_t n_;
  ComplexArray<double> exact_;
  AskImpulses ask_;
  std::map<std::size_t, Outputs> read_{};  ///< what plans read, by the impulse
  std::set<std::size_t> known_{};          ///< impulses whose outputs these are
};

}  // namespace fftprec::identify
